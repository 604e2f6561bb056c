// SPDX-License-Identifier: Apache-2.0
#include "program/cli/time_outs_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "core/network/time_outs.hpp"
#include "core/sim/link_layer.hpp"
#include "program/base/quantities.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMessageBytes = 1000;
/// Looking at all links of a large mesh takes long.
constexpr std::uint64_t kMostLinks = 1'000'000;

void add_links(const Scenario& scenario, const AlgorithmEntry& entry, TextTable& table) {
  // Clients' objectives don't matter here.
  AlgorithmEntry one = entry;
  one.clients = 1;
  const Workload workload = make_workload(scenario, one, 0);
  const auto protocol = make_protocol(scenario, entry, workload, 0);
  const auto spec = make_simulation(scenario, entry, workload, *protocol, 0);
  const Nodes nodes(protocol->groups());
  const MessageTypes types(*spec.algorithm);
  const LinkLayer links(spec, nodes, types);
  const Retransmission& rule = spec.network.retransmission;
  const TimeOuts timeouts(rule, links.network(), links.size_bytes({}));
  struct Class {
    std::uint64_t links = 0;
    LinkId first;
    TimeOut::Rule rule = TimeOut::Rule::stated;
    TimeOuts::Terms terms;
    Duration wait;
  };
  std::map<std::tuple<Duration, Duration, TimeOut::Rule>, Class> classes;
  const std::uint64_t all = links.map().links();
  for (std::uint32_t i = 0; i < std::min(all, kMostLinks); ++i) {
    const LinkId link{i};
    const auto terms = timeouts.terms(link, kMessageBytes);
    const auto kind = timeouts.rule(link);
    const auto wait = timeouts.wait(link, kMessageBytes, 0);
    const auto [at, added] = classes.try_emplace({wait, terms.round_trips, kind});
    if (added) at->second = {0, link, kind, terms, wait};
    ++at->second.links;
  }
  const auto time = [](Duration d) { return pretty(d.to_seconds(), "s"); };
  for (const auto& [key, of] : classes) {
    const bool stated = of.rule == TimeOut::Rule::stated;
    table.add({entry.label,
               fmt::format("{}{}", of.links, all > kMostLinks ? " or more" : ""),
               fmt::format("{} to {}",
                           nodes.name(links.map().from(of.first)),
                           nodes.name(links.map().to(of.first))),
               time(of.wait),
               stated ? "stated" : text_of(of.rule),
               stated ? "" : time(of.terms.round_trips),
               stated ? "" : time(of.terms.lines)});
  }
}

}  // namespace

std::string time_outs_text(const Scenario& scenario) {
  if (scenario.network.transport != Transport::reliable) return "";
  TextTable table(
      {"algorithm", "links", "the first", "time-out", "", "two round trips", "behind others"});
  for (const AlgorithmEntry& entry : scenario.algorithms) add_links(scenario, entry, table);
  return fmt::format("first time-outs, for messages of {} bytes:\n{}", kMessageBytes, table.text());
}

}  // namespace posse
