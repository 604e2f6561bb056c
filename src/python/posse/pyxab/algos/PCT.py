# SPDX-License-Identifier: Apache-2.0
"""PCT: GPO over HCT. Shang, Kaufmann & Valko, General parallel optimization without a metric (ALT
2019)."""

from .._algorithm import Algorithm


class PCT(Algorithm):
    """PyXAB runs every instance with the same rho; here they search over rho, as in the paper."""

    def __init__(self, numax=1, rhomax=0.9, rounds=1000, domain=None, partition=None, *, seed=1):
        super().__init__(
            "pct", rounds, domain, partition, seed, nu_max=numax, rho_max=rhomax
        )
