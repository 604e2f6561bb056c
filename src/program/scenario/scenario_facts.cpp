// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/scenario_facts.hpp"

#include "program/base/files.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/network_values.hpp"
#include "program/scenario/scenario.hpp"
#include "program/scenario/table_reader.hpp"
#include "program/scenario/value.hpp"

namespace posse {
namespace {

const Value* child(const Value* value, std::string_view key) {
  const Table* table = value == nullptr ? nullptr : value->table();
  if (table == nullptr) return nullptr;
  const auto it = table->find(key);
  return it == table->end() ? nullptr : &it->second;
}

/// "" if there is no such string.
std::string text_of(const Value* value, std::string_view key) {
  const Value* entry = child(value, key);
  const auto* text = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->data);
  return text == nullptr ? "" : *text;
}

std::optional<double> mean_latency_s(const Value& network, const std::filesystem::path& folder) {
  Diagnostics diagnostics;
  Scenario scenario;
  scenario.inputs = InputFiles(folder.string());
  TableReader reader(network, "network", diagnostics);
  const auto latency =
      read_duration(reader, "latency", Durations::of_all_links, scenario, diagnostics);
  if (!latency || !diagnostics.empty()) return std::nullopt;
  if (!scenario.network.matrix) return typical(make_duration(*latency)).to_seconds();
  double sum = 0;
  std::size_t listed = 0;
  for (const auto& [pair, latencies] : *scenario.network.matrix)
    for (const Duration one_way : latencies) {
      sum += one_way.to_seconds();
      ++listed;
    }
  return listed == 0 ? std::nullopt : std::optional(sum / static_cast<double>(listed));
}

}  // namespace

std::vector<AlgorithmFacts> algorithm_facts(const Scenario& scenario) {
  std::vector<AlgorithmFacts> facts;
  for (const auto& entry : scenario.algorithms)
    facts.push_back({entry.label, std::string(entry.spec->kind), entry.clients});
  return facts;
}

ScenarioFacts read_scenario_facts(const std::filesystem::path& scenario_toml) {
  return scenario_facts(read_file(scenario_toml), scenario_toml);
}

ScenarioFacts scenario_facts(const std::string& toml, const std::filesystem::path& file) {
  Diagnostics diagnostics;
  const Value root = parse_toml(toml, file.string(), diagnostics);
  if (!diagnostics.empty()) throw FileError(file, "is not valid TOML:\n" + diagnostics.text());
  ScenarioFacts facts;
  const Value* objective = child(&root, "objective");
  facts.objective = text_of(objective, "kind");
  facts.heterogeneity = text_of(child(objective, "heterogeneity"), "kind");
  facts.noise = text_of(child(objective, "noise"), "kind");
  if (const Value* network = child(&root, "network")) {
    facts.latency_s = mean_latency_s(*network, file.parent_path());
    if (text_of(network, "transport") == "reliable") facts.transport = Transport::reliable;
  }
  if (const Value* arms = child(&root, "arm"); arms != nullptr && arms->array() != nullptr)
    for (const auto& arm : *arms->array()) {
      if (!text_of(&arm, "ranking").empty()) facts.arms_are_ranked = true;
      if (text_of(&arm, "direction") == "maximize") facts.arms_are_maximized = true;
    }
  for (const auto* key : {"evaluations_per_client", "pulls"})
    if (const Value* budget = child(child(&root, "budget"), key))
      if (const auto* count = std::get_if<std::int64_t>(&budget->data); count && *count > 0)
        facts.budget = static_cast<std::uint64_t>(*count);
  return facts;
}

}  // namespace posse
