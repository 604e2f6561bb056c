# SPDX-License-Identifier: Apache-2.0
"""PyXAB's interface over Posse's learners: an import changes and nothing else.

    from posse.pyxab.synthetic_obj.Garland import Garland
    from posse.pyxab.algos.HCT import HCT
    from posse.pyxab.partition.BinaryPartition import BinaryPartition

    target = Garland()
    algo = HCT(domain=[[0, 1]], partition=BinaryPartition)
    for t in range(1, 1001):
        point = algo.pull(t)
        algo.receive_reward(t, target.f(point))
    algo.get_last_point()

Names, modules and arguments are those of PyXAB 0.3.0. The algorithms are those of the papers; where
PyXAB departs from them, the docstring of the class says so. docs/python.md lists what differs for a
script.

The modules posse.pyxab.algos.HCT, … are made here, from _algorithms, _objectives, _partitions and
_plot: a script imports classes from them, or the modules themselves by `from posse.pyxab.algos
import *`.
"""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec

from . import _algorithms, _objectives, _partitions, _plot

# By package and module: its names.
_MODULES = {
    "algos": (
        _algorithms,
        {
            "Algo": ["Algorithm"],
            "DOO": ["DOO"],
            "GPO": ["GPO"],
            "HCT": ["HCT"],
            "HOO": ["T_HOO"],
            "PCT": ["PCT"],
            "POO": ["POO"],
            "SOO": ["SOO"],
            "SequOOL": ["SequOOL"],
            "StoSOO": ["StoSOO"],
            "StroquOOL": ["StroquOOL"],
            "VHCT": ["VHCT"],
            "VPCT": ["VPCT"],
            "VROOM": ["VROOM"],
            "Zooming": ["Zooming"],
        },
    ),
    "partition": (
        _partitions,
        {
            "BinaryPartition": ["BinaryPartition"],
            "DimensionBinaryPartition": ["DimensionBinaryPartition"],
            "KaryPartition": ["KaryPartition"],
            "Node": ["P_node"],
            "Partition": ["Partition"],
            "RandomBinaryPartition": ["RandomBinaryPartition"],
            "RandomKaryPartition": ["RandomKaryPartition"],
        },
    ),
    "synthetic_obj": (
        _objectives,
        {
            "Ackley": ["Ackley", "Ackley_Normalized"],
            "Cexample": ["Cexample"],
            "DifficultFunc": ["DifficultFunc"],
            "DoubleSine": ["DoubleSine", "Perturbed_DoubleSine"],
            "Garland": ["Garland", "Perturbed_Garland"],
            "Himmelblau": ["Himmelblau", "Himmelblau_Normalized"],
            "Objective": ["Objective"],
            "Rastrigin": ["Rastrigin", "Rastrigin_Normalized"],
        },
    ),
    "utils": (
        _plot,
        {"plot": ["compare_regret", "compare_regret_withsd", "plot_regret"]},
    ),
}


def _publish(name, contents, is_package=False):
    """Makes an importable module of these contents."""
    module = module_from_spec(ModuleSpec(name, None, is_package=is_package))
    module.__doc__ = f"Names of PyXAB's module {name.removeprefix(__name__ + '.')}."
    module.__all__ = sorted(contents)
    vars(module).update(contents)
    sys.modules[name] = module
    return module


for _package, (_source, _modules) in _MODULES.items():
    _path = f"{__name__}.{_package}"
    _contents = {
        module: _publish(f"{_path}.{module}", {name: getattr(_source, name) for name in names})
        for module, names in _modules.items()
    }
    globals()[_package] = _publish(_path, _contents, is_package=True)

__all__ = sorted(_MODULES)
