# SPDX-License-Identifier: Apache-2.0
"""Scripts for PyXAB with another import: each algorithm, partition and objective, and what else a script
may use of them."""

import copy
import importlib
import math
import random
import unittest
from unittest import mock

import numpy as np
from needs import needs

import posse
from posse.pyxab.algos.Algo import Algorithm
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
from posse.pyxab.partition.Node import P_node
from posse.pyxab.partition.Partition import Partition
from posse.pyxab.partition.RandomBinaryPartition import RandomBinaryPartition
from posse.pyxab.partition.RandomKaryPartition import RandomKaryPartition
from posse.pyxab.synthetic_obj.Ackley import Ackley, Ackley_Normalized
from posse.pyxab.synthetic_obj.Cexample import Cexample
from posse.pyxab.synthetic_obj.DifficultFunc import DifficultFunc
from posse.pyxab.synthetic_obj.DoubleSine import DoubleSine, Perturbed_DoubleSine
from posse.pyxab.synthetic_obj.Garland import Garland, Perturbed_Garland
from posse.pyxab.synthetic_obj.Himmelblau import Himmelblau, Himmelblau_Normalized
from posse.pyxab.synthetic_obj.Objective import Objective
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


# Those whose search PyXAB's go on beyond n, and ours.
ENDLESS = ["T_HOO", "HCT", "VHCT", "POO", "SOO", "DOO", "Zooming", "VROOM"]


def script(algo, target, noise, rounds=T):
    """The loop of every script for PyXAB."""
    play(algo, target, noise, range(1, rounds + 1))
    return algo.get_last_point()


def play(algo, target, noise, times):
    """The points of these rounds."""
    draws = random.Random(times.start)
    points = []
    for t in times:
        points.append(algo.pull(t))
        algo.receive_reward(t, target.f(points[-1]) + draws.uniform(-noise, noise))
    return points


def where(domain=((0, 1),), partition=BinaryPartition, **more):
    return dict(domain=domain, partition=partition, **more)


class Thirds(Partition):
    """A partition of one's own, as a script for PyXAB defines it."""

    def __init__(self, domain, node=P_node):
        super().__init__(domain=domain, node=node)

    def make_children(self, parent, newlayer=False):
        domain = parent.get_domain()
        j = np.random.randint(0, len(domain))
        low, high = domain[j]
        cut = 2 / 3 * low + 1 / 3 * high
        nodes = []
        for c, interval in enumerate(([low, cut], [cut, high])):
            part = domain.copy()
            part[j] = interval
            nodes.append(
                self.node(
                    depth=parent.get_depth() + 1,
                    index=2 * parent.get_index() - 1 + c,
                    parent=parent,
                    domain=part,
                )
            )
        parent.update_children(nodes)
        if newlayer:
            self.node_list.append(nodes)
            self.depth += 1
        else:
            self.node_list[parent.get_depth() + 1] += nodes


