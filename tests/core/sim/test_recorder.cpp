// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <tuple>

#include "core/sim/recorder.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace test_recorder {

using namespace posse;

namespace {

ObservationRecord at(std::int64_t ns, std::uint32_t node, Observation observation) {
  return {Time{ns}, Time{ns}, NodeId{node}, std::move(observation)};
}

SimulationResult record(const Problem& problem,
                        bool several_evaluators,
                        std::vector<ObservationRecord> observations) {
  Recorder recorder(&problem, several_evaluators, true);
  recorder.take(observations);
  SimulationResult result;
  recorder.conclude(result);
  return result;
}

double gap(const Problem& problem, std::uint32_t client, double x) {
  return problem.local_maximum(client).value - problem.local(client, std::vector<double>{x});
}

/// slope · x on [0, 1]: the regret of x is slope · (1 - x).
std::shared_ptr<const Objective> line(double slope) {
  return std::make_shared<test::FunctionObjective>(
      Box::cube(1, 0, 1),
      [slope](std::span<const double> x) { return slope * x[0]; },
      slope,
      std::vector<double>{1.0});
}

/// Evaluations, rounds, nanoseconds and value of a metric's points.
using Points = std::vector<std::tuple<std::uint64_t, std::uint32_t, double, double>>;
Points points(const SimulationResult& result, std::string_view metric) {
  Points found;
  for (const auto& p : result.regret_curve)
    if (p.metric == metric)
      found.emplace_back(p.evaluations, p.rounds, std::round(p.virtual_s * 1e9), p.value);
  return found;
}

RoundEnded round_ended(std::uint32_t number, std::uint64_t steps) {
  RoundEnded ended;
  ended.round = Round{number};
  ended.steps = steps;
  return ended;
}

}  // namespace

TEST_CASE("of every client's own search the latest report counts, whatever the order of clients") {
  const auto problem = test::make_problem("garland", 3, 10, Seed{1});
  const auto result = record(problem,
                             false,
                             {at(1, 3, OwnSearchObserved{2, {1, {{1, 1}, {1, 2}}, 0.5}}),
                              at(1, 1, OwnSearchObserved{0, {1, {{1, 2}}, 1}}),
                              at(2, 3, OwnSearchObserved{2, {2, {{2, 3}}, 1.5}})});
  const auto& searches = result.outcome.own_searches;
  REQUIRE(searches.size() == 3);
  CHECK(searches[0].kept == std::vector<Cell>{{1, 2}});
  CHECK(searches[1].kept.empty());
  CHECK(searches[2].depth == 2);
  CHECK(searches[2].kept == std::vector<Cell>{{2, 3}});
  CHECK(searches[2].certified_regret == 1.5);
}

TEST_CASE("simple regret of clients that recommend for themselves is the mean over the clients") {
  const auto problem = test::make_problem("garland", 2, 10, Seed{1}, 0.05);
  const auto result = record(problem,
                             false,
                             {at(1, 1, PullsObserved{0, {0.1}, 3}),
                              at(1, 1, RecommendationObserved{{0.2}, 0}),
                              at(1, 1, PullsObserved{0, {0.2}, 7}),
                              at(2, 2, PullsObserved{1, {0.3}, 6}),
                              at(2, 2, RecommendationObserved{{0.3}, 1}),
                              at(2, 2, PullsObserved{1, {0.3}, 4}),
                              at(2, 2, RecommendationObserved{{0.6}, 1})});
  const auto& regret = result.outcome.regret;
  REQUIRE(regret.local_simple);
  CHECK(*regret.local_simple ==
        Approx((gap(problem, 0, 0.2) + gap(problem, 1, 0.6)) / 2).epsilon(1e-14));
  const double global = (2 * problem.mean_maximum().value - problem.mean(std::vector<double>{0.2}) -
                         problem.mean(std::vector<double>{0.6})) /
                        2;
  CHECK(*regret.simple == Approx(global).epsilon(1e-14));
  CHECK(regret.recommendation.empty());
  CHECK(regret.local_recommendations == std::vector<std::vector<double>>{{0.2}, {0.6}});

  // The curve begins when everybody has a recommendation: after 6 evaluations.
  std::vector<std::pair<std::uint64_t, double>> curve;
  for (const auto& point : result.regret_curve)
    if (point.metric == "local_simple_regret") curve.emplace_back(point.evaluations, point.value);
  REQUIRE(curve.size() == 5);  // 6, 7, 8, 10, and the end
  CHECK(curve.front().first == 6);
  CHECK(curve.front().second ==
        Approx((gap(problem, 0, 0.2) + gap(problem, 1, 0.3)) / 2).epsilon(1e-14));
  CHECK(curve.back().second == *regret.local_simple);
}

