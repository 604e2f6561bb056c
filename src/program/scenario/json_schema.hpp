// SPDX-License-Identifier: Apache-2.0
// The language of scenarios as a JSON schema (draft-07), for editors: made from the schema of the
// sections and the parameters of the catalogue.
#pragma once

#include <nlohmann/json.hpp>

#include "program/base/json.hpp"

namespace posse {

/// What it can't say, such as keys that have no effect beside others, `posse check` says.
Json scenario_json_schema();

/// The section's keys: name, type, unit, values, default, meaning, and range or choices, if any.
struct SectionSpec;
Json section_json(const SectionSpec& section);
/// A component's parameters: name, type, unit, values, default, meaning, and range, if any.
struct ParameterSpec;
Json parameters_json(const std::vector<ParameterSpec>& parameters);

}  // namespace posse
