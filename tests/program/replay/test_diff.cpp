// SPDX-License-Identifier: Apache-2.0
// Where two finished runs part.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program/base/files.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/results_json.hpp"

namespace posse::test_diff {
namespace {

using Catch::Matchers::Contains;

/// Runs of one small federation in `first`, and of a changed one in `second`.
class TwoRuns : public ProgramFolder {
 public:
  TwoRuns() {
    write("small.toml",
          R"(name = "small"
seed = 3
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
[network]
latency = "5 ms"
[server]
policy = "quorum"
quorum = 2
[compute]
evaluation = "1 ms"
)");
    run("first", "");
  }
  void run(const std::string& out, const std::string& flags) const {
    const auto run = posse("run small.toml --quiet --out " + out + " " + flags);
    INFO(run.err);
    REQUIRE(run.code == 0);
  }
  nlohmann::json diff_json(const std::string& flags = "") const {
    return nlohmann::json::parse(posse("diff first/small second/small --json " + flags).out);
  }
};

}  // namespace

TEST_CASE("diff of two equal runs says so") {
  const TwoRuns runs;
  runs.run("second", "--threads 1");
  const auto diff = runs.posse("diff first/small second/small");
  CHECK(diff.code == 0);
  CHECK_THAT(diff.out, Contains("fed-pne, repetition 0: equal, ") && Contains(" messages"));
}

TEST_CASE("diff names the one message that was dropped") {
  const TwoRuns runs;
  runs.run("second", "--set 'network.drop=[{type=\"LocalMeans\", round=2, from=\"client-1\"}]'");
  const auto diff = runs.posse("diff first/small second/small");
  CHECK(diff.code == 6);
  CHECK_THAT(diff.out,
             Contains("which client-1 sends; differs: outcome") && Contains("dropped (loss)") &&
                 Contains("LocalMeans of round 2 from client-1"));
  const auto json = runs.diff_json();
  CHECK(json[0]["equal"] == false);
  CHECK(json[0]["parting"]["differs"] == "outcome");
  CHECK(json[0]["parting"]["before"].size() == 3);
  CHECK(json[0]["not_as_recorded"] == "");
}

TEST_CASE("diff names the first message of a straggler, and where the other run has it") {
  const TwoRuns runs;
  runs.run("second", "--set 'compute.stragglers=[{nodes=\"client-1\", factor=50}]'");
  const auto parting = runs.diff_json()[0]["parting"];
  CHECK_THAT(parting["first"].get<std::string>(), Contains("LocalMeans of round 1 from client-1"));
  CHECK_THAT(parting["second"].get<std::string>(), Contains("LocalMeans of round 1 from client-2"));
  CHECK_THAT(parting["elsewhere"].get<std::string>(),
             Contains("LocalMeans of round 1 from client-1"));
}

TEST_CASE("diff names the first latency that differs") {
  const TwoRuns runs;
  runs.run("second", "--set 'network.link=[{from=\"server\", to=\"client-2\", latency=\"6 ms\"}]'");
  const auto parting = runs.diff_json()[0]["parting"];
  CHECK(parting["message"] == 3);
  CHECK(parting["differs"] == "time of arrival");
  CHECK_THAT(parting["first"].get<std::string>(), Contains("delivered at 0.005 s"));
  CHECK_THAT(parting["second"].get<std::string>(), Contains("delivered at 0.006 s"));
}

TEST_CASE("diff of runs that differ in no message names the first result") {
  const TwoRuns runs;
  const std::string local = "--set 'algorithm.0.kind=\"hct-local\"' --set server= ";
  runs.run("first", local);
  runs.run("second", local + "--seed 4");
  const auto diff = runs.posse("diff first/small second/small");
  CHECK(diff.code == 6);
  CHECK_THAT(diff.out, Contains("all 0 messages are equal; differs, at "));
}

TEST_CASE("diff pairs two different algorithms, and only what was asked for") {
  const TwoRuns runs;
  runs.run("second", "--set 'algorithm.0.label=\"other\"' --repeat 2");
  CHECK(runs.posse("diff first/small second/small").out.starts_with("fed-pne and other, "));
  runs.run("first", "--repeat 2");
  runs.run("second", "--repeat 2");
  CHECK(runs.diff_json().size() == 2);
  CHECK(runs.diff_json("--repetition 1").size() == 1);
  CHECK_THAT(runs.posse("diff first/small second/small --algorithm none").err,
             Contains("has no run in common"));
}

TEST_CASE("diff says if a run is not what was recorded, and refuses other versions") {
  const TwoRuns runs;
  runs.run("second", "");
  const auto file = runs / "second" / "small" / "latest" / "scenario.toml";
  auto text = read_file(file);
  write_file(file, text.replace(text.find("5 ms"), 4, "7 ms"));
  CHECK_THAT(runs.posse("diff first/small second/small").out,
             Contains("not what was recorded in second/small"));
  const auto results = runs / "second" / "small" / "latest" / "results.json";
  text = read_file(results);
  write_file(results,
             text.replace(text.find(test::kResultsVersionText),
                          test::kResultsVersionText.size(),
                          "\"results_version\": 9"));
  const auto refused = runs.posse("diff first/small second/small");
  CHECK(refused.code == 11);
  CHECK_THAT(refused.err, Contains("results version 9"));
  CHECK(runs.posse("diff first/small").code == 2);
  CHECK(runs.posse("diff first/small nothing").code == 11);
}

}  // namespace posse::test_diff
