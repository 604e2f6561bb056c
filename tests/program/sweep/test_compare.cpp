// SPDX-License-Identifier: Apache-2.0
// Comparing runs and sweeps through the program.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/base/files.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_compare {
namespace {

using Catch::Matchers::Contains;

const std::string kScenario = "name = \"pair\"\nrepeat = 6\n" + test::kTwoAlgorithms;

}  // namespace

TEST_CASE("runs of two folders are compared by what their scenarios differ in") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  REQUIRE(folder.posse("run pair.toml --out a").code == 0);
  REQUIRE(
      folder
          .posse("run pair.toml --out b --set network.loss=0.1 --set 'network.latency=\"200 ms\"'")
          .code == 0);
  const auto outcome = folder.posse("compare a/pair b/pair");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out,
             Contains("pair: 2 settings × 2 algorithms, 6 repetitions, paired by seed"));
  CHECK_THAT(outcome.out,
             Contains("From 20 ms, no loss to 200 ms, 10 % loss, fed-pne: bytes on the wire "));
  // A sweep over both settings compares like the two folders.
  folder.write("sweep.toml",
               kScenario +
                   R"([sweep]
network.latency = ["20 ms", "200 ms"]
network.loss = [0, 0.1]
lock_step = [["network.latency", "network.loss"]]
)");
  const auto sweep = folder.posse("sweep sweep.toml --store s --json");
  REQUIRE(sweep.code == 0);
  const auto folders = folder.posse("compare a/pair b/pair --json");
  CHECK(nlohmann::json::parse(sweep.out) == nlohmann::json::parse(folders.out));
}

TEST_CASE("run, sweep, compare and the run's folder tell the same of the same runs") {
  const ProgramFolder folder;
  // Some runs finish, and not the same ones of both algorithms: pairs are fewer than runs.
  folder.write("pair.toml", R"(name = "pair"
repeat = 12
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
)" + test::kThreeClients + R"(
[network]
transport = "reliable"
latency = { kind = "exponential", mean = "20 ms" }
[limits]
virtual_time = "200 ms"
)");
  const auto run = folder.posse("run pair.toml --out a");
  CHECK(run.code == 7);
  const auto compared = folder.posse("compare a/pair");
  REQUIRE(compared.code == 0);
  CHECK_THAT(compared.out, Contains("did not finish"));
  CHECK(run.out.starts_with(compared.out));
  CHECK(folder.posse("sweep pair.toml --store s").out == compared.out);
  CHECK(folder.posse("compare s").out == compared.out);
  CHECK(folder.posse("collect s").out == compared.out);
  // A run that broke a bound is compared like others.
  const auto summary = read_file(folder / "s/summary.csv");
  std::string violated = summary;
  const auto status = violated.find(",finished,");
  REQUIRE(status != std::string::npos);
  violated.replace(status, 10, ",violated,");
  write_file(folder / "s/summary.csv", violated);
  CHECK(folder.posse("compare s").out == compared.out);
  write_file(folder / "s/summary.csv", summary);
  const auto json = nlohmann::json::parse(folder.posse("compare a/pair --json").out);
  CHECK(nlohmann::json::parse(folder.posse("compare s --json").out) == json);
  CHECK(nlohmann::json::parse(read_file(folder / "a/pair/latest/results.json")).at("study") ==
        json);
}

TEST_CASE("a store is named by the scenario of its latest sweep, also where only its tables are") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  REQUIRE(folder.posse("sweep pair.toml --store s").code == 0);
  std::filesystem::create_directory(folder / "tables");
  for (const auto* file : {"summary.csv", "about.txt"})
    std::filesystem::copy(folder / "s" / file, folder / "tables" / file);
  CHECK(folder.posse("compare tables").out == folder.posse("compare s").out);
  CHECK(folder.posse("compare s").out.starts_with("pair: 2 algorithms"));
  // A name decides nothing: the runs are there.
  REQUIRE(folder.posse("sweep pair.toml --store s --set name=\"two\"").code == 0);
  CHECK(folder.posse("compare s").out.starts_with("two: 2 algorithms"));
  std::filesystem::remove(folder / "tables" / "about.txt");
  CHECK(folder.posse("compare tables").out.starts_with("tables: 2 algorithms"));
}

