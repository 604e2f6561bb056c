// SPDX-License-Identifier: Apache-2.0
// The parts of a random scenario.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/chaos/draws.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse::chaos {

/// The nodes and messages that rules and faults can name, and the time in which things happen.
struct Surroundings {
  std::vector<NodeGroup> groups;
  std::vector<std::string> types;
  std::string forgetful;     // the group of nodes that can lose their state; may be empty
  std::string liars;         // the group of nodes that may send wrong numbers; may be empty
  bool reliable = false;     // the transport, once it is drawn
  double scale_ms = 10;      // of latencies
  double duration_ms = 100;  // about as long as the run
};

/// Input files by name, which the scenario holds.
using Inputs = Table;

inline Value milliseconds(double ms) {
  return text_value(fmt::format("{:.3f} ms", std::max(ms, 0.001)));
}

/// Elements with this probability, at most `most` of them.
template <class Draw>
void draw_several(
    Draws& draws, double p, std::uint64_t most, Table& table, const char* key, Draw draw) {
  if (!draws.chance(p)) return;
  Array elements;
  for (std::uint64_t n = draws.whole(1, most); n > 0; --n) elements.push_back(draw());
  table[key] = array_value(std::move(elements));
}

Table draw_algorithm(Draws& draws, const AlgorithmSpec& spec, std::uint64_t arms);
/// Objectives whose maxima are found soon, each with differences between clients for which that
/// stays so.
Table draw_objective(Draws& draws, std::uint64_t clients);
inline constexpr std::uint64_t kFewestArms = 2, kMostArms = 5;
Table draw_arms(Draws& draws, const AlgorithmSpec& spec, std::uint64_t count);

Table draw_network(Draws& draws, Surroundings around, Inputs& inputs);
/// A network that does nothing but take its time.
Table draw_latency_alone(Draws& draws, const Surroundings& around);
/// Time-outs that are derived, measured, or stated for some links. Of `network`, if its transport
/// is reliable.
void draw_time_outs(Draws& draws, double scale_ms, Table& network);
Table draw_compute(Draws& draws, const Surroundings& around, bool evaluates);
Table draw_server(Draws& draws, const Surroundings& around, std::uint64_t clients);
Value draw_fault(Draws& draws, const Surroundings& around, Inputs& inputs);
/// A pause or crash that begins or ends within a few `window_ms` of `end_ms`, when a run ended
/// without it.
Value draw_fault_near_the_end(Draws& draws,
                              const Surroundings& around,
                              double end_ms,
                              double window_ms);

/// A distribution of about this size. Few have no floor: those runs use one thread.
Value draw_duration(Draws& draws, double ms, bool may_be_zero);
/// A node, a group, a range of a group or everyone.
std::string draw_selector(Draws& draws, const Surroundings& around);

}  // namespace posse::chaos
