// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_actors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/outside_failure.hpp"

namespace posse {

caf::behavior LinkActor::make_behavior() {
  return {[this](InTransit& copy) {
            const auto due = copy.due;
            remember(due, std::move(copy));
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

void LinkActor::handle(Clock::time_point, InTransit copy) {
  if (all_.is_here(to_))
    all_.pass(copy.number, copy.message);
  else
    all_.pass_elsewhere(to_, copy.number, copy.message);
}

void LinkActor::on_exit() { all_.one_has_ended(); }

caf::behavior WallNode::make_behavior() {
  return {[this](std::uint64_t number, const Envelope& message, std::int64_t came) {
            receive(message, number, came);
            go_through_agenda();
          },
          [this](const Appointment& made) {
            remember(made.due, made.number);
            go_through_agenda();
          },
          [this](Tick, std::int64_t due) { wake(due); }};
}

Turn WallNode::begin_turn(Clock::time_point came) const {
  Turn turn;
  turn.came = came;
  turn.free = std::max(came, free_since_);
  turn.began = turn.decoded = Clock::now();
  return turn;
}

void WallNode::receive(const Envelope& message, std::uint64_t number, std::int64_t came) {
  WallWorld& world = all_.world();
  Turn turn = begin_turn(Clock::time_point(Clock::duration(came)));
  // No exception crosses the actor boundary.
  try {
    auto copy = from_envelope(message, world.types());
    if (!copy || (number == kFromElsewhere && !world.may_come(*copy)))
      throw OutsideFailure(fmt::format("a {} that came can't be read", message.type));
    turn.decoded = Clock::now();
    turn.left = Time{message.left_ns};
    turn.from = copy->source;
    turn.transmission = copy->sequence;
    end_turn(number == kFromElsewhere ? world.receive(std::move(*copy), turn)
                                      : world.take_turn(number, turn, std::move(copy->payload)),
             turn);
  } catch (...) {
    world.fail(std::current_exception());
  }
}

void WallNode::handle(Clock::time_point due, std::uint64_t number) {
  Turn turn = begin_turn(due);
  try {
    end_turn(all_.world().take_turn(number, turn), turn);
  } catch (...) {
    all_.world().fail(std::current_exception());
  }
}

void WallNode::end_turn(const std::vector<Appointment>& appointments, Turn& turn) {
  keep(appointments, turn);
  free_since_ = turn.ended = Clock::now();
  all_.world().measure(self_, turn);
}

void WallNode::keep(const std::vector<Appointment>& appointments, Turn& turn) {
  for (const Appointment& made : appointments) {
    if (!made.copy) {
      remember(made.due, made.number);
      continue;
    }
    caf::actor& link = links_[made.node.value];
    if (!link) link = all_.make_link(made.node);
    const std::uint64_t number = all_.is_here(made.node) ? made.number : all_.run();
    InTransit copy{made.due, number, to_envelope(*made.copy, all_.world().types())};
    const auto encoded = Clock::now();
    turn.encoded.push_back({made.copy->type, encoded});
    const Time ready = all_.world().time_of(std::max(encoded, made.due));
    copy.message.left_ns = (ready - made.propagation).ns;
    send(link, std::move(copy));
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
                       std::vector<std::shared_ptr<ProcessGate>> gates)
    : WallActors(system, world, run, std::move(here)) {
  // From here on the destructor is called, whatever fails.
  gates_ = std::move(gates);
  gates_.resize(here_.size());
  for (std::size_t i = 0; i < here_.size(); ++i) {
    nodes_.push_back(here_[i] ? system.spawn<WallNode, caf::lazy_init>(
                                    *this, NodeId{static_cast<std::uint32_t>(i)})
                              : caf::actor());
    if (here_[i]) ++living_;
  }
}

void WallActors::set_gate(NodeId node, std::shared_ptr<ProcessGate> gate) {
  const std::lock_guard lock(mutex_);
  if (!here_[node.value]) gates_[node.value] = std::move(gate);
}

void WallActors::pass_elsewhere(NodeId to, std::uint64_t run, const Envelope& message) const {
  std::shared_ptr<ProcessGate> gate;
  {
    const std::lock_guard lock(mutex_);
    gate = gates_[to.value];
  }
  if (!gate) return;
  // No exception crosses the actor boundary.
  try {
    gate->pass(run, message);
  } catch (...) {
    world_.fail(std::current_exception());
  }
}

caf::actor WallActors::make_link(NodeId to) {
  auto link = system_.spawn<LinkActor>(*this, to);
  const std::lock_guard lock(mutex_);
  ++living_;
  return link;
}

WallActors::~WallActors() {
  for (const auto& node : nodes_)
    if (node) caf::anon_send_exit(node, caf::exit_reason::user_shutdown);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return living_ == 0; });
}

void WallActors::one_has_ended() {
  const std::lock_guard lock(mutex_);
  --living_;
  ended_.notify_all();
}

void WallActors::keep(std::vector<Appointment> appointments) const {
  for (Appointment& made : appointments)
    if (const auto& node = nodes_[made.node.value]) caf::anon_send(node, std::move(made));
}

void WallActors::pass(std::uint64_t number, const Envelope& message) const {
  if (message.to >= here_.size() || !here_[message.to]) return;
  const std::int64_t came = std::chrono::steady_clock::now().time_since_epoch().count();
  caf::anon_send(nodes_[message.to], number, message, came);
}

}  // namespace posse
