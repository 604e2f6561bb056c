// SPDX-License-Identifier: Apache-2.0
// The minimiser keeps the cause of a failure and nothing else.
#include <algorithm>
#include <catch2/catch.hpp>

#include "program/chaos/minimise.hpp"
#include "program/chaos/random_scenario.hpp"
#include "program/chaos/trial.hpp"
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

/// The first scenario from `seed` on that fails and has much else.
std::string failing_scenario(std::uint64_t seed) {
  for (;; ++seed) {
    const std::string text = random_scenario(seed);
    const Scenario scenario = make_trial(text).scenario;
    if (scenario.faults.size() >= 3 && !scenario.network.links.empty() &&
        !scenario.stragglers.empty() && crashes_among_three(text))
      return text;
  }
}

}  // namespace

TEST_CASE("a minimised scenario has the cause of the failure and nothing else") {
  const std::string text = failing_scenario(1100);
  const std::string small = minimise(text, crashes_among_three);
  INFO(text << "\nminimised:\n" << small);
  CHECK(crashes_among_three(small));
  const Scenario scenario = test::read_valid(small);
  CHECK(scenario.faults.size() == 1);
  CHECK(scenario.clients == 3);
  CHECK(scenario.network.links.empty());
  CHECK(scenario.network.nodes.empty());
  CHECK(scenario.network.drops.empty());
  CHECK(scenario.stragglers.empty());
  CHECK(scenario.seed == test::read_valid(text).seed);
}

TEST_CASE("a minimised scenario holds the input files that it names, and no other") {
  const std::string text =
      "seed = 1\n[[algorithm]]\nkind = \"echo\"\n[population]\nclients = 4\n[network]\n"
      "latency = { kind = \"trace\", file = \"a.csv\" }\n"
      "rate = { file = \"b.csv\" }\n"
      "[inputs]\n\"a.csv\" = \"virtual_s,latency_ms\\n0,7\\n\"\n"
      "\"b.csv\" = \"virtual_s,bits_per_second\\n0,1000\\n\"\n";
  test::read_valid(text);
  const auto small = minimise(text, [](const std::string& other) {
    const Trial trial = make_trial(other);
    return trial.mistakes.empty() && trial.scenario.network.defaults.rate &&
           trial.scenario.network.defaults.rate->trace;
  });
  INFO(small);
  const auto scenario = test::read_valid(small);
  REQUIRE(scenario.inputs.files().size() == 1);
  CHECK(scenario.inputs.files()[0].name == "b.csv");
  CHECK(scenario.network.defaults.latency->kind != "trace");
}

TEST_CASE("a scenario that does not fail is not changed") {
  const std::string text = random_scenario(3);
  CHECK(minimise(text, [](const std::string&) { return false; }) == text);
  CHECK(minimise_violation(text, "no run fails").property.empty());
}

TEST_CASE("a scenario that the reader rejects is kept as it is") {
  const std::string text = random_scenario(3) + "[broken]\n";
  const auto smallest = minimise_violation(text, "");
  CHECK(smallest.property == "the reader accepts the scenario");
  CHECK(smallest.what.find("broken") != std::string::npos);
  CHECK(smallest.text == text);
}

}  // namespace posse::test_minimise
