// SPDX-License-Identifier: Apache-2.0
#include "program/live/live_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "program/base/version.hpp"
#include "program/compare/study_report.hpp"
#include "program/results/run_json.hpp"
#include "program/scenario/faulty_nodes.hpp"

namespace posse {
namespace {

/// Pairs of nodes whose links are cut and not restored, and the groups of the cut.
void put_cut_links(const RunView& run, std::size_t nodes, Json& json) {
  std::vector<const Intervention*> cuts;
  for (const auto& done : run.snapshot->interventions) {
    if (done.action == Intervention::Action::cut) cuts.push_back(&done);
    if (done.action == Intervention::Action::restore)
      std::erase_if(cuts, [&](const Intervention* cut) { return cut->groups == done.groups; });
  }
  const auto holds = [&](const std::vector<FaultyNodes>& group, std::size_t node) {
    return std::any_of(group.begin(), group.end(), [&](const FaultyNodes& nodes_of) {
      const auto range = run.start->names.select(nodes_of.of);
      return range.first <= node && node < range.last;
    });
  };
  const auto parted = [&](const auto& groups, std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = 0; j < groups.size(); ++j)
        if (i != j && holds(groups[i], a) && holds(groups[j], b)) return true;
    return false;
  };
  for (const auto* cut : cuts)
    for (std::size_t a = 0; a < nodes; ++a)
      for (std::size_t b = a + 1; b < nodes; ++b) {
        if (!parted(cut->groups, a, b)) continue;
        json["cut_links"].push_back({a, b});
        json["cut_groups"].push_back(texts_of(cut->groups));
      }
}

/// The nodes that observers have stopped and not restarted: how, and the group.
void put_stopped_nodes(const RunView& run, Json& json) {
  std::vector<const Intervention*> stops;
  for (const auto& done : run.snapshot->interventions) {
    if (!done.is_of_nodes()) continue;
    if (done.undoes())
      std::erase_if(stops, [&](const Intervention* stop) { return stop->groups == done.groups; });
    else
      stops.push_back(&done);
  }
  for (const auto* stop : stops)
    for (const auto& stopped : stop->groups.front()) {
      const auto range = run.start->names.select(stopped.of);
      for (auto node = range.first; node < std::min(range.last, kMostNodesWithLinks); ++node)
        json["stopped_nodes"].push_back({{"node", node},
                                         {"action", to_string(stop->action)},
                                         {"groups", texts_of(stop->groups)}});
    }
}

/// Calls `use` with what a run's tables and diagram are made from, at its end or on its way.
void use_parts(const RunView& run,
               const LiveHistory& history,
               const std::function<void(const RunParts&)>& use) {
  const auto name_of = [&run](NodeId node) {
    return run.start != nullptr && node.value < run.start->names.size()
               ? run.start->names.name(node)
               : fmt::format("node-{}", node.value);
  };
  const auto rounds = history.rounds();
  const auto regret = history.regret();
  const SimulationResult* result = run.record != nullptr ? &run.record->result : nullptr;
  use({run.outcome(),
       result != nullptr ? std::span(result->outcome.rounds) : std::span(rounds),
       result != nullptr ? std::span(result->regret_curve) : std::span(regret),
       result != nullptr ? std::span(result->arm_curves) : std::span<const ArmPoint>(),
       run.snapshot->messages,
       name_of});
}

/// Only for its warnings: without numbers.
Study study_of_ended(const Scenario& scenario, const ScenarioView& view) {
  Study study;
  study.settings = {""};
  for (const auto& entry : scenario.algorithms) study.algorithms.push_back(entry.label);
  for (const auto& run : view.runs)
    if (run->figures != nullptr && run->figures->finished())
      study.add(0, run->algorithm, {run->id, true, {}, {}, run->figures->warnings});
  return study;
}

/// When all runs have ended: finished, or the status of the first that did not finish.
std::string overall_status(const ScenarioView& view) {
  bool paused = false, going_on = false;
  std::string end = "finished";
  for (const auto& run : view.runs) {
    paused = paused || run->state == RunState::paused;
    going_on = going_on || run->state == RunState::running || run->state == RunState::waiting;
    if (run->figures != nullptr && end == "finished") end = status_of(*run->figures);
  }
  return paused ? "paused" : going_on ? "running" : end;
}

}  // namespace

