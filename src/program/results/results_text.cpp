// SPDX-License-Identifier: Apache-2.0
// The contents of results.json, metadata.json and of the tables.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "program/base/csv.hpp"
#include "program/base/units.hpp"
#include "program/base/version.hpp"
#include "program/results/results.hpp"
#include "program/results/results_json.hpp"
#include "program/results/run_data.hpp"
#include "program/results/study_json.hpp"
#include "program/summary/comparison_csv.hpp"

namespace posse {
namespace {

Json to_json(const RunRecord& run, const Scenario& scenario) {
  const AlgorithmEntry& entry = scenario.algorithms[run.algorithm];
  const RunOutcome& o = run.result.outcome;
  Json json{{"algorithm", entry.label},
            {"kind", entry.spec->kind},
            {"clients", entry.clients},
            {"repetition", run.repetition},
            {"seed", hexadecimal(repetition_seed(scenario.seed, run.repetition).value)},
            {"status", status_of(run)},
            {"report", o.report},
            {"note", run.result.note},
            {"fingerprint", fingerprint_text(o)},
            {"ingredients",
             {{"deliveries", hexadecimal(o.ingredients.deliveries)},
              {"accounts", hexadecimal(o.ingredients.accounts)},
              {"numbers", hexadecimal(o.ingredients.numbers)},
              {"results", hexadecimal(run.results_hash)}}},
            {"virtual_time_s", o.finished_at.to_seconds()},
            {"last_event_virtual_s", o.last_event.to_seconds()},
            {"events", o.events},
            {"deliveries", o.deliveries},
            {"ties", o.ties},
            {"tied_rounds", o.tied_rounds},
            {"early_decisions", o.early_decisions},
            {"warnings", warnings_json(run.warnings)},
            {"lossless", o.lossless},
            {"rounds", o.complete_rounds}};
  json["measurements"] = measurements_json(run.measurements, worst_case(scenario, o));
  json["regret"] = o.regret.evaluations > 0 ? regret_json(o.regret) : Json(nullptr);
  if (!o.arms.arms.empty()) json["arms"] = arms_json(o.arms);
  json["ledger"] = ledger_json(o.accounts);
  json["phases"] = phases_json(o.phases);
  json["critical_paths"] =
      critical_paths_json(o.paths, [&](NodeId node) { return run.result.name_of(node); });
  json["forecast"] = forecast_json(run.start.forecast);
  json["parameters"] = parameters_json(entry.parameters);
  json["plane"] = plane_json(run.start.plane);
  const ComparisonFacts& facts = run.start.facts;
  json["widths"] = facts.widths ? Json(to_string(*facts.widths)) : Json(nullptr);
  json["random_recommendation"] = facts.random_recommendation;
  json["pulls_at_once"] = facts.pulls_at_once;
  return json;
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json thresholds_json(const std::vector<ThresholdVerdict>& verdicts) {
  Json list = Json::array();
  for (const auto& verdict : verdicts)
    list.push_back({{"algorithm", verdict.algorithm},
                    {"metric", verdict.measure},
                    {"condition", verdict.condition},
                    {"measured", verdict.measured ? number_json(*verdict.measured) : Json()},
                    {"limit", verdict.limit ? number_json(*verdict.limit) : Json()},
                    {"verdict", to_string(verdict.state)},
                    {"because", verdict.because}});
  return list;
}

/// The first sentence of the comparison; empty if there is none.
std::string headline_of(const Summary& summary) {
  return summary.study && !summary.study->headline.empty() ? summary.study->headline.front() : "";
}

}  // namespace

std::string overall_status(const ScenarioResult& result) {
  for (const auto& run : result.figures)
    if (!run.finished()) return std::string(status_of(run));
  return "finished";
}

std::string results_json(const Scenario& scenario,
                         const ScenarioResult& result,
                         const Summary& summary) {
  Json json{{"schema", kSchemaVersion},
            {"name", scenario.name},
            {"seed", scenario.seed},
            {"repeat", scenario.repeat},
            {"status", overall_status(result)},
            {"fingerprint", fingerprint_text(result)},
            {"warnings", summary.warnings},
            {"thresholds", thresholds_json(summary.thresholds)}};
  if (scenario.network.ties != Ties{}) json["ties"] = text_of(scenario.network.ties);
  Json algorithms = Json::array();
  for (const auto& s : summary.algorithms)
    algorithms.push_back({{"algorithm", s.label},
                          {"finished", s.finished},
                          {"not_finished", s.others},
                          {"measurements", measurements_json(s.measurements)},
                          {"totals", measurements_json(s.totals)},
                          {"tied_rounds", s.tied_rounds}});
  json["summary"] = std::move(algorithms);
  json["study"] = summary.study ? study_json(*summary.study) : Json(nullptr);
  if (!result.has_all_details())
    json["detailed_repetitions"] = result.detailed_repetitions(scenario);
  // A run at a time: as a tree, a run takes several times the memory of its text.
  std::string text = dumped(json);
  text.resize(text.size() - std::string_view("\n}").size());
  text += ",\n  \"runs\": [";
  for (const auto& run : result.runs) {
    text += &run == &result.runs.front() ? "\n    " : ",\n    ";
    for (const char c : dumped(to_json(run, scenario))) {
      text += c;
      if (c == '\n') text += "    ";
    }
  }
  return text + (result.runs.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

void write_runs_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  out << "algorithm,repetition,seed,status,fingerprint,widths,random_recommendation,"
         "pulls_at_once,warnings";
  for (const auto& quantity : kQuantities) out << ',' << quantity.name;
  out << '\n';
  for (const auto& run : result.figures) {
    out << fmt::format("{},{},{},{},{},{},{:d},{},{}",
                       csv_cell(scenario.algorithms[run.algorithm].label),
                       run.repetition,
                       hexadecimal(repetition_seed(scenario.seed, run.repetition).value),
                       status_of(run),
                       fingerprint_text(run),
                       run.facts.widths ? to_string(*run.facts.widths) : "",
                       run.facts.random_recommendation,
                       run.facts.pulls_at_once,
                       csv_cell(warnings_cell(run.warnings)));
    for (const auto& value : run.finals)
      out << (run.finished() && value ? fmt::format(",{}", *value) : ",");
    out << '\n';
  }
}

std::string metadata_json(const Scenario& scenario,
                          const ScenarioResult& result,
                          const Summary& summary,
                          const RunMetadata& metadata) {
  Json wall = Json::array();
  for (const auto& run : result.figures) wall.push_back(run.wall_s);
  Json foreign = nullptr;  // whether results depend on the processor, and on which
  if (const auto names = foreign_mathematics(scenario); !names.empty())
    foreign = {{"by", names}, {"machine", machine_mathematics()}};
  const Json json{{"name", scenario.name},
                  {"label", scenario.label},
                  {"scenario", scenario.file},
                  {"seed", scenario.seed},
                  {"fingerprint", fingerprint_text(result)},
                  {"status", overall_status(result)},
                  {"headline", headline_of(summary)},
                  {"warnings", summary.warnings},
                  {"exit_code", to_int(metadata.exit_code)},
                  {"version", version()},
                  {"results_version", kResultsVersion},
                  {"commit", commit()},
                  {"compiler", compiler()},
                  {"libraries", libraries()},
                  {"foreign_mathematics", std::move(foreign)},
                  {"command_line", metadata.command_line},
                  {"start", metadata.started},
                  {"end", metadata.ended},
                  {"wall_s", metadata.wall_s},
                  {"run_wall_s", wall},
                  {"threads", metadata.threads},
                  {"kernel", metadata.kernel},
                  {"clock", metadata.clock}};
  return dumped(json) + "\n";
}

std::string rounds_text(const Scenario& scenario, const ScenarioResult& result) {
  std::string out;
  for (const auto& run : result.runs)
    for (const auto& r : run.result.outcome.rounds) {
      out += fmt::format("{}, repetition {}, round {}: {} to {}",
                         scenario.algorithms[run.algorithm].label,
                         run.repetition,
                         r.round.value,
                         pretty_seconds(r.began.to_seconds()),
                         pretty_seconds(r.ended.to_seconds()));
      if (r.expected > 0) out += fmt::format("; {} of {} answers", r.arrived, r.expected);
      for (std::size_t i = 0; i < r.late.size(); ++i)
        out += fmt::format("{}{}", i == 0 ? ", late: " : " ", run.result.name_of(r.late[i]));
      out +=
          fmt::format("; {} messages, {}", r.messages, pretty_bytes(static_cast<double>(r.bytes)));
      if (r.path) {
        bool first = true;
        for (const auto& part : kCriticalPathParts) {
          const Duration time = (*r.path).*part.time;
          if (time.ns == 0) continue;
          out += fmt::format("{}{} {}",
                             std::exchange(first, false) ? "; " : ", ",
                             part.name,
                             pretty_seconds(time.to_seconds()));
        }
        if (r.path->waited_for)
          out += fmt::format("; waited for {}", run.result.name_of(*r.path->waited_for));
      }
      out += '\n';
    }
  return out;
}

void write_rounds_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  out << "algorithm,repetition,round,began_virtual_s,ended_virtual_s,best_depth,best_index,"
         "active_cells,pulls_per_cell,kept_cells,evaluations_per_client,arrived,expected,late,"
         "messages,bytes,values,bytes_so_far,values_so_far,stale,needless,sum_compute_virtual_s,"
         "sum_queueing_virtual_s,sum_transfer_virtual_s,sum_propagation_virtual_s,"
         "sum_waiting_virtual_s,waited_for";
  for (const auto& part : kCriticalPathParts) out << fmt::format(",path_{}_virtual_s", part.name);
  out << '\n';
  for (const auto& run : result.runs) {
    for (const auto& r : run.result.outcome.rounds) {
      std::string late;
      for (const auto node : r.late) late += (late.empty() ? "" : " ") + run.result.name_of(node);
      out << fmt::format(
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
          csv_cell(scenario.algorithms[run.algorithm].label),
          run.repetition,
          r.round.value,
          r.began.to_seconds(),
          r.ended.to_seconds(),
          r.best ? fmt::format("{}", r.best->depth) : "",
          r.best ? fmt::format("{}", r.best->index) : "",
          r.active_cells,
          r.pulls_per_cell,
          r.kept_cells,
          r.steps,
          r.arrived,
          r.expected,
          csv_cell(late),
          r.messages,
          r.bytes,
          r.values,
          r.bytes_so_far,
          r.values_so_far,
          r.stale,
          r.needless,
          r.compute.to_seconds(),
          r.queueing.to_seconds(),
          r.transfer.to_seconds(),
          r.propagation.to_seconds(),
          r.waiting.to_seconds(),
          r.path && r.path->waited_for ? csv_cell(run.result.name_of(*r.path->waited_for)) : "");
      for (const auto& part : kCriticalPathParts)
        out << (r.path ? fmt::format(",{}", ((*r.path).*part.time).to_seconds()) : ",");
      out << '\n';
    }
  }
}

std::string comparison_csv(const Scenario& scenario, const Summary& summary) {
  std::vector<std::string> labels;
  for (const auto& entry : scenario.algorithms) labels.push_back(entry.label);
  return comparison_csv(summary.comparisons, labels);
}

void write_arms_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  out << "algorithm,repetition,arm,pulls,total_pulls,virtual_s,value,best,bound,confidence_bound"
         "\n";
  for (const auto& run : result.runs)
    for (const auto& p : run.result.arm_curves) {
      if (!std::isfinite(p.bound)) continue;  // no information, and readers refuse it
      out << fmt::format("{},{},{},{},{},{},{},{},{},{}\n",
                         csv_cell(scenario.algorithms[run.algorithm].label),
                         run.repetition,
                         csv_cell(run.result.outcome.arms.arms[p.arm].name),
                         p.pulls,
                         p.total_pulls,
                         p.virtual_s,
                         p.value,
                         p.best,
                         p.bound,
                         run.result.outcome.arms.confidence_bound(p.best, p.bound));
    }
}

void write_links_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  out << "algorithm,repetition,from,to,departed,arrived,dropped,wire_bytes\n";
  for (const auto& run : result.runs)
    for (const auto& link : run.result.outcome.links)
      out << fmt::format("{},{},{},{},{},{},{},{}\n",
                         csv_cell(scenario.algorithms[run.algorithm].label),
                         run.repetition,
                         csv_cell(run.result.node_names[link.from.value]),
                         csv_cell(run.result.node_names[link.to.value]),
                         link.departed,
                         link.arrived,
                         link.dropped,
                         link.wire_bytes);
}

