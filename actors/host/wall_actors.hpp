// SPDX-License-Identifier: Apache-2.0
// The actors of a run in wall time: one per node, and one per link that is used.
//
// A node's actor takes a turn in the world for every event of its node. It encodes the messages
// that its role sends and gives them to the links' actors, which hold each until the network lets
// it arrive, and then pass it to the receiver's actor, which decodes it.
#pragma once

#include <caf/all.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
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

  virtual void handle(Clock::time_point due, Item item) = 0;

  void remember(Clock::time_point due, Item item) { agenda_.add(due, std::move(item)); }
  /// Handles what is due, and sees to it that the actor is woken for the rest.
  void go_through_agenda() {
    while (auto entry = agenda_.take(Clock::now())) handle(entry->due, std::move(entry->item));
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

/// Takes the messages for nodes of another process.
class ProcessGate {
 public:
  virtual ~ProcessGate() = default;
  /// Never waits. Thread-safe.
  virtual void pass(std::uint64_t run, const Envelope& message) = 0;
};

/// A message for a link's actor, and when it arrives at the end of the link.
struct InTransit {
  Agenda<int>::TimePoint due;
  /// Of its arrival in the world; to a node in another process, of the run.
  std::uint64_t number = 0;
  Envelope message;
};
/// The number of arrivals from other processes, which no world knows before.
inline constexpr std::uint64_t kFromElsewhere = 0;

class WallActors;

/// Holds messages on one link until they arrive. Those with earlier arrivals go first.
class LinkActor final : public PunctualActor<InTransit> {
 public:
  LinkActor(caf::actor_config& config, WallActors& all, NodeId to)
      : PunctualActor(config), all_(all), to_(to) {}
  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void handle(Clock::time_point due, InTransit copy) override;

  WallActors& all_;
  NodeId to_;
};

class WallNode final : public PunctualActor<std::uint64_t> {
 public:
  WallNode(caf::actor_config& config, WallActors& all, NodeId self)
      : PunctualActor(config), all_(all), self_(self) {}
  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void handle(Clock::time_point due, std::uint64_t number) override;
  /// `came`: ticks of the clock.
  void receive(const Envelope& message, std::uint64_t number, std::int64_t came);
  Turn begin_turn(Clock::time_point came) const;
  void end_turn(const std::vector<Appointment>& appointments, Turn& turn);
  void keep(const std::vector<Appointment>& appointments, Turn& turn);

  WallActors& all_;
  NodeId self_;
  Clock::time_point free_since_{};                       // the end of its turn before
  std::unordered_map<std::uint32_t, caf::actor> links_;  // by receiver
};

/// All node actors. They end before it does.
class WallActors {
 public:
  /// `here`: by node. `gates`: by node, of those in other processes; null while there is none.
  WallActors(caf::actor_system& system,
             WallWorld& world,
             std::uint64_t run,
             std::vector<bool> here,
             std::vector<std::shared_ptr<ProcessGate>> gates);
  ~WallActors();
  WallActors(const WallActors&) = delete;
  WallActors& operator=(const WallActors&) = delete;

  WallWorld& world() { return world_; }
  std::uint64_t run() const { return run_; }
  bool is_here(NodeId node) const { return here_[node.value]; }
  /// Whether there is such a node, elsewhere.
  bool may_move(NodeId node) const { return node.value < here_.size() && !here_[node.value]; }
  /// A node elsewhere has another process, or none.
  void set_gate(NodeId node, std::shared_ptr<ProcessGate> gate);
  /// An actor that takes messages to the node, whichever process it has.
  caf::actor make_link(NodeId to);
  /// A message has come from another process, which has the node that sent it. It is for a node
  /// here, or else nobody's.
  void receive(const Envelope& message) const { pass(kFromElsewhere, message); }
  /// Events that no node's actor brought about.
  void keep(std::vector<Appointment> appointments) const;

 private:
  friend class WallNode;
  friend class LinkActor;
  WallActors(caf::actor_system& system, WallWorld& world, std::uint64_t run, std::vector<bool> here)
      : system_(system), world_(world), run_(run), here_(std::move(here)) {}
  void one_has_ended();
  /// To a node here; to others it isn't.
  void pass(std::uint64_t number, const Envelope& message) const;
  void pass_elsewhere(NodeId to, std::uint64_t run, const Envelope& message) const;

  caf::actor_system& system_;
  WallWorld& world_;
  std::uint64_t run_;
  std::vector<bool> here_;
  std::vector<caf::actor> nodes_;                    // by node; null elsewhere
  mutable std::mutex mutex_;                         // of what follows
  std::vector<std::shared_ptr<ProcessGate>> gates_;  // by node; null here
  std::condition_variable ended_;
  std::size_t living_ = 0;
};

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::InTransit)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Appointment)
