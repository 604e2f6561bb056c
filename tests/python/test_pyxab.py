# SPDX-License-Identifier: Apache-2.0
"""Scripts for PyXAB with another import: one for each algorithm, partition and objective."""

import math
import random
import unittest

import posse
from posse.pyxab.algos.DOO import DOO
from posse.pyxab.algos.GPO import GPO
from posse.pyxab.algos.HCT import HCT
from posse.pyxab.algos.HOO import T_HOO
from posse.pyxab.algos.PCT import PCT
from posse.pyxab.algos.POO import POO
from posse.pyxab.algos.SequOOL import SequOOL
from posse.pyxab.algos.SOO import SOO
from posse.pyxab.algos.StoSOO import StoSOO
from posse.pyxab.algos.StroquOOL import StroquOOL
from posse.pyxab.algos.VHCT import VHCT
from posse.pyxab.algos.VPCT import VPCT
from posse.pyxab.algos.VROOM import VROOM
from posse.pyxab.algos.Zooming import Zooming
from posse.pyxab.partition.BinaryPartition import BinaryPartition
from posse.pyxab.partition.DimensionBinaryPartition import DimensionBinaryPartition
from posse.pyxab.partition.KaryPartition import KaryPartition
from posse.pyxab.partition.RandomBinaryPartition import RandomBinaryPartition
from posse.pyxab.partition.RandomKaryPartition import RandomKaryPartition
from posse.pyxab.synthetic_obj.Ackley import Ackley, Ackley_Normalized
from posse.pyxab.synthetic_obj.DifficultFunc import DifficultFunc
from posse.pyxab.synthetic_obj.DoubleSine import DoubleSine
from posse.pyxab.synthetic_obj.Garland import Garland
from posse.pyxab.synthetic_obj.Himmelblau import Himmelblau, Himmelblau_Normalized
from posse.pyxab.synthetic_obj.Rastrigin import Rastrigin, Rastrigin_Normalized

T = 1000

# Each algorithm as a script makes it, the learner that it must be, and the noise of its rewards.
CASES = {
    "T_HOO": (
        lambda **where: T_HOO(nu=1, rho=0.5, rounds=T, **where),
        ("t-hoo", T, dict(nu1=1, rho=0.5)),
        0.1,
    ),
    "HCT": (
        lambda **where: HCT(nu=1, rho=0.75, c=0.1, delta=0.01, **where),
        ("hct", 2**53, dict(nu1=1, rho=0.75, c=0.1, delta=0.01)),
        0.1,
    ),
    "VHCT": (
        lambda **where: VHCT(bound=0.5, **where),
        ("vhct", 2**53, dict(nu1=1, rho=0.5, c=0.1, delta=0.01, range=0.5)),
        0.1,
    ),
    "POO": (
        lambda **where: POO(rounds=T, algo=T_HOO, **where),
        ("poo", T, dict(nu_max=1, rho_max=0.9, base="t-hoo")),
        0.1,
    ),
    "GPO": (
        lambda **where: GPO(rounds=T, algo=HCT, **where),
        ("gpo", T, dict(nu_max=1, rho_max=0.9, base="hct")),
        0.1,
    ),
    "PCT": (
        lambda **where: PCT(rounds=T, **where),
        ("pct", T, dict(nu_max=1, rho_max=0.9)),
        0.1,
    ),
    "VPCT": (
        lambda **where: VPCT(rounds=T, **where),
        ("vpct", T, dict(nu_max=1, rho_max=0.9)),
        0.1,
    ),
    "StoSOO": (
        lambda **where: StoSOO(n=T, h_max=100, **where),
        ("stosoo", T, dict(max_depth=100)),
        0.1,
    ),
    "SOO": (lambda **where: SOO(n=T, h_max=30, **where), ("soo", T, dict(max_depth=30)), 0),
    "DOO": (
        lambda **where: DOO(n=T, delta=(2, 0.7), **where),
        ("doo", T, dict(nu1=2, rho=0.7)),
        0,
    ),
    "SequOOL": (lambda **where: SequOOL(n=T, **where), ("sequool", T, {}), 0),
    "StroquOOL": (lambda **where: StroquOOL(n=T, **where), ("stroquool", T, {}), 0.1),
    "Zooming": (
        lambda **where: Zooming(nu=1, rho=0.7, rounds=T, **where),
        ("zooming", T, dict(nu1=1, rho=0.7)),
        0.1,
    ),
    "VROOM": (
        lambda **where: VROOM(n=T, h_max=5, b=0.2, f_max=1, **where),
        ("vroom", T, dict(max_depth=5, b=0.2, f_max=1)),
        0.1,
    ),
}

PARTITIONS = {
    BinaryPartition: dict(partition="random-dim", arity=2),
    KaryPartition: dict(partition="random-dim", arity=3),
    RandomBinaryPartition: dict(partition="random-cut", arity=2),
    RandomKaryPartition: dict(partition="random-cut", arity=3),
    DimensionBinaryPartition: dict(partition="dimwise"),
}


