// SPDX-License-Identifier: Apache-2.0
// What the floor of a distribution of durations does to it.
#pragma once

#include <optional>

#include "core/random/duration_distribution.hpp"

namespace posse {

struct FloorCut {
  double share = 0;      // of the draws, which the floor, or 0, raises
  Duration mean;         // after the cut
  Duration mean_before;  // of the distribution as it is stated
};
/// Nothing for distributions that their floor doesn't cut.
std::optional<FloorCut> cut_by_floor(const DurationDistribution& distribution);

}  // namespace posse
