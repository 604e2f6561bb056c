// The message of the parallel X-armed bandit.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// One player's means of the cells of S_h, in ascending index order: 8 + 8 |S_h| bytes, |S_h|
/// values.
struct LevelMeans {
  static constexpr std::string_view kName = "LevelMeans";
  std::uint32_t depth = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(depth, means)
};

}  // namespace posse
