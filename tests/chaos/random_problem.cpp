// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/random_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "program/fates/random_network.hpp"

namespace posse::chaos {
namespace {

// --- algorithm ---------------------------------------------------------------------------------

/// Values worth trying for parameters whose whole range is too wide or too expensive.
struct UsefulRange {
  std::string_view name;
  double low, high;
};
constexpr auto kUseful = std::to_array<UsefulRange>({{"nu1", 0.3, 2},
                                                     {"nu_max", 0.3, 2},
                                                     {"rho", 0.3, 0.8},
                                                     {"rho_max", 0.5, 0.85},
                                                     {"c", 0.03, 1},
                                                     {"arity", 2, 4},
                                                     {"edges", 1, 8},
                                                     {"explore", 0.2, 1},
                                                     {"grid", 1, 4},
                                                     {"max_difference", 0, 0.5},
                                                     {"epsilon", 0.05, 1},
                                                     {"sigma", 0.05, 0.5},
                                                     {"sigma_c", 0, 0.1},
                                                     {"sync_threshold", 0, 2},
                                                     {"train_until", 0, 20},
                                                     {"ramp", 1, 40},
                                                     {"lipschitz", 0.5, 8},
                                                     {"pulls", 1, 5},
                                                     {"max_depth", 0, 6},
                                                     {"depth_slack", 0, 2},
                                                     {"length_scale", 0.05, 1},
                                                     {"eta", 2, 4},
                                                     {"m", 0, 2},
                                                     {"n", 1, 3},
                                                     {"variance_floor", 0.001, 0.1}});

/// Parameters that are always drawn, because their defaults cost too much here.
constexpr auto kAlways = std::to_array<UsefulRange>({{"rounds", 1, 12},
                                                     {"pulls_per_phase", 1, 6},
                                                     {"arms_per_dimension", 2, 5},
                                                     {"random_arms", 2, 12},
                                                     {"width", 2, 4},
                                                     {"train_steps", 0, 3}});

template <class Ranges>
const UsefulRange* find_range(const Ranges& ranges, std::string_view name) {
  const auto it =
      std::find_if(ranges.begin(), ranges.end(), [&](const auto& r) { return r.name == name; });
  return it == ranges.end() ? nullptr : &*it;
}

Value number_in(Draws& draws, const ParameterSpec& spec, const UsefulRange& useful) {
  const double low = std::max(useful.low, spec.min), high = std::min(useful.high, spec.max);
  if (spec.type != ParameterType::integer) return real_value(draws.real(low, high));
  return whole_value(
      draws.whole(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)));
}

/// Flags, choices and numbers with a useful range; the rest keeps its default.
void draw_parameters(Draws& draws, const std::vector<ParameterSpec>& specs, Table& table) {
  for (const auto& spec : specs) {
    const std::string name(spec.name);
    if (const auto* range = find_range(kAlways, spec.name))
      table[name] = number_in(draws, spec, *range);
    if (!draws.chance(0.4)) continue;
    if (spec.type == ParameterType::boolean)
      table[name] = boolean_value(draws.chance(0.5));
    else if (!spec.choices.empty())
      table[name] = text_value(std::string(draws.element_of(spec.choices)));
    else if (const auto* range = find_range(kUseful, spec.name))
      table[name] = number_in(draws, spec, *range);
    else if (spec.type == ParameterType::size_bytes)
      table[name] = text_value(fmt::format("{} B", draws.whole(4, 600)));
    else if (spec.type == ParameterType::duration)
      table[name] = fates::milliseconds(draws.scale(0.1, 50));
  }
}

/// Gossip and exact sums have no other form of means, and only a grid has a range.
void draw_mean_encoding(Draws& draws, Table& table) {
  const auto exchange = table.find("exchange");
  if (exchange != table.end() && std::get<std::string>(exchange->second.data) == "gossip") {
    table.erase("sums");
    table.erase("means");
    if (draws.chance(0.5)) table["gossip_steps"] = whole_value(draws.whole(1, 6));
  }
  const auto means = table.find("means");
  if (means == table.end()) return;
  const auto sums = table.find("sums");
  if (sums != table.end() && std::get<std::string>(sums->second.data) == "exact") {
    table.erase(means);
    return;
  }
  if (std::get<std::string>(means->second.data).front() != 'u' || !draws.chance(0.5)) return;
  table["means_low"] = real_value(draws.real(-0.5, 0.2));
  table["means_high"] = real_value(draws.real(0.8, 1.5));
}

/// Rungs that every drawn budget allows, or none.
void draw_rungs(Draws& draws, Table& table) {
  if (!draws.chance(0.5)) {
    table.erase("eta");
    return;
  }
  const std::uint64_t longest = draws.whole(1, 4);
  table["longest"] = whole_value(longest);
  if (draws.chance(0.5)) table["least"] = whole_value(draws.whole(1, longest));
}

// --- objective and arms ------------------------------------------------------------------------

Value draw_noise(Draws& draws, bool unit_interval) {
  const std::string kind =
      unit_interval
          ? draws.one_of({"none", "uniform", "symtrunc", "tilttrunc", "bernoulli", "beta"})
          : draws.one_of({"none", "uniform"});
  Table noise{{"kind", text_value(kind)}};
  if (kind == "uniform") noise["half_width"] = real_value(draws.real(0.01, 0.5));
  if (kind == "symtrunc" || kind == "tilttrunc") noise["sd"] = real_value(draws.real(0.05, 1));
  return table_value(std::move(noise));
}

Value draw_heterogeneity(Draws& draws, const std::string& kind, std::uint64_t clients) {
  Table table{{"kind", text_value(kind)}};
  if (kind == "shift" || kind == "common-shift") table["scale"] = real_value(draws.real(0, 0.2));
  if (kind == "shift" || kind == "common-shift" || kind == "shifts")
    table["boundary"] = text_value(draws.one_of({"reflect", "clip", "wrap"}));
  if (kind == "shifts") {
    std::string values;
    for (std::uint64_t m = 0; m < clients; ++m)
      values += fmt::format("{}{:.3f}", m == 0 ? "" : ", ", draws.real(-0.2, 0.2));
    table["values"] = text_value(values);
  }
  if (kind == "mixture") table["functions"] = text_value(draws.one_of({"constant", "garland"}));
  return table_value(std::move(table));
}

Value list_of(Draws& draws, std::uint64_t count, double low, double high) {
  Array numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(real_value(draws.real(low, high)));
  return array_value(std::move(numbers));
}

}  // namespace

