// SPDX-License-Identifier: Apache-2.0
// The times of single evaluations, as regret curves show them.
#include <catch2/catch.hpp>
#include <vector>

#include "actors/fed_pne/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_evaluation_times {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// Fed-PNE with one client, 50 ms away: a phase begins, its evaluations 50 ms later, one after the
/// other, and 50 ms after the last of them the phase ends.
SimulationResult run(DurationDistribution evaluation,
                     std::vector<NodeRule> nodes = {},
                     std::vector<NodeFault> faults = {}) {
  const auto problem = test::make_problem("garland", 1, 400, Seed{1});
  test::Run run(fed_pne_algorithm(),
                default_parameters(fed_pne_algorithm().parameters),
                1,
                Seed{1},
                &problem);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  run.spec.compute.evaluation = evaluation;
  run.spec.network.nodes = std::move(nodes);
  run.spec.network.node_faults = std::move(faults);
  auto result = run_serial(run.spec);
  CHECK(result.outcome.status == RunStatus::finished);
  CHECK(run_windows(run.spec, 2).outcome.fingerprint == result.outcome.fingerprint);
  return result;
}

std::vector<RegretPoint> curve(const SimulationResult& result) {
  std::vector<RegretPoint> points;
  for (const auto& point : result.regret_curve)
    if (point.metric == "cumulative_regret") points.push_back(point);
  return points;
}

/// When evaluation number `count`, from 1, of 10 ms each should be done.
double due(const SimulationResult& result, std::uint64_t count) {
  Time begins{};
  std::uint64_t before = 0;
  for (const auto& round : result.outcome.rounds) {
    begins = round.began + ms(50);
    if (count <= round.steps) break;
    before = round.steps;
    begins = round.ended + ms(50);  // of the next one, which may never end
  }
  return (begins + ms(10) * (count - before)).to_seconds();
}

}  // namespace

TEST_CASE("every evaluation of a phase is done at its own time") {
  const auto result = run(ConstantDuration{ms(10)});
  REQUIRE(result.outcome.rounds.size() >= 3);
  const auto points = curve(result);
  REQUIRE(points.size() > 20);
  for (const auto& point : points) {
    CAPTURE(point.evaluations);
    CHECK(point.virtual_s == Approx(due(result, point.evaluations)).margin(2e-9));
  }
}

TEST_CASE("evaluations of random length end one after the other, within the client's work") {
  for (const double factor : {1.0, 3.0}) {
    const auto result =
        run(UniformDuration{ms(1), ms(9)}, {{.nodes = "client-0", .straggler = factor}});
    const auto points = curve(result);
    for (std::size_t i = 1; i < points.size(); ++i) {
      CAPTURE(factor, points[i].evaluations);
      if (points[i].evaluations == points[i - 1].evaluations) continue;
      const auto made = static_cast<double>(points[i].evaluations - points[i - 1].evaluations);
      const double taken = points[i].virtual_s - points[i - 1].virtual_s;
      CHECK(taken >= factor * made * 0.001);
      CHECK(taken <=
            factor * made * 0.009 + 0.1 * static_cast<double>(result.outcome.rounds.size()));
    }
    const auto& phase = result.outcome.rounds.front();
    for (const auto& point : points) {
      if (point.evaluations != phase.steps) continue;
      CHECK(point.virtual_s ==
            Approx((phase.began + ms(50) + phase.compute).to_seconds()).margin(2e-9));
    }
  }
}

TEST_CASE("evaluations before an interruption keep their times, later ones are put off") {
  const auto uninterrupted = run(ConstantDuration{ms(10)});
  const auto whole = curve(uninterrupted);
  const auto& rounds = uninterrupted.outcome.rounds;
  REQUIRE(rounds.size() > 3);
  const auto pulls = rounds[2].pulls_per_cell;
  REQUIRE(rounds[2].steps - rounds[1].steps >= 2 * pulls);
  // In the third phase, within the evaluations of its second cell.
  const std::uint64_t first_cell = rounds[1].steps + pulls;
  const Time at = rounds[2].began + ms(50) + ms(10) * pulls + ms(5);
  for (const auto kind : {NodeFaultKind::pause, NodeFaultKind::crash}) {
    const auto points = curve(
        run(ConstantDuration{ms(10)}, {}, {{{"client-0"}, {.at = at, .lasting = ms(200)}, kind}}));
    REQUIRE(points.size() == whole.size());
    std::size_t before = 0, after = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      CAPTURE(points[i].evaluations);
      CHECK(points[i].value == whole[i].value);
      const double put_off = points[i].virtual_s - whole[i].virtual_s;
      if (points[i].evaluations <= first_cell) {
        CHECK(put_off == 0);
        ++before;
      } else if (points[i].evaluations >= first_cell + pulls) {
        CHECK(put_off == Approx(0.2).margin(2e-9));
        ++after;
      } else {  // of one point: as if all of its evaluations took equally long
        CHECK(put_off >= 0);
        CHECK(put_off <= 0.2);
      }
    }
    CHECK(before >= 5);
    CHECK(after >= 5);
  }
}

}  // namespace posse::test_evaluation_times
