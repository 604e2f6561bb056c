// SPDX-License-Identifier: Apache-2.0
#include "program/cli/section_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/scenario/key_tables.hpp"

namespace posse {
namespace {

/// A kind of file, with the document of its keys.
struct Language {
  std::string_view file;  // "scenario"
  std::string_view document;
  const std::vector<SectionSpec>& sections;
};
const std::array<Language, 2>& languages() {
  static const std::array<Language, 2> all{{{"scenario", "scenario", scenario_sections()},
                                            {"claims file", "claims", claims_sections()}}};
  return all;
}

std::string heading_of(const SectionSpec& section) {
  return fmt::format(
      "{}{}{}", section.array ? "[[" : "[", section.path, section.array ? "]]" : "]");
}

/// The lines of the document below a section's heading.
std::string section_of_document(const Language& of, const SectionSpec& section) {
  std::string document;
  for (const auto piece : key_reference(of.document)) document += piece;
  const auto heading = fmt::format("\n## `{}`\n", heading_of(section));
  const auto begin = document.find(heading);
  if (begin == std::string::npos) return {};
  const auto text = document.substr(begin + heading.size());
  return text.substr(0, text.find("\n## "));
}

/// Its text, tables and examples without the tables of keys.
std::string prose_of(const Language& of, const SectionSpec& section) {
  std::string out, paragraph;
  bool code = false, keys = false;
  const auto flush = [&] {
    if (!paragraph.empty()) out += wrapped(without_markup(paragraph), "  ");
    paragraph.clear();
  };
  const auto whole = section_of_document(of, section);
  std::string_view text = whole;
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

bool has_prose(const Language& of, const SectionSpec& section) {
  return !section_of_document(of, section).empty();
}

/// The section, with those below it that the document treats in the same place.
std::string section_page(const Language& of, const SectionSpec& section) {
  auto out = fmt::format("{} (section of a {})\n", heading_of(section), of.file) +
             wrapped(without_markup(section.summary), "  ") + keys_text(section);
  for (const auto& part : of.sections)
    if (part.path.starts_with(fmt::format("{}.", section.path)) && !has_prose(of, part))
      out += "\n" + wrapped(fmt::format("{}: {}", part.path, without_markup(part.summary)), "  ") +
             keys_text(part);
  const auto prose = prose_of(of, section);
  return prose.empty() ? out : fmt::format("{}\n{}", out, prose);
}

std::string key_page(const Language& of, const SectionSpec& section, const KeySpec& key) {
  std::string out = section.path.empty()
                        ? fmt::format("{} (key at the top of a {})\n", key.name, of.file)
                        : fmt::format("{} (key of {})\n", key.name, heading_of(section));
  const auto add = [&](std::string_view label, std::string_view text) {
    if (!text.empty()) out += wrapped(fmt::format("{}{}", label, without_markup(text)), "  ");
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
  std::string out;
  const auto point = name.rfind('.');
  for (const auto& of : languages()) {
    if (point != std::string_view::npos) {
      const auto* section = find_section(name.substr(0, point), of.sections);
      const auto* key = section == nullptr ? nullptr : section->key(name.substr(point + 1));
      if (key != nullptr) return key_page(of, *section, *key);
      continue;
    }
    for (const auto& section : of.sections)
      for (const auto& key : section.keys)
        if (key.name == name || std::ranges::find(key.choices, name) != key.choices.end())
          out += (out.empty() ? "" : "\n") + key_page(of, section, key);
  }
  return out;
}

std::string describe_section(std::string_view name) {
  std::string out;
  for (const auto& of : languages())
    for (const auto& section : of.sections) {
      const bool below = section.path.starts_with(fmt::format("{}.", name));
      if (section.path != name && !(below && has_prose(of, section))) continue;
      if (!section.path.empty()) out += (out.empty() ? "" : "\n") + section_page(of, section);
    }
  std::string units;
  for (const auto& [word, forms] :
       {std::pair{"a duration", kDurationUnits}, {"a size", kSizeUnits}, {"a rate", kRateUnits}})
    if (out.find(word) != std::string::npos)
      units += wrapped(fmt::format("{}: a string with {}", word, forms), "  ");
  return units.empty() ? out : fmt::format("{}\n{}", out, units);
}

}  // namespace posse
