// SPDX-License-Identifier: Apache-2.0
// The zooming algorithm as an algorithm: one learner at a server for all clients, or one at every
// client.
//
// Learner and papers: core/learner/zooming.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp. The horizon is the budget n.
// Parameters: nu1 (default 1) and rho (0.9, as in PyXAB), recommendation (uniform-play), placement,
// and those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& zooming_algorithm();

}  // namespace posse
