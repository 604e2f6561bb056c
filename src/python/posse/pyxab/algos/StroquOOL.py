# SPDX-License-Identifier: Apache-2.0
"""StroquOOL: Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization under a minimal
local smoothness assumption (ALT 2019)."""

from .._algorithm import Algorithm


class StroquOOL(Algorithm):
    """Beyond its schedule, whose end depends on n, it evaluates its answer."""

    def __init__(self, n=1000, domain=None, partition=None, *, seed=1):
        super().__init__("stroquool", n, domain, partition, seed)