def script(algo, target, noise, rounds=T):
    """The loop of every script for PyXAB."""
    draws = random.Random(1)
    for t in range(1, rounds + 1):
        point = algo.pull(t)
        reward = target.f(point) + draws.uniform(-noise, noise)
        algo.receive_reward(t, reward)
    return algo.get_last_point()


class Scripts(unittest.TestCase):
    def test_every_algorithm_is_the_learner_of_the_paper_bit_for_bit(self):
        target = Garland()
        for name, (make, (kind, n, parameters), noise) in CASES.items():
            with self.subTest(name):
                best = script(make(domain=[[0, 1]], partition=BinaryPartition), target, noise)
                self.assertIsInstance(best, list)
                self.assertEqual([type(x) for x in best], [float])
                learner = posse.Learner(kind, [[0, 1]], n, partition="random-dim", **parameters)
                self.assertEqual(script(learner, target, noise), best)
                self.assertGreater(target.f(best), 0.3)

    def test_every_partition_is_that_of_a_scenario(self):
        target = Himmelblau_Normalized()
        domain = [[-5, 5], [-5, 5]]
        for partition, parameters in PARTITIONS.items():
            with self.subTest(partition.__name__):
                best = script(HCT(domain=domain, partition=partition, seed=4), target, 0.1)
                learner = posse.Learner(
                    "hct", domain, 2**53, seed=4, nu1=1, rho=0.5, c=0.1, delta=0.01, **parameters
                )
                self.assertEqual(script(learner, target, 0.1), best)
                self.assertTrue(all(-5 <= x <= 5 for x in best))

    def test_another_number_of_parts_is_a_class_of_ones_own(self):
        class FiveParts(KaryPartition):
            K = 5

        best = script(HCT(domain=[[0, 1]], partition=FiveParts), Garland(), 0)
        learner = posse.Learner("hct", [[0, 1]], 2**53, partition="random-dim", arity=5)
        self.assertEqual(script(learner, Garland(), 0), best)

    def test_a_script_without_domain_or_partition_raises_value_errors(self):
        for name, (make, _, _) in CASES.items():
            for where in (
                dict(domain=None, partition=BinaryPartition),
                dict(domain=[[0, 1]], partition=None),
                dict(domain=[[0, 1]], partition="binary"),
            ):
                with self.subTest(name), self.assertRaises(ValueError):
                    make(**where)
        with self.assertRaises(ValueError):
            POO(domain=[[0, 1]], partition=BinaryPartition)  # without algo
        with self.assertRaises(ValueError):
            VROOM(domain=[[0, 1]], partition=BinaryPartition)  # without b
        with self.assertRaises(ValueError):
            DOO(delta=lambda h: 0.5**h, domain=[[0, 1]], partition=BinaryPartition)

    def test_the_objectives_have_the_values_of_their_formulas(self):
        for target, at, value in (
            (Garland(), [0.25], 0.1875 * (4 - math.sqrt(abs(math.sin(15))))),
            (DoubleSine(), [0.5], 0),
            (DoubleSine(), [1.0], -1),  # u = 1: half way between -1 and -1
            (DoubleSine(), [0.75], -(0.8 + 0.3) / 2),  # u = 1/2: sin(-pi) = 0
            (DifficultFunc(), [0.5], 0),
            (DifficultFunc(), [0.75], -1 / 16),  # ln(1/4) = -1.386: 0.614 above its floor
            (DifficultFunc(), [0.6], -0.01),  # ln(1/10) = -2.303: 0.697
            (DifficultFunc(), [0.9], -math.sqrt(0.4)),  # ln(0.4) = -0.916: 0.084
            (Ackley(), [0, 0], 0),
            (Ackley(), [1, 0], 20 * math.exp(-0.2 * math.sqrt(0.5)) - 20),
            (Ackley_Normalized(), [0.5, 0.5], Ackley().f([0.5, 0.5]) / 4.987933479395905),
            (Himmelblau(), [3, 2], 0),
            (Himmelblau(), [5, 5], -890),
            (Himmelblau_Normalized(), [5, 5], -1),
            (Rastrigin(), [0, 0, 0], 0),
            (Rastrigin(), [0.5, 0], -20.25),
            (Rastrigin_Normalized(), [0.5, 0], -20.25 / 40),
            (Rastrigin_Normalized(k=10), [1], -0.1),
        ):
            with self.subTest(f"{type(target).__name__} at {at}"):
                self.assertAlmostEqual(target.f(at), value, places=12)
                self.assertLessEqual(target.f(at), target.fmax + 1e-12)
        # A cusp: at the nearest number 2e-8 below.
        self.assertAlmostEqual(Garland().f([math.pi / 6]), Garland.fmax, places=7)


if __name__ == "__main__":
    unittest.main()
