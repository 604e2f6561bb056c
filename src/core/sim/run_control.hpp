// SPDX-License-Identifier: Apache-2.0
// Run control, shared by all kernels: limits, progress, interventions, the end of a run.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/recorder.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// Reason for which a kernel stopped early.
enum class StopReason { none, virtual_time, events, wall_time, cancelled, failure };

/// Interface to real time, which the core does not know: pacing and limits of wall time.
class Watch {
 public:
  virtual ~Watch() = default;
  struct Waited {
    StopReason stop = StopReason::none;
    bool due = false;
  };
  /// Called by one thread, repeatedly, before anything at `time` or later happens. May sleep for a
  /// few hundredths of a second, so that requests of observers are answered. Never returns `due`
  /// while the run is paused.
  virtual Waited wait(Time time, bool paused) = 0;
  /// True if virtual time is held back even while the run is not paused.
  virtual bool paces() const { return true; }
  virtual bool can_pause() const { return true; }
  /// Virtual seconds per second of wall time, 0 for as fast as possible.
  virtual double pace() const { return 0; }
  /// From the virtual time `now` on.
  virtual void set_pace(double /*pace*/, Time /*now*/) {}
  /// Called occasionally by any worker inside a long window; never sleeps.
  virtual StopReason stop_reason() = 0;
};

class RunControl {
 public:
  /// `progress` and `watch` may be null.
  RunControl(const SimulationSpec& spec, World& world, Progress* progress, Watch* watch)
      : spec_(spec),
        world_(world),
        progress_(progress),
        watch_(watch),
        recorder_(spec.problem,
                  spec.protocol->several_evaluators(),
                  world.ending().has_hub(),
                  spec.arms,
                  spec.protocol->partition()),
        expensive_(spec.problem != nullptr && spec.problem->expensive()) {}

  /// Between windows that one worker has handled since the last call of between_windows: whether
  /// that need not be called yet. So it costs little where windows hold few events.
  bool may_go_on(const Worker& worker, Time next) {
    if (worker.events >= next_check_ || goal_ || worker.failure || worker.interrupted ||
        next > spec_.limits.virtual_time || anything_wanted())
      return false;
    window_start_ = next;
    return true;
  }
  /// Between windows: takes observations, publishes progress, applies interventions and waits for
  /// paced time. Returns whether to stop before the events at `next` (nothing: there are none).
  /// `queued`: the number of events in the queues.
  StopReason between_windows(const std::vector<Worker*>& workers,
                             std::optional<Time> next,
                             std::uint64_t queued);

  /// Whether the run may have to pause between two events before `end`.
  bool may_pause_before(Time end) const {
    return goal_ && (goal_->events || (goal_->time && *goal_->time < end));
  }

  /// Inside a window, every few hundred events of one worker: returns whether to cut it short.
  /// Windows are usually brief, but a node's own timers may extend one without end. Thread-safe.
  /// The event at which a run is cut by its limits of events or wall time, or by a signal, is not
  /// deterministic.
  StopReason inside_window(const Worker& worker) const;
  /// Thread-safe.
  bool snapshot_wanted() const { return progress_ != nullptr && progress_->snapshots.wanted(); }
  /// Inside a window, while no worker runs: publishes a snapshot for observers.
  void publish_inside_window(const std::vector<Worker*>& workers, std::uint64_t queued);

  /// Takes a worker's observations before they use too much memory: a role that works for long
  /// without receiving messages does so in one window. Thread-safe; workers may call it in any
  /// order.
  void take_observations_if_many(Worker& worker) {
    if (worker.observations().size() < kManyObservations) return;
    const std::lock_guard lock(recorder_mutex_);
    take(worker.observations());
  }

  /// Records what took effect without having been asked for.
  void note(Intervention intervention) { interventions_.push_back(std::move(intervention)); }
  /// Takes and clears observations, those of each node in order. One thread.
  void take(std::vector<ObservationRecord>& observations);

  /// The number of events after which a kernel without windows must call between_windows.
  std::uint64_t events_between_checks() const {
    return goal_ || anything_wanted() ? 1 : most_between_checks();
  }

  SimulationResult conclude(const std::vector<Worker*>& workers,
                            const RoleHost& host,
                            StopReason stopped);

 private:
  static constexpr std::size_t kManyObservations = 1 << 8;

  /// The run pauses when one of them has been reached; time: when all up to then has happened.
  struct Goal {
    std::optional<std::uint64_t> rounds, events;
    std::optional<Time> time;
  };
  Goal goal_of(const Intervention& asked, std::uint64_t events, Time now) const;
  bool reached(const Goal& goal, std::uint64_t events, Time next) const;

  std::uint64_t most_between_checks() const {  // events
    return expensive_ || (watch_ != nullptr && watch_->paces()) ? 1 : 256;
  }

  /// By observers or the user.
  bool anything_wanted() const {
    return progress_ != nullptr &&
           (progress_->interventions.any() || progress_->snapshots.wanted() ||
            progress_->cancel.load(std::memory_order_relaxed));
  }
  /// Whether a reaction or the recorder was interrupted, and so the run.
  bool interrupted(const std::vector<Worker*>& workers) const;
  StopReason interruption() const {
    return progress_ != nullptr && progress_->cancel ? StopReason::cancelled
                                                     : StopReason::wall_time;
  }

  /// `next`: as in between_windows.
  void apply_interventions(const std::vector<Worker*>& workers, std::optional<Time> next);
  /// All observations before `settled` must have been taken.
  void publish(const std::vector<Worker*>& workers, Time settled, std::uint64_t queued);
  StopReason wait(const std::vector<Worker*>& workers, Time next, std::uint64_t queued);
  bool can_pause() const { return watch_ != nullptr && watch_->can_pause(); }

  const SimulationSpec& spec_;
  World& world_;
  Progress* progress_;
  Watch* watch_;
  Recorder recorder_;
  const bool expensive_;  // the objective
  /// The number of events of the first worker with which between_windows must be called again.
  std::uint64_t next_check_ = 0;
  bool recorder_interrupted_ = false;  // objectives may be: after that nothing more is recorded
  std::mutex recorder_mutex_;          // used inside windows only
  Time window_start_;
  bool paused_ = false;
  std::optional<Goal> goal_;
  std::vector<Intervention> interventions_;  // those that took effect
  Time latest_intervention_;
  Time latest_stop_{-1};  // or restart of nodes
};

/// One priority queue: every event in its total order.
SimulationResult run_in_serial_order(
    const SimulationSpec& spec, World& world, RoleHost& host, Progress* progress, Watch* watch);

}  // namespace posse
