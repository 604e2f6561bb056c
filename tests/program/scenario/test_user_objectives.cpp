// SPDX-License-Identifier: Apache-2.0
// Objectives of the user's own, from the scenario to the results.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/objective/problem.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_user_objectives {
namespace {

const std::string kExpression = R"(name = "own"
[[algorithm]]
kind = "random-exchange"
[population]
clients = 2
[budget]
evaluations_per_client = 50
[objective]
kind = "expression"
f = "1 - (x1-0.5)^2 - x2^2"
low = [0, -1]
high = 1
)";

using test::errors_in, test::Folder, test::read_valid;

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// The measurement of this name of a scenario's only run.
Measurement measurement(const Scenario& scenario, std::string_view name) {
  RunMonitor monitor(1);
  const auto result = run_scenario(scenario, {}, monitor);
  REQUIRE(result.runs.size() == 1);
  REQUIRE(result.runs[0].result.outcome.status == RunStatus::finished);
  for (const auto& f : result.runs[0].measurements)
    if (f.name == name) return f;
  FAIL("there is no measurement " << name);
  return {};
}

}  // namespace

TEST_CASE("a list of numbers is read, resolved and read again") {
  const auto scenario = read_valid(kExpression);
  const Box& box = scenario.problem->base->domain();
  CHECK(box.low == std::vector<double>{0, -1});
  CHECK(box.high == std::vector<double>{1, 1});
  const auto resolved = to_toml(scenario);
  CHECK_THAT(resolved, has("low = [0.0, -1.0]\nhigh = 1.0\n"));
  CHECK(to_toml(read_valid(resolved)) == resolved);
  CHECK_THAT(errors_in(kExpression, {"objective.low=[0,true]"}),
             has("objective.low: has the element true"));
  CHECK_THAT(errors_in(kExpression, {"objective.low=[]"}), has("objective.low: is an empty list"));
  CHECK_THAT(errors_in(kExpression, {"objective.low=zero"}), has("a number or a list of numbers"));
  CHECK_THAT(errors_in(kExpression, {"objective.low=[0,inf]"}), has("has the element inf"));
}

TEST_CASE("an error in an expression names the key, its line and what was given") {
  const auto text = errors_in(kExpression + "lipschitz = 0.5\n");
  CHECK_THAT(text, has("test.toml:13: error: objective.lipschitz: is too small"));
  CHECK_THAT(text, has("given:   0.5"));
  CHECK_THAT(errors_in(kExpression, {"objective.f=x1+y"}),
             has("objective.f: at character 4: unexpected token \"y\"; allowed: x1, x2"));
  CHECK_THAT(errors_in(kExpression, {"objective.low=[2,0]"}),
             has("objective.low: 2 is not below high = 1 in dimension 1"));
}

TEST_CASE("noise that needs values in [0, 1] is refused where they leave it") {
  for (const auto* kind : {"bernoulli", "beta", "symtrunc", "tilttrunc"}) {
    const std::string noise = std::string("objective.noise.kind=") + kind;
    CHECK_THAT(errors_in(kExpression, {noise}),
               has("needs values in [0, 1], the objective has them from -0.25"));
    CHECK(errors_in(kExpression, {noise, "objective.f=x1*x2^2"}).empty());
  }
  CHECK(errors_in(kExpression, {"objective.noise.kind=uniform"}).empty());
}

TEST_CASE("results say how well the maximum is known") {
  const auto blind = measurement(read_valid(kExpression), "maximum f* (best point found)");
  CHECK(blind.measured == Approx(1).margin(1e-6));
  REQUIRE(blind.bound);
  CHECK(blind.bound->kind == BoundKind::does_not_apply);
  CHECK_THAT(blind.bound->note, has("not certified"));

  const auto certified = measurement(read_valid(kExpression, {"objective.lipschitz=2.3"}),
                                     "maximum f* (best point found)");
  REQUIRE(certified.bound);
  CHECK(certified.bound->kind == BoundKind::derived);
  CHECK(certified.bound->value >= 1);
  CHECK(certified.bound->value <= 1.001);
}

TEST_CASE("an expression that isn't finite somewhere fails the run by name") {
  const auto scenario = read_valid(
      kExpression, {"objective.f=x1 > 0.25 && x2 < 0 && x1*4096 != rint(x1*4096) ? 0/0 : 1"});
  RunMonitor monitor(1);
  const auto result = run_scenario(scenario, {}, monitor);
  CHECK(exit_code_of(result) == ExitCode::no_progress);
  CHECK_THAT(result.runs[0].result.outcome.report, has("the expression is"));
  CHECK_THAT(result.runs[0].result.outcome.report, has(" failed at "));
}

