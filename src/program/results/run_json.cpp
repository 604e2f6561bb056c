// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_json.hpp"

#include <nlohmann/json.hpp>

#include "program/base/text.hpp"
#include "program/results/study_runs.hpp"
#include "program/run/quantity_values.hpp"

namespace posse {
namespace {

std::string_view status_of(const RunView& run) {
  if (run.record != nullptr) return posse::status_of(*run.record);
  return run.figures != nullptr ? posse::status_of(*run.figures) : "not_started";
}

Json groups_json(const std::vector<NodeGroup>& groups) {
  Json list = Json::array();
  for (const auto& group : groups)
    list.push_back({{"name", group.name},
                    {"size", group.size},
                    {"numbered", group.numbered},
                    {"first_number", group.first_number}});
  return list;
}

}  // namespace

Json run_json(const Scenario& scenario, const RunView& run) {
  static const RunStart not_begun;
  const AlgorithmEntry& entry = scenario.algorithms[run.algorithm];
  const RunOutcome& o = run.outcome();
  const RunRecord* record = run.record;
  const RunStart& start = run.start != nullptr ? *run.start : not_begun;
  const auto status = status_of(run);
  StudyRun compared{hexadecimal(repetition_seed(scenario.seed, run.repetition).value),
                    status == "finished",
                    record != nullptr ? finals_of(*record) : finals_of(o),
                    start.facts,
                    {}};
  if (record != nullptr) compared.warnings = record->warnings;
  Json json{{"algorithm", entry.label},
            {"kind", entry.spec->kind},
            {"clients", entry.clients},
            {"repetition", run.repetition},
            {"seed", compared.seed},
            {"status", status},
            {"report", o.report},
            {"note", record != nullptr ? record->result.note : ""},
            {"fingerprint", fingerprint_text(o)},
            {"ingredients",
             {{"deliveries", hexadecimal(o.ingredients.deliveries)},
              {"accounts", hexadecimal(o.ingredients.accounts)},
              {"numbers", hexadecimal(o.ingredients.numbers)},
              {"results", hexadecimal(record != nullptr ? record->results_hash : 0)}}},
            {"virtual_s", o.finished_at.to_seconds()},
            {"last_event_virtual_s", o.last_event.to_seconds()},
            {"events", o.events},
            {"deliveries", o.deliveries},
            {"ties", o.ties},
            {"tied_rounds", o.tied_rounds},
            {"early_decisions", o.early_decisions},
            {"lossless", o.lossless},
            {"rounds", o.complete_rounds}};
  put_study_run(compared, json);
  json["measurements"] = record != nullptr
                             ? measurements_json(record->measurements, worst_case(scenario, o))
                             : Json::array();
  json["regret"] = o.regret.evaluations > 0 ? regret_json(o.regret) : Json(nullptr);
  if (!o.arms.arms.empty()) json["arms"] = arms_json(o.arms);
  json["ledger"] = ledger_json(o.accounts);
  json["phases"] = phases_json(o.phases);
  json["critical_paths"] = critical_paths_json(o.paths, [&](NodeId node) {
    return record != nullptr ? record->result.name_of(node) : start.names.name(node);
  });
  json["forecast"] = forecast_json(start.forecast);
  json["parameters"] = parameters_json(entry.parameters);
  json["plane"] = plane_json(start.plane);
  json["topology"] = to_string(start.topology);
  json["groups"] = groups_json(start.names.groups());
  json["children_per_cell"] = o.children_per_cell;
  return json;
}

}  // namespace posse
