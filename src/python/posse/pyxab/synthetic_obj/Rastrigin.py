# SPDX-License-Identifier: Apache-2.0
"""Rastrigin, on [-1, 1]^p."""

import math

from .Objective import Objective


class Rastrigin(Objective):
    """The negative of Rastrigin's function; 0 at the origin."""

    def f(self, x):
        return -sum(10 + xi**2 - 10 * math.cos(2 * math.pi * xi) for xi in x)


class Rastrigin_Normalized(Rastrigin):
    """The same, divided by k p: values in [-1.0126, 0] for k = 20."""

    def __init__(self, k=20):
        self.k = k

    def f(self, x):
        return super().f(x) / (self.k * len(x))
