// SPDX-License-Identifier: Apache-2.0
#include "program/live/spectator.hpp"

#include <algorithm>

namespace posse {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kShortestInterval{50};

}  // namespace

Spectator::Spectator(const Scenario& scenario, const RunOptions& options, RunMonitor& monitor)
    : scenario_(scenario), monitor_(monitor), interval_(kShortestInterval) {
  for (std::size_t i = 0; i < monitor.slots.size(); ++i)
    views_.push_back(
        std::make_shared<RunView>(waiting_view(scenario, run_at(scenario, options, i))));
  for (const auto& entry : scenario.algorithms)
    interval_ = std::max(interval_, std::chrono::microseconds(entry.clients));
}

std::shared_ptr<const RunView> Spectator::view_of(std::size_t run) {
  const auto& slot = monitor_.slots[run];
  auto& settled = views_[run];
  if (settled->state == RunState::over) return settled;
  const bool running = slot.running,
             done = slot.done;  // read in this order: a run sets them in the reverse order
  if (!running && !done) return settled;
  auto view = std::make_shared<RunView>(*settled);
  // The snapshot first: a run publishes its last one after its figures.
  if (auto snapshot = slot.progress.snapshots.latest()) view->snapshot = std::move(snapshot);
  view->start = slot.start;
  view->figures = slot.figures;
  view->record = slot.record;
  if (view->figures != nullptr) {
    view->state = RunState::over;
    view->wall_s = view->figures->wall_s;
  } else {
    view->state = view->snapshot->paused ? RunState::paused : RunState::running;
    if (view->start != nullptr)
      view->wall_s = std::chrono::duration<double>(Clock::now() - view->start->began).count();
  }
  if (done) settled = view;
  return view;
}

ScenarioView Spectator::view_now() {
  const std::lock_guard lock(views_mutex_);
  ScenarioView view{&scenario_, {}};
  view.runs.reserve(views_.size());
  for (std::size_t i = 0; i < views_.size(); ++i) view.runs.push_back(view_of(i));
  return view;
}

ScenarioView Spectator::look(std::chrono::milliseconds patience) {
  const auto start = Clock::now();
  const std::unique_lock lock(mutex_, patience);
  // Another request is in progress, or has just been answered.
  if (!lock.owns_lock() || start - looked_ < interval_) return view_now();
  for (auto& slot : monitor_.slots)
    if (slot.running) slot.progress.snapshots.ask();
  for (const auto& slot : monitor_.slots)
    if (slot.running) slot.progress.snapshots.wait_until(start + patience);
  looked_ = Clock::now();
  return view_now();
}

InterventionQueue* Spectator::interventions(std::size_t run) {
  auto& slot = monitor_.slots[run];
  return slot.done ? nullptr : &slot.progress.interventions;
}

}  // namespace posse