Table draw_algorithm(Draws& draws, const AlgorithmSpec& spec, std::uint64_t arms) {
  Table table{{"kind", text_value(std::string(spec.kind))}};
  draw_parameters(draws, spec.parameters, table);
  draw_mean_encoding(draws, table);
  if (spec.kind == "successive-halving") draw_rungs(draws, table);
  const auto parallel = std::find_if(spec.parameters.begin(),
                                     spec.parameters.end(),
                                     [](const auto& p) { return p.name == "parallel"; });
  if (parallel == spec.parameters.end() || !draws.chance(0.5)) return table;
  const auto order = table.find("order");
  const bool ordered = spec.kind == "f-lcb";  // one at a time unless it has another order
  if (!ordered ||
      (order != table.end() && std::get<std::string>(order->second.data) != "sequential"))
    table["parallel"] = whole_value(draws.whole(1, arms));
  return table;
}

Table draw_objective(Draws& draws, std::uint64_t clients) {
  const std::string kind =
      draws.one_of({"garland", "garland", "sine", "constant", "expression", "himmelblau"});
  Table table{{"kind", text_value(kind)}};
  std::string heterogeneity = draws.one_of({"none", "scale", "common-shift"});
  if (kind == "garland" || kind == "constant")
    heterogeneity = draws.one_of(
        {"none", "none", "shift", "shift", "common-shift", "scale", "shifts", "mixture"});
  if (kind == "himmelblau") heterogeneity = "none";
  if (kind == "expression") {
    table["f"] = text_value(draws.one_of({"0.9 - (x1 - 0.3)^2", "0.5 + 0.4*sin(9*x1)"}));
    table["lipschitz"] = real_value(4);
  }
  table["heterogeneity"] = draw_heterogeneity(draws, heterogeneity, clients);
  table["noise"] = draw_noise(draws, kind != "expression" && kind != "himmelblau");
  return table;
}

Table draw_arms(Draws& draws, const AlgorithmSpec& spec, std::uint64_t count) {
  const bool rewards = spec.messages.front()->name == "Draw";
  const std::string kind =
      rewards ? "rewards" : draws.one_of({"smooth", "smooth", "piecewise-linear", "noisy"});
  Table table{{"kind", text_value(kind)}};
  if (rewards) {
    table["means"] = list_of(draws, count, 0, 1);
    table["noise"] = text_value(draws.one_of({"cauchy", "student-t", "normal"}));
    return table;
  }
  table["dimension"] = whole_value(draws.whole(1, 6));
  table["minima"] = list_of(draws, count, 0.1, 2);
  if (kind == "piecewise-linear") {
    Array planes;
    for (std::uint64_t i = 0; i < count; ++i)
      planes.push_back(real_value(static_cast<double>(draws.whole(3, 9))));
    table["planes"] = array_value(std::move(planes));
  }
  return table;
}

}  // namespace posse::chaos
