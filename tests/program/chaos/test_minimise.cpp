// The minimiser keeps the cause of a failure and nothing else.
#include <catch2/catch.hpp>

#include "program/chaos/minimise.hpp"
#include "program/chaos/random_scenario.hpp"
#include "program/chaos/trial.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_minimise {
namespace {

/// A copy was dropped by a crash: a property that some scenarios violate.
bool crash_drops(const std::string& text) {
  const Trial trial = make_trial(text);
  if (!trial.mistakes.empty()) return false;
  return trial.result.runs.front().result.outcome.total(&TypeAccount::dropped_crash) > 0;
}

/// The first scenario from `seed` on that has several faults and fails.
std::string failing_scenario(std::uint64_t seed) {
  for (;; ++seed) {
    const std::string text = random_scenario(seed);
    if (make_trial(text).scenario.faults.size() >= 3 && crash_drops(text)) return text;
  }
}

}  // namespace

TEST_CASE("a minimised scenario has the cause of the failure and nothing else") {
  const std::string text = failing_scenario(1000);
  const std::string small = minimise(text, crash_drops);
  INFO(text << "\nminimised:\n" << small);
  CHECK(crash_drops(small));
  const Scenario scenario = test::read_valid(small);
  REQUIRE(scenario.faults.size() == 1);
  CHECK(std::get<NodeFault>(scenario.faults.front().what).kind == NodeFaultKind::crash);
  CHECK(scenario.network.links.empty());
  CHECK(scenario.network.nodes.empty());
  CHECK(scenario.network.drops.empty());
  CHECK(scenario.network.transport == Transport::datagram);
  CHECK(scenario.stragglers.empty());
  CHECK(scenario.seed == test::read_valid(text).seed);
  CHECK(small.size() < text.size() / 2);
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
