// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/fault_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "program/scenario/availability_file.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

constexpr const char* kGroups =
    "[[\"server\"], [\"client-3\", \"client-4..9\", { nodes = \"client\", share = 0.2 }]]: names, "
    "groups, ranges, shares";

constexpr const char* kNodes =
    "[\"client-3\", \"client-4..9\", { nodes = \"client\", share = 0.2 }]: names, groups, ranges, "
    "shares";

/// A text, or a table with `nodes` and `share`. Nothing if it is neither.
std::optional<FaultyNodes> read_selector(const Value& value,
                                         const std::string& path,
                                         Diagnostics& diagnostics) {
  if (const auto* text = std::get_if<std::string>(&value.data)) return parse_faulty_nodes(*text);
  if (value.table() == nullptr) return std::nullopt;
  TableReader reader(value, path, diagnostics);
  auto nodes = reader.text("nodes").value_or("*");
  reader.require("share", "a number above 0, at most 1");
  const auto share = reader.real("share", 1e-9, 1);
  reader.finish();
  return FaultyNodes(std::move(nodes), share);
}

/// A list of selectors; empty if it is not one.
std::vector<FaultyNodes> read_selectors(const Value& value,
                                        const std::string& path,
                                        Diagnostics& diagnostics) {
  std::vector<FaultyNodes> selectors;
  if (value.array() == nullptr) return selectors;
  for (std::size_t i = 0; i < value.array()->size(); ++i) {
    auto selector = read_selector((*value.array())[i], fmt::format("{}.{}", path, i), diagnostics);
    if (!selector) return {};
    selectors.push_back(std::move(*selector));
  }
  return selectors;
}

/// Keeps the names in a list of selectors.
void keep_names(TableReader& reader,
                std::string_view key,
                const std::vector<FaultyNodes>& selectors,
                RuleScope& scope) {
  for (const auto& selector : selectors)
    keep_name(reader, key, NameInRule::Of::nodes, selector.of, scope);
}

void read_groups(TableReader& reader,
                 LinkFault& fault,
                 RuleScope& scope,
                 Diagnostics& diagnostics) {
  reader.require("groups", kGroups);
  const Value* value = reader.find("groups");
  if (value == nullptr) return;
  const std::string path = reader.path_of("groups");
  bool valid = value->array() != nullptr && value->array()->size() >= 2;
  for (std::size_t i = 0; valid && i < value->array()->size(); ++i) {
    fault.groups.push_back(
        read_selectors((*value->array())[i], fmt::format("{}.{}", path, i), diagnostics));
    keep_names(reader, "groups", fault.groups.back(), scope);
    valid = !fault.groups.back().empty();
  }
  if (!valid) reader.error("groups", "is not a list of two or more groups of nodes", kGroups);
}

void read_nodes(TableReader& reader,
                std::vector<FaultyNodes>& nodes,
                RuleScope& scope,
                Diagnostics& diagnostics) {
  reader.require("nodes", kNodes);
  const Value* value = reader.find("nodes");
  if (value == nullptr) return;
  nodes = read_selectors(*value, reader.path_of("nodes"), diagnostics);
  keep_names(reader, "nodes", nodes, scope);
  if (nodes.empty()) reader.error("nodes", "is not a list of nodes", kNodes);
}

