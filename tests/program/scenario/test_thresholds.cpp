// SPDX-License-Identifier: Apache-2.0
// The section [thresholds]: what it says, what is wrong with it, and whether results keep to it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program/compare/threshold_verdicts.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_thresholds {
namespace {

using Catch::Matchers::Contains;

const std::string kScenario = "repeat = 4\n" + test::kTwoAlgorithms + "[thresholds]\n";

Threshold threshold(const std::string& line) {
  const auto scenario = test::read_valid(kScenario + line + "\n");
  REQUIRE(scenario.thresholds.size() == 1);
  return scenario.thresholds.front();
}

ThresholdState state(const std::string& line,
                     const std::vector<double>& values,
                     const std::vector<double>& bounds = {}) {
  return judge(threshold(line), "fed-pne", {values, bounds}).state;
}

constexpr auto held = ThresholdState::held;
constexpr auto failed = ThresholdState::failed;
constexpr auto undecided = ThresholdState::undecided;

}  // namespace

TEST_CASE(
    "a threshold takes the smallest, the largest, the mean or a percentile of the repetitions") {
  const std::vector<double> values{4, 1, 3, 2};
  CHECK(state("rounds = \"min >= 1\"", values) == held);
  CHECK(state("rounds = \"min > 1\"", values) == failed);
  CHECK(state("rounds = \"max <= 4\"", values) == held);
  CHECK(state("rounds = \"max < 4\"", values) == failed);
  CHECK(state("rounds = \"mean <= 2.5\"", values) == held);
  CHECK(state("rounds = \"mean<2.5\"", values) == failed);
  CHECK(state("rounds = \"p(50) <= 2\"", values) == held);
  CHECK(state("rounds = \" p( 75 )  <=  3 \"", values) == held);
  CHECK(state("rounds = \"p(75) < 3\"", values) == failed);
  CHECK(state("rounds = \"p(25) <= 1\"", values) == held);
}

TEST_CASE("percentiles are the smallest values that so many don't exceed") {
  std::vector<double> values;
  for (int i = 100; i >= 1; --i) values.push_back(i);
  for (const int p : {1, 7, 10, 29, 50, 57, 90, 99}) CHECK(percentile_of(values, p) == p);
  CHECK(percentile_of({5}, 99) == 5);
  CHECK(values_for_percentile(50) == 1);
  CHECK(values_for_percentile(90) == 10);
  CHECK(values_for_percentile(10) == 10);
  CHECK(values_for_percentile(99) == 100);
}

TEST_CASE("a threshold against a bound compares run by run") {
  CHECK(state("rounds = \"max <= bound\"", {3, 5}, {3, 6}) == held);
  CHECK(state("rounds = \"max <= bound\"", {4, 5}, {3, 6}) == failed);  // although 5 <= 6
  CHECK(state("rounds = \"mean <= bound\"", {4, 5}, {3, 6}) == held);
}

TEST_CASE("too few repetitions, no value and no bound leave a threshold undecided") {
  CHECK(state("rounds = \"p(90) < 9\"", {1, 2, 3}) == undecided);
  CHECK(state("rounds = \"mean < 9\"", {}) == undecided);
  CHECK(state("rounds = \"max <= bound\"", {1, 2}) == undecided);
}

TEST_CASE("thresholds that the repetitions can't decide are known before the run") {
  const std::vector<Threshold> both{threshold("fed-pne.rounds = \"p(90) < 9\""),
                                    threshold("rounds = \"max < 9\"")};
  CHECK(undecidable(both, 10).empty());
  CHECK(undecidable(both, 9) ==
        std::vector<std::string>{"test.toml:19: thresholds.fed-pne.rounds: \"p(90) < 9\" needs 10 "
                                 "repetitions and has 9"});
}

TEST_CASE("limits have the units of their measures") {
  CHECK(threshold("virtual_s = \"mean < 200 ms\"").limit == 0.2);
  CHECK(threshold("payload_bytes = \"max < 2 kB\"").limit == 2000.0);
  CHECK(threshold("messages = \"max < 1e3\"").limit == 1000.0);
}

TEST_CASE("thresholds may be for one algorithm, and several for one measure") {
  const auto scenario = test::read_valid(
      kScenario +
      "\"fed-pne.rounds\" = [\"max <= bound\", \"min > 0\"]\nsimple_regret = \"mean < 1\"\n");
  REQUIRE(scenario.thresholds.size() == 3);
  CHECK(scenario.thresholds[0].algorithm == "fed-pne");
  CHECK_FALSE(scenario.thresholds[2].algorithm);
  // They are part of the resolved scenario.
  Diagnostics diagnostics;
  const auto again = test::read_text(to_toml(scenario), diagnostics);
  CHECK(diagnostics.empty());
  CHECK(to_toml(again) == to_toml(scenario));
}

