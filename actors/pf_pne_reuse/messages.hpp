// SPDX-License-Identifier: Apache-2.0
// The upload of a client in PF-PNE with reuse. The plans of the server are Fed-PNE's `PhasePlan`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/fed_pne/messages.hpp"
#include "core/role/message.hpp"

namespace posse {

/// One client's means of the cells of a plan, from the pulls of this round only, and its estimate
/// of the noise: 16 + 8n bytes, n + 1 values.
struct SpreadMeans {
  static constexpr std::string_view kName = "SpreadMeans";
  std::uint32_t phase = 0;
  double spread = 0;  // sum over the cells of an unbiased estimate of the noise variance
  std::vector<double> means;
  std::uint64_t values() const { return means.size() + 1; }
  POSSE_FIELDS(phase, spread, means)
};

}  // namespace posse
