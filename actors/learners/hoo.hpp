// HOO and T-HOO as algorithms: one at a server that all clients serve, or one at every client.
//
// The learners: learner/hoo.hpp, learner/t_hoo.hpp, with their paper; what hosts them and what is
// sent: central_learner.hpp, local_learner.hpp.
// Parameters: nu1 (default 1), rho (0.5), depth_slack (0; 1 is PyXAB's; T-HOO), ties (lower),
// recommendation (uniform-play), the partition's, placement. T-HOO's horizon is the budget n.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& hoo_algorithm();
const AlgorithmSpec& t_hoo_algorithm();

}  // namespace posse
