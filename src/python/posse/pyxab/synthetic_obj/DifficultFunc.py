# SPDX-License-Identifier: Apache-2.0
"""DifficultFunc, on [0, 1]."""

import math

from .Objective import Objective


class DifficultFunc(Objective):
    """With y = |x - 1/2|: -y^2 where ln y is in the upper half of its unit interval, else -sqrt(y); 0 at
    1/2. From Grill, Valko & Munos 2015."""

    def f(self, x):
        y = abs(x[0] - 0.5)
        if y == 0:
            return 0.0
        log = math.log(y)
        return -(y**2) if log - math.floor(log) >= 0.5 else -math.sqrt(y)
