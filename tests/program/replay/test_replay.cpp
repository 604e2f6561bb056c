// SPDX-License-Identifier: Apache-2.0
// Finished runs, run again from their folders.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program/base/files.hpp"
#include "program/replay/replay.hpp"
#include "program/scenario/external_objective.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/results_json.hpp"
#include "tests/support/scenario_text.hpp"
#include "tests/support/shipped_scenarios.hpp"

namespace posse::test_replay {
namespace {

using Catch::Matchers::Contains;

const std::string kScenario = R"(
name = "small"
seed = 3
repeat = 2
[[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients + R"(
[network]
latency = "1 ms"
)";

/// A folder with a finished run of kScenario in runs/small/latest.
class FinishedRun : public ProgramFolder {
 public:
  FinishedRun() {
    write("small.toml", kScenario);
    const auto run = posse("run small.toml");
    INFO(run.err);
    REQUIRE(run.code == 0);
  }
  fs::path run() const { return fs::path(path()) / "runs" / "small" / "latest"; }
  void replace(const std::string& file, const std::string& old, const std::string& now) const {
    auto text = read_file(run() / file);
    const auto at = text.find(old);
    REQUIRE(at != std::string::npos);
    write_file(run() / file, text.replace(at, old.size(), now));
  }
};

void check_replay(std::vector<test::ShippedScenario> scenarios) {
  allow_external_programs();
  const test::Folder folder;
  for (auto& [file, overrides, dear] : scenarios) {
    INFO(file);
    overrides.push_back({"test", "repeat=1"});  // more of them would show nothing else
    Diagnostics diagnostics;
    const auto scenario = load_scenario(file, overrides, diagnostics);
    REQUIRE(diagnostics.empty());
    ExecutionOptions options;
    options.run.threads = 2;
    options.progress = ProgressStyle::none;
    RunMonitor monitor(number_of_runs(scenario, options.run));
    const auto execution = execute(scenario, options, monitor);
    RunFolder run(folder.path(), scenario.name);
    run.write(scenario, execution.result, execution.summary, execution.metadata, {});
    const auto replayed = replay(run.commit(), options);
    CHECK(replayed.size() == execution.result.runs.size());
    for (const auto& again : replayed) {
      INFO(again.algorithm << " " << again.what);
      CHECK(again.verdict == ReplayVerdict::equal);
      CHECK(again.recorded == again.now);
    }
  }
}

}  // namespace

TEST_CASE("replay repeats every shipped scenario from its folder alone", "[fingerprints]") {
  check_replay(test::shipped_scenarios());
}

TEST_CASE("replay repeats every shipped scenario on data of others", "[fingerprints]") {
  const auto data = test::scenarios_on_others_data();
  check_replay(data.scenarios);
  data.skip_what_is_missing();
}

TEST_CASE("replay proves a run, in words and as JSON") {
  const FinishedRun folder;
  const auto words = folder.posse("replay runs/small");
  CHECK(words.code == 0);
  CHECK_THAT(words.out, Contains("fed-pne, repetition 1: equal, fingerprint "));
  const auto json = nlohmann::json::parse(folder.posse("replay runs/small --json").out);
  CHECK(json[0]["runs"].size() == 2);
  CHECK(json[0]["runs"][0]["verdict"] == "equal");
  CHECK(folder.posse("replay runs/small --quiet").out.empty());
}

TEST_CASE("replay of a folder with one of the repetitions runs only that one") {
  const FinishedRun folder;
  CHECK(folder.posse("run small.toml --repetition 1").code == 0);
  const auto words = folder.posse("replay runs/small");
  CHECK(words.code == 0);
  CHECK_THAT(words.out, Contains("repetition 1: equal") && !Contains("repetition 0"));
}

TEST_CASE("replay names what differs from the record") {
  const FinishedRun folder;
  SECTION("the scenario was changed") {
    folder.replace("scenario.toml", "1 ms", "2 ms");
    const auto replayed = folder.posse("replay runs/small");
    CHECK(replayed.code == 6);
    CHECK_THAT(replayed.out, Contains("differs in: deliveries, "));
    CHECK_THAT(replayed.err, Contains("2 runs differ from their record (exit code 6)"));
  }
  SECTION("the record was changed") {
    const auto json = nlohmann::json::parse(read_file(folder.run() / "results.json"));
    auto hash = json["runs"][0]["ingredients"]["accounts"].get<std::string>();
    const auto changed = (hash[0] == '0' ? "1" : "0") + hash.substr(1);
    folder.replace("results.json", hash, changed);
    const auto replayed = folder.posse("replay runs/small");
    CHECK(replayed.code == 6);
    CHECK_THAT(replayed.out, Contains("repetition 0: differs in: accounts;"));
    CHECK_THAT(replayed.out, Contains("repetition 1: equal"));
    CHECK_THAT(replayed.err, Contains("1 run differs from its record"));
  }
}

TEST_CASE("replay says which runs nobody can prove") {
  const FinishedRun folder;
  folder.write("small.toml",
               kScenario +
                   R"(
[limits]
wall_time = "200 ms"
[compute]
evaluation = "1 ms"
)");
  CHECK(folder.posse("run small.toml --pace 0.01").code == 7);
  const auto replayed = folder.posse("replay runs/small");
  CHECK(replayed.code == 0);
  CHECK_THAT(replayed.out, Contains("can't be proven: it was stopped by its limit of wall time"));
}

TEST_CASE("replay calls no run different that its limit of events stopped") {
  const FinishedRun folder;
  folder.write("small.toml", kScenario + R"(
[limits]
events = 8
)");
  REQUIRE(folder.posse("run small.toml --kernel serial").code == 7);
  const auto serial = folder.posse("replay runs/small");
  CHECK(serial.code == 0);
  CHECK_THAT(serial.out, Contains("can't be proven: its limit of events stopped it"));
  REQUIRE(folder.posse("run small.toml --threads 1").code == 7);
  const auto again = folder.posse("replay runs/small --threads 1");
  CHECK(again.code == 0);
  CHECK_THAT(again.out, Contains("repetition 1: equal"));
}

TEST_CASE("replay refuses folders of versions with other results in a sentence") {
  const FinishedRun folder;
  SECTION("another results version") {
    folder.replace("results.json",
                   test::kResultsVersionText,
                   fmt::format("\"results_version\": {}", kResultsVersion + 1));
    const auto refused = folder.posse("replay runs/small");
    CHECK(refused.code == 11);
    CHECK_THAT(refused.err,
               Contains(fmt::format("results version {}, and this version of Posse reads",
                                    kResultsVersion + 1)) &&
                   Contains("run the folder's scenario.toml"));
  }
  SECTION("none") {
    folder.replace("results.json", test::kResultsVersionText + ",", "");
    const auto refused = folder.posse("replay runs/small");
    CHECK(refused.code == 11);
    CHECK_THAT(
        refused.err,
        Contains("has no results version, and") && Contains("run the folder's scenario.toml"));
  }
}

TEST_CASE("replay needs no metadata.json") {
  const FinishedRun folder;
  SECTION("it is missing") { fs::remove(folder.run() / "metadata.json"); }
  SECTION("it is garbage") { write_file(folder.run() / "metadata.json", "[1, "); }
  const auto replayed = folder.posse("replay runs/small");
  CHECK(replayed.code == 0);
  CHECK_THAT(replayed.out, Contains("repetition 0: equal") && Contains("repetition 1: equal"));
}

TEST_CASE("replay of what is not a run folder says so") {
  const FinishedRun folder;
  CHECK_THAT(folder.posse("replay nothing").err, Contains("is not a run folder"));
  SECTION("no scenario") { fs::remove(folder.run() / "scenario.toml"); }
  SECTION("garbage instead of the scenario") {
    write_file(folder.run() / "scenario.toml", "\x01[");
  }
  SECTION("garbage instead of the results") { write_file(folder.run() / "results.json", "{}"); }
  SECTION("a mistake in the scenario") { folder.replace("scenario.toml", "1 ms", "1 parsec"); }
  SECTION("a scenario without the run") {
    folder.replace("scenario.toml", "repeat = 2", "repeat = 1");
  }
  const auto failed = folder.posse("replay runs/small");
  INFO(failed.out << failed.err);
  CHECK(failed.code == 11);
  CHECK_THAT(failed.err, Contains("small") && Contains("(exit code 11)"));
  CHECK(failed.out.empty());
}

}  // namespace posse::test_replay
