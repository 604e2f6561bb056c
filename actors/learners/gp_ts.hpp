// SPDX-License-Identifier: Apache-2.0
// GP-TS as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/gp_ts.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp. Li, Song, Honorio & Lin, "Federated X-armed bandit" (AAAI 2024), call it
// Kernel TS and run it at the server on f̄. A query names an arm (depth 0, the arm's number).
// Parameters: gp_ts_parameters(), placement.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& gp_ts_algorithm();

}  // namespace posse
