// SPDX-License-Identifier: Apache-2.0
#include "program/replay/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "program/base/files.hpp"
#include "program/replay/stored_scenario.hpp"
#include "program/results/results_json.hpp"

namespace posse {
namespace {

/// What differs between a run and its record, as a list of words.
std::string differing_parts(const StoredRun::Run& recorded, const RunRecord& now) {
  const JsonObject ingredients = recorded.results.object("ingredients");
  const Fingerprint& parts = now.result.outcome.ingredients;
  std::vector<std::string_view> differing;
  const auto compare = [&](std::string_view name, const std::string& then, std::string_view value) {
    if (then != value) differing.push_back(name);
  };
  compare("status", recorded.status, status_of(now));
  compare("deliveries", ingredients.text("deliveries"), hexadecimal(parts.deliveries));
  compare("accounts", ingredients.text("accounts"), hexadecimal(parts.accounts));
  compare("numbers", ingredients.text("numbers"), hexadecimal(parts.numbers));
  compare("results", ingredients.text("results"), hexadecimal(now.results_hash));
  compare("fingerprint",
          recorded.results.text("fingerprint"),
          hexadecimal(now.result.outcome.fingerprint));
  return fmt::format("{}", fmt::join(differing, ", "));
}

/// Why a run that ended so need not end at the same event again; else empty.
std::string_view unprovable_end(std::string_view status, std::string_view report) {
  if (status == "limit_reached" && report.find("events was reached") != std::string_view::npos)
    return "its limit of events stopped it, after an event that depends on kernel and threads";
  return unrepeatable_end(status, report);
}

}  // namespace

ReplayedRun compare_with_record(const std::string& algorithm,
                                const StoredRun::Run& recorded,
                                const RunRecord& now) {
  ReplayedRun run;
  run.algorithm = algorithm;
  run.repetition = recorded.repetition;
  run.recorded = recorded.results.text("fingerprint");
  run.now = fingerprint_text(now.result.outcome);
  if (run.recorded == kNoFingerprint) {
    run.verdict = ReplayVerdict::not_provable;
    run.what = "it ran in wall time";
    return run;
  }
  run.what = differing_parts(recorded, now);
  if (run.what.empty()) return run;
  auto end = unprovable_end(recorded.status, recorded.results.text("report"));
  if (end.empty()) end = unprovable_end(status_of(now), now.result.outcome.report);
  run.verdict = end.empty() ? ReplayVerdict::differs : ReplayVerdict::not_provable;
  if (!end.empty()) run.what = end;
  return run;
}

RunRecord run_again_traced(const StoredRun& stored,
                           const Scenario& scenario,
                           std::size_t run,
                           const ExecutionOptions& options) {
  const StoredRun::Run& recorded = stored.runs()[run];
  const auto& label = stored.algorithms()[recorded.algorithm].label;
  Scenario one = scenario;
  std::erase_if(one.algorithms, [&](const AlgorithmEntry& entry) { return entry.label != label; });
  if (one.algorithms.empty())
    throw FileError(stored.folder() / "scenario.toml", fmt::format("has no algorithm '{}'", label));
  ExecutionOptions traced = options;
  traced.run.only_repetition = recorded.repetition;
  traced.run.traces.messages = true;
  RunMonitor monitor(1);
  return std::move(execute(one, traced, monitor).result.runs.front());
}

std::vector<ReplayedRun> replay(const std::filesystem::path& folder,
                                const ExecutionOptions& options) {
  const StoredRun stored(folder);
  const Scenario scenario = stored_scenario(stored);
  ExecutionOptions again = options;
  again.run.only_repetition = only_repetition(stored);
  RunMonitor monitor(number_of_runs(scenario, again.run));
  const ScenarioResult now = execute(scenario, again, monitor).result;
  std::vector<ReplayedRun> replayed;
  for (const StoredRun::Run& recorded : stored.runs()) {
    const auto& label = stored.algorithms()[recorded.algorithm].label;
    const auto run = std::find_if(now.runs.begin(), now.runs.end(), [&](const RunRecord& record) {
      return scenario.algorithms[record.algorithm].label == label &&
             record.repetition == recorded.repetition;
    });
    if (run == now.runs.end())
      throw FileError(
          stored.folder() / "scenario.toml",
          fmt::format("has no run of '{}' in repetition {}", label, recorded.repetition));
    replayed.push_back(compare_with_record(label, recorded, *run));
  }
  return replayed;
}

}  // namespace posse
