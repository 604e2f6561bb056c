// SPDX-License-Identifier: Apache-2.0
// DOO as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/doo.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp.
// Parameters: nu1 (default 1) and rho (0.5) with delta(h) = nu1 rho^h, placement, and those of the
// partition. PyXAB's default delta on [0, 1] with k = 2 is nu1 = 0.25, rho = 0.25.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& doo_algorithm();

}  // namespace posse
