#include "program/chaos/random_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "program/chaos/draws.hpp"
#include "program/chaos/scenario_tree.hpp"
#include "program/scenario/catalog.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {
namespace {

/// The nodes and messages that rules and faults can name, and the time in which things happen.
struct Surroundings {
  std::vector<NodeGroup> groups;
  std::vector<std::string> types;
  std::string forgetful;     // the group of nodes that can lose their state; may be empty
  std::string liars;         // the group of nodes that may send wrong numbers; may be empty
  double scale_ms = 10;      // of latencies
  double duration_ms = 100;  // about as long as the run
};

/// Input files by name, which the scenario holds.
using Inputs = Table;

Value kind_value(std::string kind) { return text_value(std::move(kind)); }
Value milliseconds(double ms) { return text_value(fmt::format("{:.3f} ms", std::max(ms, 0.001))); }

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
      table[name] = milliseconds(draws.scale(0.1, 50));
  }
}

constexpr std::uint64_t kFewestArms = 2, kMostArms = 5;

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

Table draw_algorithm(Draws& draws, const AlgorithmSpec& spec, std::uint64_t arms) {
  Table table{{"kind", kind_value(std::string(spec.kind))}};
  draw_parameters(draws, spec.parameters, table);
  draw_mean_encoding(draws, table);
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

// --- objective and arms ------------------------------------------------------------------------

Value draw_noise(Draws& draws, bool unit_interval) {
  const std::string kind =
      unit_interval
          ? draws.one_of({"none", "uniform", "symtrunc", "tilttrunc", "bernoulli", "beta"})
          : draws.one_of({"none", "uniform"});
  Table noise{{"kind", kind_value(kind)}};
  if (kind == "uniform") noise["half_width"] = real_value(draws.real(0.01, 0.5));
  if (kind == "symtrunc" || kind == "tilttrunc") noise["sd"] = real_value(draws.real(0.05, 1));
  return table_value(std::move(noise));
}

Value draw_heterogeneity(Draws& draws, const std::string& kind, std::uint64_t clients) {
  Table table{{"kind", kind_value(kind)}};
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

/// Objectives whose maxima are found soon, each with differences between clients for which that
/// stays so.
Table draw_objective(Draws& draws, std::uint64_t clients) {
  const std::string kind =
      draws.one_of({"garland", "garland", "sine", "constant", "expression", "himmelblau"});
  Table table{{"kind", kind_value(kind)}};
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

Value list_of(Draws& draws, std::uint64_t count, double low, double high) {
  Array numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(real_value(draws.real(low, high)));
  return array_value(std::move(numbers));
}

Table draw_arms(Draws& draws, const AlgorithmSpec& spec, std::uint64_t count) {
  const bool rewards = spec.messages.front()->name == "Draw";
  const std::string kind =
      rewards ? "rewards" : draws.one_of({"smooth", "smooth", "piecewise-linear", "noisy"});
  Table table{{"kind", kind_value(kind)}};
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

// --- traces ------------------------------------------------------------------------------------

/// A trace of a few values: its file, held as `name`, and perhaps its period. `draw_value` is told
/// which one is the last.
template <class DrawValue>
Table draw_trace(Draws& draws,
                 const Surroundings& around,
                 const std::string& name,
                 const char* column,
                 Inputs& inputs,
                 DrawValue draw_value) {
  std::string rows = fmt::format("virtual_s,{}\n", column);
  double at_s = 0;
  for (std::uint64_t n = draws.whole(1, 6); n > 0; --n) {
    rows += fmt::format("{:.6f},{}\n", at_s, draw_value(n == 1));
    at_s += 1e-3 * around.duration_ms * draws.scale(0.01, 0.5) + 1e-6;
  }
  inputs[name] = text_value(std::move(rows));
  Table trace{{"file", text_value(name)}};
  if (draws.chance(0.5)) trace["period"] = milliseconds(1e3 * at_s);
  return trace;
}

Value draw_latency_trace(Draws& draws, const Surroundings& around, Inputs& inputs) {
  auto trace = draw_trace(draws, around, "latency.csv", "latency_ms", inputs, [&](bool) {
    return fmt::format("{:.3f}", around.scale_ms * draws.scale(0.1, 5));
  });
  trace["kind"] = kind_value("trace");
  return table_value(std::move(trace));
}

Value draw_latency_factor(Draws& draws, const Surroundings& around, Inputs& inputs) {
  return table_value(draw_trace(draws, around, "factor.csv", "factor", inputs, [&](bool) {
    return fmt::format("{:.3f}", draws.scale(0.2, 5));
  }));
}

/// The line may stand still for a while.
Value draw_rate_trace(Draws& draws, const Surroundings& around, Inputs& inputs) {
  auto trace = draw_trace(draws, around, "rate.csv", "bits_per_second", inputs, [&](bool last) {
    return fmt::format("{:.0f}", !last && draws.chance(0.2) ? 0 : draws.scale(3e4, 2e7));
  });
  return table_value(std::move(trace));
}

// --- durations, losses, links ------------------------------------------------------------------

/// A distribution of about this size. Few have no floor: those runs use one thread.
Value draw_duration(Draws& draws, double ms, bool may_be_zero) {
  const double floor = may_be_zero && draws.chance(0.3) ? 0 : ms * draws.real(0.05, 0.5);
  const auto with_floor = [&](Table table) {
    if (floor > 0) table["floor"] = milliseconds(floor);
    return table_value(std::move(table));
  };
  switch (draws.below(8)) {
    case 0:
      return floor > 0 ? milliseconds(ms) : text_value("0 s");
    case 1:
      return table_value({{"kind", kind_value("uniform")},
                          {"min", milliseconds(floor)},
                          {"max", milliseconds(floor + ms)}});
    case 2:
      return with_floor({{"kind", kind_value("normal")},
                         {"mean", milliseconds(ms)},
                         {"sd", milliseconds(ms * draws.real(0.1, 1))}});
    case 3:
      return with_floor({{"kind", kind_value("lognormal")},
                         {draws.chance(0.5) ? "median" : "mean", milliseconds(ms)},
                         {"sigma", real_value(draws.real(0.1, 1.2))}});
    case 4:
      return with_floor({{"kind", kind_value("exponential")}, {"mean", milliseconds(ms)}});
    case 5:
      return table_value({{"kind", kind_value("pareto")},
                          {"scale", milliseconds(ms * 0.5)},
                          {"shape", real_value(draws.real(1.1, 3))}});
    case 6:
      return with_floor({{"kind", kind_value("gamma")},
                         {"mean", milliseconds(ms)},
                         {"shape", real_value(draws.real(0.3, 4))}});
    default:
      return milliseconds(ms);
  }
}

double draw_probability(Draws& draws) {
  return draws.chance(0.1) ? draws.real(0.4, 0.9) : draws.real(0, 0.3);
}

Value draw_loss(Draws& draws, const Surroundings& around) {
  switch (draws.below(4)) {
    case 0:
      return real_value(draw_probability(draws));
    case 1:
      return table_value(
          {{"kind", kind_value("bernoulli")}, {"p", real_value(draw_probability(draws))}});
    case 2:
      return table_value({{"kind", kind_value("gilbert-elliott")},
                          {"p", real_value(draws.real(0, 0.2))},
                          {"r", real_value(draws.real(0.2, 1))},
                          {"loss_good", real_value(draws.real(0, 0.1))},
                          {"loss_bad", real_value(draws.chance(0.3) ? 1 : draws.real(0.3, 1))}});
    default: {
      Table p;
      for (const auto& type : around.types)
        if (draws.chance(0.5)) p[type] = real_value(draw_probability(draws));
      if (draws.chance(0.5)) p["Ack"] = real_value(draw_probability(draws));
      return table_value({{"kind", kind_value("by-type")}, {"p", table_value(std::move(p))}});
    }
  }
}

Value draw_rate(Draws& draws) {
  return text_value(fmt::format("{:.0f} kbit/s", draws.scale(30, 20'000)));
}
Value draw_queue(Draws& draws) {
  return text_value(fmt::format("{:.0f} B", draws.scale(100, 20'000)));
}

std::string node_name(Draws& draws, const NodeGroup& group) {
  return group.numbered
             ? fmt::format("{}-{}", group.name, group.first_number + draws.below(group.size))
             : std::string(group.name);
}

/// A node, a group, a range of a group or everyone.
std::string draw_selector(Draws& draws, const Surroundings& around) {
  const NodeGroup& group = draws.element_of(around.groups);
  switch (draws.below(4)) {
    case 0:
      return std::string(group.name);
    case 1:
      if (group.numbered && group.size > 1) {
        const auto first = draws.below(group.size - 1);
        return fmt::format("{}-{}..{}",
                           group.name,
                           group.first_number + first,
                           group.first_number + draws.whole(first + 1, group.size - 1));
      }
      return node_name(draws, group);
    case 2:
      return draws.chance(0.2) ? "*" : node_name(draws, group);
    default:
      return node_name(draws, group);
  }
}

/// As `draw_selector`, and shares.
Value draw_fault_selector(Draws& draws, const Surroundings& around) {
  const auto selector = draw_selector(draws, around);
  if (!draws.chance(0.25)) return text_value(selector);
  if (draws.chance(0.5)) return text_value(fmt::format("{}% of {}", draws.whole(10, 90), selector));
  return table_value(
      {{"nodes", text_value(selector)}, {"share", real_value(draws.real(0.1, 0.9))}});
}

/// Properties that [network] and [[network.link]] share.
void draw_link_properties(Draws& draws, const Surroundings& around, double p, Table& table) {
  if (draws.chance(p)) table["loss"] = draw_loss(draws, around);
  if (draws.chance(p)) table["duplication"] = real_value(draws.real(0, 0.5));
  if (draws.chance(p)) table["order"] = text_value(draws.one_of({"free", "fifo"}));
  if (draws.chance(p / 2)) {
    table["rate"] = draw_rate(draws);
    if (draws.chance(0.5)) table["queue"] = draw_queue(draws);
  }
}

Value draw_link_rule(Draws& draws, const Surroundings& around) {
  Table rule;
  if (draws.chance(0.7)) rule["from"] = text_value(draw_selector(draws, around));
  if (draws.chance(0.7)) rule["to"] = text_value(draw_selector(draws, around));
  rule["latency"] = draw_duration(draws, around.scale_ms * draws.scale(0.2, 5), false);
  draw_link_properties(draws, around, 0.3, rule);
  return table_value(std::move(rule));
}

Value draw_node_rule(Draws& draws, const Surroundings& around) {
  Table rule{{"nodes", text_value(draw_selector(draws, around))}};
  const auto which = draws.below(3);
  if (which != 0) rule["rate_up"] = draw_rate(draws);
  if (which != 1) rule["rate_down"] = draw_rate(draws);
  if (draws.chance(0.5)) rule["queue"] = draw_queue(draws);
  return table_value(std::move(rule));
}

Value draw_drop(Draws& draws, const Surroundings& around) {
  Table drop{{"type", text_value(draws.element_of(around.types))}};
  if (draws.chance(0.9)) drop["round"] = whole_value(draws.whole(1, 5));
  if (draws.chance(0.5)) drop["from"] = text_value(draw_selector(draws, around));
  if (draws.chance(0.5)) drop["to"] = text_value(draw_selector(draws, around));
  if (draws.chance(0.2)) drop["transmission"] = whole_value(draws.whole(0, 5));
  return table_value(std::move(drop));
}

Value draw_retransmission(Draws& draws, const Surroundings& around) {
  Table table;
  const double timeout = around.scale_ms * draws.scale(1, 20);
  table["timeout"] = milliseconds(timeout);
  if (draws.chance(0.5)) table["backoff"] = real_value(draws.real(1.2, 3));
  if (draws.chance(0.5)) table["max_timeout"] = milliseconds(timeout * draws.real(4, 40));
  if (draws.chance(0.25)) table["max_tries"] = whole_value(draws.whole(1, 8));
  return table_value(std::move(table));
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

Table draw_network(Draws& draws, const Surroundings& around, Inputs& inputs) {
  Table network{{"latency",
                 draws.chance(0.08) ? draw_latency_trace(draws, around, inputs)
                                    : draw_duration(draws, around.scale_ms, draws.chance(0.1))}};
  if (draws.chance(0.08)) network["latency_factor"] = draw_latency_factor(draws, around, inputs);
  const bool reliable = draws.chance(0.6);
  if (reliable || draws.chance(0.5))
    network["transport"] = text_value(reliable ? "reliable" : "datagram");
  draw_link_properties(draws, around, 0.4, network);
  if (draws.chance(0.06)) network["rate"] = draw_rate_trace(draws, around, inputs);
  if (draws.chance(0.3))
    network["header_bytes"] = text_value("40 B");
  else if (draws.chance(0.2) && network.contains("transport"))
    network["wire"] = text_value(reliable ? draws.one_of({"tcp", "quic", "grpc"}) : "udp");
  if (reliable && draws.chance(0.3)) network["retransmission"] = draw_retransmission(draws, around);
  draw_several(draws, 0.3, 3, network, "link", [&] { return draw_link_rule(draws, around); });
  draw_several(draws, 0.15, 2, network, "node", [&] { return draw_node_rule(draws, around); });
  if (!around.types.empty())
    draw_several(draws, 0.15, 3, network, "drop", [&] { return draw_drop(draws, around); });
  return network;
}

// --- computing, server, faults, limits ---------------------------------------------------------

Table draw_compute(Draws& draws, const Surroundings& around, bool evaluates) {
  Table compute;
  if (evaluates && draws.chance(0.8))
    compute["evaluation"] = draw_duration(draws, draws.scale(0.02, 3), true);
  draw_several(draws, 0.3, 2, compute, "stragglers", [&] {
    Table rule{{"factor", real_value(draws.scale(0.3, 30))}};
    if (draws.chance(0.7)) rule["nodes"] = text_value(draw_selector(draws, around));
    if (draws.chance(0.3)) rule["share"] = real_value(draws.real(0, 1));
    return table_value(std::move(rule));
  });
  return compute;
}

Table draw_server(Draws& draws, const Surroundings& around, std::uint64_t clients) {
  const std::string policy = draws.one_of({"all", "quorum", "deadline"});
  Table server{{"policy", text_value(policy)}};
  const auto quorum = [&] {
    return draws.chance(0.5) ? whole_value(draws.whole(1, clients))
                             : text_value(fmt::format("{}%", draws.whole(1, 100)));
  };
  if (policy == "quorum" || (policy == "deadline" && draws.chance(0.4)))
    server["quorum"] = quorum();
  if (policy == "deadline") server["deadline"] = milliseconds(around.scale_ms * draws.scale(1, 20));
  if (!around.liars.empty() && draws.chance(0.3)) {
    const std::string aggregate = draws.one_of({"mean", "median", "trimmed-mean"});
    server["aggregate"] = text_value(aggregate);
    if (aggregate == "trimmed-mean") server["trim"] = real_value(draws.real(0, 0.49));
  }
  return server;
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
  Table fault{{"kind", kind_value(kind)}};
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
  Table fault{{"kind", kind_value(kind)}};
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
  Table fault{{"kind", kind_value("corrupt")}, {"nodes", some_of(draws, around.liars)}};
  const std::string how = draws.one_of({"constant", "noise", "sign", "stale"});
  fault["how"] = text_value(how);
  if (how == "constant") fault["value"] = real_value(draws.real(-2, 2));
  if (how == "noise") fault["sd"] = real_value(draws.scale(0.01, 100));
  draw_times(draws, around, false, false, fault);
  return table_value(std::move(fault));
}

Value draw_storm(Draws& draws, const Surroundings& around) {
  const double length = around.duration_ms * draws.scale(0.005, 0.2);
  Table fault{{"kind", kind_value("storm")},
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
  const auto file = fmt::format("availability-{}.csv", inputs.size());
  inputs[file] = text_value(std::move(rows));
  Table fault{{"kind", kind_value("availability")}, {"file", text_value(file)}};
  if (forgets) fault["state"] = text_value("lost");
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

Table draw_limits(Draws& draws, const Surroundings& around) {
  Table limits{{"events", whole_value(60'000)}};
  if (draws.chance(0.04))
    limits["virtual_time"] = milliseconds(around.duration_ms * draws.scale(0.05, 2));
  return limits;
}

// --- the whole scenario ------------------------------------------------------------------------

/// One client evaluates for all instances of these.
bool has_one_client(const AlgorithmSpec& spec) {
  return std::any_of(
      spec.messages.begin(), spec.messages.end(), [](const auto* m) { return m->name == "Found"; });
}

/// The nodes and messages of a scenario without network and faults; no nodes if it is not valid.
Surroundings surroundings_of(const Value& root) {
  Surroundings around;
  Diagnostics diagnostics;
  const Scenario scenario = read_scenario(root, "chaos.toml", diagnostics);
  if (!diagnostics.empty()) return around;
  const AlgorithmEntry& entry = scenario.algorithms.front();
  const Workload workload = make_workload(scenario, entry, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  around.groups = protocol->groups();
  for (const auto* type : entry.spec->messages) around.types.emplace_back(type->name);
  // Leaves come last, and all of a group are alike.
  const NodeNames names(around.groups);
  const std::string last(around.groups.back().name);
  if (protocol->can_lose_state(NodeId{names.size() - 1})) around.forgetful = last;
  if (entry.spec->averages && names.size() > 1 && around.groups.size() > 1) around.liars = last;
  return around;
}

}  // namespace

std::string random_scenario(std::uint64_t seed) {
  Draws draws(seed, "scenario");
  const AlgorithmSpec& spec = *draws.element_of(algorithms());
  const std::uint64_t clients = has_one_client(spec) ? 1 : draws.whole(1, 8);
  const std::uint64_t arms = draws.whole(kFewestArms, kMostArms);
  const bool evaluates = spec.needs_problem || spec.needs_arms;

  Table algorithm = draw_algorithm(draws, spec, arms);
  const bool has_edges = algorithm.contains("edges");
  if (has_edges && std::get<std::int64_t>(algorithm["edges"].data) > std::int64_t(clients))
    algorithm["edges"] = whole_value(clients);
  if (has_edges)
    for (const char* key : {"means", "means_low", "means_high"}) algorithm.erase(key);
  Table root{{"name", text_value(fmt::format("chaos-{}", seed))},
             {"seed", whole_value(seed)},
             {"algorithm", array_value({table_value(algorithm)})}};
  const bool again = draws.chance(0.05);
  if (again) root["repeat"] = whole_value(2);
  double budget = 20;
  if (spec.needs_arms) {
    budget = std::floor(draws.scale(30, 150));
    root["arm"] = array_value({table_value(draw_arms(draws, spec, arms))});
    root["budget"] = table_value({{"pulls", whole_value(static_cast<std::uint64_t>(budget))}});
  } else {
    root["population"] = table_value({{"clients", whole_value(clients)}});
  }
  if (spec.needs_problem) {
    const bool a_round_each = spec.uses_policy || spec.kind == "fn-ucb";
    budget = std::floor(a_round_each ? draws.scale(8, 120) : draws.scale(10, 400));
    if (spec.kind == "fn-ucb") budget = std::floor(draws.scale(4, 20));
    root["objective"] = table_value(draw_objective(draws, clients));
    root["budget"] =
        table_value({{"evaluations_per_client", whole_value(static_cast<std::uint64_t>(budget))}});
  }

  Surroundings around = surroundings_of(table_value(root));
  if (around.groups.empty()) return toml_text(table_value(root));
  around.scale_ms = draws.scale(0.3, 60);
  around.duration_ms = around.scale_ms * draws.scale(4, 80);

  Inputs inputs;
  root["network"] = table_value(draw_network(draws, around, inputs));
  root["compute"] = table_value(draw_compute(draws, around, evaluates));
  const auto compact = algorithm.find("compact_plan");
  const auto sums = algorithm.find("sums");
  const bool waits_for_all =
      has_edges || (compact != algorithm.end() && std::get<bool>(compact->second.data)) ||
      (sums != algorithm.end() && std::get<std::string>(sums->second.data) == "exact");
  if (spec.uses_policy && !waits_for_all && draws.chance(0.7))
    root["server"] = table_value(draw_server(draws, around, clients));
  draw_several(draws, 0.6, 4, root, "fault", [&] {
    auto fault = draw_fault(draws, around, inputs);
    if (draws.chance(0.05))
      std::get<Table>(fault.data)["algorithm"] = text_value(std::string(spec.kind));
    if (again && draws.chance(0.3)) std::get<Table>(fault.data)["repetition"] = whole_value(1);
    return fault;
  });
  root["limits"] = table_value(draw_limits(draws, around));
  if (!inputs.empty()) root["inputs"] = table_value(std::move(inputs));
  return toml_text(table_value(root));
}

}  // namespace posse
