// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {
namespace {

/// No exception crosses the actor boundary. The kernel fails the run and names the node.
void take(const NodeTurn& turn) {
  turn.taken = true;
  try {
    (*turn.events)();
  } catch (...) {
    *turn.failure = std::current_exception();
  }
}

}  // namespace

void NodeActor::enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) {
  // The look-up of a caf::behavior with this one handler costs 8 % of a run of short turns.
  const caf::type_erased_tuple& content = message->content();
  if (content.size() == 1 && content.match_element<NodeTurn>(0))
    take(content.get_as<NodeTurn>(0));
  else if (!handle_system_message(*message, unit, false))
    bounce(message);
}

}  // namespace posse