class Scripts(unittest.TestCase):
    def test_every_algorithm_is_the_learner_of_the_paper_bit_for_bit(self):
        target = Garland()
        for name, (make, (kind, n, parameters), noise) in CASES.items():
            with self.subTest(name):
                algo = make(**where(seed=5))
                self.assertIsInstance(algo, Algorithm)
                best = script(algo, target, noise)
                self.assertIsInstance(best, list)
                self.assertEqual([type(x) for x in best], [float])
                learner = posse.Learner(
                    kind, [[0, 1]], n, seed=5, partition="random-dim", **parameters
                )
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

    def test_another_number_of_parts_is_an_argument_or_a_class_of_ones_own(self):
        class FiveParts(KaryPartition):
            K = 5

        def five_parts(domain, node):
            return KaryPartition(domain, K=5, node=node)

        learner = posse.Learner("hct", [[0, 1]], 2**53, partition="random-dim", arity=5)
        best = script(learner, Garland(), 0)
        for partition in (FiveParts, five_parts):
            algo = HCT(**where(partition=partition, seed=1))
            self.assertEqual(script(algo, Garland(), 0), best)

    def test_a_partition_of_ones_own_has_its_cells_in_python(self):
        for name, (make, _, noise) in CASES.items():
            with self.subTest(name):
                np.random.seed(3)
                if name == "Zooming":
                    with self.assertRaises(NotImplementedError):
                        make(**where(partition=Thirds))
                    continue
                domain = [[0, 1], [2, 5]]
                algo = make(domain=domain, partition=Thirds)
                target = mock.Mock(f=lambda x: 1 - abs(x[0] - 0.2) - abs(x[1] - 2.5))
                points = play(algo, target, noise, range(1, 301))
                best = algo.get_last_point()
                self.assertTrue(0 <= best[0] <= 1 and 2 <= best[1] <= 5)
                centres = {
                    tuple(node.get_cpoint())
                    for layer in algo.partition.get_node_list()
                    for node in layer
                }
                self.assertTrue({*map(tuple, points), tuple(best)} <= centres)
                if name in ("HCT", "SOO", "DOO", "SequOOL"):
                    self.assertGreater(target.f(best), 0.5)
        self.assertIsInstance(algo.partition, Thirds)
        algo = HCT(**where(partition=Thirds, seed=1))
        self.assertTrue(0 < algo.run(Garland().f, 50)[0] < 1)
        with self.assertRaises(ValueError):
            algo.run(Garland().f, 50, batch=2)

    def test_an_algorithm_of_ones_own_runs(self):
        class Centres(Algorithm):
            def __init__(self, domain, partition):
                super().__init__()
                self.partition = partition(domain=domain)
                self.partition.deepen()
                self.partition.deepen()

            def pull(self, time):
                nodes = self.partition.get_layer_node_list(self.partition.get_depth())
                return nodes[time % len(nodes)].get_cpoint()

            def receive_reward(self, time, reward):
                pass

        points = play(Centres(**where()), Garland(), 0, range(0, 4))
        self.assertEqual(points, [[0.125], [0.375], [0.625], [0.875]])
        with self.assertRaises(TypeError):
            Algorithm()

    def test_modules_come_with_a_star(self):
        for package, names in (
            ("algos", ["HOO", "HCT", "Zooming"]),
            ("partition", ["BinaryPartition", "Node"]),
            ("synthetic_obj", ["Garland", "Cexample"]),
            ("utils", ["plot"]),
        ):
            found = {}
            exec(f"from posse.pyxab.{package} import *", found)
            for name in names:
                self.assertIs(
                    found[name], importlib.import_module(f"posse.pyxab.{package}.{name}")
                )
        exec("from posse.pyxab.algos import *\nfrom posse.pyxab.synthetic_obj import *", found)
        self.assertIs(found["HOO"].T_HOO, T_HOO)
        self.assertIs(type(found["Garland"].Garland()), Garland)

    def test_the_binary_partition_and_whole_floats_are_defaults_as_in_pyxab(self):
        for name, (make, _, noise) in CASES.items():
            with self.subTest(name):
                best = script(make(domain=[[0, 1]], seed=2), Garland(), noise, 200)
                self.assertEqual(script(make(**where(seed=2)), Garland(), noise, 200), best)
        for algo in (
            T_HOO(rounds=1e3, domain=[[0, 1]]),
            PCT(rounds=np.float64(1000), domain=np.array([[0, 1]])),
            StoSOO(n=1e3, k=np.ceil(3.2), h_max=1e2, domain=[[0, 1]]),
        ):
            script(algo, Garland(), 0.1, 50)
        with self.assertRaises(ValueError):
            T_HOO(rounds=1000.5, domain=[[0, 1]])

    def test_stosoo_pulls_a_cell_k_times(self):
        algo = StoSOO(n=1000, k=7, domain=[[0, 1]])
        points = play(algo, Garland(), 0, range(1, 15))
        self.assertEqual(points[:7], [[0.5]] * 7)
        self.assertNotIn([0.5], points[7:])

    def test_a_script_without_domain_partition_or_parameters_raises_value_errors(self):
        for name, (make, _, _) in CASES.items():
            for wrong in (
                where(domain=None),
                where(partition=None),
                where(partition="binary"),
                where(domain=[[1, 0]]),
                where(unknown=1),
            ):
                with self.subTest(name), self.assertRaises(ValueError):
                    make(**wrong)
        for make in (
            lambda: POO(**where()),  # without algo
            lambda: GPO(**where()),
            lambda: VROOM(f_max=1, **where()),  # without b
            lambda: VROOM(b=1, **where()),
            lambda: DOO(delta=lambda h: 1 / (1 + h), **where()),
            lambda: HCT(rho=2, **where()),
            lambda: T_HOO(rounds=0, **where()),
        ):
            with self.assertRaises(ValueError):
                make()
        for meta in (POO, GPO):
            with self.assertRaises(NotImplementedError):
                meta(algo=StoSOO, **where())

    def test_doo_takes_its_diameters_as_a_function_too(self):
        pair = play(DOO(delta=(2, 0.7), **where()), Garland(), 0, range(1, 100))
        function = DOO(delta=lambda h: 2 * 0.7**h, **where())
        self.assertEqual(play(function, Garland(), 0, range(1, 100)), pair)

    def test_a_copy_goes_on_as_the_algorithm_does(self):
        for name, (make, _, noise) in CASES.items():
            for partition in [RandomBinaryPartition, Thirds][: 2 if name in ("HCT", "VROOM") else 1]:
                with self.subTest(f"{name} {partition.__name__}"):
                    algo = make(**where(partition=partition, seed=1))
                    play(algo, Garland(), noise, range(1, 60))
                    twin = copy.deepcopy(algo)
                    other = copy.deepcopy(twin)
                    play(other, DifficultFunc(), noise, range(60, 100))
                    states = np.random.get_state()
                    points = play(algo, Garland(), noise, range(60, 100))
                    np.random.set_state(states)
                    self.assertEqual(play(twin, Garland(), noise, range(60, 100)), points)
                    self.assertEqual(twin.get_last_point(), algo.get_last_point())
                    self.assertIsNot(twin.partition, algo.partition)

    def test_the_seed_is_numpys_unless_it_is_given(self):
        def points(numpy_seed, **seed):
            np.random.seed(numpy_seed)
            domain = [[-5, 5], [-5, 5]]
            algo = T_HOO(domain=domain, partition=RandomBinaryPartition, **seed)
            return play(algo, Himmelblau_Normalized(), 0, range(1, 50))

        self.assertEqual(points(1), points(1))
        self.assertNotEqual(points(1), points(2))
        self.assertEqual(points(1, seed=9), points(2, seed=9))

    def test_beyond_n_a_search_goes_on_where_pyxabs_does(self):
        for name in CASES:
            with self.subTest(name):
                make, _, noise = CASES[name]
                algo = make(**where(seed=1))
                play(algo, Garland(), noise, range(1, T + 1))
                late = {x for (x,) in play(algo, Garland(), noise, range(T + 1, 2 * T + 1))}
                if name in ENDLESS:
                    self.assertGreater(len(late), 5)
                elif name != "StoSOO":  # whose search goes on, and PyXAB's has no points
                    self.assertEqual(len(late), 1)

    def test_zooming_without_rounds_goes_on_to_learn(self):
        def regret(**rounds):
            algo = Zooming(domain=[[0, 1]], seed=1, **rounds)
            points = play(algo, Garland(), 0.1, range(1, 5001))
            return sum(Garland.fmax - Garland().f(x) for x in points)

        self.assertLess(regret(), 1.1 * regret(rounds=5000))

    def test_pct_recommends_a_drawn_play_of_an_instance_or_its_last(self):
        regrets = {}
        for rule in ("uniform-play", "last"):
            regrets[rule] = 0
            for seed in range(1, 6):
                algo = PCT(domain=[[0, 1]], recommendation=rule, seed=seed)
                points = play(algo, Garland(), 0.1, range(1, 1001))
                regrets[rule] += sum(Garland.fmax - Garland().f(x) for x in points) / 5
        self.assertEqual(PCT(domain=[[0, 1]], seed=1)._arguments[0], "pct")
        self.assertLess(regrets["last"], regrets["uniform-play"])

    def test_the_partition_of_an_algorithm_tells_its_plays(self):
        domain = [[-5, 5], [-5, 5]]
        target = Himmelblau_Normalized()
        for make in (T_HOO, HCT, VHCT, lambda **more: HCT(**(more | {"partition": Thirds}))):
            for partition in PARTITIONS:
                algo = make(domain=domain, partition=partition)
                root = algo.partition.get_root()
                self.assertEqual((root.get_mean_reward(), root.get_visited_times()), (0, 0))
                points = play(algo, target, 0, range(1, 101))
                tree = algo.partition
                nodes = [node for layer in tree.get_node_list() for node in layer]
                self.assertEqual(tree.get_depth(), len(tree.get_node_list()) - 1)
                below = make is T_HOO
                total = root.get_visited_times() if below else 0
                for node in nodes:
                    plays = [
                        x
                        for x in points
                        if (
                            all(a <= z <= b for z, (a, b) in zip(x, node.get_domain(), strict=True))
                            if below
                            else x == node.get_cpoint()
                        )
                    ]
                    if below:
                        self.assertLessEqual(node.get_visited_times(), len(plays))
                    else:
                        total += node.get_visited_times()
                    if node.get_visited_times() == len(plays) > 0:
                        mean = sum(map(target.f, plays)) / len(plays)
                        self.assertAlmostEqual(node.get_mean_reward(), mean, places=9)
                self.assertEqual(total, 100)
                algo.partition.deepen()  # does no harm
                play(algo, target, 0, range(101, 120))
                self.assertIs(algo.partition, tree)


