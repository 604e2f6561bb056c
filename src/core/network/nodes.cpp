// SPDX-License-Identifier: Apache-2.0
#include "core/network/nodes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/check.hpp"
#include "core/base/hash.hpp"

namespace posse {
namespace {

/// Of `size` things that are numbered from `first` on, those with a number, "7", or with one of
/// several, "4..9": counted from 0. Nothing if they aren't all there.
std::optional<NodeNames::Range> numbered(std::string_view numbers,
                                         std::uint32_t first,
                                         std::uint32_t size) {
  const auto place = [&](std::string_view digits) -> std::optional<std::uint32_t> {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool canonical = digits == "0" || (!digits.empty() && digits.front() != '0');
    if (error != std::errc{} || end != digits.data() + digits.size() || !canonical)
      return std::nullopt;
    if (number < first || number - first >= size) return std::nullopt;
    return number - first;
  };
  const auto dots = numbers.find("..");
  const auto low = place(numbers.substr(0, dots));
  const auto high = dots == std::string_view::npos ? low : place(numbers.substr(dots + 2));
  if (!low || !high || *low > *high) return std::nullopt;
  return NodeNames::Range{*low, *high + 1};
}

}  // namespace

NodeNames::NodeNames(std::vector<NodeGroup> groups) : groups_(std::move(groups)) {
  for (const auto& group : groups_) {
    POSSE_CHECK(group.numbered || group.size == 1,
                "group {} is not numbered, so it must have exactly one node",
                group.name);
    first_.push_back(size_);
    size_ += group.size;
  }
}

Nodes::Nodes(std::vector<NodeGroup> groups) : NodeNames(std::move(groups)) {
  name_hashes_.reserve(size());
  for (std::uint32_t i = 0; i < size(); ++i) name_hashes_.push_back(hash_name(name(NodeId{i})));
}

std::uint32_t NodeNames::group_of(NodeId node) const {
  std::uint32_t group = 0;
  while (group + 1 < first_.size() && first_[group + 1] <= node.value) ++group;
  return group;
}

std::string NodeNames::name(NodeId node) const {
  const std::uint32_t group = group_of(node);
  std::string name(groups_[group].name);
  if (!groups_[group].numbered) return name;
  char digits[16];
  const auto end =
      std::to_chars(digits, digits + 16, node.value - first_[group] + groups_[group].first_number)
          .ptr;
  name += '-';
  name.append(digits, end);
  return name;
}

NodeNames::Range NodeNames::hub() const {
  const bool has_one = groups_.size() > 1 && !groups_.front().numbered;
  return {0, has_one ? 1U : 0U};
}

NodeNames::Range NodeNames::participants() const {
  std::uint32_t first = hub().last;
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].name == kEdgeGroup) first = first_[g] + groups_[g].size;
  return {first, size_};
}

NodeNames::Range NodeNames::select(std::string_view selector) const {
  if (selector == "*") return {0, size_};
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    const auto& group = groups_[g];
    if (selector == group.name) return {first_[g], first_[g] + group.size};
    if (!group.numbered || !selector.starts_with(group.name) ||
        !selector.substr(group.name.size()).starts_with('-'))
      continue;
    if (const auto found =
            numbered(selector.substr(group.name.size() + 1), group.first_number, group.size))
      return {first_[g] + found->first, first_[g] + found->last};
  }
  if (selector == kHubSelector) return hub();
  if (!selector.starts_with(kParticipantSelector)) return {};
  const auto rest = selector.substr(kParticipantSelector.size());
  const Range all = participants();
  if (rest.empty()) return all;
  if (rest.front() != '-') return {};
  const auto found = numbered(rest.substr(1), 0, all.last - all.first);
  return found ? Range{all.first + found->first, all.first + found->last} : Range{};
}

std::vector<NodeNames::Range> NodeNames::members(const FaultyNodes& nodes, StreamKey stream) const {
  const Range all = select(nodes.of);
  if (!nodes.share) return {all};
  const std::uint32_t count = all.last - all.first;
  std::vector<std::pair<double, std::uint32_t>> draws;
  UniformStream uniform(stream);
  for (std::uint32_t i = 0; i < count; ++i) draws.emplace_back(uniform.at(i), all.first + i);
  const auto wanted = std::clamp<std::uint32_t>(
      static_cast<std::uint32_t>(std::lround(*nodes.share * count)), count > 0 ? 1 : 0, count);
  std::nth_element(draws.begin(), draws.begin() + wanted, draws.end());
  draws.resize(wanted);
  std::sort(
      draws.begin(), draws.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Range> ranges;
  for (const auto& [draw, node] : draws) {
    if (!ranges.empty() && ranges.back().last == node)
      ++ranges.back().last;
    else
      ranges.push_back({node, node + 1});
  }
  return ranges;
}

}  // namespace posse