TEST_CASE("a scenario's table is read once, checked, kept with the results and exact") {
  const std::string file = std::string(POSSE_SOURCE_DIR) + "/scenarios/tuning/table.toml";
  Diagnostics diagnostics;
  const auto scenario = load_scenario(file, {}, diagnostics);
  REQUIRE(diagnostics.empty());
  CHECK(*scenario.problem->base->maximum() == Approx(0.887));
  CHECK(scenario.inputs.files().size() == 1);
  CHECK_THAT(to_toml(scenario), has("file = \"inputs/0-losses.csv\""));
  const auto wrong = [&](const std::string& assignment) {
    Diagnostics found;
    load_scenario(file, {{"--set", assignment}}, found);
    return found.text();
  };
  CHECK_THAT(wrong("objective.file=no.csv"), has("objective.file: there is no file"));
  CHECK_THAT(wrong("objective.file=table.toml"),
             has("objective.file: line 1: the columns must be"));
  CHECK_THAT(wrong("objective.interpolation=linear"), has("linear needs one dimension"));
  CHECK_THAT(wrong("objective.high=[-1,1]"), has("is outside the box"));
  CHECK(wrong("objective.noise={kind=\"bernoulli\"}").empty());
  // A loss above 1 makes a reward below 0.
  CHECK_THAT(
      errors_in("[[algorithm]]\nkind=\"random-exchange\"\nclients=1\n[budget]\n"
                "evaluations_per_client=1\n[objective]\nkind=\"table\"\nfactor=-2\noffset=1\n"
                "noise.kind=\"beta\"\nfile=\"" POSSE_SOURCE_DIR "/scenarios/tuning/losses.csv\"\n"),
      has("needs values in [0, 1], the objective has them from -0.98"));
}

TEST_CASE("a mixture of functions runs, each client on its own") {
  const std::string mixture = "objective.heterogeneity={kind=\"mixture\",functions=\"";
  const auto scenario = read_valid(kExpression, {mixture + "x1; max(x2, 0)\"}"});
  const auto problem = make_problem(scenario, 3, 0);
  const std::vector<double> x{0.25, 0.5};
  CHECK(problem->local(0, x) == Approx(1 - 0.0625 - 0.25));
  CHECK(problem->local(1, x) == 0.25);
  CHECK(problem->local(2, x) == 0.5);
  const auto resolved = to_toml(scenario);
  CHECK_THAT(resolved, has("{ kind = \"mixture\", functions = \"x1; max(x2, 0)\" }"));
  CHECK(to_toml(read_valid(resolved)) == resolved);
  CHECK_THAT(errors_in(kExpression, {mixture + "sine\"}"}),
             has("objective.heterogeneity: functions: sine is defined on [0] to [1]"));
  CHECK_THAT(errors_in(kExpression,
                       {mixture + "x1-1\"}", "objective.f=x1", "objective.noise={kind=\"beta\"}"}),
             has("the objective has them from -1 to 1"));
}

TEST_CASE("shifts from a file: the seed is the scenario's plus the repetition") {
  const Folder folder;
  folder.write("shifts.csv", "seed,client,s1,s2\n5,0,0.1,0\n5,1,0,0.1\n6,0,0.2,0\n6,1,0,0.2\n");
  folder.write("own.toml",
               "seed = 5\nrepeat = 2\n" + kExpression +
                   "heterogeneity = { kind = \"table\", file = \"shifts.csv\" }\n");
  const auto load = [&](std::vector<std::string> sets, Diagnostics& diagnostics) {
    std::vector<Override> overrides;
    for (auto& set : sets) overrides.push_back({"--set", std::move(set)});
    return load_scenario(folder.path() + "/own.toml", overrides, diagnostics);
  };
  Diagnostics diagnostics;
  const auto scenario = load({}, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  const std::vector<double> x{0.5, 0.5};
  CHECK(make_problem(scenario, 2, 0)->local(0, x) == Approx(1 - 0.01 - 0.25));
  CHECK(make_problem(scenario, 2, 0)->local(1, x) == Approx(1 - 0.16));
  CHECK(make_problem(scenario, 2, 1)->local(0, x) == Approx(1 - 0.04 - 0.25));
  const auto complaint = [&](std::vector<std::string> sets) {
    Diagnostics found;
    load(std::move(sets), found);
    return found.text();
  };
  CHECK_THAT(complaint({"repeat=3"}),
             has("objective.heterogeneity: there is no row for seed 7 and client 0"));
  CHECK_THAT(complaint({"seed=4", "repeat=1"}), has("no row for seed 4 and client 0"));
  CHECK_THAT(complaint({"population.clients=3"}), has("no row for seed 5 and client 2"));
  CHECK_THAT(complaint({"objective.f=x1", "objective.low=0"}),
             has("objective.heterogeneity: file: line 1: the columns must be seed, client and s1"));
}

}  // namespace posse::test_user_objectives
