// SPDX-License-Identifier: Apache-2.0
// The actors of a run in wall time: one per node, and one per link that is used.
//
// A node's actor takes a turn in the world for every event of its node. It encodes the messages
// that its role sends and gives them to the links' actors, which hold each until the network lets
// it arrive, and then pass it to the receiver's actor, which decodes it.
#pragma once

#include <caf/all.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/host/agenda.hpp"
#include "actors/host/envelope.hpp"
#include "actors/host/wall_world.hpp"

namespace posse {

/// An actor with an agenda.
template <class Item>
class PunctualActor : public caf::event_based_actor {
 public:
  using caf::event_based_actor::event_based_actor;

 protected:
  using Clock = std::chrono::steady_clock;
  using Tick = caf::atom_constant<caf::atom("tick")>;

  virtual void handle(Item item) = 0;

  void remember(Clock::time_point due, Item item) { agenda_.add(due, std::move(item)); }
  /// Handles what is due, and sees to it that the actor is woken for the rest.
  void go_through_agenda() {
    while (auto item = agenda_.take(Clock::now())) handle(std::move(*item));
    const auto next = agenda_.next();
    if (!next || *next == Clock::time_point::max() || (wakes_ && *wakes_ <= *next)) return;
    wakes_ = *next;
    this->delayed_send(
        this, *next - Clock::now(), Tick::value, std::int64_t{next->time_since_epoch().count()});
  }
  /// `due`: of the tick. An earlier one may have been sent after it.
  void wake(std::int64_t due) {
    if (wakes_ && wakes_->time_since_epoch().count() == due) wakes_.reset();
    go_through_agenda();
  }

 private:
  Agenda<Item> agenda_;
  std::optional<Clock::time_point> wakes_;
};

/// A message for a link's actor, and when it arrives at the end of the link.
struct InTransit {
  Agenda<int>::TimePoint due;
  std::uint64_t number = 0;  // of its arrival in the world
  Envelope message;
};

/// Holds messages on one link until they arrive. Those with earlier arrivals go first.
class LinkActor final : public PunctualActor<caf::message> {
 public:
  LinkActor(caf::actor_config& config, caf::actor receiver)
      : PunctualActor(config), receiver_(std::move(receiver)) {}
  caf::behavior make_behavior() override;
  void on_exit() override { receiver_ = nullptr; }

 private:
  void handle(caf::message arrival) override { send(receiver_, std::move(arrival)); }

  caf::actor receiver_;
};

class WallActors;

class WallNode final : public PunctualActor<std::uint64_t> {
 public:
  WallNode(caf::actor_config& config, NodeId self, WallActors& all)
      : PunctualActor(config), self_(self), all_(all) {}
  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void handle(std::uint64_t number) override { take_turn(number, {}); }
  void take_turn(std::uint64_t number, Payload arrived);
  void keep(std::vector<Appointment> appointments);

  NodeId self_;
  WallActors& all_;
  std::unordered_map<std::uint32_t, caf::actor> links_;  // by receiver
};

/// All node actors. They end with it.
class WallActors {
 public:
  WallActors(caf::actor_system& system, WallWorld& world, std::uint32_t nodes);
  ~WallActors();
  WallActors(const WallActors&) = delete;
  WallActors& operator=(const WallActors&) = delete;

  WallWorld& world() { return world_; }
  const caf::actor& node(NodeId id) const { return nodes_[id.value]; }
  /// Events that no node's actor brought about.
  void keep(std::vector<Appointment> appointments) const;

 private:
  WallWorld& world_;
  std::vector<caf::actor> nodes_;
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::InTransit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Appointment)