TEST_CASE("mistakes in thresholds are named, with what is allowed") {
  const auto check = [](const std::string& line, const std::string& message) {
    INFO(line);
    CHECK_THAT(test::errors_in(kScenario + line + "\n"), Contains(message));
  };
  check("", "is empty");
  check("simple_regrets = \"mean < 1\"", "did you mean 'simple_regret'?");
  check("\"fed-pnes.rounds\" = \"mean < 1\"", "did you mean 'fed-pne'?");
  check("rounds = 3", "is not a string");
  check("rounds = [3]", "is not a string");
  check("rounds = \"3\"", "has no <, <=, > or >=");
  check("rounds = \"median < 3\"", "begins with 'median'");
  check("rounds = \"p(0) < 3\"", "percentile");
  check("rounds = \"p(100) < 3\"", "percentile");
  check("rounds = \"p(x) < 3\"", "percentile");
  check("rounds = \"mean < 3 ms\"", "is neither a number nor bound");
  check("rounds = \"mean < nan\"", "is neither a number nor bound");
  check("virtual_s = \"mean < 3\"", "no duration with a unit");
  check("payload_bytes = \"mean < 3\"", "no size with a unit");
  check("answer_value = \"mean < 3\"", "does nothing: no algorithm here has it");
  CHECK_THAT(test::errors_in(
                 R"(thresholds = 3
[[algorithm]]
kind = "echo"
[population]
clients = 2
)"),
             Contains("is not a table"));
  CHECK_THAT(test::errors_in(R"([[algorithm]]
kind = "echo"
[population]
clients = 2
[thresholds]
simple_regret = "mean < 1"
)"),
             Contains("does nothing: no algorithm here has it"));
}

TEST_CASE("garbage in thresholds is refused, never accepted or fatal") {
  const std::vector<std::string> pieces{"mean",
                                        "p(",
                                        "50",
                                        ")",
                                        "<",
                                        "<=",
                                        ">",
                                        "bound",
                                        " ",
                                        "1e",
                                        "-",
                                        ".",
                                        "s",
                                        "kB",
                                        "(",
                                        "p(50) < 1"};
  std::uint64_t state = 99;
  for (int round = 0; round < 500; ++round) {
    std::string condition;
    for (int i = 0; i < 5; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      condition += pieces[(state >> 33) % pieces.size()];
    }
    Diagnostics diagnostics;
    const auto scenario =
        test::read_text(kScenario + ("rounds = \"" + condition + "\"\n"), diagnostics);
    if (diagnostics.empty()) CHECK(scenario.thresholds.size() == 1);
  }
}

TEST_CASE("thresholds decide the exit code of a run, and are in its results") {
  const ProgramFolder folder;
  const auto run = [&](const std::string& lines, const std::string& verb = "run t.toml --json") {
    folder.write("t.toml", kScenario + lines + "\n");
    return folder.posse(verb);
  };
  const auto good = run("\"fed-pne.simple_regret\" = \"max <= bound\"\nvirtual_s = \"max < 1 h\"");
  CHECK(good.code == 9);
  CHECK_THAT(good.err,
             Contains("threshold undecided: fed-pne: simple_regret max <= bound") &&
                 Contains("no bound applies") && Contains("2 of 3 thresholds held"));
  CHECK(run("\"fed-pne.rounds\" = \"max <= bound\"").code == 0);
  const auto bad = run("\"random.rounds\" = \"max < 3\"\n\"fed-pne.rounds\" = \"p(99) < 30\"");
  CHECK(bad.code == 4);
  CHECK_THAT(bad.err, Contains("threshold failed: random: rounds max < 3, measured 200"));
  CHECK_THAT(bad.err, Contains("needs 100 repetitions, has 4"));
  const auto results = nlohmann::json::parse(bad.out)["thresholds"];
  REQUIRE(results.size() == 2);
  for (const auto& threshold : results)
    CHECK(threshold["verdict"] == (threshold["algorithm"] == "random" ? "failed" : "undecided"));
  CHECK_THAT(folder.posse("run t.toml").out, Contains("failed") && Contains("thresholds"));

  folder.write("s.toml", kScenario + R"(rounds = "max < 150"
[sweep]
network.latency = ["1 ms", "2 ms"]
)");
  const auto sweep = folder.posse("sweep s.toml");
  CHECK(sweep.code == 4);
  CHECK_THAT(sweep.err,
             Contains("threshold failed: random, 1 ms: rounds max < 150") &&
                 Contains("2 of 4 thresholds held"));
}

}  // namespace posse::test_thresholds