TEST_CASE("a recommendation made right at a checkpoint counts there") {
  const auto problem = test::make_problem("garland", 1, 10, Seed{1});
  const auto result = record(problem,
                             false,
                             {at(1, 0, PullsObserved{0, {0.1}, 4}),
                              at(1, 0, RecommendationObserved{{0.2}, 0}),
                              at(1, 0, PullsObserved{0, {0.1}, 6}),
                              at(1, 0, RecommendationObserved{{0.3}, 0})});
  std::map<std::uint64_t, double> curve;
  for (const auto& point : result.regret_curve)
    if (point.metric == "local_simple_regret") curve[point.evaluations] = point.value;
  CHECK_FALSE(curve.contains(3));
  CHECK(curve.at(4) == gap(problem, 0, 0.2));
  CHECK(curve.at(8) == gap(problem, 0, 0.2));
  CHECK(curve.at(10) == gap(problem, 0, 0.3));
}

TEST_CASE(
    "rounds: from the first begin to the last end, details by the smallest node, counts: the "
    "largest") {
  const auto problem = test::make_problem("garland", 2, 10, Seed{1});
  const auto ended = [](std::uint32_t round, std::uint64_t kept) {
    RoundEnded e;
    e.round = Round{round};
    e.kept_cells = kept;
    e.waited = Duration{1};
    return e;
  };
  const auto result = record(problem,
                             false,
                             {at(5, 2, RoundBegan{Round{1}}),
                              at(3, 1, RoundBegan{Round{1}}),
                              at(9, 2, ended(1, 20)),
                              at(7, 1, ended(1, 10)),
                              at(8, 3, ended(1, 30)),
                              at(9, 1, CountObserved{"cells", 4}),
                              at(9, 2, CountObserved{"cells", 6}),
                              at(9, 1, CountObserved{"cells", 5}),
                              at(9, 1, RoundBegan{Round{2}})});
  CHECK(result.outcome.complete_rounds == 1);  // the second one was only begun
  REQUIRE(result.outcome.rounds.size() == 1);
  const auto& row = result.outcome.rounds[0];
  CHECK(row.round == Round{1});
  CHECK(row.began == Time{3});
  CHECK(row.ended == Time{9});
  CHECK(row.kept_cells == 10);
  CHECK(row.waiting == Duration{3});
  CHECK(result.outcome.counts == std::map<std::string, std::uint64_t, std::less<>>{{"cells", 6}});
}

TEST_CASE(
    "curves never step back, though the last recommendation comes after the last evaluation") {
  const auto problem = test::make_problem("garland", 2, 10, Seed{1});
  RoundEnded ended;
  ended.round = Round{1};
  ended.steps = 4;
  const auto result = record(problem,
                             false,
                             {at(5, 1, PullsObserved{0, {0.1}, 3}),
                              at(5, 2, PullsObserved{1, {0.1}, 2}),
                              at(9, 0, ended),
                              at(9, 0, RecommendationObserved{{0.2}})});
  std::uint64_t evaluations = 0;
  double time = 0;
  for (const auto& point : result.regret_curve) {
    if (point.metric != "simple_regret") continue;
    CHECK(point.evaluations >= evaluations);
    CHECK(point.virtual_s >= time);
    evaluations = point.evaluations;
    time = point.virtual_s;
  }
  CHECK(evaluations == 4);
  CHECK(*result.outcome.regret.simple == *result.outcome.regret.local_simple);
}

TEST_CASE("without every client's recommendation there is no simple regret") {
  const auto problem = test::make_problem("garland", 2, 10, Seed{1});
  const auto result =
      record(problem,
             false,
             {at(1, 1, PullsObserved{0, {0.1}, 3}), at(1, 1, RecommendationObserved{{0.2}, 0})});
  CHECK_FALSE(result.outcome.regret.local_simple);
}

