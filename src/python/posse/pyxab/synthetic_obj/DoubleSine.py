# SPDX-License-Identifier: Apache-2.0
"""DoubleSine, on [0, 1]."""

import math

from .Objective import Objective


class DoubleSine(Objective):
    """s(log2(u) / 2) (u^a - u^b) - u^a with u = 2 |x - tmax|, s(z) = (1 + sin 2 pi z) / 2,
    a = -log2 rho2, b = -log2 rho1; 0 at tmax."""

    def __init__(self, rho1=0.3, rho2=0.8, tmax=0.5):
        self.ep1 = -math.log2(rho1)
        self.ep2 = -math.log2(rho2)
        self.tmax = tmax

    def f(self, x):
        u = 2 * abs(x[0] - self.tmax)
        if u == 0:
            return 0.0
        upper = -(u**self.ep1)
        lower = -(u**self.ep2)
        share = (1 + math.sin(math.pi * math.log2(u))) / 2
        return lower + share * (upper - lower)
