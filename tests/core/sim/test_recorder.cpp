#include <catch2/catch.hpp>
#include <map>

#include "core/sim/recorder.hpp"
#include "tests/support/problems.hpp"

namespace test_recorder {

using namespace posse;

namespace {

ObservationRecord at(std::int64_t ns, std::uint32_t node, Observation observation) {
  return {Time{ns}, Time{ns}, NodeId{node}, std::move(observation)};
}

SimulationResult record(const Problem& problem,
                        bool several_evaluators,
                        std::vector<ObservationRecord> observations) {
  Recorder recorder(&problem, several_evaluators);
  recorder.take(observations);
  SimulationResult result;
  recorder.conclude(result);
  return result;
}

double gap(const Problem& problem, std::uint32_t client, double x) {
  return problem.local_maximum(client).value - problem.local(client, std::vector<double>{x});
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
    "rounds: from the first begin to the last end, details by the smallest node; counts: the "
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
    Recorder recorder(&problem, true);
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

}  // namespace test_recorder
