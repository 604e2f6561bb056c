// SPDX-License-Identifier: Apache-2.0
#include "program/results/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/quantities.hpp"
#include "program/results/fault_events.hpp"
#include "program/results/run_json.hpp"
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

/// The counts of an account, by their keys in results.json.
constexpr std::array<std::pair<const char*, double LedgerRow::*>, 10> kCounts{{
    {"sent", &LedgerRow::sent},
    {"retransmitted", &LedgerRow::retransmitted},
    {"duplicated", &LedgerRow::duplicated},
    {"delivered", &LedgerRow::delivered},
    {"discarded", &LedgerRow::discarded},
    {"in_flight", &LedgerRow::in_flight},
    {"values", &LedgerRow::values},
    {"bytes", &LedgerRow::bytes},
    {"header_bytes", &LedgerRow::header_bytes},
    {"wire_bytes", &LedgerRow::wire_bytes},
}};
constexpr std::array<std::pair<const char*, double LedgerRow::*>, 4> kDrops{{
    {"loss", &LedgerRow::lost},
    {"queue", &LedgerRow::dropped_by_queues},
    {"partition", &LedgerRow::dropped_by_partitions},
    {"crash", &LedgerRow::dropped_at_crashed},
}};

std::vector<LedgerRow> read_ledger(const JsonObject& results) {
  std::vector<LedgerRow> rows;
  if (!results.has("ledger")) return rows;
  for (const auto& account : results.objects("ledger")) {
    LedgerRow& row = rows.emplace_back();
    row.type = account.text("type");
    row.direction = account.text("direction");
    for (const auto& [key, count] : kCounts) row.*count = account.number(key);
    const auto dropped = account.object("dropped");
    for (const auto& [key, count] : kDrops) row.*count = dropped.number(key);
  }
  return rows;
}

/// The runs by their positions in results.json.
using Repetitions = std::vector<RepetitionData*>;
using EachRow = std::function<void(const RunTable&, const RunRows&)>;

/// Calls `use` for the rows of runs that results.json has, and `each_row` for all.
void read_rows(const StoredRun& stored,
               std::string_view name,
               const Repetitions& repetitions,
               const EachRow& each_row,
               const std::function<std::function<void(RepetitionData&)>(const RunRows&)>& reader) {
  const RunTable& table = run_table(name);
  RunRows rows(stored, table);
  const auto use = reader(rows);
  while (rows.next()) {
    if (each_row) each_row(table, rows);
    if (rows.run()) use(*repetitions[*rows.run()]);
  }
}

void read_curves(const StoredRun& stored, const Repetitions& repetitions, const EachRow& each_row) {
  read_rows(stored, "regret", repetitions, each_row, [](const RunRows& rows) {
    const auto client = rows.column("client"), measure = rows.column("measure"),
               evaluations = rows.column("evaluations_per_client"), rounds = rows.column("rounds"),
               bytes = rows.column("bytes"), time = rows.column("virtual_s"),
               value = rows.column("value");
    return [=, &rows](RepetitionData& repetition) {
      if (rows.text(client) != "all") return;
      repetition.curves[rows.text(measure)].push_back({rows.real(evaluations),
                                                       rows.real(rounds),
                                                       rows.real(bytes),
                                                       rows.real(time),
                                                       rows.real(value)});
    };
  });
}

void read_rounds(const StoredRun& stored, const Repetitions& repetitions, const EachRow& each_row) {
  read_rows(stored, "rounds", repetitions, each_row, [](const RunRows& rows) {
    const auto round = rows.column("round"), evaluations = rows.column("evaluations_per_client"),
               bytes = rows.column("bytes_so_far"), values = rows.column("values_so_far");
    return [=, &rows](RepetitionData& repetition) {
      repetition.rounds.push_back(
          {rows.count(round), rows.real(evaluations), rows.real(bytes), rows.real(values)});
    };
  });
}

void read_arms(const StoredRun& stored,
               const Repetitions& repetitions,
               const EachRow& each_row,
               std::vector<std::string>& arms) {
  std::set<std::string> seen;
  read_rows(stored, "arms", repetitions, each_row, [&](const RunRows& rows) {
    const auto arm = rows.column("arm"), pulls = rows.column("pulls"),
               total = rows.column("total_pulls"), value = rows.column("value"),
               bound = rows.column("bound");
    return [=, &rows, &arms, &seen](RepetitionData& repetition) {
      const auto& name = rows.text(arm);
      if (seen.insert(name).second) arms.push_back(name);
      repetition.arms[name].push_back(
          {rows.real(pulls), rows.real(total), rows.real(value), rows.real(bound)});
    };
  });
}

