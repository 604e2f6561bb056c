// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {

caf::behavior NodeActor::handler() {
  return {[](const NodeTurn& turn) {
    turn.taken = true;
    // No exception crosses the actor boundary. The kernel fails the run and names the node.
    try {
      (*turn.events)();
    } catch (...) {
      *turn.failure = std::current_exception();
    }
  }};
}

}  // namespace posse
