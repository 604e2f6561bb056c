// The nodes of a run: ids, names and groups.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Uses no memory per node.
class NodeNames {
 public:
  explicit NodeNames(std::vector<NodeGroup> groups);

  std::uint32_t size() const { return size_; }
  std::uint32_t group_of(NodeId node) const;
  const std::vector<NodeGroup>& groups() const { return groups_; }
  std::string name(NodeId node) const;

  struct Range {
    std::uint32_t first = 0, last = 0;  // [first, last)
  };
  /// The nodes that a selector ("*", a group, a node's name) matches; empty if there are none.
  Range select(std::string_view selector) const;

 private:
  std::vector<NodeGroup> groups_;
  std::vector<std::uint32_t> first_;  // of each group
  std::uint32_t size_ = 0;
};

class Nodes : public NodeNames {
 public:
  explicit Nodes(std::vector<NodeGroup> groups);

  /// hash_name(name(node)): the node's part of every stream key.
  std::uint64_t name_hash(NodeId node) const { return name_hashes_[node.value]; }

 private:
  std::vector<std::uint64_t> name_hashes_;
};

}  // namespace posse
