// SPDX-License-Identifier: Apache-2.0
// Scenarios loaded, changed and run by a program of the user's.
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <string>

#include "program/library/experiment.hpp"
#include "program/results/run_data.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"
#include "tests/support/test_data.hpp"

namespace test_experiment {

using namespace posse;
using Catch::Matchers::Contains;

namespace {

const std::string kText = "name = \"two\"\nrepeat = 2\n" + test::kTwoAlgorithms;

const MemoryTable::Reals& reals(const MemoryTable& table, std::string_view name) {
  const auto* column = table.find(name);
  INFO(name);
  REQUIRE(column != nullptr);
  return std::get<MemoryTable::Reals>(column->cells);
}
const MemoryTable::Texts& texts(const MemoryTable& table, std::string_view name) {
  const auto* column = table.find(name);
  INFO(name);
  REQUIRE(column != nullptr);
  return std::get<MemoryTable::Texts>(column->cells);
}

}  // namespace

TEST_CASE("an experiment has the results of the scenario, on any number of threads") {
  const auto scenario = test::read_valid(kText);
  RunMonitor monitor(number_of_runs(scenario, {}));
  const auto expected = run_scenario(scenario, {.kernel = Kernel::serial}, monitor).fingerprint;
  for (const std::size_t threads : {1, 3})
    CHECK(Experiment(kText, "").run({.threads = threads}).fingerprint() == expected);
}

TEST_CASE("keys of an experiment can be set, removed and are checked when it is run") {
  Experiment experiment(kText, "");
  experiment.set("network.loss", "0.25");
  experiment.set("repeat", "3");
  experiment.set("name", "renamed");
  const auto scenario = experiment.scenario();
  CHECK(scenario.repeat == 3);
  CHECK(scenario.name == "renamed");
  CHECK(test::read_valid(experiment.toml()).repeat == 3);
  experiment.set("repeat", "");
  CHECK(experiment.scenario().repeat == 1);
  CHECK_THROWS_WITH(experiment.set("algorithm.7.kind", "x"), Contains("algorithm"));
  experiment.set("network.lose", "0.5");
  experiment.set("repeat", "0");
  CHECK_THROWS_WITH(experiment.run(), Contains("network.lose") && Contains("repeat"));
  CHECK_THROWS_AS(Experiment("name = ", ""), ScenarioMistakes);
  CHECK_THROWS_WITH(Experiment("nowhere.toml"), Contains("nowhere.toml"));
}

TEST_CASE("the table of runs has what the run folder's results have") {
  const auto results = Experiment(kText, "").run();
  const auto runs = results.table("runs");
  CHECK(runs.rows() == 4);
  CHECK(texts(runs, "algorithm") ==
        std::vector<std::string>{"fed-pne", "random", "fed-pne", "random"});
  CHECK(reals(runs, "repetition") == std::vector<double>{0, 0, 1, 1});
  CHECK(texts(runs, "status") == std::vector<std::string>(4, "finished"));

  const test::Folder folder;
  const auto written = results.write(folder.path());
  CHECK(std::filesystem::exists(written / "report.html"));
  const auto read = read_run(written);
  for (const auto* quantity : {"cumulative_regret",
                               "simple_regret",
                               "rounds",
                               "messages",
                               "payload_bytes",
                               "wire_bytes",
                               "virtual_s"}) {
    INFO(quantity);
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(reals(runs, quantity)[i] ==
            read.algorithms[i % 2].repetitions[i / 2].finals[std::string_view(quantity)]);
  }
  CHECK(test::text_of((written / "results.json").string()) == results.json());
  CHECK_THAT(results.text(), Contains("fed-pne") && Contains("cumulative regret"));
}

TEST_CASE("the other tables are the run folder's, in columns") {
  const auto results = Experiment(kText, "").run();
  const auto regret = results.table("regret");
  CHECK(regret.rows() > 10);
  CHECK(texts(regret, "algorithm").front() == "fed-pne");
  for (const double value : reals(regret, "evaluations_per_client")) CHECK(value >= 0);
  CHECK(results.table("rounds").rows() > 3);
  CHECK(results.table("arms").rows() == 0);
  CHECK_THROWS_WITH(results.table("arns"), Contains("arns") && Contains("regret"));
  for (const auto& name : ExperimentResults::table_names()) CHECK_NOTHROW(results.table(name));
}

TEST_CASE("a table's column is real if all its cells are numbers or empty") {
  const auto table = table_of_csv("a,b,c,d\n1,x,,1e400\n-2.5,2,3,4\n");
  CHECK(reals(table, "a") == std::vector<double>{1, -2.5});
  CHECK(texts(table, "b") == std::vector<std::string>{"x", "2"});
  CHECK(std::isnan(reals(table, "c")[0]));
  CHECK(reals(table, "c")[1] == 3);
  CHECK(texts(table, "d")[0] == "1e400");  // is no double
  CHECK(table.find("e") == nullptr);
  CHECK(table_of_csv("a,b\n").rows() == 0);
}

TEST_CASE("progress is told from the calling thread, and can stop the runs") {
  const auto here = std::this_thread::get_id();
  std::size_t calls = 0;
  ExperimentProgress last;
  const auto whole = Experiment(kText, "").run({.progress = [&](const ExperimentProgress& now) {
    CHECK(std::this_thread::get_id() == here);
    CHECK(now.runs == 4);
    ++calls;
    last = now;
    return true;
  }});
  CHECK(calls >= 2);
  CHECK(last.ended == 4);
  CHECK(last.evaluations == last.expected_evaluations);
  CHECK(whole.exit_code() == ExitCode::ok);

  // Half a minute, if nothing stopped it; in one reaction, whose evaluations are counted at its
  // end.
  Experiment endless(R"([[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients,
                     "");
  endless.set("budget.evaluations_per_client", "2000000000");
  calls = 0;
  const auto stopped =
      endless.run({.progress = [&](const ExperimentProgress&) { return ++calls < 3; }});
  CHECK(stopped.exit_code() == ExitCode::no_progress);
  CHECK(texts(stopped.table("runs"), "status")[0] == "stopped");

  CHECK_THROWS_WITH(endless.run({.progress = [](const ExperimentProgress&) -> bool {
    throw std::runtime_error("enough");
  }}),
                    "enough");
}

}  // namespace test_experiment
