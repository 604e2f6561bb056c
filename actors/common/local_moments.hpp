// SPDX-License-Identifier: Apache-2.0
// The upload of a client that sends variances, too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// For each cell of a plan, mean and sample variance of one client's rewards: 12 + 16n bytes, 2n
/// values.
struct LocalMoments {
  static constexpr std::string_view kName = "LocalMoments";
  std::uint32_t round = 0;
  std::vector<double> means;
  std::vector<double> variances;
  std::uint64_t values() const { return 2 * means.size(); }
  POSSE_FIELDS(round, means, variances)
};

}  // namespace posse
