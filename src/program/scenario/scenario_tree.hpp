// SPDX-License-Identifier: Apache-2.0
// Scenarios as trees of values, for programs that build or change them: constructors of values, and
// the tree as TOML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/scenario/input_files.hpp"
#include "program/scenario/value.hpp"

namespace posse {

Value text_value(std::string text);
Value whole_value(std::uint64_t number);
Value real_value(double number);
Value boolean_value(bool truth);
Value table_value(Table table);
Value array_value(Array array);

/// Whether `value` or a part of it is this text.
bool holds_text(const Value& value, std::string_view wanted);
/// Adds the scenario's input files to [inputs], so that it needs none beside it.
void hold_inputs(Value& root, const InputFiles& inputs);
/// Removes what [inputs] holds and no other key names.
void remove_unused_inputs(Value& root);

/// The tree of a scenario as TOML: `[table]`, `[[table]]` and `[[table.table]]` with headings,
/// everything deeper inline. Reading it gives the same tree, but for locations.
std::string toml_text(const Value& root);
/// One value as TOML on a line.
std::string inline_toml(const Value& value);

}  // namespace posse
