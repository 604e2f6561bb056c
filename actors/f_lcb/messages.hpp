// SPDX-License-Identifier: Apache-2.0
// Messages of functional bandits.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/role/message.hpp"

namespace posse {

/// Asks an arm for one step of the optimizer with this instance number.
struct Step {
  static constexpr std::string_view kName = "Step";
  std::uint32_t instance = 0;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(instance)
};

/// The result of the step.
struct Stepped {
  static constexpr std::string_view kName = "Stepped";
  std::uint32_t instance = 0;
  std::uint64_t pulls = 0;  // k
  double value = 0;
  double bound = 0;  // g(k)
  std::uint64_t values() const { return 2; }
  POSSE_FIELDS(instance, pulls, value, bound)
};

}  // namespace posse
