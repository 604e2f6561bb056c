#include "core/network/nodes.hpp"

#include <charconv>

#include "core/base/check.hpp"
#include "core/base/hash.hpp"

namespace posse {

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

NodeNames::Range NodeNames::select(std::string_view selector) const {
  if (selector == "*") return {0, size_};
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    const auto& group = groups_[g];
    if (selector == group.name) return {first_[g], first_[g] + group.size};
    if (!group.numbered || selector.size() < group.name.size() + 2 ||
        !selector.starts_with(group.name) || selector[group.name.size()] != '-')
      continue;
    const auto digits = selector.substr(group.name.size() + 1);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool canonical = digits == "0" || digits.front() != '0';
    if (error != std::errc{} || end != digits.data() + digits.size() || !canonical) continue;
    if (number < group.first_number || number - group.first_number >= group.size) continue;
    const std::uint32_t node = first_[g] + (number - group.first_number);
    return {node, node + 1};
  }
  return {};
}

}  // namespace posse
