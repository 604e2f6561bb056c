// SPDX-License-Identifier: Apache-2.0
// The CAF actor that hosts the role of one node.
#pragma once

#include <caf/all.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/fetch.hpp"
#include "core/role/role.hpp"

namespace posse {

/// A message to a node's actor: it is its turn to do something, as a rule to handle all of its
/// events of a window. Everything lives on the worker, which waits until the actor is done.
struct NodeTurn {
  const std::function<void()>* events = nullptr;
  std::exception_ptr* failure = nullptr;
  mutable bool taken = false;
};

/// Handles each message at once, on the thread that sends it. The kernel gives it one turn after
/// the other, so in a mailbox there would never be a second message; without one a million actors
/// need 0.9 GB less.
class NodeActor final : public caf::monitorable_actor {
 public:
  NodeActor(caf::actor_config& config, std::unique_ptr<Role> role)
      : caf::monitorable_actor(config), role_(std::move(role)) {}
  void enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) override;
  /// To be called, except for what it waits for, in the actor's turns only.
  Role& role() const { return *role_; }
  void replace(std::unique_ptr<Role> role) { role_ = std::move(role); }
  /// Fetches where its role is.
  [[gnu::always_inline]] void fetch_role_place() const { fetch(&role_); }

 private:
  std::unique_ptr<Role> role_;
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::NodeTurn)
