// SPDX-License-Identifier: Apache-2.0
#include "program/cli/chaos_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/chaos/properties.hpp"
#include "program/chaos/random_scenario.hpp"
#include "program/scenario/scenario_tree.hpp"

namespace posse {

bool known_property(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& property : chaos_properties()) names.emplace_back(property.name);
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return true;
  print_err("there is no property '{}'\n    allowed: {}\n{}",
            name,
            fmt::join(names, "; "),
            did_you_mean(name, names));
  return false;
}

std::string scenario_text(const std::string& file) {
  if (const auto seed = parse_number<std::uint64_t>(file)) return random_scenario(*seed);
  std::string text = read_file(file);
  Diagnostics diagnostics;
  Value root = parse_toml(text, file, diagnostics);
  const Scenario scenario = read_scenario(root, file, diagnostics);
  if (!diagnostics.empty() || scenario.inputs.files().empty()) return text;
  hold_inputs(root, scenario.inputs);
  return toml_text(root);
}

}  // namespace posse
