// The message of PF-PNE with reuse. The server's plans are Fed-PNE's `PhasePlan`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "actors/fed_pne/messages.hpp"
#include "core/role/message.hpp"

namespace posse {

/// One client's means of a plan's cells, and how much its rewards of one cell vary.
struct SpreadMeans {
  static constexpr std::string_view kName = "SpreadMeans";
  std::uint32_t phase = 0;
  double spread = 0;  // sum over the cells of an unbiased estimate of the noise's variance
  std::vector<double> means;
  std::uint64_t values() const { return means.size() + 1; }
  POSSE_FIELDS(phase, spread, means)
};

}  // namespace posse
