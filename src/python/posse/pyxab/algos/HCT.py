# SPDX-License-Identifier: Apache-2.0
"""HCT: Azar, Lazaric & Brunskill, Online stochastic optimization under correlated bandit feedback (ICML
2014)."""

from .._algorithm import ANY_TIME, Algorithm


class HCT(Algorithm):
    """PyXAB loses the cells below an inner cell that it splits again; here no cell is lost."""

    _kind = "hct"

    def __init__(self, nu=1, rho=0.5, c=0.1, delta=0.01, domain=None, partition=None, *, seed=1):
        super().__init__(
            self._kind, ANY_TIME, domain, partition, seed, nu1=nu, rho=rho, c=c, delta=delta
        )
