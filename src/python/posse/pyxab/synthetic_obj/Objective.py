# SPDX-License-Identifier: Apache-2.0
"""What the objectives have in common."""


class Objective:
    """f(x) at a list of coordinates; fmax, the largest value."""

    fmax = 0.0

    def f(self, x):
        raise NotImplementedError

    def __call__(self, x):
        return self.f(x)
