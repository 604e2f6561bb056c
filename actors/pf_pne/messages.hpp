// The messages of PF-PNE. The clients' uploads are Fed-PNE's `LocalMeans`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/local_means.hpp"
#include "core/role/message.hpp"

namespace posse {

/// A cell that the server keeps, with the mean over the clients.
struct Survivor {
  std::uint64_t index = 0;
  double mean = 0;
  POSSE_FIELDS(index, mean)
};

/// What stage 1 found at one depth.
struct Survivors {
  static constexpr std::string_view kName = "Survivors";
  std::uint32_t depth = 0;
  double radius = 0;            // of the means
  std::vector<Survivor> cells;  // ascending
  /// A mean and a radius for each cell, as the paper counts.
  std::uint64_t values() const { return 2 * cells.size(); }
  POSSE_FIELDS(depth, radius, cells)
};

}  // namespace posse
