#include "actors/node_actor.hpp"

namespace posse {

NodeActor::NodeActor(caf::actor_config& config, std::unique_ptr<Role> role)
    : caf::event_based_actor(config), role_(std::move(role)) {}

caf::behavior NodeActor::make_behavior() {
  return {[this](const Delivery& delivery) {
    // No exception crosses the actor's boundary: the kernel fails the run by the node's name.
    try {
      call_role(*role_, *delivery.stimulus, *delivery.reaction);
    } catch (...) {
      *delivery.failure = std::current_exception();
    }
  }};
}

}  // namespace posse
