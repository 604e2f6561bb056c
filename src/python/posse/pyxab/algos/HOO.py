# SPDX-License-Identifier: Apache-2.0
"""T-HOO: Bubeck, Munos, Stoltz & Szepesvári, X-armed bandits (JMLR 2011)."""

from .._algorithm import Algorithm


class T_HOO(Algorithm):
    """The truncated HOO. PyXAB expands one depth more than the paper (posse.Learner's depth_slack=1),
    and answers with its last play; here the answer is a play drawn uniformly, as the theory needs."""

    _kind = "t-hoo"

    def __init__(self, nu=1, rho=0.5, rounds=1000, domain=None, partition=None, *, seed=1):
        super().__init__(self._kind, rounds, domain, partition, seed, nu1=nu, rho=rho)
