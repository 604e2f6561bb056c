// SPDX-License-Identifier: Apache-2.0
#include "program/run/run_view.hpp"

#include <fmt/format.h>

namespace posse {

const RunOutcome& RunView::outcome() const {
  return record != nullptr ? record->result.outcome : snapshot->outcome;
}

RunStatus RunView::status() const {
  return figures != nullptr ? figures->status : outcome().status;
}

Time RunView::now() const {
  if (record == nullptr) return snapshot->now;
  return outcome().status == RunStatus::finished ? outcome().finished_at : outcome().last_event;
}

RunView waiting_view(const Scenario& scenario, RunNumber run) {
  static const auto nothing = std::make_shared<const RunSnapshot>();
  RunView view;
  view.id = run_id(scenario, run.algorithm, run.repetition);
  view.algorithm = run.algorithm;
  view.repetition = run.repetition;
  view.snapshot = nothing;
  return view;
}

RunView view_of_record(const Scenario& scenario, const RunRecord& record) {
  RunView view = waiting_view(scenario, {record.algorithm, record.repetition});
  if (!record.started) return view;
  view.state = RunState::over;
  view.wall_s = record.wall_s;
  view.start = &record.start;
  view.record = &record;
  return view;
}

std::string run_id(const Scenario& scenario, std::size_t algorithm, std::uint32_t repetition) {
  return fmt::format("{}/{}/{}", scenario.name, scenario.algorithms[algorithm].label, repetition);
}

}  // namespace posse