TEST_CASE("runs of unlike problems are different settings, whatever their algorithms") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  const std::string alone =
      R"(name = "alone"
repeat = 6
[[algorithm]]
kind = "hct-central"
)" + test::kThreeClients +
      R"([network]
transport = "reliable"
latency = "20 ms"
)";
  folder.write("alone.toml", alone);
  REQUIRE(folder.posse("run pair.toml --out a").code == 0);
  REQUIRE(folder.posse("run alone.toml --out a").code == 0);
  const auto settings = [&](const std::string& runs) {
    const auto outcome = folder.posse("compare " + runs);
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    return outcome.out;
  };
  // Another algorithm on the same problem, on another one, and on quite another one.
  CHECK_THAT(settings("a/pair a/alone"), Contains("pair, alone: 3 algorithms, 6 repetitions"));
  REQUIRE(folder.posse("run alone.toml --out b --set objective.kind=sine").code == 0);
  CHECK_THAT(settings("a/pair b/alone"), Contains("2 settings × 3 algorithms"));
  REQUIRE(folder
              .posse("run alone.toml --out c --set objective.kind=sine --set network.loss=0.01 "
                     "--set budget.evaluations_per_client=99 --set network.rate='\"1 Mbit/s\"' "
                     "--set 'network.latency=\"1 ms\"'")
              .code == 0);
  const auto far = settings("a/pair c/alone");
  CHECK_THAT(far, Contains("2 settings × 3 algorithms"));
  CHECK_THAT(far, Contains("\n    pair  ") && Contains("\n    alone  "));
  // A parameter that two algorithms share, in one of the runs.
  REQUIRE(folder.posse("run pair.toml --out d --set algorithm.0.delta=0.01").code == 0);
  CHECK_THAT(settings("a/pair d/pair"),
             Contains("2 settings × 2 algorithms") && Contains("delta 0.01"));
}

TEST_CASE("two stores of unlike problems are different settings") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario + R"([sweep]
"network.loss" = [0, 0.1]
)");
  REQUIRE(folder.posse("sweep pair.toml --store s").code == 0);
  REQUIRE(folder.posse("sweep pair.toml --store t --set objective.kind=sine").code == 0);
  CHECK_THAT(folder.posse("compare s t").out, Contains("4 settings × 2 algorithms"));
  // Shards of one sweep are not.
  REQUIRE(folder.posse("sweep pair.toml --store u --shard 1/2").code == 0);
  REQUIRE(folder.posse("sweep pair.toml --store v --shard 2/2").code == 0);
  REQUIRE(folder.posse("collect u --out u").code == 0);
  REQUIRE(folder.posse("collect v --out v").code == 0);
  CHECK_THAT(folder.posse("compare u v").out, Contains("2 settings × 2 algorithms"));
}

TEST_CASE("unlike constants and random recommendations are named in runs, folders and sweeps") {
  const ProgramFolder folder;
  folder.write("unlike.toml",
               R"(name = "unlike"
repeat = 5
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
[[algorithm]]
kind = "hct-central"
)" + test::kThreeClients);
  const auto mentions = [](const std::string& text, bool unlike) {
    const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
    CHECK(has("fed-pne and hct-central have practical confidence widths, parallel the theory's") ==
          unlike);
    CHECK(has("the simple regret of hct-central is that of a play drawn at random") == unlike);
  };
  const auto headlines = [](const std::string& json) {
    const auto parsed = nlohmann::json::parse(json);
    std::string out;
    for (const auto& warning : parsed.at("warnings")) out += warning.get<std::string>() + "\n";
    return out;
  };
  REQUIRE(folder.posse("run unlike.toml").code == 0);
  mentions(headlines(folder.posse("compare runs/unlike --json").out), true);
  const auto results = nlohmann::json::parse(read_file(folder / "runs/unlike/latest/results.json"));
  mentions(headlines(results.at("study").dump()), true);
  mentions(headlines(folder.posse("sweep unlike.toml --store s --json").out), true);
  mentions(headlines(folder
                         .posse("sweep unlike.toml --store t --json --set "
                                "algorithm.1.constants=practical --set "
                                "algorithm.2.recommendation=most-pulled")
                         .out),
           false);
}

