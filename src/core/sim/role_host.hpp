// SPDX-License-Identifier: Apache-2.0
// How the world calls roles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/role/protocol.hpp"
#include "core/role/role.hpp"

namespace posse {

/// The input of a role's reaction.
struct Stimulus {
  enum class Kind : std::uint8_t {
    start,
    message,
    timer,
    restart,
    restart_anew
  } kind = Kind::start;
  TimerId timer;
  Message message;
};

/// Passes a stimulus to a role, by a function call or through its CAF actor.
class RoleHost {
 public:
  virtual ~RoleHost() = default;
  /// The role's reaction is in `reaction` when this returns. A role that throws makes the host
  /// throw the same exception. Returns how long the reaction took: 0 unless the run is in wall
  /// time.
  virtual Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) = 0;
  /// Calls `events`, in which the node may react several times. A reaction outside is a turn of its
  /// own. Throws what `events` throws.
  virtual void give_turn(NodeId /*node*/, const std::function<void()>& events) { events(); }
  /// Fetches what a turn of the node will need: soon its actor, then, with what is there by then,
  /// its role.
  virtual void fetch_actor(NodeId /*node*/) const {}
  virtual void fetch_role(NodeId /*node*/) const {}
  /// See Role. Called in a turn of the node.
  virtual void expect_message(NodeId /*node*/, NodeId /*from*/) const {}
  /// Replaces the node's role. Called while it does not react.
  virtual void replace(NodeId node, std::unique_ptr<Role> role) = 0;
  /// What the node waits for. Called while it does not react.
  virtual std::optional<Waiting> waiting(NodeId node) const = 0;
  /// See Role. Called while the node does not react.
  virtual std::uint32_t messages_before_finish(NodeId node) const = 0;
};

/// A host that calls roles directly.
class DirectHost final : public RoleHost {
 public:
  DirectHost(const Protocol& protocol, std::uint32_t nodes);
  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override;
  void replace(NodeId node, std::unique_ptr<Role> role) override {
    roles_[node.value] = std::move(role);
  }
  std::optional<Waiting> waiting(NodeId node) const override {
    return roles_[node.value]->waiting();
  }
  std::uint32_t messages_before_finish(NodeId node) const override {
    return roles_[node.value]->messages_before_finish();
  }
  void expect_message(NodeId node, NodeId from) const override {
    roles_[node.value]->expect_message(from);
  }

 private:
  std::vector<std::unique_ptr<Role>> roles_;
};

/// Calls the member function of `role` for this stimulus.
void call_role(Role& role, const Stimulus& stimulus, Reaction& reaction);

}  // namespace posse
