// SPDX-License-Identifier: Apache-2.0
#include "program/http/negotiation.hpp"

#include <algorithm>
#include <charconv>

namespace posse {
namespace {

char small(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), small);
  return out;
}

std::string_view without_spaces(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The parts between separators that are not in a quoted string.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == separator && !quoted) {
      parts.push_back(without_spaces(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  parts.push_back(without_spaces(text.substr(begin)));
  return parts;
}

/// A token, or two with a slash between them.
bool is_name(std::string_view text) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~/";
  const auto fits = [&](char c) {
    return ('a' <= small(c) && small(c) <= 'z') || ('0' <= c && c <= '9') ||
           kOthers.find(c) != kOthers.npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits) &&
         std::count(text.begin(), text.end(), '/') <= 1;
}

std::optional<double> read_quality(std::string_view text) {
  double value = 0;
  const auto* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  if (error != std::errc{} || stopped != end || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::string(text);
  std::string out;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == '\\' && i + 2 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

std::optional<Preference> read_preference(std::string_view element) {
  const auto parts = parts_of(element, ';');
  if (!is_name(parts.front())) return std::nullopt;
  Preference read;
  read.name = in_lower_case(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const auto equals = parts[i].find('=');
    const auto name = in_lower_case(without_spaces(parts[i].substr(0, equals)));
    if (equals == std::string_view::npos || !is_name(name)) return std::nullopt;
    const auto value = without_spaces(parts[i].substr(equals + 1));
    if (name != "q") {
      read.parameters.emplace_back(name, unquoted(value));
      continue;
    }
    const auto given = read_quality(value);
    if (!given) return std::nullopt;
    read.quality = *given;
  }
  return read;
}

}  // namespace

std::vector<Preference> preferences(std::string_view field) {
  std::vector<Preference> found;
  for (const auto element : parts_of(field, ','))
    if (auto read = read_preference(element)) found.push_back(std::move(*read));
  return found;
}

std::optional<double> quality_of(const std::vector<Preference>& preferences,
                                 std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    for (const auto& preference : preferences)
      if (preference.name == name) return preference.quality;
  return std::nullopt;
}

bool prefers_gzip(std::string_view accept_encoding) {
  const auto accepted = preferences(accept_encoding);
  const auto identity = quality_of(accepted, {"identity"});
  if (const auto gzip = quality_of(accepted, {"gzip", "x-gzip"}))
    return *gzip > 0 && *gzip >= identity.value_or(0);
  const double others = quality_of(accepted, {"*"}).value_or(0);
  return others > 0 && identity == 0.0;
}

}  // namespace posse
