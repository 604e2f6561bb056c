// SPDX-License-Identifier: Apache-2.0
// Messages of BLiN.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// The cubes of one batch. Clients compute n_m themselves.
struct Batch {
  static constexpr std::string_view kName = "Batch";
  std::uint32_t batch = 0;
  std::vector<std::uint64_t> index;
  std::uint64_t values() const { return index.size(); }
  POSSE_FIELDS(batch, index)
};

/// One client's means of the cubes of a batch, in the order of Batch.
struct BatchMeans {
  static constexpr std::string_view kName = "BatchMeans";
  std::uint32_t batch = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(batch, means)
};

}  // namespace posse