TEST_CASE("evaluators that share a client are summed in the order of time and node") {
  const auto problem = test::make_problem("garland", 1, 100, Seed{1});
  const std::vector<ObservationRecord> first = {at(5, 1, PullsObserved{0, {0.11}, 3}),
                                                at(9, 1, PullsObserved{0, {0.23}, 2})};
  const std::vector<ObservationRecord> second = {at(5, 2, PullsObserved{0, {0.37}, 5}),
                                                 at(7, 2, PullsObserved{0, {0.41}, 4})};
  const auto hand_in = [&](bool swapped) {
    Recorder recorder(&problem, true, true);
    auto a = swapped ? second : first;
    auto b = swapped ? first : second;
    recorder.take(a);
    recorder.take(b);
    SimulationResult result;
    recorder.conclude(result);
    return result;
  };
  const auto one = hand_in(false), other = hand_in(true);
  REQUIRE(one.regret_curve.size() == other.regret_curve.size());
  for (std::size_t i = 0; i < one.regret_curve.size(); ++i)
    CHECK(one.regret_curve[i].value == other.regret_curve[i].value);
  CHECK(one.outcome.regret.evaluations == 14);
  // After 8 evaluations: 3 at 0.11 (time 5, node 1), then 5 at 0.37 (time 5, node 2).
  for (const auto& point : one.regret_curve)
    if (point.evaluations == 8 && point.metric == "cumulative_regret")
      CHECK(point.value == Approx(3 * gap(problem, 0, 0.11) + 5 * gap(problem, 0, 0.37)));
}

TEST_CASE("a curve has a point at each checkpoint, at its share of the evaluations' time") {
  const auto problem = test::make_problem(line(1), 1, 100);
  ObservationRecord four = at(200, 0, PullsObserved{0, {0.5}, 4});
  four.began = Time{100};
  ObservationRecord five = at(400, 0, PullsObserved{0, {0.75}, 5});
  five.began = Time{300};
  const auto result = record(problem,
                             false,
                             {four,
                              at(210, 0, round_ended(1, 4)),
                              five,
                              at(405, 0, round_ended(2, 8)),
                              at(410, 0, PullsObserved{0, {0.25}, 0})});
  const Points expected{{1, 0, 125, 0.5},
                        {2, 0, 150, 1},
                        {3, 0, 175, 1.5},
                        {4, 1, 200, 2},
                        {5, 1, 320, 2.25},
                        {6, 1, 340, 2.5},
                        {7, 1, 360, 2.75},
                        {8, 2, 380, 3},
                        {9, 2, 400, 3.25}};  // not a checkpoint, but the end
  CHECK(points(result, "cumulative_regret") == expected);
  CHECK(points(result, "local_cumulative_regret") == expected);
  const auto& regret = result.outcome.regret;
  CHECK(regret.cumulative == 3.25);
  CHECK(regret.evaluations == 9);
  CHECK(regret.by_client == std::vector<double>{3.25});
  CHECK_FALSE(regret.simple);
}

TEST_CASE("the curve of several clients is their mean where all have passed the checkpoint") {
  const auto problem = test::make_problem({line(1), line(0.5)}, 100);
  const auto result = record(problem,
                             false,
                             {at(30, 1, PullsObserved{0, {0.5}, 2}),
                              at(50, 1, PullsObserved{0, {0}, 1}),
                              at(40, 2, PullsObserved{1, {0}, 2})});
  CHECK(points(result, "local_cumulative_regret") ==
        Points{{1, 0, 40, 0.5}, {2, 0, 40, 1}, {3, 0, 50, 1.5}});
  const auto& regret = result.outcome.regret;
  CHECK(regret.local_cumulative == 1.5);  // (2 / 2 + 1, and 2 / 2) / 2
  CHECK(regret.by_client == std::vector<double>{2, 1});
  CHECK(regret.evaluations == 5);
  CHECK(regret.min_evaluations == 2);
  CHECK(regret.max_evaluations == 3);
  // Against f = 3/4 x, whose maximum a search finds.
  CHECK(regret.cumulative == Approx((2 * 0.375 + 0.75 + 2 * 0.75) / 2));
}

TEST_CASE("above 64 clients their least, median and largest regrets are listed") {
  const auto regrets = [](std::uint32_t clients) {
    const auto problem = test::make_problem(line(1), clients, 100);
    std::vector<ObservationRecord> pulls;
    for (std::uint32_t m = 0; m < clients; ++m)
      pulls.push_back(at(1, m + 1, PullsObserved{m, {0.5}, (m * 7) % clients + 1}));
    return record(problem, false, pulls).outcome.regret.by_client;
  };
  CHECK(regrets(64).size() == 64);
  CHECK(regrets(64)[1] == 4);
  CHECK(regrets(65) == std::vector<double>{0.5, 16.5, 32.5});
  CHECK(regrets(66) == std::vector<double>{0.5, (16.5 + 17) / 2, 33});
}

