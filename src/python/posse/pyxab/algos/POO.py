# SPDX-License-Identifier: Apache-2.0
"""POO: Grill, Valko & Munos, Black-box optimization of noisy functions with unknown smoothness (NIPS
2015)."""

from .._algorithm import Algorithm, base_of


class POO(Algorithm):
    """Instances of `algo` with different smoothness. PyXAB skips instances; here all of the paper's schedule run."""

    def __init__(
        self,
        numax=1,
        rhomax=0.9,
        rounds=1000,
        domain=None,
        partition=None,
        algo=None,
        *,
        seed=1,
    ):
        super().__init__(
            "poo",
            rounds,
            domain,
            partition,
            seed,
            nu_max=numax,
            rho_max=rhomax,
            base=base_of(algo),
        )
