// SPDX-License-Identifier: Apache-2.0
// The arms of functional bandits over several runs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/run/runner.hpp"

namespace posse {

/// One arm over the finished runs; statistics of no runs have n = 0.
struct ArmLine {
  std::string name;
  Statistics optimum, pulls, best, bound, last_pull;
  std::size_t answers = 0;  // runs that answered with it
};
struct ArmLines {
  std::vector<ArmLine> rows;  // the kMostArmLines with the most pulls, in their order
  std::size_t arms = 0;       // all of them
  bool maximized = false;
};

ArmLines arm_lines(const ScenarioResult& result, std::size_t algorithm);
inline constexpr std::size_t kMostArmLines = 60;
/// The arms with the most pulls, in their order; "" without arms.
std::string arms_text(const ArmLines& lines, std::size_t most = kMostArmLines);

}  // namespace posse
