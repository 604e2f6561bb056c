// SPDX-License-Identifier: Apache-2.0
// SequOOL as an algorithm: one learner at a server for all clients, or one at every client.
//
// Learner and paper: core/learner/sequool.hpp. Hosts and messages: central_learner.hpp,
// local_learner.hpp.
// Parameters: openings (n of the paper; auto: the budget divided by k, which the schedule fits
// into; PyXAB: the budget), placement, and those of the partition.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

const AlgorithmSpec& sequool_algorithm();

}  // namespace posse
