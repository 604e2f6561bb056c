// SPDX-License-Identifier: Apache-2.0
// The CAF actor that hosts the role of one node.
#pragma once

#include <caf/all.hpp>
#include <memory>
#include <vector>

#include "core/sim/world.hpp"

namespace posse {

class NodeActor;

/// A message in a node's mailbox: a stimulus, and where to put the reaction. Both live on the
/// worker that delivers it, and the worker waits until the actor is done.
struct Delivery {
  NodeActor* actor = nullptr;
  const Stimulus* stimulus = nullptr;
  Reaction* reaction = nullptr;
  std::exception_ptr* failure = nullptr;
  mutable bool handled = false;
};

class NodeActor final : public caf::event_based_actor {
 public:
  NodeActor(caf::actor_config& config, std::unique_ptr<Role> role, const caf::behavior& handler)
      : caf::event_based_actor(config), role_(std::move(role)), handler_(handler) {}

  /// The behaviour of every node actor. It has no state, so all actors share one, which saves 150
  /// MB for a million actors.
  static caf::behavior handler();

  caf::behavior make_behavior() override { return handler_; }
  const Role& role() const { return *role_; }
  /// Called while the actor handles no delivery.
  void replace(std::unique_ptr<Role> role) { role_ = std::move(role); }

 private:
  std::unique_ptr<Role> role_;
  const caf::behavior& handler_;  // shared by the population
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Delivery)
