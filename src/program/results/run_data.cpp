#include "program/results/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "program/base/files.hpp"
#include "program/results/results_json.hpp"
#include "program/results/run_rows.hpp"
#include "program/scenario/scenario_facts.hpp"
#include "program/summary/compared_quantities.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

/// Reads results.json; errors name the key.
class ResultsReader {
 public:
  explicit ResultsReader(fs::path path) : path_(std::move(path)) {}

  void read(RunData& run) {
    Json root;
    try {
      root = Json::parse(read_file(path_));
    } catch (const Json::exception& problem) {
      throw FileError(path_, fmt::format("is not valid JSON: {}", problem.what()));
    }
    if (root.is_object()) check_schema(path_, root);
    run.name = text(root, "name");
    const Json& runs = array(root, "runs");
    if (runs.empty()) fail("runs", "is empty");
    for (std::size_t i = 0; i < runs.size(); ++i) {
      at_ = fmt::format("runs[{}].", i);
      read_one(runs[i], run);
    }
  }

 private:
  [[noreturn]] void fail(std::string_view key, std::string_view problem) const {
    throw FileError(path_, fmt::format("{}{} {}", at_, key, problem));
  }
  const Json& member(const Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) fail(key, "is missing");
    return object[key];
  }
  const Json& array(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_array()) fail(key, "is not a list");
    return value;
  }
  std::string text(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_string()) fail(key, "is not a string");
    return value.get<std::string>();
  }
  double number(const Json& object, const char* key) const {
    const Json& value = member(object, key);
    if (!value.is_number()) fail(key, "is not a number");
    return value.get<double>();
  }
  std::uint32_t count(const Json& object, const char* key) const {
    const double value = number(object, key);
    if (!(value >= 0 && value <= 4294967295.0) || std::floor(value) != value)
      fail(key, "is not a count");
    return static_cast<std::uint32_t>(value);
  }

  void read_one(const Json& json, RunData& run) {
    const auto label = text(json, "algorithm");
    auto algorithm = std::find_if(run.algorithms.begin(), run.algorithms.end(), [&](const auto& a) {
      return a.label == label;
    });
    if (algorithm == run.algorithms.end()) {
      const auto kind = json.contains("kind") ? text(json, "kind") : "";
      run.algorithms.push_back({label, count(json, "clients"), {}, kind});
      algorithm = run.algorithms.end() - 1;
    }
    if (text(json, "status") != "finished") return;
    RepetitionData repetition;
    repetition.repetition = count(json, "repetition");
    auto& finals = repetition.finals;
    finals["rounds"] = number(json, "rounds");
    finals["virtual_time_s"] = number(json, "finished_at_virtual_s");
    read_ledger(json, repetition);
    const Json& regret = member(json, "regret");
    if (!regret.is_null()) {
      finals["evaluations"] = number(regret, "evaluations");
      finals["cumulative_regret"] = number(regret, "cumulative_regret");
      finals["local_cumulative_regret"] = number(regret, "local_cumulative_regret");
      for (const auto* key : {"simple_regret", "local_simple_regret"})
        if (!member(regret, key).is_null()) finals[key] = number(regret, key);
      repetition.evaluations_per_client = number(regret, "max_evaluations");
    }
    read_bounds(json, repetition);
    if (json.contains("arms")) read_answer(json, repetition);
    algorithm->repetitions.push_back(std::move(repetition));
  }

  void read_ledger(const Json& json, RepetitionData& repetition) {
    double messages = 0, bytes = 0;
    for (const auto& account : array(json, "ledger")) {
      if (text(account, "type") == "Ack") continue;
      messages += number(account, "sent");
      bytes += number(account, "bytes");
      repetition.values += number(account, "values");
    }
    repetition.finals["messages"] = messages;
    repetition.finals["payload_bytes"] = bytes;
  }

  void read_answer(const Json& json, RepetitionData& repetition) {
    const Json& arms = json["arms"];
    if (!member(arms, "answer").is_null()) repetition.answer = text(arms, "answer");
    for (const auto& measurement : array(json, "measurements"))
      if (text(measurement, "name") == "rank of the answer")
        repetition.answer_rank = number(measurement, "measured");
  }

  void read_bounds(const Json& json, RepetitionData& repetition) {
    for (const auto& measurement : array(json, "measurements")) {
      const Json& bound = member(measurement, "bound");
      if (bound.is_null() || text(bound, "kind") == "does_not_apply") continue;
      if (!member(bound, "value").is_number()) continue;  // infinite
      repetition.bounds.push_back({text(measurement, "name"),
                                   text(bound, "kind"),
                                   text(bound, "strength"),
                                   text(bound, "side") == "lower",
                                   number(bound, "value"),
                                   number(measurement, "measured"),
                                   bound.value("vacuous", Json(false)) == true});
    }
  }

  fs::path path_;
  std::string at_;
};