TEST_CASE("a recommendation's point has the steps and rounds of its maker's last round") {
  const auto problem = test::make_problem(line(1), 1, 100);
  const auto result = record(problem,
                             false,
                             {at(5, 1, RecommendationObserved{{0.25}}),
                              at(10, 1, PullsObserved{0, {1}, 6}),
                              at(10, 1, round_ended(1, 2)),
                              at(20, 1, round_ended(3, 6)),
                              at(21, 1, RecommendationObserved{{0.5}}),
                              at(30, 2, round_ended(1, 2)),
                              at(31, 2, RecommendationObserved{{0.75}}),
                              at(31, 1, RecommendationObserved{{0.875}})});
  CHECK(
      points(result, "simple_regret") ==
      Points{
          {0, 0, 5, 0.75}, {6, 2, 21, 0.5}, {6, 2, 31, 0.125}, {2, 1, 31, 0.25}, {6, 2, 31, 0.25}});
  CHECK(result.outcome.regret.simple == 0.25);  // at one time the larger node's counts
  CHECK(result.outcome.regret.recommendation == std::vector<double>{0.75});
}

TEST_CASE("of one node's recommendations at one time the last counts, also at the curve's end") {
  const auto problem = test::make_problem(line(1), 1, 100);
  const auto result = record(problem,
                             false,
                             {at(10, 0, PullsObserved{0, {1}, 1}),
                              at(20, 1, RecommendationObserved{{0.5}}),
                              at(20, 1, RecommendationObserved{{0.75}}),
                              at(20, 1, RecommendationObserved{{0.25}})});
  CHECK(points(result, "simple_regret") ==
        Points{{0, 0, 20, 0.5}, {0, 0, 20, 0.25}, {0, 0, 20, 0.75}, {1, 0, 20, 0.75}});
  CHECK(result.outcome.regret.recommendation == std::vector<double>{0.25});
}

TEST_CASE("cells: the latest judgement of each counts, and rounds that drop the optimum's cell") {
  const auto problem = test::make_problem(line(1), 1, 100);  // maximal at 1
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const auto judged = [](std::uint32_t round, std::vector<JudgedCell> cells) {
    RoundEnded ended = round_ended(round, round);
    ended.cells = std::move(cells);
    return ended;
  };
  Recorder recorder(&problem, false, true, nullptr, &halves);
  std::vector<ObservationRecord> observations{
      at(1, 0, judged(1, {{{1, 1}, 0.2, true}, {{1, 2}, 0.6, true}})),
      at(2, 0, judged(2, {{{1, 1}, 0.3, false}, {{1, 2}, 0.5, true}})),
      at(3, 0, judged(3, {{{2, 3}, 0.5, true}, {{2, 4}, 0.1, false}}))};
  recorder.take(observations);
  CHECK(observations.empty());
  SimulationResult result;
  recorder.conclude(result);
  CHECK(result.outcome.optimum_eliminated == 1);
  CHECK(result.outcome.children_per_cell == 2);
  const std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, double, bool>> expected{
      {1, 1, 2, 0.3, false}, {1, 2, 2, 0.5, true}, {2, 3, 3, 0.5, true}, {2, 4, 3, 0.1, false}};
  std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, double, bool>> found;
  for (const auto& cell : result.outcome.cells)
    found.emplace_back(cell.cell.depth, cell.cell.index, cell.round.value, cell.mean, cell.kept);
  CHECK(found == expected);
}

TEST_CASE("stale messages are counted in their rounds, estimates are the latest of each name") {
  const auto result = record(test::make_problem(line(1), 1, 100),
                             false,
                             {at(1, 0, StaleObserved{Round{1}, NodeId{1}}),
                              at(2, 0, StaleObserved{Round{1}, NodeId{2}}),
                              at(3, 0, StaleObserved{Round{2}, NodeId{1}}),
                              at(3, 0, EstimateObserved{"a", 3}),
                              at(4, 0, EstimateObserved{"b", 1}),
                              at(5, 0, EstimateObserved{"a", 2}),
                              at(6, 0, round_ended(1, 1))});
  CHECK(result.outcome.stale == 3);
  REQUIRE(result.outcome.rounds.size() == 1);
  CHECK(result.outcome.rounds[0].stale == 2);
  CHECK(result.outcome.estimates == std::map<std::string, double, std::less<>>{{"a", 2}, {"b", 1}});
}

}  // namespace test_recorder
