// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "program/scenario/catalog.hpp"
#include "program/scenario/fault_reader.hpp"

namespace posse {
namespace {

/// "100 000 000", "10⁹"
std::string grouped(double number) {
  const double size = std::abs(number);
  for (int power = 9; power <= 15; ++power) {
    constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (fmt::format("{:.0f}", size) != "1" + std::string(static_cast<std::size_t>(power), '0'))
      continue;
    std::string text = number < 0 ? "-10" : "10";
    for (const char digit : std::to_string(power))
      text += kDigits[static_cast<std::size_t>(digit - '0')];
    return text;
  }
  auto text = fmt::format("{}", number);
  if (std::rint(number) != number || size < 10000) return text;
  text = fmt::format("{:.0f}", number);
  for (std::size_t i = text.size(); i > 3 + (number < 0 ? 1U : 0U);) {
    i -= 3;
    text.insert(i, " ");
  }
  return text;
}

std::string range_words(const KeySpec& key) {
  const bool low = !std::isinf(key.min), high = !std::isinf(key.max);
  if (low && high && !key.min_open && !key.max_open)
    return fmt::format("{} to {}", grouped(key.min), grouped(key.max));
  std::string text;
  if (low) text = (key.min_open ? "above " : "at least ") + grouped(key.min);
  if (high)
    text += (text.empty() ? "" : ", ") + std::string(key.max_open ? "below " : "at most ") +
            grouped(key.max);
  return text;
}

std::string in_code(const std::vector<std::string>& words) {
  return fmt::format("`{}`", fmt::join(words, "`, `"));
}

std::string usual_values(const SectionSpec& section, const KeySpec& key) {
  switch (key.type) {
    case KeyType::choice: {
      std::vector<std::string> quoted;
      for (const auto& choice : key.choices) quoted.push_back(fmt::format("\"{}\"", choice));
      return in_code(quoted);
    }
    case KeyType::boolean:
      return "`true`, `false`";
    case KeyType::whole:
      if (std::isinf(key.max)) return "whole number from " + grouped(key.min);
      return "whole number, " + range_words(key);
    case KeyType::number:
      return range_words(key);
    case KeyType::duration:
      return key.min_open ? "a duration above 0" : "a duration";
    case KeyType::size:
      return "a size";
    case KeyType::selector:
      return "a selector";
    case KeyType::text:
      return "a string";
    case KeyType::kind:
      if (section.path == "fault") {
        std::vector<std::string> kinds;
        for (const auto& kind : fault_kinds()) kinds.emplace_back(kind.name);
        return in_code(kinds);
      }
      return in_code(section.path == "arm" ? kinds_of(arm_family_specs()) : kinds_of(objectives()));
    case KeyType::heterogeneity:
      return "table with `kind`: " + in_code(kinds_of(heterogeneity_specs()));
    case KeyType::noise:
      return "table with `kind`: " + in_code(kinds_of(noise_specs()));
    default:
      return "";
  }
}

}  // namespace

const KeySpec* SectionSpec::key(std::string_view name) const {
  const auto it =
      std::find_if(keys.begin(), keys.end(), [&](const KeySpec& k) { return k.name == name; });
  return it == keys.end() ? nullptr : &*it;
}

std::string full_key(std::string_view part) {
  for (const auto& section : scenario_sections())
    if (!section.path.empty() && !section.array && section.key(part) != nullptr)
      return fmt::format("{}.{}", section.path, part);
  return "";
}

const SectionSpec* find_section(std::string_view path) {
  return find_section(path, scenario_sections());
}

const SectionSpec* find_section(std::string_view path, const std::vector<SectionSpec>& sections) {
  std::string plain;  // without the numbers of tables
  while (!path.empty()) {
    const auto part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (part.find_first_not_of("0123456789") == part.npos) continue;
    plain += (plain.empty() ? "" : ".") + std::string(part);
  }
  if (plain.starts_with("sweep.") && plain != "sweep.exclude") plain = "sweep.*";
  const auto it = std::find_if(
      sections.begin(), sections.end(), [&](const SectionSpec& s) { return s.path == plain; });
  return it == sections.end() ? nullptr : &*it;
}

std::string values_text(const SectionSpec& section, const KeySpec& key) {
  return (key.values.empty() ? usual_values(section, key) : std::string(key.values)) +
         std::string(key.note);
}

}  // namespace posse
