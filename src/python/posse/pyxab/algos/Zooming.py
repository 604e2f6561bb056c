# SPDX-License-Identifier: Apache-2.0
"""Zooming: Kleinberg, Slivkins & Upfal, Multi-armed bandits in metric spaces (STOC 2008)."""

from .._algorithm import Algorithm


class Zooming(Algorithm):
    """PyXAB loses the halves of split cells in which no arm lies; here every cell has an arm. The radius
    of an arm depends on the number of evaluations, `rounds`, which PyXAB replaces by phases."""

    def __init__(
        self, nu=1, rho=0.9, domain=None, partition=None, *, rounds=1000, seed=1
    ):
        super().__init__("zooming", rounds, domain, partition, seed, nu1=nu, rho=rho)
