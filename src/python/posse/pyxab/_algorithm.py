# SPDX-License-Identifier: Apache-2.0
"""What the classes of posse.pyxab.algos have in common."""

from ..learners import Learner
from .partition._partition import Partition

# Of algorithms that don't plan for a number of evaluations.
ANY_TIME = 2**53


class Algorithm(Learner):
    """A learner with PyXAB's arguments: see posse.Learner for what else it can do."""

    def __init__(self, kind, n, domain, partition, seed, **parameters):
        if domain is None:
            raise ValueError("Parameter space is not given.")
        if partition is None:
            raise ValueError("Partition of the parameter space is not given.")
        if not (isinstance(partition, type) and issubclass(partition, Partition)):
            raise ValueError(
                "the partition is a class of posse.pyxab.partition, or one derived from it"
            )
        # The constants are given: those of the theory stay where PyXAB has none.
        given = {name: value for name, value in parameters.items() if value is not None}
        super().__init__(kind, domain, n, seed=seed, **partition._parameters(), **given)


def base_of(algo):
    """The learner's kind in place of PyXAB's class."""
    kind = getattr(algo, "_kind", None)
    if kind not in ("t-hoo", "hct", "vhct"):
        raise ValueError("algo is T_HOO, HCT or VHCT")
    return kind