void write_cells_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  out << "algorithm,repetition,depth,index,children,round,mean,kept\n";
  for (const auto& run : result.runs)
    for (const auto& record : run.result.outcome.cells)
      out << fmt::format("{},{},{},{},{},{},{},{}\n",
                         csv_cell(scenario.algorithms[run.algorithm].label),
                         run.repetition,
                         record.cell.depth,
                         record.cell.index,
                         run.result.outcome.children_per_cell,
                         record.round.value,
                         record.mean,
                         record.kept);
}

void write_regret_csv(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  std::vector<Json> parameters;
  for (const auto& entry : scenario.algorithms)
    parameters.push_back(parameters_json(entry.parameters));
  const auto differing = differing_parameters(parameters);
  std::vector<std::string> ends(parameters.size());  // of the algorithms' rows
  out << "algorithm,repetition,client,evaluations,rounds,bytes,virtual_s,metric,value";
  for (const auto& name : differing) {
    out << "," + csv_cell("algorithm." + name);
    for (std::size_t i = 0; i < ends.size(); ++i)
      ends[i] += "," + csv_cell(parameter_cell(parameters[i], name));
  }
  out << "\n";
  for (const auto& run : result.runs) {
    for (const auto& p : run.result.regret_curve)
      out << fmt::format("{},{},all,{},{},{},{},{},{}{}\n",
                         csv_cell(scenario.algorithms[run.algorithm].label),
                         run.repetition,
                         p.evaluations,
                         p.rounds,
                         p.bytes,
                         p.virtual_s,
                         p.metric,
                         p.value,
                         ends[run.algorithm]);
  }
}

}  // namespace posse
