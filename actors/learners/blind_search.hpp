// The baselines without a model as algorithms: a uniform grid and random points, by one learner at
// a server that all clients serve, or by one at every client.
//
// The learners: learner/uniform_grid.hpp, learner/random_learner.hpp; what hosts them and what is
// sent: central_learner.hpp, local_learner.hpp. A query names a cell of the grid, or the number of
// a random point, at depth 0. Local random searches draw points of their own each.
// Parameters: placement; of `random`, reevaluate (auto: true if rewards are noisy).
// Streams: `explore/learner`, `explore/client-m`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& uniform_grid_algorithm();
const AlgorithmSpec& random_algorithm();

}  // namespace posse
