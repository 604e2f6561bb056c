#include "program/scenario_facts.hpp"

#include "program/diagnostics.hpp"
#include "program/files.hpp"
#include "program/value.hpp"

namespace posse {
namespace {

const Value* child(const Value* value, std::string_view key) {
  const Table* table = value == nullptr ? nullptr : value->table();
  if (table == nullptr) return nullptr;
  const auto it = table->find(key);
  return it == table->end() ? nullptr : &it->second;
}

/// "" if there is no such text.
std::string text_in(const Value* value, std::string_view key) {
  const Value* entry = child(value, key);
  const auto* text = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->data);
  return text == nullptr ? "" : *text;
}

}  // namespace

ScenarioFacts read_scenario_facts(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  const Value root = parse_toml(read_file(path), path.string(), diagnostics);
  if (!diagnostics.empty()) throw FileError(path, "is no valid TOML:\n" + diagnostics.text());
  ScenarioFacts facts;
  const Value* objective = child(&root, "objective");
  facts.objective = text_in(objective, "kind");
  facts.heterogeneity = text_in(child(objective, "heterogeneity"), "kind");
  facts.noise = text_in(child(objective, "noise"), "kind");
  facts.topology = text_in(child(&root, "network"), "topology");
  for (const auto* key : {"evaluations_per_client", "pulls"})
    if (const Value* budget = child(child(&root, "budget"), key))
      if (const auto* count = std::get_if<std::int64_t>(&budget->data); count && *count > 0)
        facts.budget = static_cast<std::uint64_t>(*count);
  return facts;
}

}  // namespace posse