void read_times(TableReader& reader, bool needs_end, FaultTimes& when) {
  const bool random = reader.has("mean_between");
  if (!random) reader.require("at", "a virtual time, e.g. \"10 s\"");
  if (const auto at = reader.duration("at")) when.at = Time{at->ns};
  if (const auto until = reader.duration("until")) when.until = Time{until->ns};
  if (when.until && *when.until <= when.at) reader.error("until", "is not after at");
  if (random) {
    when.mean_gap = reader.duration("mean_between");
    reader.require("mean_for", "the mean length of an occurrence, e.g. \"2 s\"");
    reader.require("until", "the end of random faults, e.g. \"1 h\"");
    when.lasting = reader.duration("mean_for");
    for (const char* key : {"for", "every"})
      if (reader.find(key) != nullptr)
        reader.error(key, "does nothing beside mean_between", "mean_between and mean_for");
    if (when.mean_gap && when.lasting && when.until) {
      const double expected = static_cast<double>((*when.until - when.at).ns) /
                              static_cast<double>((*when.mean_gap + *when.lasting).ns);
      if (expected > static_cast<double>(Occurrences::kMost) / 2)
        reader.error("until",
                     fmt::format("gives {:.0f} occurrences on average", expected),
                     fmt::format("at most {}", Occurrences::kMost / 2));
    }
    return;
  }
  if (reader.find("mean_for") != nullptr)
    reader.error("mean_for", "does nothing without mean_between", "mean_between, or for");
  when.lasting = reader.duration("for");
  when.every = reader.duration("every");
  if (needs_end) reader.require("for", "how long it lasts, e.g. \"2 s\"");
  if (when.every && !(when.lasting && *when.lasting < *when.every))
    reader.error("every", "needs a shorter for", "e.g. for = \"2 s\" with every = \"10 s\"");
  if (when.until && !when.every)
    reader.error("until", "does nothing without every", "every, mean_between, or for");
}

/// What the fault kinds read into.
struct FaultTable {
  TableReader& reader;
  FaultConfig& fault;  // `what` is set by the kind's function
  InputFiles& inputs;
  Diagnostics& diagnostics;
};

bool reads_state_loss(TableReader& reader) { return reader.choice("state") == "lost"; }

LinkFault read_links(FaultTable& table, LinkFaultKind kind) {
  LinkFault links;
  links.kind = kind;
  read_times(table.reader, kind == LinkFaultKind::clog, links.when);
  if (const auto one_way = table.reader.boolean("one_way")) links.one_way = *one_way;
  read_groups(table.reader, links, table.fault.scope, table.diagnostics);
  return links;
}

NodeFault read_node_fault(FaultTable& table, NodeFaultKind kind) {
  NodeFault nodes;
  nodes.kind = kind;
  if (kind == NodeFaultKind::crash) nodes.loses_state = reads_state_loss(table.reader);
  read_times(table.reader, false, nodes.when);
  if (nodes.when.every && !nodes.when.until)
    table.reader.require("until", "the end of repeated faults of nodes, e.g. \"1 h\"");
  read_nodes(table.reader, nodes.nodes, table.fault.scope, table.diagnostics);
  return nodes;
}

NodeFault read_availability(FaultTable& table) {
  NodeFault nodes;
  nodes.kind = NodeFaultKind::crash;
  nodes.loses_state = reads_state_loss(table.reader);
  table.reader.require("file", "a CSV file with the columns node,down_s,up_s");
  const auto file = table.reader.text("file");
  if (!file) return nodes;
  try {
    table.fault.trace = table.inputs.load(*file);
    nodes.trace = std::make_shared<const DownTimes>(parse_down_times(*table.fault.trace->content));
    for (const auto& [node, intervals] : *nodes.trace) nodes.nodes.push_back(node);
    keep_names(table.reader, "file", nodes.nodes, table.fault.scope);
  } catch (const InputError& problem) {
    table.reader.error("file", problem.what());
  }
  return nodes;
}

CorruptFault read_corrupt(FaultTable& table) {
  TableReader& reader = table.reader;
  CorruptFault fault;
  reader.require("how", "constant, noise, sign, stale");
  const auto how = reader.choice("how");
  if (how == "constant") {
    reader.require("value", "the number that is sent");
    fault.value = reader.real("value").value_or(0);
  } else if (how == "noise") {
    fault.how = Corruption::noise;
    reader.require("sd", "the standard deviation of the noise");
    fault.value = reader.real("sd").value_or(0);
  } else if (!how) {
    for (const char* key : {"value", "sd"}) reader.find(key);  // one of them may be right
  } else {
    fault.how = how == "sign" ? Corruption::sign : Corruption::stale;
  }
  read_times(reader, false, fault.when);
  read_nodes(reader, fault.nodes, table.fault.scope, table.diagnostics);
  return fault;
}

