// The messages of Fed-PNE with variance-aware radii.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// pulls[j] more rewards of cell index[j], in order.
struct VariancePlan {
  static constexpr std::string_view kName = "VariancePlan";
  std::uint32_t round = 0;
  std::uint32_t depth = 0;
  std::vector<std::uint64_t> index;
  std::vector<std::uint32_t> pulls;
  std::uint64_t values() const { return 2 * index.size(); }
  POSSE_FIELDS(round, depth, index, pulls)
};

/// Of all of a client's rewards of each of the plan's cells since its depth was reached.
struct LocalMoments {
  static constexpr std::string_view kName = "LocalMoments";
  std::uint32_t round = 0;
  std::vector<double> means;
  std::vector<double> variances;
  std::uint64_t values() const { return 2 * means.size(); }
  POSSE_FIELDS(round, means, variances)
};

}  // namespace posse
