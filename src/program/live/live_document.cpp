// SPDX-License-Identifier: Apache-2.0
#include "program/live/live_document.hpp"

#include <algorithm>

#include "core/role/hierarchy.hpp"
#include "program/base/version.hpp"
#include "program/study/study_report.hpp"

namespace posse {
namespace {

struct CurveColumns {
  Columns columns{"evaluations", "rounds", "bytes", "virtual_s", "value"};
};

Json curves_of(const std::vector<LiveSample>& samples) {
  std::map<std::string, CurveColumns> curves;
  for (const auto& s : samples) {
    const auto add = [&](const char* metric, std::optional<double> value) {
      if (value)
        curves[metric].columns.add(
            {s.evaluations, s.rounds, s.bytes, s.virtual_s, finite_or_null(*value)});
    };
    add("cumulative_regret", s.regret.cumulative);
    add("local_cumulative_regret", s.regret.local_cumulative);
    add("simple_regret", s.regret.simple);
    add("local_simple_regret", s.regret.local_simple);
  }
  Json json = Json::object();
  for (auto& [metric, curve] : curves) json[metric] = std::move(curve.columns).json();
  return json;
}

Json curves_of(const std::vector<RegretPoint>& points) {
  std::map<std::string_view, CurveColumns> curves;
  for (const auto& p : points)
    curves[p.metric].columns.add(
        {p.evaluations, p.rounds, p.bytes, p.virtual_s, finite_or_null(p.value)});
  Json json = Json::object();
  for (auto& [metric, curve] : curves) json[std::string(metric)] = std::move(curve.columns).json();
  return json;
}

Json arm_curves_of(const SimulationResult& result) {
  std::map<std::uint32_t, Columns> curves;
  for (const auto& p : result.arm_curves) {
    if (curves.size() >= kMostArmCurves && !curves.contains(p.arm)) continue;
    auto& columns =
        curves
            .try_emplace(p.arm,
                         Columns{"pulls", "total_pulls", "virtual_s", "value", "best", "bound"})
            .first->second;
    columns.add({p.pulls,
                 p.total_pulls,
                 p.virtual_s,
                 finite_or_null(p.value),
                 finite_or_null(p.best),
                 finite_or_null(p.bound)});
  }
  Json json = Json::object();
  for (auto& [arm, columns] : curves)
    json[result.outcome.arms.arms[arm].name] = std::move(columns).json();
  return json;
}

/// Names by id; empty above kMostNodesWithLinks nodes.
Json nodes_of(const NodeNames& names) {
  Json nodes = Json::array();
  if (names.size() <= kMostNodesWithLinks)
    for (std::uint32_t i = 0; i < names.size(); ++i) nodes.push_back(names.name({i}));
  return nodes;
}

/// By node, the one above it in a hierarchy; else empty.
Json nodes_above(const RunStart& start, std::size_t nodes) {
  Json above = Json::array();
  const std::uint32_t edges = edges_of(start.topology, start.names.groups());
  if (edges == 0 || nodes == 0) return above;
  const Hierarchy hierarchy{static_cast<std::uint32_t>(nodes) - 1 - edges, edges};
  above.push_back(nullptr);
  for (std::uint32_t i = 1; i < nodes; ++i) above.push_back(hierarchy.above({i}).value);
  return above;
}

/// Pairs of nodes whose links are cut and not restored, and the groups of the cut.
void put_cut_links(const RunView& run, std::size_t nodes, Json& json) {
  std::vector<const Intervention*> cuts;
  for (const auto& done : run.snapshot->interventions) {
    if (done.action == Intervention::Action::cut) cuts.push_back(&done);
    if (done.action == Intervention::Action::restore)
      std::erase_if(cuts, [&](const Intervention* cut) { return cut->groups == done.groups; });
  }
  const auto holds = [&](const std::vector<NodeSelector>& group, std::size_t node) {
    return std::any_of(group.begin(), group.end(), [&](const NodeSelector& selector) {
      const auto range = run.start->names.select(selector);
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
        json["cut_groups"].push_back(cut->groups);
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
    for (const auto& selector : stop->groups.front()) {
      const auto range = run.start->names.select(selector);
      for (auto node = range.first; node < std::min(range.last, kMostNodesWithLinks); ++node)
        json["stopped_nodes"].push_back(
            {{"node", node}, {"action", to_string(stop->action)}, {"groups", stop->groups}});
    }
}

/// Only for its warnings: without numbers.
Study study_of_ended(const Scenario& scenario, const ScenarioView& view) {
  Study study;
  study.settings = {""};
  for (const auto& entry : scenario.algorithms) study.algorithms.push_back(entry.label);
  for (const auto& run : view.runs)
    if (run->figures != nullptr && run->figures->finished())
      study.cells[{0, run->algorithm}].add(run->id, Finals{}, {}, run->figures->warnings);
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

Json live_head(const ScenarioView& view) {
  const Scenario& scenario = *view.scenario;
  Json head = empty_document();
  head["source"] = "live";
  head["name"] = scenario.name;
  head["title"] = scenario.name;
  head["seed"] = scenario.seed;
  head["repeat"] = scenario.repeat;
  head["status"] = overall_status(view);
  if (scenario.problem) {
    head["objective"] = scenario.problem->objective.kind;
    head["heterogeneity"] = scenario.problem->heterogeneity.kind;
    head["noise"] = scenario.problem->noise.kind;
    head["budget"] = scenario.problem->budget;
  }
  if (scenario.arms) head["budget"] = scenario.arms->budget;
  const bool in_wall_time = std::any_of(view.runs.begin(), view.runs.end(), [](const auto& run) {
    return run->start != nullptr && run->start->in_wall_time;
  });
  head["metadata"] = {
      {"version", version()}, {"commit", commit()}, {"clock", in_wall_time ? "wall" : "virtual"}};
  head["scenario_toml"] = to_toml(scenario);
  for (const auto& entry : scenario.algorithms)
    head["algorithms"].push_back({{"label", entry.label},
                                  {"kind", entry.spec->kind},
                                  {"clients", entry.clients},
                                  {"finished", 0},
                                  {"not_finished", 0},
                                  {"measurements", Json::array()},
                                  {"totals", Json::array()}});
  std::vector<const AlgorithmSpec*> specs;
  for (const auto& entry : scenario.algorithms) specs.push_back(entry.spec);
  head["message_types"] = message_types(specs);
  head["warnings"] = warnings_of_runs(study_of_ended(scenario, view));
  for (const auto& run : view.runs) {
    for (const auto& done : run->snapshot->interventions)
      head["interventions"].push_back({{"action", to_string(done.action)},
                                       {"run", run->id},
                                       {"virtual_s", done.at.to_seconds()},
                                       {"groups", done.groups}});
    if (run->figures == nullptr) continue;
    auto& algorithm = head["algorithms"][run->algorithm];
    auto& count = algorithm[run->figures->finished() ? "finished" : "not_finished"];
    count = count.get<int>() + 1;
  }
  head["runs_left_out"] =
      view.runs.size() - std::min<std::size_t>(view.runs.size(), kMostRunsInDocument);
  head.erase("runs");
  return head;
}

Json live_run(const Scenario& scenario, const RunView& run, const LiveHistory& history) {
  const RunSnapshot& snapshot = *run.snapshot;
  const RunOutcome& outcome = run.outcome();
  Json json = empty_run(run.id, run.algorithm, run.repetition);
  json["state"] = to_string(run.state);
  json["now_virtual_s"] = run.now().to_seconds();
  json["evaluations"] = outcome.regret.evaluations;
  const double expected = expected_evaluations(scenario, scenario.algorithms[run.algorithm]);
  if (expected > 0) json["evaluations_expected"] = expected;
  json["rounds"] = outcome.complete_rounds;
  json["events"] = outcome.events;
  json["tied_rounds"] = outcome.tied_rounds;
  json["queued_events"] = snapshot.queued_events;
  json["wall_s"] = run.wall_s;
  if (run.record != nullptr)
    json["measurements"] =
        measurements_json(run.record->measurements, worst_case(scenario, outcome));
  json["plane"] = plane_json(run.start != nullptr ? run.start->plane : std::nullopt);
  json["forecast"] = forecast_json(run.start != nullptr ? run.start->forecast : Forecast{});
  if (outcome.regret.evaluations > 0) json["regret"] = regret_json(outcome.regret);
  json["ledger"] = ledger_json(outcome.accounts);
  json["phases"] = phases_json(outcome.phases);
  const NodeNames* names = run.start != nullptr ? &run.start->names : nullptr;
  json["critical_paths"] =
      critical_paths_json(outcome.paths, [&](NodeId node) { return node_name(node, names); });
  if (names != nullptr) {
    json["nodes"] = nodes_of(*names);
    const std::size_t nodes = json["nodes"].size();
    if (has_hub(run.start->topology) && nodes > 0) json["hub"] = 0;
    json["above"] = nodes_above(*run.start, nodes);
    put_cut_links(run, nodes, json);
    put_stopped_nodes(run, json);
  }
  json["links"] = links_json(outcome.links);
  if (!outcome.arms.arms.empty()) put_arms(json, arms_json(outcome.arms));
  json["cells"] = cells_json(outcome.cells);
  json["children_per_cell"] = outcome.children_per_cell;
  put_messages(json, snapshot.messages, names);
  if (run.record != nullptr) {
    const SimulationResult& result = run.record->result;
    json["status"] = status_of(*run.record);
    json["report"] = outcome.report;
    json["curves"] = curves_of(result.regret_curve);
    json["arm_curves"] = arm_curves_of(result);
    json["rounds_table"] = rounds_json(outcome.rounds, names);
  } else {
    json["curves"] = curves_of(history.samples());
    json["rounds_table"] = rounds_json(history.rounds(), names);
  }
  null_non_finite(json);
  return json;
}

}  // namespace posse
