// SPDX-License-Identifier: Apache-2.0
// The nodes of a run: ids, names and groups.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fetch.hpp"
#include "core/base/ids.hpp"
#include "core/network/node_selector.hpp"
#include "core/random/stream.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// Selectors of every algorithm's nodes, whatever they are named.
inline constexpr std::string_view kHubSelector = "hub", kParticipantSelector = "participant";

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
  /// The node that leads the others: server, agent, learner; none in a mesh, or alone.
  Range hub() const;
  /// All but the hub and the edges of a hierarchy.
  Range participants() const;
  /// The nodes that a selector matches: "*", a group, a node's name, or a range of a group
  /// ("client-4..9", both included); "hub"; "participant", and "participant-4..9" of these, counted
  /// from 0 in the order of nodes. Empty if there are none.
  Range select(std::string_view selector) const;
  /// All of them, or the share, drawn from `stream` (draw i for node i of the selection; the
  /// smallest draws win).
  std::vector<Range> members(const FaultyNodes& nodes, StreamKey stream) const;

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
  [[gnu::always_inline]] void fetch_name_hash(NodeId node) const {
    fetch(&name_hashes_[node.value]);
  }

 private:
  std::vector<std::uint64_t> name_hashes_;
};

}  // namespace posse
