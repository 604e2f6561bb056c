// SPDX-License-Identifier: Apache-2.0
#include "actors/host/node_actor.hpp"

namespace posse {
namespace {

/// Turns have no result.
struct NoResult final : caf::detail::invoke_result_visitor {
  void operator()() override {}
  void operator()(caf::error&) override {}
  void operator()(caf::message&) override {}
  void operator()(const caf::none_t&) override {}
} no_result;

/// The behaviour of all node actors, which has no state.
caf::behavior& behavior() {
  static caf::behavior shared{[](const NodeTurn& turn) {
    turn.taken = true;
    // No exception crosses the actor boundary. The kernel fails the run and names the node.
    try {
      (*turn.events)();
    } catch (...) {
      *turn.failure = std::current_exception();
    }
  }};
  return shared;
}

}  // namespace

void NodeActor::enqueue(caf::mailbox_element_ptr message, caf::execution_unit* unit) {
  if (behavior()(no_result, message->content()) != caf::match_case::match &&
      !handle_system_message(*message, unit, false))
    bounce(message);
}

}  // namespace posse
