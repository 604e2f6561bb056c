// SPDX-License-Identifier: Apache-2.0
// Commands that the benchmarks run.
#pragma once

#include <string>
#include <vector>

namespace posse {

struct CommandCost {
  double seconds = 0;     // CPU time
  double peak_bytes = 0;  // resident
};
/// Runs a command, whose output is not shown. If it fails, the benchmark ends.
CommandCost cost_of(const std::vector<std::string>& words);

}  // namespace posse
