// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/shown_text.hpp"
#include "program/base/quantities.hpp"
#include "program/results/results_json.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/stored_run.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

void read_ledger(const JsonObject& results, RepetitionData& repetition) {
  double messages = 0, bytes = 0, on_wire = 0;
  for (const auto& account : results.objects("ledger")) {
    on_wire += account.number("wire_bytes");
    if (account.text("type") == "Ack") continue;
    messages += account.number("sent");
    bytes += account.number("bytes");
    if (account.has("header_bytes")) bytes -= account.number("header_bytes");
    repetition.values += account.number("values");
  }
  repetition.finals["messages"] = messages;
  repetition.finals["payload_bytes"] = bytes;
  repetition.finals["wire_bytes"] = on_wire;
}

void read_regret(const JsonObject& regret, RepetitionData& repetition) {
  for (const auto* key : {"evaluations", "cumulative_regret", "local_cumulative_regret"})
    repetition.finals[key] = regret.number(key);
  for (const auto* key : {"simple_regret", "local_simple_regret"})
    if (regret.has(key)) repetition.finals[key] = regret.number(key);
  repetition.evaluations_per_client = regret.number("max_evaluations");
  if (const double evaluations = regret.number("evaluations"); evaluations > 0) {
    const double per_client = evaluations / (regret.has("clients") ? regret.number("clients") : 1);
    repetition.finals["evaluations_per_client"] = per_client;
    repetition.finals["regret_per_evaluation"] = regret.number("cumulative_regret") / per_client;
    repetition.finals["local_regret_per_evaluation"] =
        regret.number("local_cumulative_regret") / per_client;
  }
}

void read_measurements(const JsonObject& results, RepetitionData& repetition) {
  for (const auto& measurement : results.objects("measurements")) {
    if (measurement.text("name") == "rank of the answer" && repetition.answer)
      repetition.answer_rank = measurement.number("measured");
    if (!measurement.has("bound")) continue;
    const JsonObject bound = measurement.object("bound");
    if (bound.text("kind") == "does_not_apply") continue;
    if (!bound.is_number("value")) continue;  // infinite
    repetition.bounds.push_back({measurement.text("name"),
                                 bound.text("kind"),
                                 bound.text("strength"),
                                 bound.text("side") == "lower",
                                 bound.number("value"),
                                 measurement.number("measured"),
                                 bound.optional_flag("vacuous")});
  }
}

/// By their positions in results.json; null for those that did not finish.
using Repetitions = std::vector<RepetitionData*>;

RepetitionData* repetition_of(const RunRows& rows, const Repetitions& repetitions) {
  return rows.run() ? repetitions[*rows.run()] : nullptr;
}

void read_curves(const StoredRun& stored, const Repetitions& repetitions) {
  RunRows rows(stored, "regret.csv");
  const auto client = rows.column("client"), metric = rows.column("metric"),
             evaluations = rows.column("evaluations"), rounds = rows.column("rounds"),
             bytes = rows.column("bytes"), time = rows.column("virtual_s"),
             value = rows.column("value");
  while (rows.next())
    if (auto* repetition = repetition_of(rows, repetitions);
        repetition != nullptr && rows.text(client) == "all")
      repetition->curves[rows.text(metric)].push_back({rows.real(evaluations),
                                                       rows.real(rounds),
                                                       rows.real(bytes),
                                                       rows.real(time),
                                                       rows.real(value)});
}

void read_rounds(const StoredRun& stored, const Repetitions& repetitions) {
  RunRows rows(stored, "rounds.csv");
  const auto round = rows.column("round"), evaluations = rows.column("evaluations_per_client"),
             bytes = rows.column("bytes_so_far"), values = rows.column("values_so_far");
  while (rows.next())
    if (auto* repetition = repetition_of(rows, repetitions))
      repetition->rounds.push_back(
          {rows.count(round), rows.real(evaluations), rows.real(bytes), rows.real(values)});
}

void read_arms(const StoredRun& stored,
               const Repetitions& repetitions,
               std::vector<std::string>& arms) {
  RunRows rows(stored, "arms.csv");
  const auto arm = rows.column("arm"), pulls = rows.column("pulls"),
             total = rows.column("total_pulls"), value = rows.column("value"),
             bound = rows.column("bound");
  std::set<std::string> seen;
  while (rows.next()) {
    const auto& name = rows.text(arm);
    if (seen.insert(name).second) arms.push_back(name);
    if (auto* repetition = repetition_of(rows, repetitions))
      repetition->arms[name].push_back(
          {rows.real(pulls), rows.real(total), rows.real(value), rows.real(bound)});
  }
}

}  // namespace

const AlgorithmData* RunData::find(const std::string& label) const {
  const auto it = std::find_if(
      algorithms.begin(), algorithms.end(), [&](const auto& a) { return a.label == label; });
  return it == algorithms.end() ? nullptr : &*it;
}

