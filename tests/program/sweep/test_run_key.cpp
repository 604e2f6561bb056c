// SPDX-License-Identifier: Apache-2.0
// What a run's key depends on.
#include <catch2/catch.hpp>

#include "program/base/files.hpp"
#include "program/sweep/run_key.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_run_key {
namespace {

const std::string kScenario = R"(
name = "one"
seed = 3
repeat = 2
[[algorithm]]
kind = "fed-pne"
label = "a"
[[algorithm]]
kind = "hct-central"
label = "b"
)" + test::kThreeClients + R"(
[network]
latency = "1 ms"
[server]
policy = "quorum"
quorum = 2
[[fault]]
kind = "crash"
nodes = ["client-0"]
at = "1 s"
for = "1 s"
algorithm = "a"
repetition = 1
)";

/// Of the first algorithm unless told.
std::string key(const std::vector<std::string>& sets,
                std::size_t algorithm = 0,
                std::uint32_t repetition = 0) {
  const auto scenario = test::read_valid(kScenario, sets);
  return RunKeys(scenario, scenario.algorithms.at(algorithm)).of(repetition);
}

}  // namespace

TEST_CASE("a run's key changes with everything that affects the run") {
  const auto usual = key({});
  CHECK(usual.size() == 32);
  CHECK(key({}) == usual);
  CHECK(key({}, 1) != usual);
  CHECK(key({}, 0, 1) != usual);
  for (const auto* set : {"seed=4",
                          "algorithm.a.nu1=2",
                          "population.clients=4",
                          "objective.kind=sine",
                          "objective.noise={kind=\"none\"}",
                          "budget.evaluations_per_client=300",
                          "network.latency=2 ms",
                          "network.loss=0.1",
                          "compute.evaluation=1 ms",
                          "server.quorum=3",
                          "limits.events=100",
                          "fault.0.repetition=0"}) {
    INFO(set);
    CHECK(key({set}) != usual);
  }
}

TEST_CASE("a run's key does not change with what others need") {
  for (const auto* set : {"name=two",
                          "label=\"a note\"",
                          "repeat=50",
                          "algorithm.a.label=c",
                          "algorithm.b.label=z",
                          "algorithm.b=",
                          "limits.wall_time=1 h",
                          "network.node=[{ nodes = \"environment\", rate_up = \"1 kB/s\" }]",
                          "network.drop=[{ round = 1, algorithm = \"b\" }]",
                          "fault.0.at=3 s"}) {
    INFO(set);
    const std::string text(set);
    // The fault names the label.
    const auto sets = text == "algorithm.a.label=c"
                          ? std::vector<std::string>{"algorithm.a.label=c", "fault.0.algorithm=c"}
                          : std::vector<std::string>{text};
    CHECK(key(sets) == key({}));
  }
  // The second algorithm has neither the policy nor the fault.
  CHECK(key({"fault="}, 1) == key({}, 1));
  CHECK(key({"fault.0.at=3 s"}, 0, 1) != key({}, 0, 1));
}

TEST_CASE("a run's key has the contents of files, not their names") {
  const test::Folder folder;
  const auto with = [&](const std::string& name, const std::string& content) {
    folder.write(name, content);
    Diagnostics diagnostics;
    const auto scenario = test::read_text(
        std::string("[[algorithm]]\nkind = \"echo\"\n[population]\nclients = 2\n[network]\nlatency "
                    "= { kind = \"empirical\", file = \"") +
            name + "\" }\n",
        diagnostics,
        {},
        (folder / "scenario.toml").string());
    INFO(diagnostics.text());
    REQUIRE(diagnostics.empty());
    return RunKeys(scenario, scenario.algorithms.front()).of(0);
  };
  const std::string latencies = "latency_s\n0.1\n0.2\n";
  CHECK(with("a.csv", latencies) == with("b.csv", latencies));
  CHECK(with("a.csv", latencies) != with("a.csv", latencies + "0.3\n"));
}

TEST_CASE("a single run is a scenario that reads back") {
  const auto scenario = test::read_valid(kScenario);
  for (const auto& entry : scenario.algorithms) {
    const auto one = single_run(scenario, entry, 1);
    Diagnostics diagnostics;
    const auto again = test::read_text(to_toml(one), diagnostics);
    INFO(to_toml(one) << diagnostics.text());
    CHECK(diagnostics.empty());
    CHECK(to_toml(again) == to_toml(one));
  }
}

}  // namespace posse::test_run_key
