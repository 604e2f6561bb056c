# SPDX-License-Identifier: Apache-2.0
"""StoSOO: Valko, Carpentier & Munos, Stochastic simultaneous optimistic optimization (ICML 2013)."""

from .._algorithm import Algorithm


class StoSOO(Algorithm):
    """PyXAB starts its sweep over the depths again after every evaluation, and answers with the best
    mean of all cells; here a sweep goes on, and the answer is the best of the deepest expanded."""

    def __init__(
        self, n=100, k=None, h_max=100, delta=None, domain=None, partition=None, *, seed=1
    ):
        super().__init__(
            "stosoo", n, domain, partition, seed, kappa=k, max_depth=h_max, delta=delta
        )
