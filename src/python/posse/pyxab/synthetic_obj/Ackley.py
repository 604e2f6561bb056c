# SPDX-License-Identifier: Apache-2.0
"""Ackley, on [-1, 1]^2."""

import math

from .Objective import Objective


class Ackley(Objective):
    """The negative of Ackley's function; 0 at the origin."""

    def f(self, x):
        radius = math.sqrt((x[0] ** 2 + x[1] ** 2) / 2)
        waves = (math.cos(2 * math.pi * x[0]) + math.cos(2 * math.pi * x[1])) / 2
        return 20 * math.exp(-0.2 * radius) + math.exp(waves) - math.e - 20


class Ackley_Normalized(Ackley):
    """The same, divided by a bound on its size: values in [-1, 0]."""

    _size = 20 + math.e - 20 * math.exp(-0.2 * math.sqrt(0.5)) - math.exp(-1)

    def f(self, x):
        return super().f(x) / self._size
