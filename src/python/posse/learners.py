# SPDX-License-Identifier: Apache-2.0
"""Single learners as objects: ask for a point, tell its reward."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _posse

_MOST_LEARNERS = 100_000  # together, each with a tree of its own


def learner_kinds() -> list[str]:
    """The kinds of Learner: "hct", "hoo", "poo", …"""
    return _posse.learner_kinds()


class Objective:
    """A test function of Posse: objective = Objective("garland"); objective.f([0.3]).

    Parameters are those of the section [objective] of a scenario.
    """

    def __init__(self, kind: str, **parameters: Any) -> None:
        self._native = _posse.Objective(kind, parameters)

    @property
    def kind(self) -> str:
        return self._native.kind

    @property
    def domain(self) -> list[list[float]]:
        """A list of [low, high] per dimension."""
        return self._native.domain

    @property
    def fmax(self) -> float | None:
        """The largest value, or None where no formula is known."""
        return self._native.maximum

    def f(self, x: Sequence[float]) -> float:
        """The value at a list of coordinates."""
        return self._native(x)

    __call__ = f


class Learner:
    """A learner that looks for the largest value of a function by noisy evaluations.

    kind      one of learner_kinds()
    domain    a list of [low, high] per dimension
    n         the number of evaluations it plans for; beyond it, it asks for its recommendation
    seed      of what it draws at random
    searches_on  beyond n it goes on with its search, if that has no end (posse.pyxab does so)
    others    the learner's parameters (posse describe KIND): nu1=1, rho=0.5, partition="cyclic"

    With the same rewards it asks for the same points as client 0 of a scenario with
    placement = "local" and the same seed, bit for bit. Raises ScenarioError for wrong arguments.
    """

    def __init__(
        self,
        kind: str,
        domain: Sequence[Sequence[float]],
        n: int = 1000,
        *,
        seed: int = 1,
        searches_on: bool = False,
        **parameters: Any,
    ) -> None:
        self._arguments = (kind, domain, n, seed, parameters, searches_on)
        self._native = _posse.Learner(*self._arguments)
        self._last: list[float] | None = None

    def pull(self, t: int | None = None) -> list[float]:
        """The next point to evaluate, a list of numbers. `t`, its number from 1, is not needed."""
        self._last = self._native.ask()
        return self._last

    def receive_reward(self, t: int, reward: float) -> None:
        """The reward of that point, a finite number."""
        self._native.tell(reward)

    def get_last_point(self) -> list[float]:
        """The point that it would recommend now."""
        return self._native.recommend()

    ask = pull

    def tell(self, reward: float) -> None:
        """As receive_reward, without its number."""
        self._native.tell(reward)

    def recommend(self) -> list[float]:
        """As get_last_point."""
        return self._native.recommend()

    @property
    def evaluations(self) -> int:
        """How many rewards it was told."""
        return self._native.evaluations

    @property
    def tree(self) -> tuple[int, int] | None:
        """(depth, cells) of its tree, or None."""
        depth, cells = self._native.tree_depth, self._native.tree_cells
        return None if depth is None or cells is None else (depth, cells)

    def run(
        self,
        f: Objective | Callable[..., Any],
        n: int | None = None,
        *,
        batch: int | None = None,
    ) -> list[float] | np.ndarray:
        """Evaluates f n times (default: what is left of its n) and returns the recommendation.

        f is a function of a list of coordinates, or an Objective, which is evaluated without Python.
        With batch=B, B independent learners with the seeds seed, seed + 1, … search together: f gets
        an array of shape (B, dimension) and returns B rewards. Returns their B recommendations; the
        first learner is this one, and each does what it would do alone.
        """
        if n is None:
            n = max(0, self._native.budget - self._native.evaluations)
        if batch is None:
            self._native.run(getattr(f, "_native", f), n)
            return self._native.recommend()
        if not 1 <= batch <= _MOST_LEARNERS:
            raise ValueError(f"batch is {batch}, allowed: 1 to {_MOST_LEARNERS}")
        if self._native.evaluations:
            raise ValueError("batch needs a learner that has not begun")
        kind, domain, budget, seed, *rest = self._arguments
        others = [_posse.Learner(kind, domain, budget, seed + i, *rest) for i in range(1, batch)]
        _posse.run_together([self._native, *others], f, n)
        return np.array([learner.recommend() for learner in (self._native, *others)])

    def __repr__(self):
        return f"<posse.Learner {self._arguments[0]}: {self.evaluations} evaluations>"
