// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {

caf::behavior NodeActor::handler() {
  return {[](const Delivery& delivery) {
    delivery.handled = true;
    // No exception crosses the actor boundary. The kernel fails the run and names the node.
    try {
      call_role(*delivery.actor->role_, *delivery.stimulus, *delivery.reaction);
    } catch (...) {
      *delivery.failure = std::current_exception();
    }
  }};
}

}  // namespace posse
