// SPDX-License-Identifier: Apache-2.0
// Messages of POO, GPO, PCT and VPCT.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/role/message.hpp"

namespace posse {

/// Asks an instance for `budget` evaluations with these smoothness constants.
struct Start {
  static constexpr std::string_view kName = "Start";
  double nu = 1;
  double rho = 0.5;
  std::uint64_t budget = 0;
  std::uint64_t values() const { return 3; }
  POSSE_FIELDS(nu, rho, budget)
};

/// The point that an instance recommends, and the mean of its rewards.
struct Found {
  static constexpr std::string_view kName = "Found";
  double mean = 0;
  Tail x;
  std::uint64_t values() const { return 1 + x.numbers.size(); }
  POSSE_FIELDS(mean, x)
};

}  // namespace posse