TEST_CASE("run --until-ci makes as many repetitions as the width takes, as if asked for at once") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  const auto until = folder.posse(
      "run pair.toml --repeat 3 --out a --until-ci cumulative_regret=2 --progress none");
  REQUIRE(until.code == 0);
  CHECK_THAT(until.err, Contains("cumulative_regret=2 is not reached with 3 repetitions"));
  const auto results = read_file(folder / "a/pair/latest/results.json");
  const auto repeat = nlohmann::json::parse(results).at("repeat").get<int>();
  CHECK(repeat > 3);
  REQUIRE(folder.posse("run pair.toml --out b --repeat " + std::to_string(repeat)).code == 0);
  CHECK(read_file(folder / "b/pair/latest/results.json") == results);
  CHECK(read_file(folder / "b/pair/latest/scenario.toml") ==
        read_file(folder / "a/pair/latest/scenario.toml"));
  CHECK_THAT(folder.posse("compare a/pair --until-ci cumulative_regret=2").out,
             Contains("is known to ±2 with " + std::to_string(repeat) + " repetitions"));

  const auto few = folder.posse(
      "run pair.toml --repeat 2 --until-ci cumulative_regret=0.001 --most-repetitions 6");
  CHECK(few.code == 9);
  CHECK_THAT(few.err, Contains("needs more than 6 repetitions (exit code 9)"));
  // More repetitions of what fails would fail.
  const auto stalls = folder.posse(
      "run pair.toml --repeat 2 --until-ci cumulative_regret=0.001 --set network.loss=0.9 --set "
      "network.transport=datagram");
  CHECK(stalls.code == 7);
  CHECK_THAT(stalls.err, !Contains("going on to"));
  for (const auto* other : {"--repetition 1", "--serve=:0", "--metrics=:0"})
    CHECK(folder.posse("run pair.toml --until-ci rounds=1 " + std::string(other)).code == 2);
  CHECK(folder.posse("run pair.toml --until-ci speed=1").code == 2);
}

TEST_CASE("what can't be compared is refused, and says why") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  REQUIRE(folder.posse("run pair.toml --out a --repeat 1").code == 0);
  const auto check = [&](const std::string& arguments, int code, const std::string& message) {
    const auto outcome = folder.posse("compare " + arguments);
    INFO(arguments << "\n" << outcome.out << outcome.err);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, Contains(message));
  };
  check("", 2, "RUN");
  check("nowhere", 11, "is not a run folder");
  check("a/pair a/pair", 2, "is there twice");
  check("a/pair --measure speed", 2, "there is no measure 'speed'");
  check("a/pair --measure simple_regert", 2, "did you mean 'simple_regret'? (exit code 2)");
  check("a/pair --until-ci rounds", 2, "has no '='");
  REQUIRE(folder.posse("sweep pair.toml --store s --repeat 1 --shard 1/1").code == 0);
  check("s", 11, "summary.csv' doesn't exist");
  write_file(folder / "s/summary.csv", "setting,algorithm\n1,2,3\n");
  check("s", 11, "summary.csv");
  REQUIRE(folder.posse("collect s").code == 0);
  auto table = read_file(folder / "s/summary.csv");
  const auto changed = [&](std::string_view column, const std::string& cell) {
    std::string line = table.substr(table.find('\n') + 1);
    std::size_t at = 0;
    for (auto left = std::count(table.begin(), table.begin() + table.find(column), ','); left > 0;
         --left)
      at = line.find(',', at) + 1;
    line.replace(at, line.find_first_of(",\n", at) - at, cell);
    write_file(folder / "s/summary.csv", table.substr(0, table.find('\n') + 1) + line);
  };
  for (const auto* repetition : {"1e300", "-1", "0.5"}) {
    changed("repetition", repetition);
    check("s", 11, "line 2 is not a run of the store");
  }
  changed("key", "../../elsewhere");
  check("s", 11, "line 2 is not a run of the store");
  const auto one = folder.posse("compare a/pair");
  CHECK_THAT(one.out, Contains("warning: only 1 repetition"));
  // Runs of an earlier version.
  const auto results = folder / "a/pair/latest/results.json";
  auto text = read_file(results);
  text.replace(text.find("\"results_version\": "), 19, "\"results_version\": 1");
  write_file(results, text);
  check("a/pair", 11, "has results version 1");
}

}  // namespace posse::test_compare
