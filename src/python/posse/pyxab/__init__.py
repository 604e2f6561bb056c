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
PyXAB departs from them, the docstring of the class says so. Random choices come from named streams of
`seed`, an argument that every class here has beside PyXAB's, so that a script repeats itself bit for
bit. Constants are those that PyXAB takes by default.
"""
