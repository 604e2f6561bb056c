// SPDX-License-Identifier: Apache-2.0
// What runs mean is pinned: every shipped scenario and a small one per algorithm, latency, loss and
// transport. A failure says which ingredient of which run moved. ctest runs this with and without
// the processor's FMA and AVX2.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>

#include "core/base/csv.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/golden/files.hpp"
#include "tests/support/shipped_scenarios.hpp"

namespace posse::test_fingerprints {
namespace {

/// One run: scenario, algorithm, repetition.
using Key = std::string;

struct Row {
  std::string deliveries, accounts, numbers, results;
  bool operator==(const Row&) const = default;
};

Scenario loaded(const std::string& file, const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(file, overrides, diagnostics);
  INFO(file << ": " << diagnostics.text());
  REQUIRE(diagnostics.empty());
  return scenario;
}

std::map<Key, Row> rows_of(const std::string& file, Scenario scenario) {
  scenario.repeat = 1;
  const RunOptions options{.threads = 2};
  RunMonitor monitor(number_of_runs(scenario, options));
  const auto result = run_scenario(scenario, options, monitor);
  std::map<Key, Row> rows;
  for (const auto& run : result.runs) {
    CHECK(run.result.outcome.report == "");
    const auto hex = [](std::uint64_t x) { return fmt::format("{:016x}", x); };
    const auto& parts = run.result.outcome.ingredients;
    rows[fmt::format("{},{},{}",
                     std::filesystem::relative(file, POSSE_SOURCE_DIR).string(),
                     scenario.algorithms[run.algorithm].label,
                     run.repetition)] = {
        hex(parts.deliveries), hex(parts.accounts), hex(parts.numbers), hex(run.results_hash)};
  }
  return rows;
}

std::map<Key, Row> golden_rows() {
  const auto text = test::golden_text(test::golden_folder() / "fingerprints.csv");
  std::map<Key, Row> rows;
  CsvReader csv(text);
  while (csv.next())
    rows[fmt::format("{},{},{}",
                     csv.cell(csv.column("scenario")),
                     csv.cell(csv.column("algorithm")),
                     csv.cell(csv.column("repetition")))] = {csv.cell(csv.column("deliveries")),
                                                             csv.cell(csv.column("accounts")),
                                                             csv.cell(csv.column("numbers")),
                                                             csv.cell(csv.column("results"))};
  return rows;
}

void compare(const std::map<Key, Row>& rows, const std::map<Key, Row>& golden) {
  for (const auto& [key, row] : rows) {
    INFO(key);
    const auto known = golden.find(key);
    if (known == golden.end()) {
      FAIL_CHECK("no golden fingerprint: run tools/golden and commit what it writes");
      continue;
    }
    std::string moved;
    if (row.deliveries != known->second.deliveries) moved += " deliveries";
    if (row.accounts != known->second.accounts) moved += " accounts";
    if (row.numbers != known->second.numbers) moved += " numbers";
    if (row.results != known->second.results) moved += " results";
    INFO("moved:" << moved);
    CHECK(row == known->second);
  }
}

std::vector<std::pair<std::string, std::vector<Override>>> all_scenarios() {
  std::vector<std::pair<std::string, std::vector<Override>>> all;
  for (const auto& shipped : test::shipped_scenarios(true))
    all.emplace_back(shipped.file, shipped.overrides);
  for (const auto* folder : {"algorithms", "networks"})
    for (const auto& file : test::golden_scenarios(folder)) all.push_back({file.string(), {}});
  return all;
}

}  // namespace

TEST_CASE("runs mean what they meant: deliveries, accounts, numbers and results are as recorded") {
  std::map<Key, Row> rows;
  for (const auto& [file, overrides] : all_scenarios()) {
    const auto scenario = loaded(file, overrides);
    // An objective that another library or program computes has the processor's last bits
    // everywhere.
    if (scenario.problem && !foreign_mathematics(scenario).empty()) continue;
    rows.merge(rows_of(file, scenario));
  }
  if (!test::rewriting_golden()) return compare(rows, golden_rows());
  std::string text = "scenario,algorithm,repetition,deliveries,accounts,numbers,results\n";
  for (const auto& [key, row] : rows)
    text += fmt::format(
        "{},{},{},{},{}\n", key, row.deliveries, row.accounts, row.numbers, row.results);
  test::write_golden("fingerprints.csv", text);
}

TEST_CASE(
    "scenarios whose last bits may be the processor's are listed, and none is added unnoticed") {
  std::string text = "scenario,computed_by\n";
  for (const auto& [file, overrides] : all_scenarios())
    if (const auto others = foreign_mathematics(loaded(file, overrides)); !others.empty())
      text += fmt::format("{},{}\n",
                          std::filesystem::relative(file, POSSE_SOURCE_DIR).string(),
                          fmt::join(others, " and "));
  if (test::rewriting_golden()) return test::write_golden("processor_dependent.csv", text);
  CHECK(text == test::golden_text(test::golden_folder() / "processor_dependent.csv"));
}

}  // namespace posse::test_fingerprints
