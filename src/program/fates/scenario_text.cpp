// SPDX-License-Identifier: Apache-2.0
#include "program/fates/scenario_text.hpp"

#include <utility>

#include "program/base/files.hpp"
#include "program/scenario/external_objective.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {
namespace {

void name_absolute_folders(Table& root, const Component& objective) {
  for (const ParameterSpec& spec : *objective.specs)
    if (spec.type == ParameterType::folder)
      std::get<Table>(root["objective"].data)[std::string(spec.name)] =
          text_value(objective.parameters.text(std::string(spec.name)));
}

}  // namespace

std::string self_contained_text(Value root, const Scenario& scenario) {
  if (scenario.problem && scenario.problem->objective.kind == "external") {
    refuse_foreign_command(scenario.file);
    name_absolute_folders(std::get<Table>(root.data), scenario.problem->objective);
  }
  hold_inputs(root, scenario.inputs);
  return toml_text(root);
}

std::string self_contained_text(const std::string& file,
                                const std::vector<Override>& overrides,
                                Diagnostics& diagnostics) {
  std::string text = read_file(file);
  Value root = parse_toml(text, file, diagnostics);
  if (!diagnostics.empty()) return text;
  for (const auto& o : overrides) apply_override(root, o.assignment, o.origin, diagnostics);
  const Scenario scenario = read_scenario(root, file, diagnostics);
  return diagnostics.empty() ? self_contained_text(std::move(root), scenario) : text;
}

Table resolved_tree(const Scenario& scenario) {
  Diagnostics none;
  Table root = std::get<Table>(parse_toml(to_toml(scenario), "resolved.toml", none).data);
  Table inputs;
  for (const auto& file : scenario.inputs.files()) inputs[file.stored] = text_value(*file.content);
  if (!inputs.empty()) root["inputs"] = table_value(std::move(inputs));
  return root;
}

}  // namespace posse