Json live_base(const Scenario& scenario) {
  const auto toml = to_toml(scenario);
  Json base = document_head(scenario_facts(toml, scenario.file), toml, algorithm_facts(scenario));
  base["source"] = "live";
  base["name"] = scenario.name;
  base["title"] = scenario.name;
  base["seed"] = scenario.seed;
  base["repeat"] = scenario.repeat;
  return base;
}

Json live_head(Json base, const ScenarioView& view) {
  const Scenario& scenario = *view.scenario;
  Json head = std::move(base);
  head["status"] = overall_status(view);
  const bool in_wall_time = std::any_of(view.runs.begin(), view.runs.end(), [](const auto& run) {
    return run->start != nullptr && run->start->in_wall_time;
  });
  head["metadata"] = {
      {"version", version()}, {"commit", commit()}, {"clock", in_wall_time ? "wall" : "virtual"}};
  head["warnings"] = warnings_of_runs(study_of_ended(scenario, view));
  for (const auto& run : view.runs) {
    for (const auto& done : run->snapshot->interventions)
      head["interventions"].push_back(intervention_json(run->id, done));
    if (run->figures == nullptr) continue;
    auto& algorithm = head["algorithms"][run->algorithm];
    auto& count = algorithm[run->figures->finished() ? "finished" : "not_finished"];
    count = count.get<int>() + 1;
  }
  head["runs_left_out"] =
      view.runs.size() - std::min<std::size_t>(view.runs.size(), kMostRunsInDocument);
  return head;
}

Json live_run(const Scenario& scenario, const RunView& run, const LiveHistory& history) {
  const Json entry = run_json(scenario, run);
  Json json = document_run(run.id, run.algorithm, to_string(run.state), {{}, "", entry});
  if (run.state != RunState::over) json["status"] = "";
  json["now_virtual_s"] = run.now().to_seconds();
  if (const double expected = expected_evaluations(scenario, scenario.algorithms[run.algorithm]);
      expected > 0)
    json["evaluations_expected"] = expected;
  json["queued_events"] = run.snapshot->queued_events;
  json["wall_s"] = run.wall_s;
  json["pace"] = run.snapshot->pace;
  if (run.start != nullptr) {
    put_cut_links(run, json["nodes"].size(), json);
    put_stopped_nodes(run, json);
  }
  DocumentTables tables({{}, "", entry});
  use_parts(run, history, [&](const RunParts& parts) {
    tables.add(parts);
    tables.put_into(json);
    if (run.start == nullptr) return;
    put_sequence({run.start->names.size(),
                  parts.name_of,
                  scenario.network.transport,
                  {},
                  parts.messages,
                  parts.rounds,
                  parts.regret,
                  {},
                  {}},
                 json);
  });
  return json;
}

LiveCharts::LiveCharts(const Scenario& scenario)
    : scenario_(scenario),
      data_(run_data(scenario_facts(to_toml(scenario), scenario.file),
                     scenario.name,
                     algorithm_facts(scenario))) {}

void LiveCharts::update(std::size_t index, const RunView& run, const LiveHistory& history) {
  if (ended_.size() <= index) ended_.resize(index + 1);
  if (ended_[index] || run.state == RunState::waiting) return;
  std::erase_if(data_.algorithms[run.algorithm].unfinished,
                [&](const RepetitionData& one) { return one.repetition == run.repetition; });
  const Json entry = run_json(scenario_, run);
  auto repetition = read_repetition({{}, "", entry});
  if (run.record != nullptr) {
    ended_[index] = true;
    repetition.faults = fault_times(scenario_, *run.record);
  } else {
    repetition.status = to_string(run.state);
  }
  use_parts(run, history, [&](const RunParts& parts) {
    add_run(data_, run.algorithm, std::move(repetition), parts);
  });
}

}  // namespace posse