/// The positions of the runs that faults.csv names, as name/label/repetition.
std::optional<std::size_t> run_named(const StoredRun& stored, const std::string& id) {
  const auto first = id.find('/'), last = id.rfind('/');
  if (first == std::string::npos || first == last) return std::nullopt;
  const auto repetition = parse_number<std::uint32_t>(id.substr(last + 1));
  if (!repetition) return std::nullopt;
  return stored.find_run(id.substr(first + 1, last - first - 1), *repetition);
}

void read_faults(const StoredRun& stored, const Repetitions& repetitions) {
  const auto path = stored.folder() / "faults.csv";
  const auto text = read_file(path);
  naming_file(path, [&] {
    CsvReader csv(text);
    const auto run = csv.column("run"), virtual_s = csv.column("virtual_s"),
               fault = csv.column("fault"), kind = csv.column("kind"), event = csv.column("event"),
               nodes = csv.column("nodes");
    std::map<std::tuple<std::size_t, std::string, std::string>, std::size_t> open;
    while (csv.next()) {
      const auto place = run_named(stored, csv.cell(run));
      if (!place) continue;  // of a repetition whose details are not kept
      auto& faults = repetitions[*place]->faults;
      const double at = finite_number(csv, virtual_s);
      const std::tuple key(*place, csv.cell(fault), csv.cell(nodes));
      if (csv.cell(event) == "begins") {
        open[key] = faults.size();
        faults.push_back({csv.cell(kind), csv.cell(nodes), at, {}});
      } else if (const auto begun = open.find(key); begun != open.end()) {
        faults[begun->second].end_s = at;
        open.erase(begun);
      }
    }
  });
}

std::vector<RepetitionData>& runs_like(const RepetitionData& run, AlgorithmData& algorithm) {
  return run.status == "finished" ? algorithm.repetitions : algorithm.unfinished;
}

const std::string& name_of(const RunParts& parts, const ArmPoint& point) {
  return parts.outcome.arms.arms[point.arm].name;
}

bool is_empty(const RepetitionData& run) {
  return run.curves.empty() && run.rounds.empty() && run.arms.empty() && run.ledger.empty();
}

void add_curves(const RunParts& parts, RepetitionData& to) {
  for (const RegretPoint& point : parts.regret)
    to.curves[std::string(point.metric)].push_back({static_cast<double>(point.evaluations),
                                                    static_cast<double>(point.rounds),
                                                    static_cast<double>(point.bytes),
                                                    point.virtual_s,
                                                    point.value});
  for (const RoundRecord& round : parts.rounds)
    to.rounds.push_back({round.round.value,
                         static_cast<double>(round.steps),
                         static_cast<double>(round.bytes_so_far),
                         static_cast<double>(round.values_so_far)});
  for (const ArmPoint& point : parts.arms)
    if (std::isfinite(point.bound))
      to.arms[name_of(parts, point)].push_back({static_cast<double>(point.pulls),
                                                static_cast<double>(point.total_pulls),
                                                point.value,
                                                point.bound});
}

}  // namespace

const AlgorithmData* RunData::find(const std::string& label) const {
  const auto it = std::find_if(
      algorithms.begin(), algorithms.end(), [&](const auto& a) { return a.label == label; });
  return it == algorithms.end() ? nullptr : &*it;
}

RunValues final_values(const AlgorithmData& algorithm, std::string_view quantity) {
  RunValues values;
  for (const auto& repetition : algorithm.repetitions)
    if (const auto& value = repetition.finals[quantity]; value && std::isfinite(*value))
      values.emplace(repetition.repetition, *value);
  return values;
}

bool RunData::heterogeneous() const {
  for (const auto& algorithm : algorithms) {
    for (const auto& repetition : algorithm.repetitions) {
      const auto global = repetition.finals["cumulative_regret"],
                 local = repetition.finals["local_cumulative_regret"];
      if (global && local && *global != *local) return true;
    }
    for (const auto& repetition : algorithm.unfinished) {
      const auto global = repetition.curves.find("cumulative_regret"),
                 local = repetition.curves.find("local_cumulative_regret");
      if (global != repetition.curves.end() && local != repetition.curves.end() &&
          global->second.back().value != local->second.back().value)
        return true;
    }
  }
  return false;
}

