#include "actors/host/node_actor.hpp"

namespace posse {

caf::behavior NodeActor::handler() {
  return {[](const Delivery& delivery) {
    delivery.handled = true;
    // No exception crosses the actor's boundary: the kernel fails the run by the node's name.
    try {
      call_role(*delivery.actor->role_, *delivery.stimulus, *delivery.reaction);
    } catch (...) {
      *delivery.failure = std::current_exception();
    }
  }};
}

}  // namespace posse