class Partitions(unittest.TestCase):
    def test_every_partition_can_be_made_and_deepened(self):
        for partition in [*PARTITIONS, Thirds]:
            for domain in ([[0, 1]], [[0, 1], [10, 50], [-5, -10]]):
                with self.subTest(f"{partition.__name__} {len(domain)}"):
                    tree = partition(domain)
                    tree.deepen()
                    tree.deepen()
                    layers = tree.get_node_list()
                    k = len(layers[1])
                    self.assertEqual([len(layer) for layer in layers], [1, k, k * k])
                    self.assertEqual(tree.get_depth(), 2)
                    self.assertIs(tree.get_layer_node_list(2), layers[2])
                    self.assertIs(tree.get_root(), layers[0][0])
                    self.assertEqual([n.get_index() for n in layers[2]], [*range(1, k * k + 1)])
                    size = 0
                    for node in layers[2]:
                        self.assertEqual(node.get_depth(), 2)
                        self.assertIn(node, node.get_parent().get_children())
                        self.assertIsNone(node.get_children())
                        self.assertEqual(
                            node.get_cpoint(), [(a + b) / 2 for a, b in node.get_domain()]
                        )
                        size += abs(math.prod(b - a for a, b in node.get_domain()))
                    self.assertAlmostEqual(size, abs(math.prod(b - a for a, b in domain)), places=9)

    def test_parts_are_where_they_are_said_to_be(self):
        def parts(tree):
            tree.make_children(tree.get_root(), newlayer=True)
            return [node.get_domain() for node in tree.get_node_list()[-1]]

        self.assertEqual(parts(BinaryPartition([[0, 1]])), [[[0, 0.5]], [[0.5, 1]]])
        for k in (3, 5):
            found = np.array(parts(KaryPartition([[0, 1]], K=k)))[:, 0]
            np.testing.assert_allclose(found, [[c / k, (c + 1) / k] for c in range(k)])
        left, middle, right = (part[0] for part in parts(RandomKaryPartition([[0, 1]])))
        self.assertEqual((left[0], left[1], middle[1], right[1]), (0, middle[0], right[0], 1))
        self.assertEqual(
            parts(DimensionBinaryPartition([[0, 2], [4, 8]])),
            [[[0, 1], [4, 6]], [[1, 2], [4, 6]], [[0, 1], [6, 8]], [[1, 2], [6, 8]]],
        )

    def test_numpys_seed_governs_random_partitions(self):
        def domains():
            np.random.seed(4)
            tree = RandomBinaryPartition([[0, 1], [0, 1]])
            tree.deepen()
            tree.deepen()
            return [node.domain for node in tree.node_list[-1]]

        self.assertEqual(domains(), domains())

    def test_a_partition_needs_a_domain_and_at_least_two_parts(self):
        for partition in PARTITIONS:
            with self.assertRaises(ValueError):
                partition()
        with self.assertRaises(ValueError):
            KaryPartition([[0, 1]], K=1)


