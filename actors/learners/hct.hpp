// HCT-iid and VHCT as algorithms: one at a server that all clients serve, or one at every client.
//
// The learner: learner/hct.hpp, with its papers; what hosts it and what is sent:
// central_learner.hpp, local_learner.hpp. Kinds:
//   hct, vhct      with a parameter `placement`, central (default) or local
//   hct-central    the baseline of Li et al., "Federated X-armed bandit" (AAAI 2024), Remark 10
//   hct-local      the baseline of Li et al., "Personalized federated X-armed bandit" (2024)
// Parameters: nu1 (default 1), rho (0.5), constants (practical), c (auto: 0.1; the theory's
// 2 / sqrt(1 - rho)), delta (auto: 0.01; 1/n), range (1, VHCT's b), ties (lower), recommendation
// (uniform-play), the partition's. `nu1` is nu of Shang, Kaufmann, Valko, nu_1 of Azar et al.
//
// Departure: rewards of a central learner are means of M, which VHCT's variance sees as such.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& hct_algorithm();
const AlgorithmSpec& vhct_algorithm();
const AlgorithmSpec& hct_central_algorithm();
const AlgorithmSpec& hct_local_algorithm();

}  // namespace posse
