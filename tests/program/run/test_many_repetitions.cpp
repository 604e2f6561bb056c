// SPDX-License-Identifier: Apache-2.0
// Of many repetitions figures are kept, details only of the first ones.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/base/files.hpp"
#include "program/compare/studied_runs.hpp"
#include "program/results/execution.hpp"
#include "program/results/results.hpp"
#include "program/results/stored_run.hpp"
#include "program/run/quantity_values.hpp"
#include "program/sweep/study_reader.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_many_repetitions {
namespace {

using Catch::Matchers::Contains;

constexpr std::uint32_t kDetailed = 3;

Scenario tiny(std::uint32_t repetitions) {
  return test::read_valid(
      fmt::format("name = \"many\"\nrepeat = {}\n{}", repetitions, test::kTwoAlgorithms),
      {"budget.evaluations_per_client=20"});
}

RunOptions quick(std::size_t threads = 2) {
  RunOptions options;
  options.kernel = Kernel::serial;
  options.threads = threads;
  options.detailed_repetitions = kDetailed;
  return options;
}

ScenarioResult run(const Scenario& scenario, const RunOptions& options) {
  RunMonitor monitor(number_of_runs(scenario, options));
  auto result = run_scenario(scenario, options, monitor);
  for (const auto& slot : monitor.slots) {
    REQUIRE(slot.figures.load() != nullptr);
    CHECK((slot.record.load() != nullptr) == slot.keeps_details);
    CHECK(slot.start.load() == (slot.keeps_details ? &slot.record.load()->start : nullptr));
  }
  return result;
}

}  // namespace

TEST_CASE("later repetitions keep their figures, which are those of a run with details") {
  const auto scenario = tiny(kDetailed + 2);
  const auto result = run(scenario, quick());
  CHECK(result.runs.size() == 2 * kDetailed);
  REQUIRE(result.figures.size() == 2 * kDetailed + 4);
  CHECK_FALSE(result.has_all_details());
  RunOptions last = quick(1);
  last.only_repetition = kDetailed + 1;
  const auto one = run(scenario, last);
  REQUIRE(one.runs.size() == 2);
  CHECK(one.has_all_details());
  for (std::size_t a = 0; a < 2; ++a) {
    const RunFigures& kept = result.figures[2 * (kDetailed + 1) + a];
    const RunRecord& detailed = one.runs[a];
    CHECK(kept.repetition == kDetailed + 1);
    CHECK(kept.fingerprint == detailed.result.outcome.fingerprint);
    CHECK(kept.finals == finals_of(detailed.result.outcome));
    CHECK(kept.finals == one.figures[a].finals);
    for (std::size_t q = 0; q < kQuantitiesWithCurves; ++q)
      for (std::size_t power = 0; power < 8; ++power)
        CHECK(kept.at_checkpoint(q, power) == one.figures[a].at_checkpoint(q, power));
    CHECK(kept.at_checkpoint(0, 4));
    CHECK_FALSE(kept.at_checkpoint(0, 5));  // 20 evaluations
    CHECK(kept.measurements.numbers == one.figures[a].measurements.numbers);
    // Names and notes are there once.
    CHECK(kept.measurements.like == result.figures[2 * kDetailed + a].measurements.like);
    MeasuredReader reader;
    const auto& measurements = reader.read(kept.measurements);
    REQUIRE(measurements.size() == detailed.measurements.size());
    for (std::size_t i = 0; i < measurements.size(); ++i) {
      CHECK(measurements[i].name == detailed.measurements[i].name);
      CHECK(measurements[i].measured == detailed.measurements[i].measured);
      CHECK(measurements[i].bound.has_value() == detailed.measurements[i].bound.has_value());
    }
  }
}

TEST_CASE("tables, comparisons and readers have every repetition") {
  const auto scenario = tiny(kDetailed + 2);
  ExecutionOptions options;
  options.run = quick();
  options.progress = ProgressStyle::none;
  RunMonitor monitor(number_of_runs(scenario, options.run));
  const Execution execution = execute(scenario, options, monitor);
  CHECK(execution.summary.algorithms[0].finished == scenario.repeat);
  CHECK(execution.summary.algorithms[0].totals[0].measured.n == scenario.repeat);
  REQUIRE(execution.summary.study);
  for (const auto& comparison : execution.summary.comparisons)
    if (!comparison.evaluations) CHECK(comparison.measure.cells[0][0]->values.n == scenario.repeat);
  CHECK_THAT(details_text(execution.summary),
             Contains("kept of the first 3 repetitions") && Contains("runs.csv"));

  const test::Folder out;
  RunFolder folder(out.path(), "many");
  folder.write(scenario, execution.result, execution.summary, execution.metadata, {});
  const StoredRun stored(folder.path());
  CHECK(stored.runs().size() == 2 * kDetailed);
  CHECK(stored.all_runs() == 2 * scenario.repeat);
  const Study read = read_study({folder.path()});
  const Study made = study_of(scenario, execution.result);
  for (std::size_t a = 0; a < 2; ++a) {
    CHECK(read.find(0, a)->finished == made.find(0, a)->finished);
    CHECK(read.find(0, a)->finished.size() == scenario.repeat);
  }
  // Few repetitions: no word of it.
  const auto few = tiny(2);
  const auto result = run(few, quick());
  CHECK(result.has_all_details());
  const auto summary = summarise(few, result);
  CHECK_THAT(details_text(summary), !Contains("runs.csv"));
  CHECK_THAT(results_json(few, result, summary), !Contains("detailed_repetitions"));
}

TEST_CASE("a results.json that is written run by run is JSON, also without runs") {
  const auto scenario = tiny(1);
  const auto result = run(scenario, quick());
  const auto text = results_json(scenario, result, summarise(scenario, result));
  const auto json = nlohmann::ordered_json::parse(text);
  CHECK(json["runs"].size() == 2);
  CHECK(text == json.dump(2) + "\n");
  const ScenarioResult none;
  const auto empty = results_json(scenario, none, summarise(scenario, none));
  CHECK(empty == nlohmann::ordered_json::parse(empty).dump(2) + "\n");
}

TEST_CASE("a damaged runs.csv is named with what is wrong") {
  const auto scenario = tiny(kDetailed + 1);
  const auto result = run(scenario, quick());
  const test::Folder out;
  RunFolder folder(out.path(), "many");
  folder.write(scenario, result, summarise(scenario, result), {}, {});
  const auto path = folder.path() / "runs.csv";
  const auto whole = read_file(path);
  const auto damaged = [&](const std::string& content, const std::string& problem) {
    write_file(path, content);
    CHECK_THROWS_WITH(read_study({folder.path()}), Contains("runs.csv") && Contains(problem));
  };
  damaged("", "the file is empty");
  damaged("algorithm,repetition\n", "seed");
  damaged(whole + "fed-pne,x,1,finished,1,,0,0,,,,,,,,,,,,,,,,,,\n", "has no repetition");
  damaged(whole + "fed-pne,7777,1,finished,1,,0,0,,,,,nan,,,,,,,,,,,,,\n", "line");
}

}  // namespace posse::test_many_repetitions