/// Rows together with their run.
class RowsOfRuns : public RunRows {
 public:
  RowsOfRuns(const fs::path& path, RunData& run) : RunRows(path), run_(run) {}

  bool next() {
    if (!RunRows::next()) return false;
    if (begins_run()) find_run();
    return true;
  }
  /// The row's run; null if it did not finish.
  RepetitionData* run() const { return found_; }

 private:
  void find_run() {
    found_ = nullptr;
    const auto known = std::find_if(run_.algorithms.begin(),
                                    run_.algorithms.end(),
                                    [&](const auto& a) { return a.label == algorithm(); });
    if (known == run_.algorithms.end())
      fail(fmt::format("results.json has no algorithm '{}'", algorithm()));
    for (auto& candidate : known->repetitions)
      if (candidate.repetition == repetition()) found_ = &candidate;
  }

  RunData& run_;
  RepetitionData* found_ = nullptr;
};

void read_curves(const fs::path& path, RunData& run) {
  RowsOfRuns rows(path, run);
  const auto client = rows.column("client"), metric = rows.column("metric"),
             evaluations = rows.column("evaluations"), rounds = rows.column("rounds"),
             bytes = rows.column("bytes"), time = rows.column("virtual_s"),
             value = rows.column("value");
  while (rows.next())
    if (rows.run() != nullptr && rows.text(client) == "all")
      rows.run()->curves[rows.text(metric)].push_back({rows.real(evaluations),
                                                       rows.real(rounds),
                                                       rows.real(bytes),
                                                       rows.real(time),
                                                       rows.real(value)});
}

void read_rounds(const fs::path& path, RunData& run) {
  RowsOfRuns rows(path, run);
  const auto round = rows.column("round"), evaluations = rows.column("evaluations_per_client"),
             bytes = rows.column("bytes_so_far"), values = rows.column("values_so_far");
  while (rows.next())
    if (rows.run() != nullptr)
      rows.run()->rounds.push_back(
          {rows.count(round), rows.real(evaluations), rows.real(bytes), rows.real(values)});
}

void read_arms(const fs::path& path, RunData& run) {
  RowsOfRuns rows(path, run);
  const auto arm = rows.column("arm"), pulls = rows.column("pulls"),
             total = rows.column("total_pulls"), value = rows.column("value"),
             bound = rows.column("bound");
  while (rows.next()) {
    const auto& name = rows.text(arm);
    if (std::find(run.arms.begin(), run.arms.end(), name) == run.arms.end())
      run.arms.push_back(name);
    if (rows.run() != nullptr)
      rows.run()->arms[name].push_back(
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

fs::path find_run_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw FileError(folder, "is not a run folder");
  if (fs::exists(folder / "results.json", error)) return folder;
  if (!fs::exists(folder / "latest" / "results.json", error))
    throw FileError(folder, "is not a run folder: it has no results.json");
  return folder / "latest";
}

RunData read_run(const fs::path& folder) {
  std::error_code error;
  RunData run;
  run.folder = find_run_folder(folder);
  const auto facts = read_scenario_facts(run.folder / "scenario.toml");
  run.objective = facts.objective;
  run.heterogeneity = facts.heterogeneity;
  run.noise = facts.noise;
  run.latency_s = facts.latency_s;
  run.arms_are_ranked = facts.arms_are_ranked;
  ResultsReader(run.folder / "results.json").read(run);
  read_curves(run.folder / "regret.csv", run);
  read_rounds(run.folder / "rounds.csv", run);
  if (fs::exists(run.folder / "arms.csv", error)) read_arms(run.folder / "arms.csv", run);
  return run;
}

}  // namespace posse
