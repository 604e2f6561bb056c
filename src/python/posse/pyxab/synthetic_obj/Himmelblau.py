# SPDX-License-Identifier: Apache-2.0
"""Himmelblau, on [-5, 5]^2."""

from .Objective import Objective


class Himmelblau(Objective):
    """The negative of Himmelblau's function; 0 at four points."""

    def f(self, x):
        return -((x[0] ** 2 + x[1] - 11) ** 2) - (x[0] + x[1] ** 2 - 7) ** 2


class Himmelblau_Normalized(Himmelblau):
    """The same, divided by 890: values in [-1, 0]."""

    def f(self, x):
        return super().f(x) / 890
