// SPDX-License-Identifier: Apache-2.0
// Messages of Fed1-UCB and Fed2-UCB.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/role/message.hpp"

namespace posse {

/// One phase of a client: `pulls` pulls of each arm (numbered from 1), in this order.
struct ActiveArms {
  static constexpr std::string_view kName = "ActiveArms";
  std::uint32_t phase = 0;
  std::uint32_t pulls = 0;
  std::vector<std::uint32_t> arms;
  std::uint64_t values() const { return arms.size() + 1; }
  POSSE_FIELDS(phase, pulls, arms)
};

/// ActiveArms for a client that joins when the others have made `steps` evaluations each.
struct Join {
  static constexpr std::string_view kName = "Join";
  std::uint32_t steps = 0;
  std::uint32_t phase = 0;
  std::uint32_t pulls = 0;
  std::vector<std::uint32_t> arms;
  std::uint64_t values() const { return arms.size() + 1; }
  POSSE_FIELDS(steps, phase, pulls, arms)
};

/// One client's running means of the phase's arms, in the order of ActiveArms.
struct ArmMeans {
  static constexpr std::string_view kName = "ArmMeans";
  std::uint32_t phase = 0;
  std::vector<double> means;
  std::uint64_t values() const { return means.size(); }
  POSSE_FIELDS(phase, means)
};

}  // namespace posse
