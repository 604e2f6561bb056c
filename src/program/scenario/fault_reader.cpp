#include "program/scenario/fault_reader.hpp"

#include <fmt/format.h>

namespace posse {
namespace {

constexpr const char* kGroups = "[[\"server\"], [\"client-3\", \"client-7\"]]: node names, groups";

std::vector<NodeSelector> read_group(const Value& value) {
  std::vector<NodeSelector> group;
  if (value.array() == nullptr) return group;
  for (const auto& member : *value.array()) {
    const auto* name = std::get_if<std::string>(&member.data);
    if (name == nullptr || name->empty()) return {};
    group.push_back(*name);
  }
  return group;
}

void read_groups(TableReader& reader, NetworkPartition& partition, SourceLocation& location) {
  reader.require("groups", kGroups);
  const Value* value = reader.find("groups");
  if (value == nullptr) return;
  location = value->location;
  if (value->array() != nullptr)
    for (const auto& group : *value->array()) partition.groups.push_back(read_group(group));
  bool valid = partition.groups.size() >= 2;
  for (const auto& group : partition.groups) valid = valid && !group.empty();
  if (!valid) reader.error("groups", "is not a list of two or more groups of names", kGroups);
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
    reader.require("kind", "partition");
    reader.choice("kind", {"partition"});
    reader.require("at", "a virtual time, e.g. \"10 s\"");
    if (const auto at = reader.duration("at")) fault.partition.at = Time{at->ns};
    if (const auto lasting = reader.duration("for")) {
      fault.partition.lasting = *lasting;
      if (lasting->ns <= 0)
        reader.error("for",
                     "must be above 0",
                     "a duration above 0; leave it out for a partition until the end");
    }
    read_groups(reader, fault.partition, fault.location);
    if (reader.has("algorithm")) fault.algorithm = reader.choice("algorithm", labels);
    if (const auto repetition = reader.integer("repetition", 0, scenario.repeat - 1))
      fault.repetition = static_cast<std::uint32_t>(*repetition);
    reader.finish();
    scenario.faults.push_back(std::move(fault));
  }
}

}  // namespace posse
