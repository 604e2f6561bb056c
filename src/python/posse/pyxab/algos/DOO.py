# SPDX-License-Identifier: Apache-2.0
"""DOO: Munos, Optimistic optimization of a deterministic function without the knowledge of its smoothness
(NIPS 2011)."""

from .._algorithm import Algorithm


class DOO(Algorithm):
    """For functions without noise. `delta` is (nu, rho): a cell of depth h has the diameter
    nu rho^h; by default (1, 0.5). PyXAB takes a function of the depth, which it ignores, and measures
    the first coordinate of its cells instead."""

    def __init__(self, n=100, delta=None, domain=None, partition=None, *, seed=1):
        try:
            nu, rho = (1, 0.5) if delta is None else delta
        except TypeError:
            raise ValueError("delta is (nu, rho): a cell's diameter is nu rho^h") from None
        super().__init__("doo", n, domain, partition, seed, nu1=nu, rho=rho)
