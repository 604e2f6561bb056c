// SPDX-License-Identifier: Apache-2.0
// StoSOO as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/stosoo.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp. The horizon is the budget n.
// Parameters: pulls (kappa; auto: ceil(n / ln^3 n)), delta (auto: 1 / sqrt(n)), max_depth (auto:
// floor(sqrt(n / kappa)); PyXAB: 100), placement, and those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& stosoo_algorithm();

}  // namespace posse
