# SPDX-License-Identifier: Apache-2.0
"""Garland, on [0, 1]."""

import math

from ...learners import Objective as Native
from .Objective import Objective


class Garland(Objective):
    """x (1 - x) (4 - sqrt(|sin(60 x)|)): Posse's own, which Learner.run evaluates without Python. fmax is
    its maximum, 0.997772… at pi/6; PyXAB says 1."""

    fmax = 2 * math.pi / 3 * (1 - math.pi / 6)

    def __init__(self):
        self._native = Native("garland")._native

    def f(self, x):
        return self._native(x)
