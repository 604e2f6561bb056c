// What all kernels share around the events: limits, progress, the end.
#pragma once

#include <string>
#include <vector>

#include "core/sim/recorder.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/world.hpp"

namespace posse {

/// Why a kernel stopped early.
enum class StopReason { none, virtual_time, events, wall_time, cancelled, failure };

/// Called before anything at `time` or later happens (`Time::max()`: nothing will). Paced time
/// sleeps in it; a limit of wall time, which the core can't know, stops the run through it.
using BeforeWindow = std::function<StopReason(Time time)>;

class RunState {
 public:
  RunState(const SimulationSpec& spec, const World& world, Progress* progress)
      : spec_(spec), world_(world), progress_(progress), recorder_(spec.problem) {}

  /// Between windows: takes observations, publishes progress; says whether to stop before the
  /// events at `next`.
  StopReason between_windows(const std::vector<Worker*>& workers, Time next);

  SimulationResult conclude(World& world,
                            const std::vector<Worker*>& workers,
                            const RoleHost& host,
                            StopReason stopped);

 private:
  const SimulationSpec& spec_;
  const World& world_;
  Progress* progress_;
  Recorder recorder_;
};

/// One priority queue: every event in its total order.
SimulationResult run_in_serial_order(const SimulationSpec& spec,
                                     World& world,
                                     RoleHost& host,
                                     Progress* progress,
                                     const BeforeWindow& before_window);

}  // namespace posse
