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
};

}  // namespace

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
  NoResult none;
  if (shared(none, message->content()) != caf::match_case::match &&
      !handle_system_message(*message, unit, false))
    bounce(message);
}

}  // namespace posse
