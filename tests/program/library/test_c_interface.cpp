// SPDX-License-Identifier: Apache-2.0
// The C interface: what it says, refuses and hands out.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "program/library/experiment.hpp"
#include "program/library/posse.h"
#include "program/results/results_json.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_c_interface {

using namespace posse;
using Catch::Matchers::Contains;

namespace {

const std::string kText = "name = \"two\"\nrepeat = 2\n" + test::kTwoAlgorithms;

struct Free {
  void operator()(posse_scenario* scenario) const { posse_scenario_free(scenario); }
  void operator()(posse_results* results) const { posse_results_free(results); }
  void operator()(posse_learner* learner) const { posse_learner_free(learner); }
};
using ScenarioHandle = std::unique_ptr<posse_scenario, Free>;
using ResultsHandle = std::unique_ptr<posse_results, Free>;
using LearnerHandle = std::unique_ptr<posse_learner, Free>;

ScenarioHandle two_algorithms() {
  ScenarioHandle scenario(posse_scenario_parse(kText.c_str(), "."));
  REQUIRE(scenario);
  return scenario;
}

std::string last_error() { return posse_last_error(); }

}  // namespace

TEST_CASE("a scenario run through C has the fingerprint of the program") {
  const auto scenario = two_algorithms();
  CHECK(posse_scenario_set(scenario.get(), "network.loss", "0.1") == POSSE_OK);
  CHECK(posse_scenario_check(scenario.get()) == POSSE_OK);
  const ResultsHandle results(posse_run(scenario.get(), nullptr));
  REQUIRE(results);
  CHECK(posse_results_status(results.get()) == POSSE_OK);
  Experiment same(kText, ".");
  same.set("network.loss", "0.1");
  CHECK(posse_results_fingerprint(results.get()) == hexadecimal(same.run().fingerprint()));
  CHECK_THAT(posse_results_json(results.get()), Contains("\"fed-pne\""));
  CHECK_THAT(posse_results_text(results.get()), Contains("fed-pne"));
  CHECK_THAT(posse_version(), Contains("."));
}

TEST_CASE("tables through C are columns of numbers and of texts") {
  const auto scenario = two_algorithms();
  const ResultsHandle results(posse_run(scenario.get(), nullptr));
  const auto* runs = posse_results_table(results.get(), "runs");
  REQUIRE(runs != nullptr);
  CHECK(posse_results_table(results.get(), "runs") == runs);
  CHECK(posse_table_rows(runs) == 4);
  const auto regret = posse_table_find(runs, "cumulative_regret");
  REQUIRE(regret < posse_table_columns(runs));
  CHECK(std::string(posse_table_column_name(runs, regret)) == "cumulative_regret");
  const double* values = posse_table_reals(runs, regret);
  REQUIRE(values != nullptr);
  for (int i = 0; i < 4; ++i) CHECK(values[i] > 0);
  CHECK(posse_table_text(runs, regret, 0) == nullptr);
  const auto algorithm = posse_table_find(runs, "algorithm");
  CHECK(posse_table_reals(runs, algorithm) == nullptr);
  CHECK(std::string(posse_table_text(runs, algorithm, 1)) == "random");
  CHECK(posse_table_text(runs, algorithm, 4) == nullptr);
  CHECK(posse_table_find(runs, "nothing") == SIZE_MAX);
  CHECK(posse_table_column_name(runs, posse_table_columns(runs)) == nullptr);
  CHECK(posse_table_reals(runs, SIZE_MAX) == nullptr);
  CHECK(posse_results_table(results.get(), "rnus") == nullptr);
  CHECK_THAT(last_error(), Contains("rnus") && Contains("rounds"));
}

TEST_CASE("failures through C have a status and a sentence, of this thread") {
  CHECK(posse_scenario_load("nowhere.toml") == nullptr);
  CHECK_THAT(last_error(), Contains("nowhere.toml"));
  std::thread([] { CHECK(last_error().empty()); }).join();
  CHECK(posse_scenario_parse("name = ", ".") == nullptr);
  const auto scenario = two_algorithms();
  posse_scenario_set(scenario.get(), "network.lose", "1");
  posse_scenario_set(scenario.get(), "repeat", "0");
  CHECK(posse_scenario_check(scenario.get()) == POSSE_INVALID_SCENARIO);
  CHECK_THAT(last_error(), Contains("network.lose") && Contains("repeat"));
  CHECK(posse_run(scenario.get(), nullptr) == nullptr);
  const auto good = two_algorithms();
  const ResultsHandle results(posse_run(good.get(), nullptr));
  CHECK(posse_results_write(results.get(), "/proc/nowhere") == nullptr);
  CHECK_THAT(last_error(), Contains("/proc/nowhere"));
}

