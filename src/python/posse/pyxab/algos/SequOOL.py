# SPDX-License-Identifier: Apache-2.0
"""SequOOL: Bartlett, Gabillon & Valko, A simple parameter-free and adaptive approach to optimization under a minimal
local smoothness assumption (ALT 2019)."""

from .._algorithm import Algorithm


class SequOOL(Algorithm):
    """For functions without noise. The paper's n counts opened cells, as PyXAB's; here `n` is the
    number of evaluations, of which an opened cell takes as many as it has children."""

    def __init__(self, n=1000, domain=None, partition=None, *, seed=1):
        super().__init__("sequool", n, domain, partition, seed)
