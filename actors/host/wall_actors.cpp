// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_actors.hpp"

#include <fmt/format.h>

#include "core/base/outside_failure.hpp"

namespace posse {

caf::behavior LinkActor::make_behavior() {
  return {[this](const InTransit& copy) {
            remember(copy.due, caf::make_message(copy.number, copy.message));
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

void LinkActor::handle(caf::message arrival) {
  if (const auto receiver = all_.receiver(to_)) send(receiver, std::move(arrival));
}

void LinkActor::on_exit() { all_.one_has_ended(); }

caf::behavior WallNode::make_behavior() {
  return {[this](std::uint64_t number, const Envelope& message) {
            receive(message, number);
            go_through_agenda();
          },
          [this](const Appointment& made) {
            remember(made.due, made.number);
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

void WallNode::receive(const Envelope& message, std::uint64_t number) {
  WallWorld& world = all_.world();
  try {
    auto copy = from_envelope(message, world.types());
    if (!copy || (number == kFromElsewhere && !world.may_come(*copy)))
      throw OutsideFailure(fmt::format("a {} that came can't be read", message.type));
    if (number == kFromElsewhere)
      keep(world.receive(std::move(*copy)));
    else
      take_turn(number, std::move(copy->payload));
  } catch (...) {
    world.fail(std::current_exception());
  }
}

void WallNode::take_turn(std::uint64_t number, Payload arrived) {
  // No exception crosses the actor boundary.
  try {
    keep(all_.world().take_turn(number, std::move(arrived)));
  } catch (...) {
    all_.world().fail(std::current_exception());
  }
}

void WallNode::keep(const std::vector<Appointment>& appointments) {
  for (const Appointment& made : appointments) {
    if (!made.copy) {
      remember(made.due, made.number);
      continue;
    }
    caf::actor& link = links_[made.node.value];
    if (!link) link = all_.make_link(made.node);
    const std::uint64_t number = all_.is_here(made.node) ? made.number : all_.run();
    send(link, InTransit{made.due, number, to_envelope(*made.copy, all_.world().types())});
  }
}

void WallNode::on_exit() {
  for (const auto& [receiver, link] : links_)
    caf::anon_send_exit(link, caf::exit_reason::user_shutdown);
  links_.clear();
  all_.one_has_ended();
}

WallActors::WallActors(caf::actor_system& system,
                       WallWorld& world,
                       std::uint64_t run,
                       std::vector<bool> here,
                       const std::vector<caf::actor>& gates)
    : WallActors(system, world, run, std::move(here)) {
  // From here on the destructor is called, whatever fails.
  for (std::size_t i = 0; i < here_.size(); ++i) {
    receivers_.push_back(here_[i] ? system.spawn<WallNode, caf::lazy_init>(*this) : gates[i]);
    if (here_[i]) ++living_;
  }
}

caf::actor WallActors::receiver(NodeId node) const {
  const std::lock_guard lock(mutex_);
  return receivers_[node.value];
}

void WallActors::set_gate(NodeId node, caf::actor gate) {
  const std::lock_guard lock(mutex_);
  if (!here_[node.value]) receivers_[node.value] = std::move(gate);
}

caf::actor WallActors::make_link(NodeId to) {
  auto link = system_.spawn<LinkActor>(*this, to);
  const std::lock_guard lock(mutex_);
  ++living_;
  return link;
}

WallActors::~WallActors() {
  for (std::size_t i = 0; i < receivers_.size(); ++i)
    if (here_[i]) caf::anon_send_exit(receivers_[i], caf::exit_reason::user_shutdown);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return living_ == 0; });
}

void WallActors::one_has_ended() {
  const std::lock_guard lock(mutex_);
  --living_;
  ended_.notify_all();
}

void WallActors::keep(std::vector<Appointment> appointments) const {
  for (Appointment& made : appointments) caf::anon_send(receiver(made.node), std::move(made));
}

void WallActors::receive(const Envelope& message) const {
  if (message.to >= here_.size() || !here_[message.to]) return;
  caf::anon_send(receiver(NodeId{message.to}), kFromElsewhere, message);
}

}  // namespace posse
