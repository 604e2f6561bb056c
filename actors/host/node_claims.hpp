// SPDX-License-Identifier: Apache-2.0
// Which nodes members ask for, by name, and which process gets each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/network/nodes.hpp"
#include "core/role/protocol.hpp"

namespace posse {

/// The nodes of one algorithm's runs.
struct KnownNodes {
  NodeNames names;
  bool hub = false;  // the first one belongs to the listener
};

/// The names that a member asks for ("client-3", "client-0..4"); none: any.
struct NodeClaim {
  std::size_t member = 0;  // from 1
  std::vector<std::string> wanted;
};

struct ClaimRefusal {
  std::string why;
  bool for_now = false;  // another member has them
};
/// Why a member can't have what it asks for; nothing if it can in the runs of one algorithm at
/// least. `others`: of the members that are there.
std::optional<ClaimRefusal> refuse_claim(const std::vector<KnownNodes>& known,
                                         const std::vector<std::string>& wanted,
                                         const std::vector<NodeClaim>& others);

/// Which process has each node: 0 for the listener, which has the hub, else the member's number
/// from 1. `wanted`: by member. Members that ask for none share what is left in blocks, and so does
/// the listener of a mesh. Where nobody shares, the rest has no process (WallWorld::kNoProcess).
std::vector<std::size_t> deal_out(const NodeNames& names,
                                  Topology topology,
                                  const std::vector<std::vector<std::string>>& wanted);

}  // namespace posse
