# SPDX-License-Identifier: Apache-2.0
"""Functions of Python as objectives of scenarios."""

import copy
import gc
import threading
import unittest
import weakref

import posse


def scenario(objective, **sections):
    given = dict(
        algorithm=["fed-pne", {"kind": "hct", "placement": "local"}],
        population={"clients": 3},
        objective=objective,
        budget={"evaluations_per_client": 200},
        network={"latency": "20 ms"},
        seed=3,
        repeat=2,
    )
    return posse.Scenario(**(given | sections))


class Objectives(unittest.TestCase):
    def test_a_function_gives_the_results_of_the_same_function_of_posse(self):
        garland = posse.Objective("garland")
        native = scenario({"kind": "garland", "noise": {"kind": "uniform"}}).run()
        for batched in (False, True):
            f = (lambda xs: [garland(x) for x in xs]) if batched else garland.f
            mine = posse.UserObjective(f, [[0, 1]], maximum=garland.fmax, batched=batched)
            results = scenario({"function": mine, "noise": {"kind": "uniform"}}).run(threads=3)
            self.assertEqual(results.exit_code, 0)
            for column in ("cumulative_regret", "simple_regret", "messages", "virtual_s"):
                self.assertEqual(list(results.runs[column]), list(native.runs[column]), column)

    def test_every_point_is_evaluated_once_and_clients_may_differ(self):
        seen = []
        lock = threading.Lock()

        def f(x):
            with lock:
                seen.append(tuple(x))
            return -((x[0] - 0.3) ** 2)

        mine = posse.UserObjective(f, [[0, 1]], maximum=0)
        scenario(mine).run(threads=4)
        self.assertEqual(len(seen), len(set(seen)))
        seen.clear()
        shifted = scenario({"function": mine, "heterogeneity": {"kind": "shift"}}).run()
        self.assertEqual(shifted.exit_code, 0)
        self.assertGreater(len(seen), 100)

    def test_a_batched_function_gets_the_cells_of_a_plan_together_and_each_once(self):
        garland = posse.Objective("garland")
        sizes, seen = [], []

        def f(points):
            sizes.append(len(points))
            seen.extend(tuple(x) for x in points)
            return [garland(x) for x in points]

        batched = posse.UserObjective(f, [[0, 1]], maximum=garland.fmax, batched=True)
        alone = posse.UserObjective(garland, [[0, 1]], maximum=garland.fmax)
        for algorithm in ("fed-pne", "fed-pne-variance", "parallel", "pf-pne", "blin", "hct-batched"):
            for heterogeneity in ({"kind": "none"}, {"kind": "shift"}):
                with self.subTest(algorithm, heterogeneity=heterogeneity):
                    sizes.clear()
                    seen.clear()
                    both = [
                        scenario(
                            {"function": objective, "heterogeneity": heterogeneity},
                            algorithm=algorithm,
                            budget={"evaluations_per_client": 2000},
                            repeat=1,
                        ).run(threads=2)
                        for objective in (batched, alone)
                    ]
                    self.assertEqual(
                        both[0].runs["cumulative_regret"][0], both[1].runs["cumulative_regret"][0]
                    )
                    self.assertEqual(len(seen), len(set(seen)))
                    self.assertGreater(max(sizes), 1)

    def test_a_copy_of_an_objective_is_the_objective(self):
        mine = posse.UserObjective(lambda x: -x[0], [[0, 1]], maximum=0)
        tried = scenario(mine)
        copied = copy.deepcopy(copy.copy(mine))
        del copied
        gc.collect()
        self.assertEqual(tried.run().exit_code, 0)

    def test_a_batched_function_with_too_few_values_fails_the_run(self):
        mine = posse.UserObjective(lambda points: [1.0], [[0, 1]], maximum=1, batched=True)
        results = scenario(mine, algorithm="fed-pne", repeat=1).run()
        self.assertIn("returned 1 values for", results.runs["report"][0])

    def test_without_a_maximum_regrets_refer_to_the_best_known_value(self):
        results = scenario(posse.UserObjective(lambda x: 3 - abs(x[0] - 0.3), [[0, 1]])).run()
        self.assertGreaterEqual(min(results.runs["simple_regret"]), -1e-3)

    def test_an_exception_or_no_number_fails_the_run_with_its_text(self):
        def breaks(x):
            raise RuntimeError("out of ink")

        for f, text in (
            (breaks, "out of ink"),
            (lambda x: float("nan"), "nan"),
            (lambda x: "much", "no number"),
        ):
            with self.subTest(text):
                results = scenario(posse.UserObjective(f, [[0, 1]], maximum=1)).run()
                self.assertEqual(results.exit_code, 7)
                self.assertEqual(set(results.runs["status"]), {"failed"})
                self.assertIn(text, results.to_dict()["runs"][0]["report"])

    def test_what_is_no_objective_is_refused(self):
        for wrong in (
            lambda: posse.UserObjective(3, [[0, 1]]),
            lambda: posse.UserObjective(len, [[1, 0]]),
            lambda: posse.UserObjective(len, [0, 1]),
            lambda: posse.UserObjective(len, [[0, 1]], maximum=float("inf")),
            lambda: scenario({"kind": "python", "function": 987654}).check(),
        ):
            with self.assertRaises((TypeError, ValueError)):
                wrong()

    def test_a_function_is_freed_with_its_scenarios(self):
        class Function:
            def __call__(self, x):
                return x[0]

        f = Function()
        alive = weakref.ref(f)
        mine = posse.UserObjective(f, [[0, 1]], maximum=1)
        run = scenario(mine)
        del f, mine
        self.assertEqual(run.run().exit_code, 0)
        self.assertIsNotNone(alive())
        del run
        gc.collect()
        self.assertIsNone(alive())


if __name__ == "__main__":
    unittest.main()
