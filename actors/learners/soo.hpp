// SPDX-License-Identifier: Apache-2.0
// SOO as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/soo.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp.
// Parameters: max_depth (h_max; auto: sqrt t after t - 1 expansions; PyXAB: 100), placement, and
// those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& soo_algorithm();

}  // namespace posse
