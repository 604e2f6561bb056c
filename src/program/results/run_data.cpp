// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "program/base/quantities.hpp"
#include "program/results/run_rows.hpp"
#include "program/results/run_tables.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_runs.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

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
  RunRows rows(stored, run_table("regret"));
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
  RunRows rows(stored, run_table("rounds"));
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
  RunRows rows(stored, run_table("arms"));
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

Measured RunData::final(std::string_view quantity) const {
  std::set<std::uint32_t> numbers;
  for (const auto& algorithm : algorithms)
    for (const auto& repetition : algorithm.repetitions) numbers.insert(repetition.repetition);
  const Quantity& known = kQuantities[*quantity_named(quantity)];
  Measured measured{std::string(known.name), std::string(known.unit), std::nullopt, {}};
  for (const auto& algorithm : algorithms) {
    auto& values = measured.values.emplace_back(numbers.size());
    for (const auto& repetition : algorithm.repetitions) {
      const auto place = std::distance(numbers.begin(), numbers.find(repetition.repetition));
      values[static_cast<std::size_t>(place)] = repetition.finals[quantity];
    }
  }
  return measured;
}

bool RunData::heterogeneous() const {
  for (const auto& algorithm : algorithms)
    for (const auto& repetition : algorithm.repetitions) {
      const auto global = repetition.finals["cumulative_regret"],
                 local = repetition.finals["local_cumulative_regret"];
      if (global && local && *global != *local) return true;
    }
  return false;
}

RepetitionData read_repetition(const JsonObject& results) {
  RepetitionData repetition;
  repetition.repetition = results.count("repetition");
  repetition.finals = study_run(results).finals;
  repetition.values = values_sent(results);
  if (results.has("regret"))
    repetition.evaluations_per_client = results.object("regret").number("max_evaluations");
  if (results.has("arms") && results.object("arms").has("answer"))
    repetition.answer = results.object("arms").text("answer");
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
