// GP-TS as an algorithm: one at a server that all clients serve, or one at every client.
//
// "Kernel TS" of Li, Song, Honorio, Lin, "Federated X-armed bandit" (AAAI 2024), which runs it at
// the server on f̄ like HCT. The learner: learner/gp_ts.hpp; what hosts it and what is sent:
// central_learner.hpp, local_learner.hpp. A query names an arm (depth 0, its number).
// Parameters: gp_ts_parameters(), placement.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& gp_ts_algorithm();

}  // namespace posse
