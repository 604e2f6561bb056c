// SPDX-License-Identifier: Apache-2.0
// The minimiser keeps the cause of a failure and nothing else.
#include <algorithm>
#include <catch2/catch.hpp>

#include "program/fates/minimise.hpp"
#include "program/fates/trial.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_minimise {
namespace {

/// What fails here: three clients or more, a node that crashes, retransmissions.
bool crashes_among_three(const std::string& text) {
  const Trial trial = make_trial(text);
  const auto crash = [](const FaultConfig& fault) {
    const auto* nodes = std::get_if<NodeFault>(&fault.what);
    return nodes != nullptr && nodes->kind == NodeFaultKind::crash;
  };
  const auto& faults = trial.scenario.faults;
  return trial.mistakes.empty() && is_reliable(trial.scenario) &&
         trial.scenario.clients.value_or(0) >= 3 &&
         std::any_of(faults.begin(), faults.end(), crash);
}

const std::string kMuchElse = R"(
name = "much-else"
seed = 1134
[[algorithm]]
kind = "dp-fed-pne"
arity = 3
edges = 3
means = "u8"
means_high = 0.9
means_low = -0.45
partition = "random-cut"
[budget]
evaluations_per_client = 9
[[compute.stragglers]]
factor = 6.25
[[compute.stragglers]]
factor = 22.4
nodes = "server"
[[fault]]
kind = "corrupt"
how = "noise"
sd = 0.95
nodes = ["80% of client"]
mean_between = "0.262 ms"
mean_for = "0.024 ms"
until = "4.636 ms"
[[fault]]
kind = "crash"
nodes = ["edge-0..2"]
mean_between = "0.594 ms"
mean_for = "0.525 ms"
until = "3.145 ms"
[[fault]]
kind = "corrupt"
how = "noise"
sd = 0.05
nodes = ["client"]
at = "1.431 ms"
for = "0.060 ms"
[network]
duplication = 0.004
latency = { kind = "lognormal", median = "0.410 ms", sigma = 0.43, floor = "0.192 ms" }
retransmission = { timeout = "1.761 ms" }
transport = "reliable"
[[network.link]]
from = "client-4"
to = "edge-0..1"
latency = "1.286 ms"
order = "fifo"
[objective]
kind = "garland"
heterogeneity = { kind = "shift", scale = 0.05, boundary = "clip" }
[population]
clients = 7
)";

}  // namespace

TEST_CASE("a minimised scenario has the cause of the failure and nothing else") {
  REQUIRE(crashes_among_three(kMuchElse));
  const std::string small = minimise(kMuchElse, crashes_among_three);
  INFO("minimised:\n" << small);
  CHECK(crashes_among_three(small));
  const Scenario scenario = test::read_valid(small);
  CHECK(scenario.faults.size() == 1);
  CHECK(scenario.clients == 3);
  CHECK(scenario.network.links.empty());
  CHECK(scenario.network.nodes.empty());
  CHECK(scenario.network.drops.empty());
  CHECK(scenario.stragglers.empty());
  CHECK(scenario.seed == test::read_valid(kMuchElse).seed);
}

TEST_CASE("a minimised scenario holds the input files that it names, and no other") {
  const std::string text =
      R"(seed = 1
[[algorithm]]
kind = "echo"
[population]
clients = 4
[network]
latency = { kind = "trace", file = "a.csv" }
rate = { file = "b.csv" }
[inputs]
"a.csv" = "virtual_s,latency_ms\n0,7\n"
"b.csv" = "virtual_s,bits_per_second\n0,1000\n"
)";
  test::read_valid(text);
  const auto small = minimise(text, [](const std::string& other) {
    const Trial trial = make_trial(other);
    return trial.mistakes.empty() && trial.scenario.network.defaults.rule.rate &&
           trial.scenario.network.defaults.rule.rate->trace;
  });
  INFO(small);
  const auto scenario = test::read_valid(small);
  REQUIRE(scenario.inputs.files().size() == 1);
  CHECK(scenario.inputs.files()[0].name == "b.csv");
  CHECK(scenario.network.defaults.latency->kind != "trace");
}

TEST_CASE("a scenario that does not fail is not changed") {
  CHECK(minimise(kMuchElse, [](const std::string&) { return false; }) == kMuchElse);
  CHECK(minimise_violation(kMuchElse, "no run fails").property.empty());
}

TEST_CASE("a scenario that the reader rejects is kept as it is") {
  const std::string text = kMuchElse + "[broken]\n";
  const auto smallest = minimise_violation(text, "");
  CHECK(smallest.property == "the reader accepts the scenario");
  CHECK(smallest.what.find("broken") != std::string::npos);
  CHECK(smallest.text == text);
}

}  // namespace posse::test_minimise
