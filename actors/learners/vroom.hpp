// SPDX-License-Identifier: Apache-2.0
// VROOM as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/vroom.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp. The horizon is the budget n.
// Parameters: max_depth (D; auto: floor(log_k n); PyXAB: 100, which is more than is ranked), b (1)
// and f_max (1), placement, and those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& vroom_algorithm();

}  // namespace posse