class Objectives(unittest.TestCase):
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
            (Cexample(), [0], 1),
            (Cexample(), [1 / math.e], 0),
        ):
            with self.subTest(f"{type(target).__name__} at {at}"):
                self.assertAlmostEqual(target.f(at), value, places=12)
                self.assertAlmostEqual(target.f(np.array(at)), value, places=12)
                self.assertEqual(target(at), target.f(at))
                self.assertLessEqual(target.f(at), target.fmax + 1e-12)
        # A cusp: at the nearest number 2e-8 below.
        self.assertAlmostEqual(Garland().f([math.pi / 6]), Garland.fmax, places=7)

    def test_perturbed_objectives_are_shifted_by_a_draw_of_numpys(self):
        for target, plain in (
            (Perturbed_Garland(), Garland()),
            (Perturbed_DoubleSine(), DoubleSine()),
            (Perturbed_DoubleSine(0.4, 0.7, 0.2), DoubleSine(0.4, 0.7, 0.2)),
        ):
            for x in ([0.2], [0.5], [0.9]):
                self.assertAlmostEqual(target.f(x), plain.f(x) + target.perturb, places=12)
            self.assertEqual(target.fmax, plain.fmax + target.perturb)
            self.assertNotEqual(target.perturb, type(target)().perturb)

    def test_points_of_another_dimension_and_parameters_out_of_range_are_refused(self):
        for target, wrong in (
            *[(f(), [[0.1, 0.1], []]) for f in (Garland, DoubleSine, DifficultFunc, Cexample)],
            *[(f(), [[0.1, 0.1]]) for f in (Perturbed_Garland, Perturbed_DoubleSine)],
            *[(f(), [[0], [0, 0, 0]]) for f in (Ackley, Ackley_Normalized)],
            *[(f(), [[0], [0, 0, 0]]) for f in (Himmelblau, Himmelblau_Normalized)],
            (Cexample(), [[-0.1], [1]]),
        ):
            for x in wrong:
                with self.subTest(f"{type(target).__name__} at {x}"), self.assertRaises(ValueError):
                    target.f(x)
        for kind in (DoubleSine, Perturbed_DoubleSine):
            for wrong in (dict(rho1=0), dict(rho1=1.2), dict(rho2=0), dict(rho2=1.2)):
                with self.assertRaises(ValueError):
                    kind(**wrong)
            for tmax in (-0.1, 1.1):
                with self.assertRaises(ValueError):
                    kind(tmax=tmax)
        with self.assertRaises(ValueError):
            Rastrigin_Normalized(k=0)

    def test_an_objective_of_ones_own_needs_a_value(self):
        class One(Objective):
            def f(self, x):
                return 1

        self.assertEqual(One()([0.5]), 1)
        with self.assertRaises(TypeError):
            Objective()