MeanLedger mean_ledger(const AlgorithmData& algorithm) {
  MeanLedger mean;
  mean.finished = !algorithm.repetitions.empty();
  const auto& runs = mean.finished ? algorithm.repetitions : algorithm.unfinished;
  mean.runs = runs.size();
  for (const auto& run : runs)
    for (const auto& account : run.ledger) {
      auto row = std::ranges::find_if(mean.rows, [&](const LedgerRow& other) {
        return other.type == account.type && other.direction == account.direction;
      });
      if (row == mean.rows.end())
        row = mean.rows.insert(row, {.type = account.type, .direction = account.direction});
      for (const auto& [key, count] : kCounts) (*row).*count += account.*count;
      for (const auto& [key, count] : kDrops) (*row).*count += account.*count;
    }
  for (auto& row : mean.rows) {
    for (const auto& [key, count] : kCounts) row.*count /= static_cast<double>(mean.runs);
    for (const auto& [key, count] : kDrops) row.*count /= static_cast<double>(mean.runs);
  }
  return mean;
}

RunData run_data(const ScenarioFacts& facts,
                 const std::string& name,
                 const std::vector<AlgorithmFacts>& algorithms) {
  RunData run{facts};
  run.name = name;
  for (const auto& algorithm : algorithms) {
    auto& data = run.algorithms.emplace_back();
    data.label = algorithm.label;
    data.clients = algorithm.clients;
    data.kind = algorithm.kind;
  }
  return run;
}

RepetitionData read_repetition(const JsonObject& results) {
  RepetitionData repetition;
  repetition.repetition = results.count("repetition");
  repetition.status = results.text("status");
  repetition.ledger = read_ledger(results);
  if (repetition.status != "finished") return repetition;
  repetition.finals = study_run(results).finals;
  repetition.values = values_sent(results);
  if (results.has("regret"))
    repetition.evaluations_per_client = results.object("regret").number("max_evaluations");
  if (results.has("arms") && results.object("arms").has("answer"))
    repetition.answer = results.object("arms").text("answer");
  read_measurements(results, repetition);
  return repetition;
}

void add_run(RunData& run,
             std::size_t algorithm,
             RepetitionData repetition,
             const RunParts& parts) {
  add_curves(parts, repetition);
  for (const ArmPoint& point : parts.arms)
    if (std::isfinite(point.bound) &&
        std::ranges::find(run.arms, name_of(parts, point)) == run.arms.end())
      run.arms.push_back(name_of(parts, point));
  auto& runs = runs_like(repetition, run.algorithms[algorithm]);
  if (repetition.status != "finished" && is_empty(repetition)) return;
  const auto place =
      std::ranges::upper_bound(runs, repetition.repetition, {}, &RepetitionData::repetition);
  runs.insert(place, std::move(repetition));
}

std::vector<FaultTime> fault_times(const Scenario& scenario, const RunRecord& run) {
  std::vector<FaultTime> times;
  for (auto& span : fault_spans(scenario, run))
    times.push_back({std::string(span.kind),
                     std::move(span.nodes),
                     span.begin.to_seconds(),
                     span.end ? std::optional(span.end->to_seconds()) : std::nullopt});
  return times;
}

RunData run_data_of(const Scenario& scenario, const ScenarioResult& result) {
  RunData run = run_data(
      scenario_facts(to_toml(scenario), scenario.file), scenario.name, algorithm_facts(scenario));
  for (const RunRecord& record : result.runs) {
    const Json entry = run_json(scenario, view_of_record(scenario, record));
    auto repetition = read_repetition({{}, "", entry});
    repetition.faults = fault_times(scenario, record);
    add_run(run, record.algorithm, std::move(repetition), parts_of(record.result));
  }
  return run;
}

RunData read_run(const StoredRun& stored, const EachRow& each_row) {
  RunData run = run_data(stored.facts(), stored.name(), stored.algorithms());
  run.folder = stored.folder();
  for (auto& algorithm : run.algorithms) {  // pointers to them stay valid
    algorithm.repetitions.reserve(stored.runs().size());
    algorithm.unfinished.reserve(stored.runs().size());
  }
  Repetitions repetitions;
  for (const auto& one : stored.runs()) {
    auto repetition = read_repetition(one.results);
    auto& runs = runs_like(repetition, run.algorithms[one.algorithm]);
    repetitions.push_back(&runs.emplace_back(std::move(repetition)));
  }
  read_curves(stored, repetitions, each_row);
  read_rounds(stored, repetitions, each_row);
  if (stored.has("faults.csv")) read_faults(stored, repetitions);
  if (stored.has("arms.csv")) read_arms(stored, repetitions, each_row, run.arms);
  for (auto& algorithm : run.algorithms) std::erase_if(algorithm.unfinished, is_empty);
  return run;
}

RunData read_run(const fs::path& folder) { return read_run(StoredRun(folder), {}); }

}  // namespace posse
