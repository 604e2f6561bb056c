// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {

caf::behavior NodeActor::behavior() {
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

void NodeActor::enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) {
  static caf::behavior shared = behavior();
  if (!shared(message->content()) && !handle_system_message(*message, unit, false))
    bounce(message);
}

}  // namespace posse
