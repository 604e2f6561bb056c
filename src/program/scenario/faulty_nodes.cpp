// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/faulty_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/csv.hpp"

namespace posse {

std::optional<FaultyNodes> parse_faulty_nodes(std::string_view text) {
  constexpr std::string_view kOf = "% of ";
  if (text.empty()) return std::nullopt;
  const auto at = text.find(kOf);
  const auto percent = parse_number<double>(text.substr(0, at));
  if (at == text.npos || !percent) return FaultyNodes(std::string(text));
  if (!(*percent > 0 && *percent <= 100)) return std::nullopt;
  return FaultyNodes(std::string(text.substr(at + kOf.size())), *percent / 100);
}

std::string text_of(const FaultyNodes& nodes) {
  return nodes.share ? fmt::format("{:.12g}% of {}", *nodes.share * 100, nodes.of) : nodes.of;
}

std::vector<std::string> texts_of(const std::vector<FaultyNodes>& nodes) {
  std::vector<std::string> texts;
  for (const auto& each : nodes) texts.push_back(text_of(each));
  return texts;
}

std::vector<std::vector<std::string>> texts_of(
    const std::vector<std::vector<FaultyNodes>>& groups) {
  std::vector<std::vector<std::string>> texts;
  for (const auto& group : groups) texts.push_back(texts_of(group));
  return texts;
}

std::string groups_text(const std::vector<std::vector<FaultyNodes>>& groups) {
  std::vector<std::string> texts;
  for (const auto& group : texts_of(groups))
    texts.push_back(fmt::format("{}", fmt::join(group, " ")));
  return fmt::format("{}", fmt::join(texts, " | "));
}

}  // namespace posse
