// The CAF actor that hosts one node's role.
#pragma once

#include <caf/all.hpp>
#include <memory>
#include <vector>

#include "core/sim/world.hpp"

namespace posse {

class NodeActor;

/// What the kernel puts into a node's mailbox: a stimulus and where the reaction goes. Both live
/// on the worker that delivers it, which waits for the actor to be done.
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

  /// The behaviour of every node actor. It has no state, so a population shares one: a million
  /// actors save 150 MB.
  static caf::behavior handler();

  caf::behavior make_behavior() override { return handler_; }
  const Role& role() const { return *role_; }

 private:
  std::unique_ptr<Role> role_;
  const caf::behavior& handler_;  // the population's
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Delivery)
