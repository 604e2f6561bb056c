// SPDX-License-Identifier: Apache-2.0
// What several benchmarks measure beside the program.
#pragma once

#include <cstdint>
#include <string_view>

namespace posse {

struct Sample {
  double deliveries = 0;
  double seconds = 0;  // CPU time
};
/// A binary heap of the events of `echo` with constant latency, by time and node, and nothing else.
Sample bare_heap(std::uint32_t clients, std::uint32_t rounds);

/// Pulls per CPU second of F-LCB over the default arms of this family, without a network.
double pulls_without_network(std::string_view kind, std::uint64_t budget);

}  // namespace posse