TEST_CASE("null pointers are refused, not followed") {
  CHECK(posse_scenario_load(nullptr) == nullptr);
  CHECK_THAT(last_error(), Contains("NULL"));
  CHECK(posse_scenario_parse(nullptr, ".") == nullptr);
  CHECK(posse_scenario_parse("", nullptr) == nullptr);
  CHECK(posse_scenario_set(nullptr, "a", "b") == POSSE_USAGE);
  const auto scenario = two_algorithms();
  CHECK(posse_scenario_set(scenario.get(), nullptr, "b") == POSSE_USAGE);
  CHECK(posse_scenario_set(scenario.get(), "repeat", nullptr) == POSSE_USAGE);
  CHECK(posse_scenario_check(nullptr) == POSSE_USAGE);
  CHECK(posse_run(nullptr, nullptr) == nullptr);
  CHECK(posse_results_status(nullptr) == POSSE_USAGE);
  CHECK(posse_results_fingerprint(nullptr) == nullptr);
  CHECK(posse_results_json(nullptr) == nullptr);
  CHECK(posse_results_text(nullptr) == nullptr);
  CHECK(posse_results_write(nullptr, ".") == nullptr);
  CHECK(posse_results_table(nullptr, "runs") == nullptr);
  CHECK(posse_table_rows(nullptr) == 0);
  CHECK(posse_table_columns(nullptr) == 0);
  CHECK(posse_table_find(nullptr, "a") == SIZE_MAX);
  CHECK(posse_table_reals(nullptr, 0) == nullptr);
  const double low = 0;
  const double high = 1;
  CHECK(posse_learner_new(nullptr, "", 1, &low, &high, 10, 1) == nullptr);
  CHECK(posse_learner_new("hct", "", 1, nullptr, &high, 10, 1) == nullptr);
  CHECK(posse_learner_new("hct", "", 1, &low, nullptr, 10, 1) == nullptr);
  double point = 0;
  CHECK(posse_learner_ask(nullptr, &point) == POSSE_USAGE);
  CHECK(posse_learner_tell(nullptr, 0) == POSSE_USAGE);
  CHECK(posse_learner_recommend(nullptr, &point) == POSSE_USAGE);
  posse_scenario_free(nullptr);
  posse_results_free(nullptr);
  posse_learner_free(nullptr);
}

TEST_CASE("a run through C can be watched and stopped") {
  // Half a minute, if nothing stopped it.
  const auto text = R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients;
  const ScenarioHandle scenario(posse_scenario_parse(text.c_str(), "."));
  posse_scenario_set(scenario.get(), "budget.evaluations_per_client", "2000000000");
  int calls = 0;
  posse_run_options options{};
  options.size = sizeof options;
  options.threads = 2;
  options.user = &calls;
  options.progress = [](const posse_progress* progress, void* user) {
    CHECK(progress->runs == 1);
    return ++*static_cast<int*>(user) < 3 ? 0 : 1;
  };
  const ResultsHandle results(posse_run(scenario.get(), &options));
  REQUIRE(results);
  CHECK(calls >= 3);
  CHECK(posse_results_status(results.get()) == POSSE_NO_PROGRESS);

  // Options of a program that knows only the first members.
  posse_run_options old{};
  std::memset(static_cast<void*>(&old), 0xff, sizeof old);
  old.size = offsetof(posse_run_options, progress);
  old.threads = 1;
  const auto short_one = two_algorithms();
  const ResultsHandle whole(posse_run(short_one.get(), &old));
  CHECK(posse_results_status(whole.get()) == POSSE_OK);
}

TEST_CASE("a learner through C finds a maximum") {
  const double low[] = {-1, -1};
  const double high[] = {1, 1};
  const LearnerHandle learner(
      posse_learner_new("hct", "nu1 = 2\nrho = 0.7", 2, low, high, 2000, 3));
  REQUIRE(learner);
  double point[2];
  for (int t = 0; t < 2000; ++t) {
    REQUIRE(posse_learner_ask(learner.get(), point) == POSSE_OK);
    const double value = 1 - std::abs(point[0] - 0.25) - std::abs(point[1] + 0.5);
    REQUIRE(posse_learner_tell(learner.get(), value) == POSSE_OK);
  }
  REQUIRE(posse_learner_recommend(learner.get(), point) == POSSE_OK);
  CHECK(std::abs(point[0] - 0.25) < 0.2);
  CHECK(std::abs(point[1] + 0.5) < 0.2);
  CHECK(posse_learner_tell(learner.get(), 0) == POSSE_USAGE);
  CHECK(posse_learner_new("hct", "rho = 7", 2, low, high, 10, 1) == nullptr);
  CHECK_THAT(last_error(), Contains("rho"));
  CHECK_THAT(posse_learner_kinds(), Contains("hct,") && Contains("poo"));
}

}  // namespace test_c_interface
