// SPDX-License-Identifier: Apache-2.0
// The lower bound on the virtual time of a run.
#include <catch2/catch.hpp>

#include "program/run/runner.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_virtual_time {
namespace {

/// Three clients that search alone: 200 evaluations of 1 ms each.
const std::string kAlone = R"(
[[algorithm]]
kind = "pf-pne-hct"
max_difference = 1.0
[compute]
evaluation = "1 ms"
)" + test::kThreeClients;

/// In seconds, with its bound.
Measurement virtual_time_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto scenario = test::read_text(text, diagnostics);
  REQUIRE(diagnostics.text() == "");
  RunMonitor monitor(number_of_runs(scenario, {}));
  const auto result = run_scenario(scenario, {}, monitor);
  for (const auto& measurement : result.runs.at(0).measurements)
    if (measurement.name == "virtual time") return measurement;
  FAIL("no virtual time");
  return {};
}

}  // namespace

TEST_CASE("evaluations bound a run from below, unless nodes may stand still for good before them") {
  const auto whole = virtual_time_of(kAlone);
  CHECK(whole.measured == Approx(0.2));
  CHECK(whole.bound->value == Approx(0.2));
  const std::string crash = R"([[fault]]
kind = "crash"
nodes = ["client"]
at = "50 ms"
)";
  CHECK(!virtual_time_of(kAlone + crash).bound);
  const auto delayed = virtual_time_of(kAlone + crash + "for = \"10 ms\"\n");
  CHECK(delayed.measured == Approx(0.21));
  CHECK(delayed.bound->value == Approx(0.2));
}

}  // namespace posse::test_virtual_time
