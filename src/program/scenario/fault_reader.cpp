#include "program/scenario/fault_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace posse {
namespace {

constexpr const char* kGroups =
    "[[\"server\"], [\"client-3\", \"client-4..9\", { nodes = \"client\", share = 0.2 }]]: names, "
    "groups, ranges, shares";

constexpr const char* kNodes =
    "[\"client-3\", \"client-4..9\", { nodes = \"client\", share = 0.2 }]: names, groups, ranges, "
    "shares";

/// A name, or a table with `nodes` and `share`. Nothing if it is neither.
std::optional<NodeSelector> read_selector(const Value& value,
                                          const std::string& path,
                                          Diagnostics& diagnostics) {
  if (const auto* name = std::get_if<std::string>(&value.data)) {
    if (name->empty()) return std::nullopt;
    return *name;
  }
  if (value.table() == nullptr) return std::nullopt;
  TableReader reader(value, path, diagnostics);
  const auto nodes = reader.text("nodes").value_or("*");
  reader.require("share", "a number above 0, at most 1");
  const auto share = reader.real("share", 1e-9, 1);
  reader.finish();
  return fmt::format("{:.12g}% of {}", share.value_or(1) * 100, nodes);
}

bool valid_share(const NodeSelector& selector) {
  const auto share = parse_share_selector(selector);
  return !share || (share->share > 0 && share->share <= 1);
}

/// A list of selectors; empty if it is not one.
std::vector<NodeSelector> read_selectors(const Value& value,
                                         const std::string& path,
                                         Diagnostics& diagnostics) {
  std::vector<NodeSelector> selectors;
  if (value.array() == nullptr) return selectors;
  for (std::size_t i = 0; i < value.array()->size(); ++i) {
    auto selector = read_selector((*value.array())[i], fmt::format("{}.{}", path, i), diagnostics);
    if (!selector || !valid_share(*selector)) return {};
    selectors.push_back(std::move(*selector));
  }
  return selectors;
}

void read_groups(TableReader& reader,
                 LinkFault& fault,
                 SourceLocation& location,
                 Diagnostics& diagnostics) {
  reader.require("groups", kGroups);
  const Value* value = reader.find("groups");
  if (value == nullptr) return;
  location = value->location;
  const std::string path = reader.path_of("groups");
  bool valid = value->array() != nullptr && value->array()->size() >= 2;
  for (std::size_t i = 0; valid && i < value->array()->size(); ++i) {
    fault.groups.push_back(
        read_selectors((*value->array())[i], fmt::format("{}.{}", path, i), diagnostics));
    valid = !fault.groups.back().empty();
  }
  if (!valid) reader.error("groups", "is not a list of two or more groups of nodes", kGroups);
}

void read_nodes(TableReader& reader,
                NodeFault& fault,
                SourceLocation& location,
                Diagnostics& diagnostics) {
  reader.require("nodes", kNodes);
  const Value* value = reader.find("nodes");
  if (value == nullptr) return;
  location = value->location;
  fault.nodes = read_selectors(*value, reader.path_of("nodes"), diagnostics);
  if (fault.nodes.empty()) reader.error("nodes", "is not a list of nodes", kNodes);
}

void read_times(TableReader& reader, bool needs_end, FaultTimes& when) {
  const bool random = reader.has("mean_between");
  if (!random) reader.require("at", "a virtual time, e.g. \"10 s\"");
  if (const auto at = reader.duration("at")) when.at = Time{at->ns};
  const auto positive = [&](const char* key) {
    const auto duration = reader.duration(key);
    if (duration && duration->ns <= 0) reader.error(key, "must be above 0", "a duration above 0");
    return duration;
  };
  if (const auto until = reader.duration("until")) when.until = Time{until->ns};
  if (when.until && *when.until <= when.at) reader.error("until", "is not after at");
  if (random) {
    when.mean_gap = positive("mean_between");
    reader.require("mean_for", "the mean length of an occurrence, e.g. \"2 s\"");
    reader.require("until", "the end of random faults, e.g. \"1 h\"");
    when.lasting = positive("mean_for");
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
  when.lasting = positive("for");
  when.every = positive("every");
  if (needs_end) reader.require("for", "how long it lasts, e.g. \"2 s\"");
  if (when.every && !(when.lasting && *when.lasting < *when.every))
    reader.error("every", "needs a shorter for", "e.g. for = \"2 s\" with every = \"10 s\"");
  if (when.until && !when.every)
    reader.error("until", "does nothing without every", "every, mean_between, or for");
}

}  // namespace

void read_faults(TableReader& root, Scenario& scenario, Diagnostics& diagnostics) {
  const auto faults = root.tables("fault");
  std::vector<std::string> labels;
  for (const auto& entry : scenario.algorithms) labels.push_back(entry.label);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    TableReader reader(faults[i], fmt::format("fault.{}", i), diagnostics);
    FaultConfig fault;
    fault.location = reader.location();
    const std::vector<std::string> kinds{"partition", "clog", "pause", "crash"};
    reader.require("kind", fmt::format("{}", fmt::join(kinds, ", ")));
    const auto kind = reader.choice("kind", kinds);
    if (!kind) {
      for (const char* key : {"groups", "nodes", "one_way"}) reader.find(key);  // may be right
      FaultTimes unused;
      read_times(reader, false, unused);
    } else if (kind == "pause" || kind == "crash") {
      NodeFault nodes;
      nodes.kind = kind == "pause" ? NodeFaultKind::pause : NodeFaultKind::crash;
      read_times(reader, false, nodes.when);
      if (nodes.when.every && !nodes.when.until)
        reader.require("until", "the end of repeated faults of nodes, e.g. \"1 h\"");
      read_nodes(reader, nodes, fault.location, diagnostics);
      fault.what = std::move(nodes);
    } else {
      LinkFault links;
      if (kind == "clog") links.kind = LinkFaultKind::clog;
      read_times(reader, kind == "clog", links.when);
      if (const auto one_way = reader.boolean("one_way")) links.one_way = *one_way;
      read_groups(reader, links, fault.location, diagnostics);
      fault.what = std::move(links);
    }
    if (reader.has("algorithm")) fault.algorithm = reader.choice("algorithm", labels);
    if (const auto repetition = reader.integer("repetition", 0, scenario.repeat - 1))
      fault.repetition = static_cast<std::uint32_t>(*repetition);
    reader.finish();
    scenario.faults.push_back(std::move(fault));
  }
}

}  // namespace posse
