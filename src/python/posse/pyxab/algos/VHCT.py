# SPDX-License-Identifier: Apache-2.0
"""VHCT: Li, Wang, Cheng & Song, Optimum-statistical collaboration towards general and efficient black-box
optimization (TMLR 2023)."""

from .._algorithm import ANY_TIME, Algorithm


class VHCT(Algorithm):
    """PyXAB loses the cells below an inner cell that it splits again; here no cell is lost."""

    _kind = "vhct"

    def __init__(
        self, nu=1, rho=0.5, c=0.1, delta=0.01, bound=1, domain=None, partition=None, *, seed=1
    ):
        super().__init__(
            self._kind,
            ANY_TIME,
            domain,
            partition,
            seed,
            nu1=nu,
            rho=rho,
            c=c,
            delta=delta,
            range=bound,
        )
