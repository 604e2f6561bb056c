// SPDX-License-Identifier: Apache-2.0
// The CAF actor that hosts the role of one node.
#pragma once

#include <caf/all.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "core/role/role.hpp"

namespace posse {

/// A message to a node's actor: it is its turn to do something, as a rule to handle all of its
/// events of a window. Everything lives on the worker, which waits until the actor is done.
struct NodeTurn {
  const std::function<void()>* events = nullptr;
  std::exception_ptr* failure = nullptr;
  mutable bool taken = false;
};

class NodeActor final : public caf::event_based_actor {
 public:
  NodeActor(caf::actor_config& config, std::unique_ptr<Role> role, const caf::behavior& handler)
      : caf::event_based_actor(config), role_(std::move(role)), handler_(handler) {}

  /// The behaviour of every node actor. It has no state, so all actors share one, which saves 150
  /// MB for a million actors.
  static caf::behavior handler();

  caf::behavior make_behavior() override { return handler_; }
  /// To be called, except for what it waits for, in the actor's turns only.
  Role& role() const { return *role_; }
  void replace(std::unique_ptr<Role> role) { role_ = std::move(role); }

 private:
  std::unique_ptr<Role> role_;
  const caf::behavior& handler_;  // shared by the population
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::NodeTurn)
