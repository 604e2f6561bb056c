// SPDX-License-Identifier: Apache-2.0
// The protocol of a full mesh whose players share one setup: groups and roles. A system adds its
// measurements and its forecast.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"

namespace posse {

/// `Setup` has `players`. `Player` is made from the setup and its node, and may point into the
/// setup, which lives as long as this.
template <class Setup, class Player>
class MeshProtocol : public Protocol {
 public:
  explicit MeshProtocol(Setup setup) : setup_(std::move(setup)) {}

  std::vector<NodeGroup> groups() const final { return {{"player", setup_.players, true}}; }
  std::unique_ptr<Role> make_role(NodeId node) const final {
    return std::make_unique<Player>(setup_, node);
  }

 protected:
  /// Ordered pairs of players: m (m - 1) messages if each sends one to every other.
  double links() const { return double{1} * setup_.players * (setup_.players - 1); }

  const Setup setup_;
};

}  // namespace posse
