// SPDX-License-Identifier: Apache-2.0
// The messages of PF-PNE. `LocalMeans`, the upload of a client, is defined in actors/common,
// because Fed-PNE uses it as well.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/common/local_means.hpp"
#include "core/role/message.hpp"

namespace posse {

/// A cell that the server keeps, with its mean over the clients.
struct Survivor {
  std::uint64_t index = 0;
  double mean = 0;
  POSSE_FIELDS(index, mean)
};

/// The cells that stage 1 keeps at one depth: 16 + 16n bytes for n cells.
struct Survivors {
  static constexpr std::string_view kName = "Survivors";
  std::uint32_t depth = 0;
  double radius = 0;            // confidence radius of the means
  std::vector<Survivor> cells;  // ascending
  /// One mean and one radius per cell, as the paper counts.
  std::uint64_t values() const { return 2 * cells.size(); }
  POSSE_FIELDS(depth, radius, cells)
};

}  // namespace posse
