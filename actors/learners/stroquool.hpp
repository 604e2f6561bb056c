// SPDX-License-Identifier: Apache-2.0
// StroquOOL as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/stroquool.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp.
// Parameters: horizon (n of the paper; auto: the budget), placement, and those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& stroquool_algorithm();

}  // namespace posse
