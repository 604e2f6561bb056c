# SPDX-License-Identifier: Apache-2.0
"""Learners as objects: those of scenarios, whoever evaluates."""

import unittest

import numpy as np

import posse


def kinds():
    return posse.learner_kinds()


class Learners(unittest.TestCase):
    def test_single_calls_a_callback_and_a_native_objective_give_the_same(self):
        garland = posse.Objective("garland")
        for kind in kinds():
            with self.subTest(kind):
                asked = posse.Learner(kind, garland.domain, 300)
                for t in range(1, 301):
                    x = asked.pull(t)
                    asked.receive_reward(t, garland.f(x))
                called = posse.Learner(kind, garland.domain, 300)
                best = called.run(lambda x: garland(x))
                native = posse.Learner(kind, garland.domain, 300)
                self.assertEqual(native.run(garland), best)
                self.assertEqual(asked.get_last_point(), best)
                self.assertEqual(asked.evaluations, 300)
                self.assertEqual(asked.tree, native.tree)

    def test_a_learner_is_that_of_a_client_in_a_scenario(self):
        garland = posse.Objective("garland")
        learner = posse.Learner("hct", garland.domain, 500, seed=7, c=0.3)
        best = learner.run(garland)
        results = posse.Scenario(
            seed=7,
            algorithm={"kind": "hct", "c": 0.3, "placement": "local"},
            population={"clients": 1},
            objective={"kind": "garland", "noise": {"kind": "none"}},
            budget={"evaluations_per_client": 500},
        ).run()
        self.assertEqual(results.runs["simple_regret"][0], garland.fmax - garland(best))

    def test_a_batch_is_independent_learners_each_as_if_alone(self):
        ackley = posse.Objective("ackley")
        together = posse.Learner("hct", ackley.domain, 200, seed=5)
        shapes = set()

        def f(points):
            shapes.add(points.shape)
            return np.array([ackley(x) for x in points])

        best = together.run(f, batch=3)
        self.assertEqual(shapes, {(3, 2)})
        for i in range(3):
            alone = posse.Learner("hct", ackley.domain, 200, seed=5 + i)
            self.assertEqual(list(best[i]), alone.run(ackley))
        with self.assertRaises(ValueError):
            together.run(f, batch=3)
        with self.assertRaises(ValueError):
            posse.Learner("hct", ackley.domain).run(lambda points: [1.0], 10, batch=2)

    def test_an_exception_of_the_function_arrives_and_the_learner_goes_on(self):
        learner = posse.Learner("hoo", [[0, 1]], 100)

        def breaks(x):
            if learner.evaluations == 10:
                raise RuntimeError("the tenth")
            return x[0]

        with self.assertRaisesRegex(RuntimeError, "the tenth"):
            learner.run(breaks)
        self.assertEqual(learner.evaluations, 10)
        learner.run(lambda x: x[0])
        self.assertEqual(learner.evaluations, 100)

    def test_wrong_arguments_are_refused_in_sentences(self):
        for wrong, text in (
            (lambda: posse.Learner("htc", [[0, 1]]), "did you mean 'hct'"),
            (lambda: posse.Learner("hct", [[0, 1]], rho=2), "rho"),
            (lambda: posse.Learner("hct", [[0, 1]], roh=0.5), "did you mean 'rho'"),
            (lambda: posse.Learner("hct", [[1, 0]]), "lower one first"),
            (lambda: posse.Learner("hct", [0, 1]), r"\[low, high\]"),
            (lambda: posse.Learner("hct", [[0, 1, 2]]), r"\[low, high\]"),
            (lambda: posse.Learner("hct", []), r"\[low, high\]"),
            (lambda: posse.Learner("hct", None), r"\[low, high\]"),
            (lambda: posse.Learner("hct", [[0, 1]]).receive_reward(1, 0.5), "ask first"),
            (lambda: posse.Objective("garlnd"), "did you mean 'garland'"),
            (lambda: posse.Objective("garland")([1, 2]), "coordinates"),
        ):
            with self.subTest(text), self.assertRaisesRegex(ValueError, text):
                wrong()
        learner = posse.Learner("hct", np.array([[0.0, 1.0]]), 10)
        learner.pull(1)
        for reward in (float("nan"), float("inf")):
            with self.assertRaisesRegex(ValueError, "not finite"):
                learner.receive_reward(1, reward)


if __name__ == "__main__":
    unittest.main()
