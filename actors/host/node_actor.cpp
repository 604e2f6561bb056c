// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {

void NodeActor::enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) {
  const auto take = [](const NodeTurn& turn) {
    turn.taken = true;
    // No exception crosses the actor boundary. The kernel fails the run and names the node.
    try {
      (*turn.events)();
    } catch (...) {
      *turn.failure = std::current_exception();
    }
  };
  // A `caf::behavior` of this one handler, called for each turn, takes half as long again.
  if (!message->content().apply(take) && !handle_system_message(*message, unit, false))
    bounce(message);
}

}  // namespace posse
