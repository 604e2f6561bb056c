// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "program/compare/arms_text.hpp"
#include "program/compare/summary.hpp"
#include "program/results/results.hpp"
#include "program/run/run_warnings.hpp"
#include "program/run/verdict.hpp"

namespace test_summary {

using namespace posse;

TEST_CASE("a run's exit code follows from its status and bounds") {
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

namespace {

Bound upper(double value, BoundStrength strength = BoundStrength::with_probability) {
  return {value, BoundKind::derived, strength};
}

std::string summary_text(const Scenario& scenario, const std::vector<RunRecord>& runs) {
  const ScenarioResult result = result_of(scenario, runs);
  return details_text(summarise(scenario, result));
}

/// Runs of one algorithm, a list of measurements each, with 1000 evaluations per client.
std::string text_of(const std::vector<std::vector<Measurement>>& runs) {
  Scenario scenario;
  scenario.algorithms.resize(1);
  scenario.algorithms[0].label = "one";
  ScenarioResult result;
  for (const auto& measurements : runs) {
    auto& run = result.runs.emplace_back();
    run.started = true;
    run.measurements = measurements;
    run.result.outcome.regret.evaluations = 4000;
    run.result.outcome.regret.max_evaluations = 1000;
  }
  return summary_text(scenario, result.runs);
}

/// The line of `text` that begins with `name`, after spaces.
std::string line_of(const std::string& text, const std::string& name) {
  const auto at = text.find("  " + name + "  ");
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

}  // namespace

TEST_CASE("an upper bound that no possible outcome could exceed is vacuous") {
  const WorstCase worst{0.5, 1000};
  const auto vacuous = [&](const std::string& name, const Bound& bound) {
    return is_vacuous({name, "", 0, bound}, worst);
  };
  for (const auto* name : {"cumulative regret", "local cumulative regret"}) {
    CHECK(vacuous(name, upper(500)));
    CHECK_FALSE(vacuous(name, upper(499.9)));
  }
  for (const auto* name : {"simple regret", "local simple regret"}) {
    CHECK(vacuous(name, upper(0.5)));
    CHECK(vacuous(name, upper(std::numeric_limits<double>::infinity())));
    CHECK_FALSE(vacuous(name, upper(0.49)));
  }
  CHECK(vacuous("rounds", upper(1000)));
  CHECK_FALSE(vacuous("rounds", upper(999)));
  CHECK_FALSE(vacuous("messages", upper(1e9)));
  Bound bound = upper(1e9);
  bound.is_lower = true;
  CHECK_FALSE(vacuous("rounds", bound));
  bound = upper(1000);
  bound.is_identity = true;
  CHECK_FALSE(vacuous("rounds", bound));
  bound = upper(1e9);
  bound.kind = BoundKind::does_not_apply;
  CHECK_FALSE(vacuous("rounds", bound));
  CHECK_FALSE(vacuous("rounds", upper(1e9, BoundStrength::order_only)));
  CHECK_FALSE(is_vacuous({"simple regret", "", 0, upper(9)}, {1, 0}));  // nothing is evaluated
  CHECK_FALSE(is_vacuous({"rounds", "", 0, std::nullopt}, worst));

  CHECK(verdict({"simple regret", "", 0.1, upper(0.4)}, worst) == "held");
  CHECK(verdict({"simple regret", "", 0.1, upper(0.5)}, worst) == "vacuous");
  CHECK(verdict({"simple regret", "", 0.7, upper(0.6)}, worst) == "exceeded");
  CHECK(verdict({"rounds", "", 1001, upper(1000, BoundStrength::always)}, worst) == "violated");
}

TEST_CASE("the worst case of a run follows from its evaluations and the objective's range") {
  Scenario scenario;
  RunRecord run;
  run.result.outcome.regret.max_evaluations = 300;
  CHECK(worst_case(scenario, run.result.outcome).evaluations == 300);
  CHECK(worst_case(scenario, run.result.outcome).regret == 1);
  scenario.arms.emplace();
  CHECK(std::isinf(worst_case(scenario, run.result.outcome).regret));
}

TEST_CASE("a summary marks a bound that is vacuous in every run") {
  const auto simple = [](double bound) {
    return std::vector<Measurement>{{"simple regret", "", 0.1, upper(bound)}};
  };
  CHECK(line_of(text_of({simple(0.5), simple(3)}), "simple regret").ends_with("derived, w.p. 1-δ"));
  CHECK(line_of(text_of({simple(2), simple(3)}), "simple regret")
            .ends_with("derived, w.p. 1-δ, vacuous"));
}

TEST_CASE("identities stand below the bounds, with a check mark or what is wrong") {
  const auto run = [](double messages, double formula) {
    Bound identity{formula, BoundKind::exact, BoundStrength::always};
    identity.is_identity = true;
    return std::vector<Measurement>{{"messages", "", messages, identity},
                                    {"rounds", "", 5, upper(9, BoundStrength::always)}};
  };
  const auto text = text_of({run(202, 202), run(202, 202)});
  CHECK(line_of(text, "messages").ends_with("= 202  ✓"));
  CHECK(line_of(text, "rounds").ends_with("≤ 9    derived, always"));
  REQUIRE(text.find("\n  identities\n") != std::string::npos);
  CHECK(text.find("  rounds") < text.find("  identities\n"));
  CHECK(text.find("  virtual time") < text.find("  identities\n"));
  CHECK(text.find("  identities\n") < text.find("  messages"));
  CHECK(line_of(text_of({run(202, 202), run(202, 203)}), "messages")
            .ends_with("violated in 1 of 2 runs"));
  CHECK(line_of(text_of({run(202, 203)}), "messages").ends_with("= 203  violated"));
  CHECK_THAT(text_of({{}}), !Catch::Matchers::Contains("identities"));
}

TEST_CASE("of many arms a summary lists those with the most pulls, in their order") {
  Scenario scenario;
  scenario.algorithms.resize(1);
  RunRecord run;
  run.started = true;
  run.result.outcome.status = RunStatus::finished;
  auto& arms = run.result.outcome.arms.arms;
  const auto add = [&](std::uint64_t pulls) {
    auto& arm = arms.emplace_back();
    arm.name = fmt::format("arm-{}", arms.size() - 1);
    arm.pulls = pulls;
  };
  for (int i = 0; i < 60; ++i) add(2);
  CHECK_THAT(arms_text(arm_lines(result_of(scenario, {run}), 0)),
             !Catch::Matchers::Contains("most pulls"));
  for (int i = 60; i < 1000; ++i) add(1);
  arms[3].pulls = 0;
  arms[500].pulls = 9;
  const std::string text = arms_text(arm_lines(result_of(scenario, {run}), 0));
  CHECK(std::count(text.begin(), text.end(), '\n') == 62);
  CHECK_THAT(text, Catch::Matchers::Contains("the 60 of 1000 arms with the most pulls"));
  CHECK_THAT(text, !Catch::Matchers::Contains("  arm-3 "));
  CHECK_THAT(text, !Catch::Matchers::Contains("  arm-60 "));
  CHECK(text.find("  arm-59 ") < text.find("  arm-500 "));
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
      regret.clients = run.algorithm == 0 ? 4 : 16;
      regret.cumulative = 100;
    }
    return summary_text(scenario, result.runs);
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text(16 * 1520), Contains("Evaluations per client differ (whole 2000, short 1520)"));
  CHECK_THAT(text(16 * 2000), !Contains("Evaluations per client differ"));
  CHECK_THAT(text(16 * 1999),
             !Contains("Evaluations per client differ"));  // a last step more or less
}

TEST_CASE("a summary says how many decisions came before the evaluations that they rest on") {
  Scenario scenario;
  scenario.algorithms.resize(1);
  scenario.algorithms[0].label = "one";
  const auto text = [&](std::uint64_t first, std::uint64_t second) {
    ScenarioResult result;
    result.runs.resize(2);
    for (auto& run : result.runs) run.started = true;
    result.runs[0].result.outcome.early_decisions = first;
    result.runs[1].result.outcome.early_decisions = second;
    result.runs[1].repetition = 1;
    for (auto& run : result.runs) run.warnings = run_warnings(run.result, {});
    return summary_text(scenario, result.runs);
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text(0, 0), !Contains("rest on were done") && !Contains("rests on were done"));
  CHECK_THAT(text(0, 1),
             Contains("warning: one: in 1 of 2 runs, 1 decision was made before the evaluations"));
  CHECK_THAT(
      text(34, 1200),
      Contains(
          "warning: one: in all 2 runs (numbers of the worst), 1200 decisions were made before "
          "the evaluations\nthat they"));
}

TEST_CASE("a summary says in how many rounds ties decided who counted") {
  Scenario scenario;
  scenario.algorithms.resize(1);
  scenario.algorithms[0].label = "one";
  const auto text = [&](std::uint64_t tied) {
    ScenarioResult result;
    result.runs.resize(2);
    for (auto& run : result.runs) {
      run.started = true;
      run.result.outcome.complete_rounds = 60;
    }
    result.runs[1].result.outcome.tied_rounds = tied;
    return summary_text(scenario, result.runs);
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text(0), !Contains("ties"));
  CHECK_THAT(text(58), Contains("ties decided who counted in 58 of 120 rounds"));
}

TEST_CASE("an unusual order of equal times is named beside the fingerprint") {
  Scenario scenario;
  scenario.algorithms.resize(1);
  scenario.algorithms[0].label = "one";
  ScenarioResult result;
  result.runs.resize(1);
  result.runs[0].started = true;
  const auto text = [&] { return summary_text(scenario, result.runs); };
  CHECK(text().find("ties") == std::string::npos);
  scenario.network.ties = {Ties::Rule::reversed};
  CHECK_THAT(text(), Catch::Matchers::Contains(" (ties: reversed)\n"));
  scenario.network.ties = {Ties::Rule::keyed, 5};
  CHECK_THAT(text(), Catch::Matchers::Contains(" (ties: 5)\n"));
}

TEST_CASE("messages lost in transit are counted for every cause") {
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
  const auto text = summary_text(scenario, result.runs);
  CHECK_THAT(text,
             Catch::Matchers::Contains("lost in transit") && Catch::Matchers::Contains("4321"));
}

TEST_CASE("UTC times are ISO 8601") { CHECK(utc_text(951782400) == "2000-02-29T00:00:00Z"); }

TEST_CASE("only a node that is waited for more often than chance has it is named") {
  const auto with = [](std::uint64_t rounds_of_first) {
    Scenario scenario;
    scenario.algorithms.resize(1);
    RunRecord run;
    run.started = true;
    run.result.node_names.push_back("server");
    for (int i = 0; i < 10; ++i) run.result.node_names.push_back(fmt::format("client-{}", i));
    auto& paths = run.result.outcome.paths;
    paths.rounds = 70;
    paths.sum.compute = Duration{1'000'000};
    for (std::uint32_t i = 1; i <= 10; ++i)
      paths.waited_for[NodeId{i}] = (i == 8 ? rounds_of_first : 6) * CriticalPaths::kWholeRound;
    return summary_text(scenario, {run});
  };
  // Of ten equal ones the luckiest has up to 17 of 70: 7 on average, with a deviation of 2.5.
  CHECK_THAT(with(13), !Catch::Matchers::Contains("waited for"));
  CHECK_THAT(with(18), Catch::Matchers::Contains("client-7, in 18 of 70 rounds"));
}

}  // namespace test_summary
