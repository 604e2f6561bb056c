#include <catch2/catch.hpp>

#include "program/results/results.hpp"
#include "program/summary/summary.hpp"

namespace test_summary {

using namespace posse;

TEST_CASE("a run's exit code says what was wrong with it") {
  RunRecord run;
  run.started = true;
  CHECK(exit_code_of(run) == ExitCode::ok);
  run.measurements.push_back(
      {"rounds", "", 5, Bound{4, BoundKind::exact, BoundStrength::always, false, ""}});
  CHECK(exit_code_of(run) == ExitCode::violated);
  run.measurements[0].bound->strength = BoundStrength::with_probability;
  CHECK(exit_code_of(run) == ExitCode::ok);
  CHECK(verdict(run.measurements[0]) == "exceeded");
  for (const auto& [status, code] : {std::pair{RunStatus::stalled, 7},
                                     {RunStatus::limit_reached, 7},
                                     {RunStatus::failed, 1},
                                     {RunStatus::ledger_violated, 5}}) {
    run.result.outcome.status = status;
    CHECK(static_cast<int>(exit_code_of(run)) == code);
  }
}

TEST_CASE("a summary says so when algorithms end after different numbers of evaluations") {
  Scenario scenario;
  scenario.algorithms.resize(2);
  scenario.algorithms[0].label = "whole";
  scenario.algorithms[1].label = "short";
  scenario.algorithms[0].clients = 4;
  scenario.algorithms[1].clients = 16;
  const auto text = [&](std::uint64_t evaluations_of_second) {
    ScenarioResult result;
    result.runs.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
      auto& run = result.runs[i];
      run.algorithm = i % 2;
      run.repetition = static_cast<std::uint32_t>(i / 2);
      run.started = true;
      auto& regret = run.result.outcome.regret;
      regret.evaluations = run.algorithm == 0 ? 4 * 2000 : evaluations_of_second;
      regret.cumulative = 100;
    }
    return to_text(summarise(scenario, result), scenario, result);
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text(16 * 1520), Contains("Evaluations per client differ (whole 2000, short 1520)"));
  CHECK_THAT(text(16 * 2000), !Contains("differ"));
  CHECK_THAT(text(16 * 1999), !Contains("differ"));  // a last step more or less
}

TEST_CASE("what was lost on the way counts every cause") {
  Scenario scenario;
  scenario.algorithms.resize(1);
  scenario.algorithms[0].label = "one";
  ScenarioResult result;
  result.runs.resize(1);
  result.runs[0].started = true;
  TypeAccount account;
  account.dropped_loss = 1;
  account.dropped_queue = 20;
  account.dropped_partition = 300;
  account.dropped_crash = 4000;
  result.runs[0].result.outcome.accounts = {account};
  const auto text = to_text(summarise(scenario, result), scenario, result);
  CHECK_THAT(text,
             Catch::Matchers::Contains("lost on the way") && Catch::Matchers::Contains("4321"));
}

TEST_CASE("UTC times are ISO 8601") { CHECK(utc_text(951782400) == "2000-02-29T00:00:00Z"); }

}  // namespace test_summary
