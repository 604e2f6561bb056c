// SPDX-License-Identifier: Apache-2.0
// The world of a run in wall time: the same accounts, faults, transport and ends as in virtual
// time, shared by node actors that run at the same time on several threads.
//
// Actors take turns in the world, one at a time and briefly; while their roles react, which may
// take long, they are outside. An event's time is the wall time since the run's start at which it
// is handled.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/interruption.hpp"
#include "core/sim/run_control.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// An event that is to happen, for the node's actor to take its turn with.
struct Appointment {
  std::uint64_t number = 0;  // of the event in the world
  NodeId node;
  std::chrono::steady_clock::time_point due;
  std::optional<Event> copy;  // of a message that goes to the node
};

class WallWorld {
 public:
  /// `roles`: by node. `progress` may be null. `interruption`: which ends reactions early; may be
  /// null.
  WallWorld(const SimulationSpec& spec,
            const Nodes& nodes,
            std::vector<std::unique_ptr<Role>> roles,
            Progress* progress,
            Watch& watch,
            const Interruption* interruption);
  ~WallWorld();

  const MessageTypes& types() const { return world_.types(); }

  /// The run starts now. Returns the first events.
  std::vector<Appointment> begin();
  /// The event `number` happens at its node, whose actor calls this. `arrived`: what came, if it is
  /// a message. Returns what follows.
  std::vector<Appointment> take_turn(std::uint64_t number, Payload arrived = {});
  /// Something outside the world failed: the run does.
  void fail(std::exception_ptr failure);

  /// Watches over the run until it is over, from the calling thread, and passes on what observers
  /// ask for. `keep`: takes the appointments that this brings about.
  void watch_over(const std::function<void(std::vector<Appointment>)>& keep);
  /// After that. Rethrows what failed outside the world.
  SimulationResult conclude();

 private:
  class Hand;  // what an actor works with during its turn
  class Ending;

  using Clock = std::chrono::steady_clock;
  /// The present, never before what was handled. Under the lock, as everything below.
  Time now();
  Hand& free_hand();
  void keep_observations(Worker& worker);
  std::vector<Appointment> appoint(Hand& hand);
  bool decided();
  bool is_over(Time at) const;
  std::vector<Worker*> workers();

  World world_;
  RunControl control_;
  std::vector<std::unique_ptr<Role>> roles_;  // by node
  std::unique_ptr<Interruption> interruption_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock::time_point start_;
  Time latest_;
  std::vector<std::unique_ptr<Hand>> hands_;  // the first one belongs to the watching thread
  std::vector<Hand*> free_;
  std::unordered_map<std::uint64_t, Event> under_way_;  // by number
  std::uint64_t numbers_ = 0;
  std::uint32_t reactions_ = 0;              // in progress
  std::vector<bool> reacting_;               // by node
  std::vector<ObservationRecord> observed_;  // in the order of turns
  std::atomic<bool> over_{false};
  bool failed_ = false;
  std::exception_ptr failure_;
  StopReason stopped_ = StopReason::none;
};

}  // namespace posse
