// SPDX-License-Identifier: Apache-2.0
// HCT-iid and VHCT as algorithms: one learner at a server for all clients, or one at every client.
//
// Learner and papers: core/learner/hct.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp.
// Kinds:
//   hct, vhct      with a parameter `placement`, central (default) or local
//   hct-central    baseline of Li, Song, Honorio & Lin, "Federated X-armed bandit" (AAAI 2024),
//                  Remark 10
//   hct-local      baseline of Li, Song & Honorio, "Personalized federated X-armed bandit" (AISTATS
//                  2024), Remark 4.1
// Parameters: nu1 (default 1), rho (0.5), constants (practical), c (auto: 0.1, or 2 / sqrt(1 - rho)
// in theory), delta (auto: 0.01, or 1/n in theory), range (1; b of VHCT), ties (lower),
// recommendation (uniform-play), and those of the partition. `nu1` is nu of Shang, Kaufmann & Valko
// and nu_1 of Azar, Lazaric & Brunskill.
// Departures: see PAPERS.md, hct-9 and vhct-1.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& hct_algorithm();
const AlgorithmSpec& vhct_algorithm();
const AlgorithmSpec& hct_central_algorithm();
const AlgorithmSpec& hct_local_algorithm();

}  // namespace posse
