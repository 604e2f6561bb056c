# SPDX-License-Identifier: Apache-2.0
"""SOO: Munos, Optimistic optimization of a deterministic function without the knowledge of its smoothness
(NIPS 2011)."""

from .._algorithm import Algorithm


class SOO(Algorithm):
    """For functions without noise."""

    def __init__(self, n=100, h_max=100, domain=None, partition=None, *, seed=1):
        super().__init__("soo", n, domain, partition, seed, max_depth=h_max)
