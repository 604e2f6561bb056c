// SPDX-License-Identifier: Apache-2.0
// The parts of a random environment.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/fates/draws.hpp"
#include "program/fates/random_environment.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse::fates {

/// Input files by name, which the scenario holds.
using Inputs = Table;
/// STEM.csv, or STEM-1.csv, … if there is a file of that name.
std::string new_input(const Inputs& inputs, std::string_view stem);

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

Table draw_network(Draws& draws, Surroundings around, Inputs& inputs);
/// A network that does nothing but take its time.
Table draw_latency_alone(Draws& draws, const Surroundings& around);
/// Time-outs that are derived, measured, or stated for some links. Of `network`, if its transport
/// is reliable.
void draw_time_outs(Draws& draws, double scale_ms, Table& network);
Table draw_compute(Draws& draws, const Surroundings& around);
Table draw_server(Draws& draws, const Surroundings& around);
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

}  // namespace posse::fates
