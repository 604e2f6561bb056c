// What all kernels share around the events: limits, progress, the end.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/recorder.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// Why a kernel stopped early.
enum class StopReason { none, virtual_time, events, wall_time, cancelled, failure };

/// The world outside, which the core knows nothing of: paced time, wall time.
class Watch {
 public:
  virtual ~Watch() = default;
  struct Waited {
    StopReason stop = StopReason::none;
    bool due = false;
  };
  /// Called by one thread, again and again, before anything at `time` or later happens. May sleep
  /// for a few hundredths of a second, so that who looks on is answered; nothing is due while the
  /// run is paused.
  virtual Waited wait(Time time, bool paused) = 0;
  /// Whether virtual time is held back even while the run isn't paused.
  virtual bool paces() const { return true; }
  /// Called by any worker now and then inside a long window; never sleeps.
  virtual StopReason glance() = 0;
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
                  spec.arms,
                  spec.protocol->partition()) {}

  /// Between windows: takes observations, publishes progress, obeys interventions, waits for paced
  /// time; says whether to stop before the events at `next` (nothing: there are none). `queued`
  /// events wait for their time.
  StopReason between_windows(const std::vector<Worker*>& workers,
                             std::optional<Time> next,
                             std::uint64_t queued);

  /// Inside a window, every few hundred events of one worker: has it to be cut short? A window
  /// usually is brief, but a node's own timers may fill it without end. Thread-safe. Where a run
  /// is cut by its limits of events or wall time or by a signal is no part of its determinism.
  StopReason inside_window(const Worker& worker) const;
  /// Thread-safe.
  bool somebody_asks() const { return progress_ != nullptr && progress_->snapshots.wanted(); }
  /// Inside a window, while no worker is at work: answers who looks on.
  void answer_inside(const std::vector<Worker*>& workers, std::uint64_t queued);

  /// Takes a worker's observations before they fill the memory: roles that work for long without
  /// hearing of anybody do so in one window. Thread-safe; in any order of the workers.
  void take_if_many(Worker& worker) {
    if (worker.observations.size() < kManyObservations) return;
    const std::lock_guard lock(recorder_mutex_);
    recorder_.take(worker.observations);
  }

  /// After how many events a kernel without windows has to look up.
  std::uint64_t events_between_looks() const {
    const bool asked = progress_ != nullptr && progress_->interventions.any();
    return asked || pause_after_ || (watch_ != nullptr && watch_->paces()) ? 1 : 256;
  }

  SimulationResult conclude(World& world,
                            const std::vector<Worker*>& workers,
                            const RoleHost& host,
                            StopReason stopped);

 private:
  static constexpr std::size_t kManyObservations = 1 << 16;

  void obey(const std::vector<Worker*>& workers);
  /// Whatever was observed before `settled` is known.
  void publish(const std::vector<Worker*>& workers, Time settled, std::uint64_t queued);
  StopReason wait(const std::vector<Worker*>& workers, Time next, std::uint64_t queued);

  const SimulationSpec& spec_;
  World& world_;
  Progress* progress_;
  Watch* watch_;
  Recorder recorder_;
  std::mutex recorder_mutex_;  // inside windows only
  Time window_start_;
  bool paused_ = false;
  std::optional<std::uint32_t> pause_after_;  // this round has ended
  std::vector<Intervention> interventions_;   // obeyed
};

/// One priority queue: every event in its total order.
SimulationResult run_in_serial_order(
    const SimulationSpec& spec, World& world, RoleHost& host, Progress* progress, Watch* watch);

}  // namespace posse
