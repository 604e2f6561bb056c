// SPDX-License-Identifier: Apache-2.0
#include "core/sim/run_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/interruption.hpp"
#include "core/sim/conclusion.hpp"
#include "core/sim/stall_report.hpp"

namespace posse {
namespace {

/// The first point in virtual time at which nothing has happened yet.
Time first_free_time(const std::vector<Worker*>& workers) {
  Time last{-1};
  for (const auto* worker : workers)
    if (worker->events > 0) last = std::max(last, worker->last_event);
  return last + Duration{1};
}

/// Whether an edge of a hierarchy waits: what it would have handed on is missing below it.
bool edge_waits(const SimulationSpec& spec, const RoleHost& host) {
  const Topology topology = topology_of(*spec.algorithm, *spec.protocol);
  const std::uint32_t edges = edges_of(topology, spec.protocol->groups());
  for (std::uint32_t i = 1; i <= edges; ++i)
    if (host.waiting(NodeId{i})) return true;
  return false;
}

std::uint64_t events_of(const std::vector<Worker*>& workers) {
  std::uint64_t events = 0;
  for (const auto* worker : workers) events += worker->events;
  return events;
}

}  // namespace

RunControl::Goal RunControl::goal_of(const Intervention& asked,
                                     std::uint64_t events,
                                     Time now) const {
  const bool on_top = asked.action == Intervention::Action::step;
  const auto count = static_cast<std::uint64_t>(asked.amount);
  Goal goal;
  switch (asked.unit) {
    case Intervention::Unit::round:
      goal.rounds = count + (on_top ? recorder_.rounds_ended() : 0);
      break;
    case Intervention::Unit::event:
      goal.events = count + (on_top ? events : 0);
      break;
    case Intervention::Unit::second:
      goal.time = (on_top ? now : Time{}) + Duration::seconds(asked.amount);
      break;
  }
  return goal;
}

bool RunControl::reached(const Goal& goal, std::uint64_t events, Time next) const {
  return (goal.rounds && recorder_.rounds_ended() >= *goal.rounds) ||
         (goal.events && events >= *goal.events) || (goal.time && next > *goal.time);
}

void RunControl::apply_interventions(const std::vector<Worker*>& workers,
                                     std::optional<Time> next) {
  if (progress_ == nullptr || !progress_->interventions.any()) return;
  for (auto& asked : progress_->interventions.take()) {
    asked.at = std::max(first_free_time(workers), latest_intervention_);
    switch (asked.action) {
      case Intervention::Action::pause:
        goal_.reset();
        paused_ = can_pause();
        break;
      case Intervention::Action::resume:
        goal_.reset();
        paused_ = false;
        break;
      case Intervention::Action::step:
      case Intervention::Action::until:
        paused_ = false;
        if (can_pause()) goal_ = goal_of(asked, events_of(workers), next.value_or(asked.at));
        break;
      case Intervention::Action::pace:
        if (watch_ != nullptr) watch_->set_pace(asked.amount, next.value_or(asked.at));
        break;
      case Intervention::Action::cut:
      case Intervention::Action::restore:
        world_.intervene(asked, *workers.front()->sink);
        break;
      case Intervention::Action::halt:
      case Intervention::Action::crash:
      case Intervention::Action::forget:
      case Intervention::Action::restart:
        // Nodes stop by events, which must not be in a window that is over.
        if (!next || !spec_.stoppable_nodes) continue;
        asked.at = std::max({asked.at, *next, latest_stop_ + Duration{1}});
        latest_stop_ = asked.at;
        world_.intervene(asked, *workers.front()->sink);
        break;
    }
    latest_intervention_ = asked.at;
    interventions_.push_back(std::move(asked));
  }
  progress_->snapshots.ask();
}

void RunControl::publish(const std::vector<Worker*>& workers, Time settled, std::uint64_t queued) {
  if (!snapshot_wanted()) return;
  auto snapshot = std::make_shared<RunSnapshot>();
  for (auto* worker : workers) recorder_.take(worker->ledger.rounds());
  recorder_.fill(settled, snapshot->outcome);
  fill_snapshot(world_, workers, settled, *snapshot);
  snapshot->queued_events = queued;
  snapshot->paused = paused_;
  snapshot->pace = watch_ != nullptr ? watch_->pace() : 0;
  snapshot->interventions = interventions_;
  progress_->snapshots.publish(std::move(snapshot));
}

StopReason RunControl::wait(const std::vector<Worker*>& workers, Time next, std::uint64_t queued) {
  for (;;) {
    apply_interventions(workers, next);
    if (goal_ && reached(*goal_, events_of(workers), next)) {
      goal_.reset();
      paused_ = true;
    }
    publish(workers, std::min(first_free_time(workers), next), queued);
    if (progress_ != nullptr && progress_->cancel.load(std::memory_order_relaxed))
      return StopReason::cancelled;
    const auto [stop, due] = watch_->wait(next, paused_);
    if (stop != StopReason::none || due) return stop;
  }
}

void RunControl::take(std::vector<ObservationRecord>& observations) {
  try {
    if (!recorder_interrupted_) recorder_.take(observations);
  } catch (const Interrupted&) {
    recorder_interrupted_ = true;
  }
  observations.clear();
}

bool RunControl::interrupted(const std::vector<Worker*>& workers) const {
  return recorder_interrupted_ ||
         std::any_of(workers.begin(), workers.end(), [](const auto* w) { return w->interrupted; });
}

void RunControl::publish_inside_window(const std::vector<Worker*>& workers, std::uint64_t queued) {
  if (!snapshot_wanted()) return;
  for (auto* worker : workers) take(worker->observations());
  publish(workers, window_start_, queued);  // nodes are handled one after the other
}

StopReason RunControl::between_windows(const std::vector<Worker*>& workers,
                                       std::optional<Time> next,
                                       std::uint64_t queued) {
  const std::uint64_t events = events_of(workers);
  std::uint64_t evaluations = 0;
  bool failed = false;
  for (auto* worker : workers) {
    if (!worker->observations().empty()) take(worker->observations());
    if (worker->ledger.rounds().many()) recorder_.take(worker->ledger.rounds());
    evaluations += worker->evaluations;
    failed = failed || worker->failure.has_value();
  }
  next_check_ = std::min(workers.front()->events + most_between_checks(), spec_.limits.events);
  if (next) recorder_.settle(*next);
  if (progress_ != nullptr) {
    progress_->events.store(events, std::memory_order_relaxed);
    progress_->evaluations.store(evaluations, std::memory_order_relaxed);
    progress_->rounds.store(recorder_.rounds_ended(), std::memory_order_relaxed);
    if (next) {
      window_start_ = *next;
      progress_->virtual_ns.store(next->ns, std::memory_order_relaxed);
    }
    if (next && progress_->cancel.load(std::memory_order_relaxed)) return StopReason::cancelled;
    apply_interventions(workers, next);
    // The next event may have the same time as the last one.
    publish(workers, next ? std::min(first_free_time(workers), *next) : Time::max(), queued);
  }
  if (failed) return StopReason::failure;
  if (interrupted(workers)) return interruption();
  if (!next) return StopReason::none;
  if (*next > spec_.limits.virtual_time) return StopReason::virtual_time;
  if (events >= spec_.limits.events) return StopReason::events;
  if (watch_ == nullptr) return StopReason::none;
  if (!paused_ && !goal_ && !watch_->paces()) return watch_->stop_reason();
  return wait(workers, *next, queued);
}

StopReason RunControl::inside_window(const Worker& worker) const {
  if (progress_ != nullptr && progress_->cancel.load(std::memory_order_relaxed))
    return StopReason::cancelled;
  if (worker.interrupted) return interruption();
  if (worker.events >= spec_.limits.events) return StopReason::events;
  return watch_ != nullptr ? watch_->stop_reason() : StopReason::none;
}

SimulationResult RunControl::conclude(const std::vector<Worker*>& workers,
                                      const RoleHost& host,
                                      StopReason stopped) {
  SimulationResult result;
  if (progress_ != nullptr) progress_->ending = true;
  for (auto* worker : workers) {
    take(worker->observations());
    recorder_.take(worker->ledger.rounds());
  }
  try {
    recorder_.conclude(result);
  } catch (const Interrupted&) {
    recorder_interrupted_ = true;
  }
  if (stopped == StopReason::none && interrupted(workers)) stopped = interruption();

  const auto end = world_.ending().end();
  // A run that was stopped may lack events before its end.
  const bool finished = end && *end <= spec_.limits.virtual_time && stopped == StopReason::none;
  if (end && !finished && stopped == StopReason::none) stopped = StopReason::virtual_time;
  std::string waiting;
  if (!finished && stopped != StopReason::failure)
    waiting = stall_report(world_, workers, host, stopped == StopReason::none);

  auto status = RunStatus::limit_reached;
  std::string report;
  if (stopped == StopReason::failure) {
    status = RunStatus::failed;
  } else if (finished || (stopped == StopReason::none && world_.ending().answer_known() &&
                          !edge_waits(spec_, host))) {
    // A leaf that still waits is cut off: the answer is known.
    status = RunStatus::finished;
  } else if (stopped == StopReason::none) {
    status = RunStatus::stalled;
    report = "no event is left, but the run is not finished:\n" + waiting;
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
        status = RunStatus::stopped;
        report = "the run was stopped by the user:\n";
        break;
    }
    report += waiting;
  }
  posse::conclude(world_, workers, status, std::move(report), result);
  if (spec_.record) result.recorded = world_.take_recording(host, result.outcome);
  result.interventions = interventions_;
  if (progress_ != nullptr) {
    auto last = std::make_shared<RunSnapshot>();
    auto& out = result.outcome;
    auto rounds = std::exchange(out.rounds, {});
    last->outcome = out;
    const auto recent = std::min(rounds.size(), kRecentRounds);
    last->outcome.rounds.assign(rounds.end() - static_cast<std::ptrdiff_t>(recent), rounds.end());
    out.rounds = std::move(rounds);
    last->over = true;
    last->now = status == RunStatus::finished ? out.finished_at : out.last_event;
    last->interventions = std::move(interventions_);
    fill_recent_messages(workers, *last);
    progress_->snapshots.publish(std::move(last));
  }
  return result;
}

}  // namespace posse