Measured RunData::final(const std::string& quantity) const {
  std::set<std::uint32_t> numbers;
  for (const auto& algorithm : algorithms)
    for (const auto& repetition : algorithm.repetitions) numbers.insert(repetition.repetition);
  Measured measured{quantity, "", std::nullopt, {}};
  for (const auto& known : kQuantities)
    if (known.name == quantity) measured.unit = known.unit;
  for (const auto& algorithm : algorithms) {
    auto& values = measured.values.emplace_back(numbers.size());
    for (const auto& repetition : algorithm.repetitions) {
      const auto place = std::distance(numbers.begin(), numbers.find(repetition.repetition));
      if (const auto value = repetition.finals.find(quantity); value != repetition.finals.end())
        values[static_cast<std::size_t>(place)] = value->second;
    }
  }
  return measured;
}

bool RunData::heterogeneous() const {
  for (const auto& algorithm : algorithms)
    for (const auto& repetition : algorithm.repetitions) {
      const auto& finals = repetition.finals;
      const auto global = finals.find("cumulative_regret"),
                 local = finals.find("local_cumulative_regret");
      if (global != finals.end() && local != finals.end() && global->second != local->second)
        return true;
    }
  return false;
}

ComparisonFacts comparison_facts(const JsonObject& run) {
  ComparisonFacts facts;
  if (run.has("widths")) facts.widths = widths_of(run.text("widths"));
  facts.random_recommendation = run.optional_flag("random_recommendation");
  if (run.has("pulls_at_once"))
    facts.pulls_at_once = static_cast<std::uint32_t>(run.count("pulls_at_once"));
  return facts;
}

std::vector<Warning> stored_warnings(const JsonObject& run) {
  std::vector<Warning> warnings;
  if (!run.has("warnings")) return warnings;
  for (const auto& one : run.objects("warnings"))
    warnings.push_back({one.text("code"), one.text("text"), one.number("size")});
  return warnings;
}

std::string warnings_cell(const std::vector<Warning>& warnings) {
  return warnings.empty()
             ? ""
             : warnings_json(warnings).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Warning> warnings_in(const std::string& cell) {
  if (cell.empty()) return {};
  try {
    const Json json{{"warnings", Json::parse(cell)}};
    return stored_warnings(JsonObject("", "", json));
  } catch (const std::exception&) {
    throw InputError(fmt::format("'{}' is no list of warnings", shortened(cell)));
  }
}

Finals finals_of(const RepetitionData& data) {
  Finals finals;
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    if (const auto it = data.finals.find(std::string(kQuantities[q].name)); it != data.finals.end())
      finals[q] = it->second;
  return finals;
}

RepetitionData read_repetition(const JsonObject& results) {
  RepetitionData repetition;
  repetition.repetition = results.count("repetition");
  repetition.finals["rounds"] = results.number("rounds");
  repetition.finals["virtual_time_s"] = results.number("virtual_time_s");
  read_ledger(results, repetition);
  if (results.has("regret")) read_regret(results.object("regret"), repetition);
  if (results.has("arms") && results.object("arms").has("answer")) {
    const auto arms = results.object("arms");
    repetition.answer = arms.text("answer");
    for (const auto& arm : arms.objects("arms"))
      if (arm.text("name") == *repetition.answer && arm.is_number("best") &&
          arms.text("direction") == "minimize")
        repetition.finals["answer_value"] = arm.number("best");
  }
  read_measurements(results, repetition);
  return repetition;
}

RunData read_run(const fs::path& folder) {
  const StoredRun stored(folder);
  RunData run;
  run.folder = stored.folder();
  run.name = stored.name();
  const ScenarioFacts& facts = stored.facts();
  run.objective = facts.objective;
  run.heterogeneity = facts.heterogeneity;
  run.noise = facts.noise;
  run.latency_s = facts.latency_s;
  run.arms_are_ranked = facts.arms_are_ranked;
  run.arms_are_maximized = facts.arms_are_maximized;
  for (const auto& algorithm : stored.algorithms()) {
    auto& data = run.algorithms.emplace_back();
    data.label = algorithm.label;
    data.clients = algorithm.clients;
    data.kind = algorithm.kind;
  }
  std::vector<std::size_t> runs_of(stored.algorithms().size());
  for (const auto& one : stored.runs()) ++runs_of[one.algorithm];
  for (std::size_t a = 0; a < runs_of.size(); ++a)
    run.algorithms[a].repetitions.reserve(runs_of[a]);  // pointers to them stay valid
  Repetitions repetitions;
  for (const auto& one : stored.runs()) {
    const bool finished = one.status == "finished";
    auto& data = run.algorithms[one.algorithm].repetitions;
    repetitions.push_back(finished ? &data.emplace_back(read_repetition(one.results)) : nullptr);
  }
  read_curves(stored, repetitions);
  read_rounds(stored, repetitions);
  if (stored.has("arms.csv")) read_arms(stored, repetitions, run.arms);
  return run;
}

}  // namespace posse
