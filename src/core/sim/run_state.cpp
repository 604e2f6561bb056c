#include "core/sim/run_state.hpp"

#include <fmt/format.h>

namespace posse {

StopReason RunState::between_windows(const std::vector<Worker*>& workers, Time next) {
  std::uint64_t events = 0, evaluations = 0;
  bool failed = false;
  for (auto* worker : workers) {
    if (!worker->observations.empty()) recorder_.take(worker->observations);
    events += worker->events;
    evaluations += worker->evaluations;
    failed = failed || worker->failure.has_value();
  }
  if (progress_ != nullptr) {
    progress_->events.store(events, std::memory_order_relaxed);
    progress_->evaluations.store(evaluations, std::memory_order_relaxed);
    progress_->rounds.store(recorder_.rounds_ended(), std::memory_order_relaxed);
    if (next != Time::max()) progress_->virtual_ns.store(next.ns, std::memory_order_relaxed);
    if (progress_->cancel.load(std::memory_order_relaxed)) return StopReason::cancelled;
  }
  if (failed) return StopReason::failure;
  if (next == Time::max()) return StopReason::none;
  if (next > spec_.limits.virtual_time) return StopReason::virtual_time;
  if (events >= spec_.limits.events) return StopReason::events;
  return StopReason::none;
}

SimulationResult RunState::conclude(World& world,
                                    const std::vector<Worker*>& workers,
                                    const RoleHost& host,
                                    StopReason stopped) {
  SimulationResult result;
  for (auto* worker : workers) recorder_.take(worker->observations);
  recorder_.conclude(result);

  auto status = RunStatus::finished;
  std::string report;
  std::string waiting;
  if (stopped != StopReason::failure) waiting = world.stall_report(workers, host);
  switch (stopped) {
    case StopReason::none:
      if (!waiting.empty()) {
        status = RunStatus::stalled;
        report = "nothing is under way any more, but the run isn't finished:\n" + waiting;
      }
      break;
    case StopReason::failure:
      status = RunStatus::failed;
      break;
    case StopReason::virtual_time:
      status = RunStatus::limit_reached;
      report = fmt::format("the limit of {} s of virtual time was reached:\n{}",
                           spec_.limits.virtual_time.to_seconds(),
                           waiting);
      break;
    case StopReason::events:
      status = RunStatus::limit_reached;
      report = fmt::format("the limit of {} events was reached:\n{}", spec_.limits.events, waiting);
      break;
    case StopReason::wall_time:
      status = RunStatus::limit_reached;
      report = fmt::format(
          "the limit of {} s of wall time was reached:\n{}", spec_.limits.wall_seconds, waiting);
      break;
    case StopReason::cancelled:
      status = RunStatus::limit_reached;
      report = "the run was stopped from outside:\n" + waiting;
      break;
  }
  world.conclude(workers, status, std::move(report), result);
  return result;
}

}  // namespace posse
