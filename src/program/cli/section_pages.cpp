// SPDX-License-Identifier: Apache-2.0
#include "program/cli/section_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/scenario/key_tables.hpp"

namespace posse {
namespace {

std::string heading_of(const SectionSpec& section) {
  return fmt::format(
      "{}{}{}", section.array ? "[[" : "[", section.path, section.array ? "]]" : "]");
}

/// The lines of the document below a section's heading.
std::string_view section_of_document(const SectionSpec& section) {
  static const std::string document = [] {
    std::string text;
    for (const auto piece : scenario_reference("markdown")) text += piece;
    return text;
  }();
  const auto heading = fmt::format("\n## `{}`\n", heading_of(section));
  const auto begin = document.find(heading);
  if (begin == std::string::npos) return {};
  const auto text = std::string_view(document).substr(begin + heading.size());
  return text.substr(0, text.find("\n## "));
}

/// Its text, tables and examples without the tables of keys.
std::string prose_of(const SectionSpec& section) {
  std::string out, paragraph;
  bool code = false, keys = false;
  const auto flush = [&] {
    if (!paragraph.empty()) out += wrapped(without_markup(paragraph), "  ");
    paragraph.clear();
  };
  std::string_view text = section_of_document(section);
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    keys = line.starts_with("| key") || (keys && line.starts_with("|"));
    if (keys || line.starts_with("| ---")) continue;
    const bool flows =
        !code && !line.empty() && line.find_first_of("|#") != 0 && !line.starts_with("```");
    if (!flows || line.starts_with("- ")) flush();
    if (line.starts_with("```"))
      code = !code;
    else if (code || line.starts_with("|"))
      out += fmt::format("    {}\n", code ? std::string(line) : without_markup(line));
    else if (line.starts_with("#"))
      out += fmt::format("{}  {}\n",
                         out.ends_with("\n\n") ? "" : "\n",
                         without_markup(line.substr(line.find(' ') + 1)));
    else if (flows)
      paragraph += fmt::format(
          "{}{}", paragraph.empty() ? "" : " ", line.substr(line.find_first_not_of(' ')));
    else if (!out.empty() && !out.ends_with("\n\n"))
      out += "\n";
  }
  flush();
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

bool has_prose(const SectionSpec& section) { return !section_of_document(section).empty(); }

/// The section, with those below it that the document treats in the same place.
std::string section_page(const SectionSpec& section) {
  auto out = fmt::format("{} (section of a scenario)\n  {}\n{}",
                         heading_of(section),
                         without_markup(section.summary),
                         keys_text(section));
  for (const auto& part : scenario_sections())
    if (part.path.starts_with(fmt::format("{}.", section.path)) && !has_prose(part))
      out +=
          fmt::format("\n  {}: {}\n{}", part.path, without_markup(part.summary), keys_text(part));
  const auto prose = prose_of(section);
  return prose.empty() ? out : fmt::format("{}\n{}", out, prose);
}

std::string key_page(const SectionSpec& section, const KeySpec& key) {
  std::string out = section.path.empty()
                        ? fmt::format("{} (key at the top of a scenario)\n", key.name)
                        : fmt::format("{} (key of {})\n", key.name, heading_of(section));
  const auto add = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {}{}\n", label, without_markup(text));
  };
  add("", key.meaning);
  add("values: ", values_text(section, key));
  add(key.otherwise.starts_with("must") ? "" : "default: ", key.otherwise);
  if (!section.path.empty())
    out += fmt::format("  more: describe {}\n", section.path.substr(0, section.path.find('.')));
  return out;
}

}  // namespace

std::string describe_key(std::string_view name) {
  if (const auto point = name.rfind('.'); point != std::string_view::npos) {
    const auto* section = find_section(name.substr(0, point));
    const auto* key = section == nullptr ? nullptr : section->key(name.substr(point + 1));
    return key == nullptr ? "" : key_page(*section, *key);
  }
  std::string out;
  for (const auto& section : scenario_sections())
    for (const auto& key : section.keys)
      if (key.name == name || std::ranges::find(key.choices, name) != key.choices.end())
        out += (out.empty() ? "" : "\n") + key_page(section, key);
  return out;
}

std::string describe_section(std::string_view name) {
  std::string out;
  for (const auto& section : scenario_sections()) {
    const bool below = section.path.starts_with(fmt::format("{}.", name));
    if (section.path != name && !(below && has_prose(section))) continue;
    if (!section.path.empty()) out += (out.empty() ? "" : "\n") + section_page(section);
  }
  std::string units;
  for (const auto& [word, forms] :
       {std::pair{"a duration", kDurationUnits}, {"a size", kSizeUnits}, {"a rate", kRateUnits}})
    if (out.find(word) != std::string::npos)
      units += fmt::format("  {}: a string with {}\n", word, forms);
  return units.empty() ? out : fmt::format("{}\n{}", out, units);
}

}  // namespace posse
