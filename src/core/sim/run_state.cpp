#include "core/sim/run_state.hpp"

#include <fmt/format.h>

namespace posse {

StopReason RunState::between_windows(const std::vector<Worker*>& workers,
                                     std::optional<Time> next) {
  std::uint64_t events = 0, evaluations = 0;
  std::uint32_t finished = 0;
  bool failed = false;
  for (auto* worker : workers) {
    if (!worker->observations.empty()) recorder_.take(worker->observations);
    events += worker->events;
    evaluations += worker->evaluations;
    finished += worker->finished;
    failed = failed || worker->failure.has_value();
  }
  if (progress_ != nullptr) {
    progress_->events.store(events, std::memory_order_relaxed);
    progress_->evaluations.store(evaluations, std::memory_order_relaxed);
    progress_->rounds.store(recorder_.rounds_ended(), std::memory_order_relaxed);
    if (next) progress_->virtual_ns.store(next->ns, std::memory_order_relaxed);
    if (progress_->cancel.load(std::memory_order_relaxed)) return StopReason::cancelled;
  }
  if (failed) return StopReason::failure;
  if (!next) return StopReason::none;
  if (*next > spec_.limits.virtual_time) return StopReason::virtual_time;
  if (events >= spec_.limits.events) return StopReason::events;
  if (watch_ == nullptr) return StopReason::none;
  // When all have finished, what is left is housekeeping that nobody wants to watch.
  return finished == world_.nodes() ? watch_->glance() : watch_->wait_until(*next);
}

StopReason RunState::inside_window(const Worker& worker) const {
  if (progress_ != nullptr && progress_->cancel.load(std::memory_order_relaxed))
    return StopReason::cancelled;
  if (worker.events >= spec_.limits.events) return StopReason::events;
  return watch_ != nullptr ? watch_->glance() : StopReason::none;
}

SimulationResult RunState::conclude(World& world,
                                    const std::vector<Worker*>& workers,
                                    const RoleHost& host,
                                    StopReason stopped) {
  SimulationResult result;
  for (auto* worker : workers) recorder_.take(worker->observations);
  recorder_.conclude(result);

  std::uint32_t finished = 0;
  for (const auto* worker : workers) finished += worker->finished;
  std::string waiting;
  if (stopped != StopReason::failure) waiting = world.stall_report(workers, host);

  auto status = RunStatus::limit_reached;
  std::string report;
  if (stopped == StopReason::failure) {
    status = RunStatus::failed;
  } else if (finished == world.nodes() ||
             (stopped == StopReason::none && finished > 0 && waiting.empty())) {
    status = RunStatus::finished;
  } else if (stopped == StopReason::none) {
    status = RunStatus::stalled;
    report =
        "nothing is under way any more, but the run isn't finished:\n" +
        (waiting.empty() ? "  no node says that it has finished, or for what it waits\n" : waiting);
  } else {
    const auto& limits = spec_.limits;
    switch (stopped) {
      case StopReason::virtual_time:
        report = fmt::format("the limit of {} s of virtual time was reached:\n",
                             limits.virtual_time.to_seconds());
        break;
      case StopReason::events:
        report = fmt::format("the limit of {} events was reached:\n", limits.events);
        break;
      case StopReason::wall_time:
        report = fmt::format("the limit of {} s of wall time was reached:\n", limits.wall_seconds);
        break;
      default:
        report = "the run was stopped from outside:\n";
        break;
    }
    report += waiting;
  }
  world.conclude(workers, status, std::move(report), result);
  return result;
}

}  // namespace posse
