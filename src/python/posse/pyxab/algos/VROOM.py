# SPDX-License-Identifier: Apache-2.0
"""VROOM: Bou Ammar, Gabillon, Tutunov & Valko, Derivative-free & order-robust optimisation (AISTATS 2020)."""

from .._algorithm import Algorithm


class VROOM(Algorithm):
    """PyXAB never tells a ranked cell a reward, so that its ranks don't change; here they follow the
    rewards."""

    def __init__(
        self, n=100, h_max=100, b=None, f_max=None, domain=None, partition=None, *, seed=1
    ):
        if b is None:
            raise ValueError("Variance parameter is not given.")
        if f_max is None:
            raise ValueError("Upper bound of the objective function is not given.")
        super().__init__(
            "vroom", n, domain, partition, seed, max_depth=h_max, b=b, f_max=f_max
        )
