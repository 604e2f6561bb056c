// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/key_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "program/base/text.hpp"

namespace posse {
namespace {

/// "[[network.link]]" in a heading as "network.link"; nothing for other headings.
std::string section_of(std::string_view heading) {
  if (heading == "## Top of the file") return "";
  std::string name;
  if (!heading.starts_with("## `[")) return "-";
  for (const char c : heading)
    if ((c >= 'a' && c <= 'z') || c == '.' || c == '_') name += c;
  return name;
}

/// The path of the section whose keys a table lists, by its first line.
std::string path_of(std::string_view first_line, const std::string& section) {
  constexpr std::string_view kOfPart = "| key of `";
  if (first_line.starts_with("| key of a range")) return "sweep.*";
  if (first_line.starts_with("| key of an exclusion")) return "sweep.exclude";
  if (!first_line.starts_with(kOfPart)) return section;
  const auto part = first_line.substr(kOfPart.size());
  return fmt::format("{}.{}", section, part.substr(0, part.find('`')));
}

}  // namespace

std::vector<KeyRow> key_rows(const SectionSpec& section) {
  std::vector<KeyRow> rows;
  for (const auto& key : section.keys) {
    if (key.meaning.empty()) continue;
    KeyRow row{{key.name}, std::string(key.meaning), values_text(section, key), key.otherwise};
    if (!rows.empty() && rows.back().meaning == row.meaning && rows.back().values == row.values &&
        rows.back().otherwise == row.otherwise)
      rows.back().names.push_back(key.name);
    else
      rows.push_back(std::move(row));
  }
  return rows;
}

std::string markdown_line(const KeyRow& row) {
  return fmt::format("| `{}` | {} | {} | {}{}",
                     fmt::join(row.names, "`, `"),
                     row.meaning,
                     row.values,
                     row.otherwise,
                     row.otherwise.empty() ? "|" : " |");
}

std::string with_key_tables(std::string_view document, const std::vector<SectionSpec>& sections) {
  std::set<std::string_view> missing;
  for (const auto& section : sections)
    if (!key_rows(section).empty()) missing.insert(section.path);
  std::string out, section = "-";
  bool keys = false;
  while (!document.empty()) {
    const auto end = std::min(document.find('\n'), document.size());
    const auto line = document.substr(0, end);
    document.remove_prefix(std::min(end + 1, document.size()));
    if (line.starts_with("## ")) section = section_of(line);
    const bool of_table = line.starts_with("|");
    keys = keys && of_table;
    const bool replaced = keys && !line.starts_with("| ---") && !line.starts_with("| others ");
    if (!replaced) out += fmt::format("{}\n", line);
    if (of_table && line.starts_with("| key")) {
      const auto path = path_of(line, section);
      const auto* found = find_section(path, sections);
      if (found == nullptr || missing.erase(found->path) == 0)
        throw std::invalid_argument(fmt::format("no section for the table of '{}'", path));
      // The line below the heading comes first.
      const auto below = document.substr(0, document.find('\n') + 1);
      out += below;
      document.remove_prefix(below.size());
      for (const auto& row : key_rows(*found)) out += markdown_line(row) + "\n";
      keys = true;
    }
  }
  if (!missing.empty())
    throw std::invalid_argument(fmt::format("no table for: {}", fmt::join(missing, ", ")));
  return out;
}

constexpr std::size_t kWidestNames = 24;  // wider ones have a line of their own

std::string keys_text(const SectionSpec& section) {
  const auto rows = key_rows(section);
  const auto names_of = [](const KeyRow& row) {
    return fmt::format("{}", fmt::join(row.names, ", "));
  };
  std::size_t widest = 16;
  for (const auto& row : rows)
    widest = std::max(widest, std::min(names_of(row).size(), kWidestNames));
  std::string out;
  for (const auto& row : rows) {
    std::vector<std::string> parts{row.meaning};
    if (!row.values.empty()) parts.push_back(row.values);
    if (!row.otherwise.empty())
      parts.push_back((row.otherwise.starts_with("must") ? "" : "default: ") + row.otherwise);
    out += hanging("    " + names_of(row),
                   without_markup(fmt::format("{}", fmt::join(parts, "; "))),
                   4 + widest + 1);
  }
  return out;
}

std::string without_markup(std::string_view markdown) {
  std::string out;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '`') continue;
    if (markdown.substr(i).starts_with("**")) {
      ++i;
      continue;
    }
    if (markdown[i] == '[') {
      const auto middle = markdown.find("](", i);
      const auto end = middle == markdown.npos ? middle : markdown.find(')', middle);
      const auto label = markdown.substr(i + 1, middle == markdown.npos ? 0 : middle - i - 1);
      if (end != markdown.npos && label.find('[') == label.npos) {
        out += without_markup(label);
        i = end;
        continue;
      }
    }
    out += markdown[i];
  }
  return out;
}

}  // namespace posse
