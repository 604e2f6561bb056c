// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "program/fates/random_network.hpp"

namespace posse::fates {
namespace {

/// As `draw_selector`, and shares.
Value draw_fault_selector(Draws& draws, const Surroundings& around) {
  const auto selector = draw_selector(draws, around);
  if (!draws.chance(0.25)) return text_value(selector);
  if (draws.chance(0.5)) return text_value(fmt::format("{}% of {}", draws.whole(10, 90), selector));
  return table_value(
      {{"nodes", text_value(selector)}, {"share", real_value(draws.real(0.1, 0.9))}});
}

/// When a fault takes place; `needs_length`: it may not last for ever.
void draw_times(
    Draws& draws, const Surroundings& around, bool needs_length, bool needs_until, Table& fault) {
  const auto moment = [&] { return draws.chance(0.1) ? 0.001 : draws.real(0, around.duration_ms); };
  const double length = around.duration_ms * draws.scale(0.005, 0.5);
  switch (draws.below(4)) {
    case 0:  // at random
      fault["mean_between"] = milliseconds(around.duration_ms * draws.scale(0.05, 1));
      fault["mean_for"] = milliseconds(length);
      fault["until"] = milliseconds(around.duration_ms * draws.real(1, 3));
      return;
    case 1:  // repeated
      fault["at"] = milliseconds(moment());
      fault["for"] = milliseconds(length);
      fault["every"] = milliseconds(length * draws.real(1.5, 4) + 0.01);
      if (needs_until || draws.chance(0.5))
        fault["until"] = milliseconds(around.duration_ms * draws.real(1.1, 4));
      return;
    default:
      fault["at"] = draws.chance(0.1) ? text_value("0 s") : milliseconds(moment());
      if (needs_length || draws.chance(0.9)) fault["for"] = milliseconds(length);
  }
}

/// All of a group, a share of it, or its first node.
Value some_of(Draws& draws, const std::string& group) {
  if (draws.chance(0.3)) return array_value({text_value(group)});
  return array_value({text_value(fmt::format("{}% of {}", draws.whole(10, 90), group))});
}

Value draw_link_fault(Draws& draws, const Surroundings& around, const std::string& kind) {
  Table fault{{"kind", text_value(kind)}};
  Array groups;
  for (std::uint64_t n = draws.chance(0.2) ? 3 : 2; n > 0; --n) {
    Array group;
    for (std::uint64_t i = draws.chance(0.3) ? 2 : 1; i > 0; --i)
      group.push_back(draw_fault_selector(draws, around));
    groups.push_back(array_value(std::move(group)));
  }
  fault["groups"] = array_value(std::move(groups));
  if (draws.chance(0.4)) fault["one_way"] = boolean_value(draws.chance(0.8));
  draw_times(draws, around, kind == "clog", false, fault);
  return table_value(std::move(fault));
}

Value draw_node_fault(Draws& draws, const Surroundings& around, const std::string& kind) {
  Table fault{{"kind", text_value(kind)}};
  Array nodes;
  for (std::uint64_t i = draws.chance(0.3) ? 2 : 1; i > 0; --i)
    nodes.push_back(draw_fault_selector(draws, around));
  fault["nodes"] = array_value(std::move(nodes));
  if (kind == "crash" && !around.forgetful.empty() && draws.chance(0.4)) {
    fault["state"] = text_value("lost");
    fault["nodes"] = some_of(draws, around.forgetful);
  }
  draw_times(draws, around, false, true, fault);
  return table_value(std::move(fault));
}

Value draw_liars(Draws& draws, const Surroundings& around) {
  Table fault{{"kind", text_value("corrupt")}, {"nodes", some_of(draws, around.liars)}};
  const std::string how = draws.one_of({"constant", "noise", "sign", "stale"});
  fault["how"] = text_value(how);
  if (how == "constant") fault["value"] = real_value(draws.real(-2, 2));
  if (how == "noise") fault["sd"] = real_value(draws.scale(0.01, 100));
  draw_times(draws, around, false, false, fault);
  return table_value(std::move(fault));
}

Value draw_storm(Draws& draws, const Surroundings& around) {
  const double length = around.duration_ms * draws.scale(0.005, 0.2);
  Table fault{{"kind", text_value("storm")},
              {"nodes", text_value(draw_selector(draws, around))},
              {"mean_between", milliseconds(around.duration_ms * draws.scale(0.1, 1))},
              {"mean_for", milliseconds(length)},
              {"until", milliseconds(around.duration_ms * draws.real(1, 2))}};
  if (!around.forgetful.empty() && draws.chance(0.3)) {
    fault["state"] = text_value("lost");
    fault["nodes"] = text_value(around.forgetful);
  }
  return table_value(std::move(fault));
}

/// Recorded crashes: some nodes of a group, each with some times. The last may have no end.
Value draw_availability(Draws& draws, const Surroundings& around, Inputs& inputs) {
  const bool forgets = !around.forgetful.empty() && draws.chance(0.4);
  const auto& group = forgets ? around.groups.back() : draws.element_of(around.groups);
  std::string rows = "node,down_s,up_s\n";
  for (std::uint64_t i = 0; i < group.size; ++i) {
    if (i > 0 && draws.chance(0.6)) continue;
    double at_s = 0;
    for (std::uint64_t n = draws.whole(1, 3); n > 0; --n) {
      const double down_s = at_s + 1e-3 * around.duration_ms * draws.real(0, 0.5);
      at_s = down_s + 1e-6 + 1e-3 * around.duration_ms * draws.scale(0.005, 0.5);
      const auto up = n == 1 && draws.chance(0.1) ? std::string() : fmt::format("{:.6f}", at_s);
      const auto name = group.numbered ? fmt::format("{}-{}", group.name, group.first_number + i)
                                       : std::string(group.name);
      rows += fmt::format("{},{:.6f},{}\n", name, down_s, up);
      at_s += 2e-6;
    }
  }
  const auto file = new_input(inputs, fmt::format("availability-{}", inputs.size()));
  inputs[file] = text_value(std::move(rows));
  Table fault{{"kind", text_value("availability")}, {"file", text_value(file)}};
  if (forgets) fault["state"] = text_value("lost");
  return table_value(std::move(fault));
}

}  // namespace

Value draw_fault_near_the_end(Draws& draws,
                              const Surroundings& around,
                              double end_ms,
                              double window_ms) {
  const std::string kind = draws.one_of({"pause", "crash", "crash"});
  Table fault{{"kind", text_value(kind)},
              {"nodes", array_value({text_value(draw_selector(draws, around))})}};
  if (kind == "crash" && !around.forgetful.empty() && draws.chance(0.2)) {
    fault["state"] = text_value("lost");
    fault["nodes"] = some_of(draws, around.forgetful);
  }
  const double near_ms = end_ms + window_ms * draws.real(-1.5, 0.5);
  const double length_ms = window_ms * draws.scale(0.02, 2);
  fault["at"] = milliseconds(draws.chance(0.7) ? near_ms - length_ms : near_ms);
  fault["for"] = milliseconds(length_ms);
  return table_value(std::move(fault));
}

Value draw_fault(Draws& draws, const Surroundings& around, Inputs& inputs) {
  if (!around.liars.empty() && draws.chance(0.15)) return draw_liars(draws, around);
  if (draws.chance(0.05)) return draw_storm(draws, around);
  if (draws.chance(0.07)) return draw_availability(draws, around, inputs);
  const std::string kind = draws.one_of({"partition", "clog", "pause", "crash", "crash"});
  return kind == "partition" || kind == "clog" ? draw_link_fault(draws, around, kind)
                                               : draw_node_fault(draws, around, kind);
}

}  // namespace posse::fates