/// A storm is several random faults of the same nodes, each with times of its own.
std::vector<FaultConfig> read_storm(FaultTable& table) {
  TableReader& reader = table.reader;
  reader.require("mean_between", "the mean time between two faults of a kind, e.g. \"10 s\"");
  const auto nodes = reader.text("nodes").value_or("*");
  FaultTimes when;
  if (reader.has("mean_between")) read_times(reader, false, when);
  const bool loses_state = reads_state_loss(reader);
  const auto parsed = parse_faulty_nodes(nodes);
  if (parsed ? parsed->share.has_value() : !nodes.empty())
    reader.error("nodes", "is a share", "a node, a group, a range or \"*\"");
  if (reader.has("nodes")) keep_names(reader, "nodes", {nodes}, table.fault.scope);
  const FaultyNodes some(nodes, 0.3);
  std::vector<FaultConfig> faults(5, table.fault);
  const auto links = [&](LinkFaultKind kind, bool one_way) {
    return LinkFault{{{some}, {"*"}}, when, one_way, kind};
  };
  faults[0].what = links(LinkFaultKind::partition, false);
  faults[1].what = links(LinkFaultKind::partition, true);
  faults[2].what = links(LinkFaultKind::clog, false);
  faults[3].what = NodeFault{{nodes}, when, NodeFaultKind::pause};
  faults[4].what = NodeFault{{nodes}, when, NodeFaultKind::crash, loses_state};
  return faults;
}

/// One [[fault]] of a kind: the faults that it stands for.
std::vector<FaultConfig> read_kind(const std::string& kind, FaultTable table) {
  FaultConfig& fault = table.fault;
  if (kind == "storm") return read_storm(table);
  if (kind == "partition")
    fault.what = read_links(table, LinkFaultKind::partition);
  else if (kind == "clog")
    fault.what = read_links(table, LinkFaultKind::clog);
  else if (kind == "pause")
    fault.what = read_node_fault(table, NodeFaultKind::pause);
  else if (kind == "crash")
    fault.what = read_node_fault(table, NodeFaultKind::crash);
  else if (kind == "corrupt")
    fault.what = read_corrupt(table);
  else
    fault.what = read_availability(table);
  return {fault};
}

}  // namespace

std::span<const FaultKind> fault_kinds() {
  static constexpr std::array<FaultKind, 7> kKinds{{
      {"partition", "groups of nodes that can't reach each other for a time"},
      {"clog", "links that hold their messages up for a time"},
      {"pause", "nodes that stand still for a time and then go on"},
      {"crash", "nodes that are down for a time, with or without their memory afterwards"},
      {"availability", "down times of nodes from a CSV file"},
      {"storm", "random partitions, clogs, pauses and crashes"},
      {"corrupt", "clients that send wrong numbers"},
  }};
  return kKinds;
}

void read_faults(TableReader& root,
                 const KnownAlgorithms& known,
                 std::int64_t last,
                 Scenario& scenario,
                 Diagnostics& diagnostics) {
  std::vector<std::string> kinds;
  for (const auto& kind : fault_kinds()) kinds.emplace_back(kind.name);
  const auto faults = root.tables("fault");
  for (std::size_t i = 0; i < faults.size(); ++i) {
    TableReader reader(faults[i], fmt::format("fault.{}", i), diagnostics);
    FaultConfig fault;
    fault.scope = read_scope(reader, scenario, known);
    if (const auto repetition = reader.integer("repetition", 0, last))
      fault.repetition = static_cast<std::uint32_t>(*repetition);
    reader.require("kind", fmt::format("{}", fmt::join(kinds, ", ")));
    if (const auto kind = reader.choice("kind", kinds)) {
      auto read = read_kind(*kind, {reader, fault, scenario.inputs, diagnostics});
      std::move(read.begin(), read.end(), std::back_inserter(scenario.faults));
      reader.finish();
    }
  }
}

}  // namespace posse
