// StoSOO as an algorithm: one at a server that all clients serve, or one at every client.
//
// The learner: learner/stosoo.hpp, with its paper; what hosts it and what is sent:
// central_learner.hpp, local_learner.hpp. Its horizon is the budget n.
// Parameters: pulls (kappa; auto: ceil(n / ln^3 n)), delta (auto: 1 / sqrt(n)), max_depth (auto:
// floor(sqrt(n / kappa)); PyXAB: 100), the partition's, placement.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& stosoo_algorithm();

}  // namespace posse
