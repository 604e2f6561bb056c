// SPDX-License-Identifier: Apache-2.0
// Every shipped scenario: the same bits on every kernel and thread count, balanced books, ceilings.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <string_view>

#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"
#include "tests/support/shipped_scenarios.hpp"

namespace posse::test_shipped_scenarios {
namespace {

ScenarioResult run(const Scenario& scenario, RunOptions options) {
  RunMonitor monitor(number_of_runs(scenario, options));
  return run_scenario(scenario, options, monitor);
}

/// What is told of a run's rounds, bytes and time in several places is the same everywhere.
void check_accounts(const RunRecord& record, const RunSnapshot& last) {
  const auto& out = record.result.outcome;
  CHECK(last.now == out.finished_at);
  CHECK(out.round_durations.count() == out.complete_rounds);
  std::map<std::string_view, RegretPoint> before;
  for (const auto& point : record.result.regret_curve) {
    const auto [known, first] = before.try_emplace(point.metric, point);
    CHECK(point.rounds >= known->second.rounds);
    CHECK(point.bytes >= known->second.bytes);
    known->second = point;
  }
  if (out.rounds.empty()) return;
  for (const auto& [metric, point] : before) {
    INFO(metric);
    CHECK(point.rounds == out.complete_rounds);
    CHECK(point.bytes == out.rounds.back().bytes_so_far);
  }
}

ScenarioResult run_and_check_bounds(const Scenario& scenario) {
  const RunOptions options{.threads = 1};
  RunMonitor monitor(number_of_runs(scenario, options));
  auto result = run_scenario(scenario, options, monitor);
  CHECK(exit_code_of(result) == ExitCode::ok);
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    const auto& record = result.runs[i];
    INFO(scenario.algorithms[record.algorithm].label);
    check_accounts(record, *monitor.slots[i].progress.snapshots.latest());
    const auto& out = record.result.outcome;
    CHECK(out.status == RunStatus::finished);
    CHECK(out.deliveries + out.total(&TypeAccount::dropped_loss) +
              out.total(&TypeAccount::dropped_queue) + out.total(&TypeAccount::dropped_partition) +
              out.total(&TypeAccount::dropped_crash) + out.total(&TypeAccount::in_flight) ==
          out.total(&TypeAccount::sent) + out.total(&TypeAccount::repeated) +
              out.total(&TypeAccount::duplicated));
    for (const auto& measurement : record.measurements) {
      INFO(measurement.name << " " << measurement.measured);
      CHECK_FALSE(violated(measurement));
    }
  }
  return result;
}

void check(const std::vector<test::ShippedScenario>& scenarios) {
  for (const auto& [file, overrides, dear] : scenarios) {
    Diagnostics diagnostics;
    const auto scenario = load_scenario(file, overrides, diagnostics);
    INFO(file);
    REQUIRE(diagnostics.empty());
    const auto first = run_and_check_bounds(scenario);
    const auto reference = first.fingerprint;
    std::uint64_t deliveries = 0;
    for (const auto& record : first.runs) deliveries += record.result.outcome.deliveries;
    // The papers' measurements, and scenarios with many messages: one parallel run has to do.
    if (dear || deliveries > 20'000) {
      CHECK(run(scenario, {.threads = 4, .traces = {.messages = true}}).fingerprint == reference);
      continue;
    }
    const auto whole = run(scenario, {.threads = 4, .traces = {.messages = true}});
    CHECK(whole.fingerprint == reference);
    CHECK(run(scenario, {.threads = 2, .kernel = Kernel::serial}).fingerprint == reference);
    CHECK(run(scenario,
              {.threads = 2, .kernel = Kernel::windows, .traces = {.messages = true, .all = true}})
              .fingerprint == reference);
    // One repetition alone, whose single runs get all the threads, is what it was among the others.
    const auto alone = run(scenario, {.threads = 4, .only_repetition = 0});
    REQUIRE(alone.runs.size() == scenario.algorithms.size());
    for (std::size_t a = 0; a < alone.runs.size(); ++a)
      CHECK(alone.runs[a].result.outcome.fingerprint == whole.runs[a].result.outcome.fingerprint);
  }
}

}  // namespace

TEST_CASE(
    "every shipped scenario keeps its bounds, with one fingerprint on each kernel and thread count",
    "[long][fingerprints]") {
  const auto scenarios = test::shipped_scenarios();
  CHECK(scenarios.size() >= 6);
  check(scenarios);
}

TEST_CASE("every setting of every shipped sweep is valid") {
  std::size_t sweeps = 0;
  for (const auto& scenario : test::shipped_scenarios()) {
    Diagnostics diagnostics;
    const SweepPlan plan(scenario.file, {}, diagnostics);
    INFO(diagnostics.text());
    CHECK(diagnostics.empty());
    sweeps += !plan.axes().empty();
  }
  CHECK(sweeps >= 10);
}

TEST_CASE("scenarios on data of others finish within all bounds, with one fingerprint everywhere",
          "[fingerprints]") {
  const auto data = test::scenarios_on_others_data();
  check(data.scenarios);
  data.skip_what_is_missing();
}

}  // namespace posse::test_shipped_scenarios