class Plots(unittest.TestCase):
    def test_regrets_are_plotted(self):
        needs(self, "matplotlib")
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot as plt

        from posse.pyxab.utils.plot import compare_regret, compare_regret_withsd, plot_regret

        for plot, lines, labels in (
            (lambda: plot_regret(np.arange(4), name="HCT"), [[0, 1, 2, 3]], ["HCT"]),
            (
                lambda: compare_regret({"a": np.arange(3), "b": [2, 2]}),
                [[0, 1, 2], [2, 2]],
                ["a", "b"],
            ),
            (
                lambda: compare_regret_withsd(
                    {
                        "regret": [np.array([[0, 2], [2, 4]])],
                        "labels": ["c"],
                        "colors": ["red"],
                    },
                    x_range=[0, 9],
                    y_range=[-1, 5],
                ),
                [[1, 3]],
                ["c"],
            ),
        ):
            plt.close("all")
            with mock.patch.object(plt, "show") as show:
                plot()
            show.assert_called_once()
            axes = plt.gca()
            self.assertEqual([list(line.get_ydata()) for line in axes.get_lines()], lines)
            self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()], labels)
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0, 9), (-1, 5)))
        (band,) = axes.collections  # one standard deviation around the mean
        heights = band.get_paths()[0].vertices[:, 1]
        self.assertEqual((heights.min(), heights.max()), (0, 4))


if __name__ == "__main__":
    unittest.main()
