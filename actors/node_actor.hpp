// The CAF actor that hosts one node's role.
#pragma once

#include <caf/all.hpp>
#include <memory>
#include <vector>

#include "core/sim/world.hpp"

namespace posse {

/// What the kernel puts into a node's mailbox: a stimulus and where the reaction goes. Both live
/// on the worker that delivers it, which waits for the actor to be done.
struct Delivery {
  const Stimulus* stimulus = nullptr;
  Reaction* reaction = nullptr;
  std::exception_ptr* failure = nullptr;
};

class NodeActor final : public caf::event_based_actor {
 public:
  NodeActor(caf::actor_config& config, std::unique_ptr<Role> role);

  caf::behavior make_behavior() override;
  const Role& role() const { return *role_; }

 private:
  std::unique_ptr<Role> role_;
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Delivery)
