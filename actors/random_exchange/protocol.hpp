// SPDX-License-Identifier: Apache-2.0
// Random search by m players with one exchange at the end: a baseline, and the worked example of a
// system (see CONTRIBUTING.md). Random search without messages: actors/learners/blind_search.hpp.
//
// Every player evaluates n points, uniform on the box, once each, and keeps the one with the
// largest reward (ties: the first). Then each player sends Best to every other, and all output the
// best point of all (ties: the player with the smallest number). A reward is never measured again,
// so under noise the output is often a point whose noise was large. That is this baseline's
// weakness.
//
// The run is round 1. Message: Best{n 4, x 8d, reward 8}, d + 1 values, from each player to each.
// Streams: `explore/player-m`, draw t d + j for coordinate j of point t; `reward/client-m`.
#pragma once

#include "core/role/protocol.hpp"

namespace posse {

/// No parameters: m comes from the population, n from the budget.
const AlgorithmSpec& random_exchange_algorithm();

}  // namespace posse
