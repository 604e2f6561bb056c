// SPDX-License-Identifier: Apache-2.0
#include "program/fates/random_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/role/outcome.hpp"

namespace posse::fates {
namespace {

// --- traces ------------------------------------------------------------------------------------

/// A trace of a few values: its file, named after `stem`, and perhaps its period. `draw_value` is
/// told which one is the last.
template <class DrawValue>
Table draw_trace(Draws& draws,
                 const Surroundings& around,
                 std::string_view stem,
                 const char* column,
                 Inputs& inputs,
                 DrawValue draw_value) {
  std::string rows = fmt::format("virtual_s,{}\n", column);
  double at_s = 0;
  for (std::uint64_t n = draws.whole(1, 6); n > 0; --n) {
    rows += fmt::format("{:.6f},{}\n", at_s, draw_value(n == 1));
    at_s += 1e-3 * around.duration_ms * draws.scale(0.01, 0.5) + 1e-6;
  }
  const auto name = new_input(inputs, stem);
  inputs[name] = text_value(std::move(rows));
  Table trace{{"file", text_value(name)}};
  if (draws.chance(0.5)) trace["period"] = milliseconds(1e3 * at_s);
  return trace;
}

Value draw_latency_trace(Draws& draws, const Surroundings& around, Inputs& inputs) {
  auto trace = draw_trace(draws, around, "latency", "latency_ms", inputs, [&](bool) {
    return fmt::format("{:.3f}", around.scale_ms * draws.scale(0.1, 5));
  });
  trace["kind"] = text_value("trace");
  return table_value(std::move(trace));
}

Value draw_latency_factor(Draws& draws, const Surroundings& around, Inputs& inputs) {
  return table_value(draw_trace(draws, around, "factor", "factor", inputs, [&](bool) {
    return fmt::format("{:.3f}", draws.scale(0.2, 5));
  }));
}

/// The line may stand still for a while.
Value draw_rate_trace(Draws& draws, const Surroundings& around, Inputs& inputs) {
  auto trace = draw_trace(draws, around, "rate", "bits_per_second", inputs, [&](bool last) {
    return fmt::format("{:.0f}", !last && draws.chance(0.2) ? 0 : draws.scale(3e4, 2e7));
  });
  return table_value(std::move(trace));
}

// --- durations, losses, links ------------------------------------------------------------------

double draw_probability(Draws& draws) {
  return draws.chance(0.1) ? draws.real(0.4, 0.9) : draws.real(0, 0.3);
}

Value draw_loss(Draws& draws, const Surroundings& around) {
  switch (draws.below(5)) {
    case 0:
      return real_value(draw_probability(draws));
    case 1:
      return table_value(
          {{"kind", text_value("bernoulli")}, {"p", real_value(draw_probability(draws))}});
    case 2: {
      const double good = draws.real(0, 0.1), bad = draws.real(0.3, 1);
      const auto mean = [&](double least, double most) {
        return text_value(
            fmt::format("{:.0f} us", 1 + 1e3 * around.scale_ms * draws.scale(least, most)));
      };
      Table bursts{{"kind", text_value("bursts")},
                   {"mean_bad", mean(0.1, 10)},
                   {"loss_good", real_value(good)},
                   {"loss_bad", real_value(bad)},
                   {"of", text_value(draws.one_of({"pair", "link"}))}};
      if (draws.chance(0.5))
        bursts["average"] = real_value(draws.real(good + 0.01 * (bad - good), bad));
      else
        bursts["mean_good"] = mean(0.5, 50);
      return table_value(std::move(bursts));
    }
    case 3:
      return table_value({{"kind", text_value("gilbert-elliott")},
                          {"p", real_value(draws.real(0, 0.2))},
                          {"r", real_value(draws.real(0.2, 1))},
                          {"loss_good", real_value(draws.real(0, 0.1))},
                          {"loss_bad", real_value(draws.chance(0.3) ? 1 : draws.real(0.3, 1))}});
    default: {
      Table p;
      for (const auto& type : around.types)
        if (draws.chance(0.5)) p[type] = real_value(draw_probability(draws));
      if (draws.chance(0.5)) {
        const double lost = draw_probability(draws);
        if (around.reliable) p[std::string(kAcknowledgement)] = real_value(lost);
      }
      return table_value({{"kind", text_value("by-type")}, {"p", table_value(std::move(p))}});
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
  // All algorithms have these rounds.
  if (draws.chance(0.9)) drop["round"] = whole_value(draws.whole(1, 2));
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

}  // namespace

std::string new_input(const Inputs& inputs, std::string_view stem) {
  std::string name = fmt::format("{}.csv", stem);
  for (int number = 1; inputs.contains(name); ++number)
    name = fmt::format("{}-{}.csv", stem, number);
  return name;
}

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
      return table_value({{"kind", text_value("uniform")},
                          {"min", milliseconds(floor)},
                          {"max", milliseconds(floor + ms)}});
    case 2:
      return with_floor({{"kind", text_value("normal")},
                         {"mean", milliseconds(ms)},
                         {"sd", milliseconds(ms * draws.real(0.1, 1))}});
    case 3:
      return with_floor({{"kind", text_value("lognormal")},
                         {draws.chance(0.5) ? "median" : "mean", milliseconds(ms)},
                         {"sigma", real_value(draws.real(0.1, 1.2))}});
    case 4:
      return with_floor({{"kind", text_value("exponential")}, {"mean", milliseconds(ms)}});
    case 5:
      return table_value({{"kind", text_value("pareto")},
                          {"scale", milliseconds(ms * 0.5)},
                          {"shape", real_value(draws.real(1.1, 3))}});
    case 6:
      return with_floor({{"kind", text_value("gamma")},
                         {"mean", milliseconds(ms)},
                         {"shape", real_value(draws.real(0.3, 4))}});
    default:
      return milliseconds(ms);
  }
}

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

void draw_time_outs(Draws& draws, double scale_ms, Table& network) {
  const auto transport = network.find("transport");
  if (transport == network.end() || std::get<std::string>(transport->second.data) != "reliable")
    return;
  const auto draw_rule = [&] { return draws.one_of({"derived", "measured"}); };
  if (draws.chance(0.4)) {
    Table timing;
    if (const auto drawn = network.find("retransmission"); drawn != network.end())
      timing = std::get<Table>(drawn->second.data);
    const std::string rule = draw_rule();
    timing["timeout"] = text_value(rule);
    if (draws.chance(0.7)) timing["min_timeout"] = milliseconds(scale_ms * draws.scale(0.05, 1));
    if (rule == "measured" && draws.chance(0.3))
      timing["granularity"] = milliseconds(scale_ms * draws.scale(0.01, 1));
    network["retransmission"] = table_value(std::move(timing));
  }
  const auto links = network.find("link");
  if (links == network.end()) return;
  for (Value& link : std::get<Array>(links->second.data)) {
    if (!draws.chance(0.3)) continue;
    std::get<Table>(link.data)["timeout"] =
        draws.chance(0.4) ? milliseconds(scale_ms * draws.scale(1, 20)) : text_value(draw_rule());
  }
}

Table draw_latency_alone(Draws& draws, const Surroundings& around) {
  return {{"latency", draw_duration(draws, around.scale_ms, false)}};
}

Table draw_network(Draws& draws, Surroundings around, Inputs& inputs) {
  Table network{{"latency",
                 draws.chance(0.08) ? draw_latency_trace(draws, around, inputs)
                                    : draw_duration(draws, around.scale_ms, draws.chance(0.1))}};
  if (draws.chance(0.08)) network["latency_factor"] = draw_latency_factor(draws, around, inputs);
  const bool reliable = around.reliable = draws.chance(0.6);
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

/// Of some messages, at some nodes.
Value draw_service(Draws& draws, const Surroundings& around) {
  Table rule;
  const auto time = [&] { return draw_duration(draws, draws.scale(0.0005, 5), true); };
  const bool all = around.types.empty() || draws.chance(0.4);
  if (draws.chance(0.7)) rule["nodes"] = text_value(draw_selector(draws, around));
  if (!all)
    rule["type"] = text_value(draws.element_of(around.types));
  else if (draws.chance(0.5))
    rule["type"] = text_value(draws.one_of<const char*>({"*", "start", "timer"}));
  const bool of_message = !rule.contains("type") || !all;
  rule["compute"] = time();
  if (draws.chance(0.4)) rule["sends"] = boolean_value(draws.chance(0.5));
  if (draws.chance(0.4)) rule["dispatch"] = time();
  if (of_message && draws.chance(0.5)) rule["decode"] = time();
  if (of_message && draws.chance(0.5)) rule["encode"] = time();
  if (draws.chance(0.3)) rule["per_evaluation"] = milliseconds(draws.scale(0.0001, 10));
  return table_value(std::move(rule));
}

Table draw_compute(Draws& draws, const Surroundings& around) {
  Table compute;
  if (around.evaluates && draws.chance(0.8))
    compute["evaluation"] = draw_duration(draws, draws.scale(0.02, 3), true);
  draw_several(draws, 0.3, 2, compute, "stragglers", [&] {
    Table rule{{"factor", real_value(draws.scale(0.3, 30))}};
    if (draws.chance(0.7)) rule["nodes"] = text_value(draw_selector(draws, around));
    if (draws.chance(0.3)) rule["share"] = real_value(draws.real(0, 1));
    return table_value(std::move(rule));
  });
  draw_several(draws, 0.5, 3, compute, "service", [&] { return draw_service(draws, around); });
  return compute;
}

Table draw_server(Draws& draws, const Surroundings& around) {
  const std::string policy = draws.one_of({"all", "quorum", "deadline"});
  Table server{{"policy", text_value(policy)}};
  const auto quorum = [&] {
    return draws.chance(0.5) ? whole_value(draws.whole(1, around.clients))
                             : text_value(fmt::format("{}%", draws.whole(1, 100)));
  };
  if (policy == "quorum" || (policy == "deadline" && draws.chance(0.4)))
    server["quorum"] = quorum();
  if (policy == "deadline") server["deadline"] = milliseconds(around.scale_ms * draws.scale(1, 20));
  if (!around.liars.empty() && draws.chance(0.3)) {
    std::string aggregate = draws.one_of({"mean", "median", "trimmed-mean"});
    // At least one answer has to be left out at either end.
    if (aggregate == "trimmed-mean" && (around.clients < 3 || policy == "quorum"))
      aggregate = "median";
    server["aggregate"] = text_value(aggregate);
    if (aggregate == "trimmed-mean")
      server["trim"] =
          real_value(draws.real(1.0 / static_cast<double>(around.clients) + 1e-6, 0.49));
  }
  return server;
}

}  // namespace posse::fates
