// SPDX-License-Identifier: Apache-2.0
// What a few runs say of all of them.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "program/cli/pilot.hpp"
#include "program/cli/plan.hpp"
#include "program/scenario/diagnostics.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_pilot {
namespace {

using Catch::Matchers::Contains;
using Points = std::vector<std::pair<double, double>>;

constexpr auto kGrowing = R"(
[[algorithm]]
kind = "hct-central"
[population]
clients = 2
[budget]
evaluations_per_client = 100
[objective]
kind = "garland"
[sweep]
budget.evaluations_per_client = [100, 300, 1000, 30000, 3000]
)";

}  // namespace

TEST_CASE("seconds lie between those of the sizes around, in logarithms") {
  const Points square{{10, 1}, {100, 100}, {1000, 10000}};
  CHECK(seconds_of(10, square) == Approx(1));
  CHECK(seconds_of(31.6227766, square) == Approx(10));
  CHECK(seconds_of(1000, square) == Approx(10000));
  CHECK(seconds_of(10000, square) == Approx(1e6));
  CHECK(seconds_of(20, {{10, 1}}) == Approx(2));
  // Runs of one size are taken together: their geometric mean.
  CHECK(seconds_of(10, {{10, 1}, {10, 4}}) == Approx(2));
}

TEST_CASE(
    "beyond what was tried seconds grow at most with the square, and at least with the root") {
  CHECK(seconds_of(1000, {{10, 1}, {100, 1e6}}) == Approx(1e8));
  CHECK(seconds_of(10000, {{10, 1}, {100, 1}}) == Approx(10));
  // Below, a run costs no more than the smallest that was tried.
  CHECK(seconds_of(1, {{10, 2}, {100, 1}}) == Approx(2));
  CHECK(seconds_of(1, {{10, 2}, {100, 20}}) == Approx(0.2));
}

TEST_CASE("a pilot tries the largest setting, wherever it stands") {
  const ProgramFolder folder;
  folder.write("s.toml", kGrowing);
  const auto outcome = folder.posse("plan s.toml --pilot --json");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const auto pilot = nlohmann::json::parse(outcome.out).at("pilot");
  std::set<std::string> tried;
  double longest = 0;
  for (const auto& run : pilot.at("runs")) {
    tried.insert(run.at("setting").get<std::string>());
    longest = std::max(longest, run.at("wall_s").get<double>());
    CHECK(run.at("part") == 1);
  }
  CHECK(tried == std::set<std::string>{"budget.evaluations_per_client = 100",
                                       "budget.evaluations_per_client = 1000",
                                       "budget.evaluations_per_client = 30000"});
  CHECK_THAT(pilot.at("longest").get<std::string>(), Contains("30000"));
  CHECK(pilot.at("wall_s_of_all_runs") >= longest);
  CHECK(pilot.at("largest_tried") == 1);
  CHECK_THAT(folder.posse("plan s.toml --pilot=2 --jobs 1").out,
             Contains("from 2 runs of") && Contains("with one job; the longest run about"));
}

TEST_CASE("settings that differ in words are of different kinds, each of which is tried") {
  const ProgramFolder folder;
  folder.write("s.toml", std::string(kGrowing) + "objective.kind = [\"garland\", \"sine\"]\n");
  const auto pilot =
      nlohmann::json::parse(folder.posse("plan s.toml --pilot=1 --json").out).at("pilot");
  REQUIRE(pilot.at("runs").size() == 2);
  for (const auto& run : pilot.at("runs"))
    CHECK_THAT(run.at("setting").get<std::string>(), Contains("30000"));
}

TEST_CASE("what a run takes in all is told by a rehearsal, results and report included", "[long]") {
  const ProgramFolder folder;
  std::string text = kGrowing;
  text.erase(text.find("[sweep]"));
  folder.write("s.toml", text);
  const auto forecast = [&](const std::string& more) {
    const auto outcome = folder.posse("plan s.toml --pilot --jobs 1 --json" + more);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.out).at("run");
  };
  // So few fit: they are run as a whole.
  const auto few = forecast(" --repeat 20");
  CHECK(few.at("repetitions_tried") == 20);
  CHECK(few.at("wall_s") > 0);
  CHECK(few.at("disk_bytes") > 100e3);  // with a report
  // Of many some, whose results need more than a run.
  const auto many = forecast(" --repeat 100000");
  CHECK(many.at("repetitions_tried") < 100'000);
  CHECK(many.at("wall_s") > 100 * few.at("wall_s").get<double>());
  if (few.at("memory_bytes") > 0) {
    CHECK(many.at("memory_bytes") > few.at("memory_bytes").get<double>() + 400e6);
    CHECK(many.at("memory_bytes") < 5e9);  // 0.56e9, and four times that with a sanitizer
  }
  CHECK(forecast(" --store sweeps/s").is_null());
  CHECK_THAT(folder.posse("plan s.toml --pilot --jobs 1 --repeat 20").out,
             Contains(" with one job, from 20 of 20 repetitions\nmemory: about"));
}

TEST_CASE("a run that takes too long for a pilot is stopped, and counts by what it has done") {
  const ProgramFolder folder;
  const auto file = folder.write("s.toml",
                                 R"([[algorithm]]
kind = "random"
[population]
clients = 1
[budget]
evaluations_per_client = 1000000000
[objective]
kind = "garland"
)");
  Diagnostics diagnostics;
  const SweepPlan plan(file.string(), {}, diagnostics);
  REQUIRE(diagnostics.empty());
  const auto forecast = forecast_sweep(plan);
  const auto pilot = make_pilot(plan, forecast.sizes, 3, 0.2);
  REQUIRE(pilot.runs.size() == 1);
  CHECK(pilot.runs[0].part < 0.02);
  CHECK(pilot.unknown);
  CHECK(pilot.seconds == 0);
  // Where nothing was rehearsed, the pilot's reservations stay.
  CHECK_THAT(sweep_plan_text(plan, forecast, pilot, RunForecast{.memory_bytes = 50e6}, 0, 1),
             Contains("time: unknown") && Contains("1 of which was stopped") &&
                 Contains("memory of `run`, with its results: about 50 MB"));
}

}  // namespace posse::test_pilot
