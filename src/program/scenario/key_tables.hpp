// SPDX-License-Identifier: Apache-2.0
// The keys of a scenario's sections as tables, for docs/scenario.md, and as plain text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/scenario/schema.hpp"

namespace posse {

/// Keys that follow each other and have the same text share a row.
struct KeyRow {
  std::vector<std::string_view> names;
  std::string meaning, values, otherwise;  // Markdown
};
/// Without tables that have a section of their own.
std::vector<KeyRow> key_rows(const SectionSpec& section);

/// "| `from`, `to` | … |": a line as in docs/scenario.md.
std::string markdown_line(const KeyRow& row);
/// The document with the rows of its tables of keys as the schema has them. Throws
/// std::invalid_argument if a section has no table, or a table no section.
std::string with_key_tables(std::string_view document,
                            const std::vector<SectionSpec>& sections = scenario_sections());

/// A line per row, indented: names, then everything about them.
std::string keys_text(const SectionSpec& section);

/// Markdown without backticks, bold and the targets of links.
std::string without_markup(std::string_view markdown);

}  // namespace posse
