// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_actors.hpp"

#include "core/base/check.hpp"

namespace posse {

caf::behavior LinkActor::make_behavior() {
  return {[this](const InTransit& copy) {
            remember(copy.due, caf::make_message(copy.number, copy.message));
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

caf::behavior WallNode::make_behavior() {
  return {[this](std::uint64_t number, const Envelope& message) {
            try {
              auto copy = from_envelope(message, all_.world().types());
              POSSE_CHECK(copy.has_value(), "a {} cannot be decoded", message.type);
              take_turn(number, std::move(copy->payload));
            } catch (...) {
              all_.world().fail(std::current_exception());
            }
            go_through_agenda();
          },
          [this](const Appointment& made) {
            remember(made.due, made.number);
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

void WallNode::take_turn(std::uint64_t number, Payload arrived) {
  // No exception crosses the actor boundary.
  try {
    keep(all_.world().take_turn(number, std::move(arrived)));
  } catch (...) {
    all_.world().fail(std::current_exception());
  }
}

void WallNode::keep(std::vector<Appointment> appointments) {
  for (const Appointment& made : appointments) {
    if (!made.copy) {
      remember(made.due, made.number);
      continue;
    }
    caf::actor& link = links_[made.node.value];
    if (!link) link = spawn<LinkActor>(all_.node(made.node));
    send(link, InTransit{made.due, made.number, to_envelope(*made.copy, all_.world().types())});
  }
}

void WallNode::on_exit() {
  for (const auto& [receiver, link] : links_)
    caf::anon_send_exit(link, caf::exit_reason::user_shutdown);
  links_.clear();
}

WallActors::WallActors(caf::actor_system& system, WallWorld& world, std::uint32_t nodes)
    : world_(world) {
  for (std::uint32_t i = 0; i < nodes; ++i)
    nodes_.push_back(system.spawn<WallNode, caf::lazy_init>(NodeId{i}, *this));
}

WallActors::~WallActors() {
  for (const auto& node : nodes_) caf::anon_send_exit(node, caf::exit_reason::user_shutdown);
}

void WallActors::keep(std::vector<Appointment> appointments) const {
  for (Appointment& made : appointments) caf::anon_send(node(made.node), std::move(made));
}

}  // namespace posse
