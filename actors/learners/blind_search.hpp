// SPDX-License-Identifier: Apache-2.0
// Baselines without a model as algorithms: a uniform grid and random points, each by one learner at
// a server for all clients, or by one at every client.
//
// Learners: core/learner/uniform_grid.hpp, core/learner/random_learner.hpp. Hosts and messages:
// central_learner.hpp, local_learner.hpp. A query names a cell of the grid, or the number of a
// random point, at depth 0. Each local random search draws its own points.
// Parameters: placement; of `random`, reevaluate (auto: true if rewards are noisy).
// Streams: `explore/learner`, `explore/client-m`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& uniform_grid_algorithm();
const AlgorithmSpec& random_algorithm();

}  // namespace posse
