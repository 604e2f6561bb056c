# SPDX-License-Identifier: Apache-2.0
"""Arguments that once ended the interpreter, or raised what says nothing: all are ValueErrors."""

import unittest

import numpy as np

import posse


def build(**sections):
    given = dict(
        algorithm="fed-pne",
        population={"clients": 2},
        objective="garland",
        budget={"evaluations_per_client": 20},
    )
    return posse.Scenario(**(given | sections))


class ListItself:
    """What claims to be an array, of arrays without end."""

    def tolist(self):
        return self


class BadInput(unittest.TestCase):
    def test_what_contains_itself_is_a_value_error(self):
        cycle = []
        cycle.append(cycle)
        table = {}
        table["a"] = table
        for value in (cycle, table, ListItself()):
            with self.assertRaisesRegex(ValueError, "nested deeper than 64 levels"):
                build(network=value)
            with self.assertRaisesRegex(ValueError, "nested deeper than 64 levels"):
                posse.Learner("hct", [[0, 1]], nu1=value)
        with self.assertRaisesRegex(ValueError, "nested deeper than 64 levels"):
            build(algorithm=cycle)

    def test_what_is_nested_deeply_is_a_value_error(self):
        lists, tables = [], {}
        for _ in range(100_000):
            lists, tables = [lists], {"a": tables}
        for value in (lists, tables):
            with self.assertRaisesRegex(ValueError, "nested deeper than 64 levels"):
                build(network=value)
        deep = np.zeros((1,) * 32)
        with self.assertRaisesRegex(ValueError, "network"):
            build(network=deep).check()

    def test_texts_with_surrogates_are_a_value_error(self):
        half = "a\ud800b"
        calls = (
            lambda: build(name=half),
            lambda: build(algorithm=half),
            lambda: build(network={half: 1}),
            lambda: build(**{half: 1}),
            lambda: posse.Scenario(toml=half),
            lambda: posse.Scenario(half),
            lambda: build().set(half, 1),
            lambda: build().set("label", half),
            lambda: posse.Learner(half, [[0, 1]]),
            lambda: posse.Learner("hct", [[0, 1]], **{half: 1}),
            lambda: posse.Objective(half),
        )
        for number, call in enumerate(calls):
            with self.subTest(number), self.assertRaisesRegex(ValueError, "surrogate"):
                call()

    def test_errors_quote_values_shortened(self):
        for call in (
            lambda: build(network={"latency": "x" * 10**6}).check(),
            lambda: build(network={"x" * 10**6: 1}).check(),
            lambda: build(network={"x" * 10**6: 2**70}),
            lambda: posse.Learner("x" * 10**6, [[0, 1]]),
        ):
            with self.assertRaises(ValueError) as raised:
                call()
            self.assertLess(len(str(raised.exception)), 8000)

    def test_a_batch_of_too_many_learners_is_refused_at_once(self):
        learner = posse.Learner("hct", [[0, 1]], 10)
        for batch in (10**9, 100_001, 0, -1, 10**30):
            with self.assertRaisesRegex(ValueError, "allowed: 1 to 100000"):
                learner.run(lambda points: points[:, 0], batch=batch)


if __name__ == "__main__":
    unittest.main()
