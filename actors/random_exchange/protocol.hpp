// Random search by m players with one exchange at the end: a baseline, and the worked example of a
// protocol (see CONTRIBUTING.md). Random search without messages: blind_search.hpp.
//
// Every player evaluates n points, uniform on the box, once each, and keeps the best reward it saw
// (the first of equals). Then all broadcast Best{x, reward}, and everybody outputs the best of all
// (the smallest player of equals). A single noisy reward is not re-evaluated, so with noise the
// output is often a lucky point: that is the baseline's weakness, not a bug.
//
// Round 1 is the whole run. Message, to each other player: Best{n 4, x 8d, reward 8}, d + 1 values.
// Streams: `explore/player-m`, draw t d + j for coordinate j of point t; `reward/player-m`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"
#include "core/role/protocol.hpp"

namespace posse {

struct Best {
  static constexpr std::string_view kName = "Best";
  std::vector<double> x;
  double reward = 0;
  std::uint64_t values() const { return x.size() + 1; }
  POSSE_FIELDS(x, reward)
};

/// No parameters: m and n come from the population and the budget.
const AlgorithmSpec& random_search_algorithm();

}  // namespace posse
