// SPDX-License-Identifier: Apache-2.0
// Times to a regret of runs put together by hand: their closed form is known.
#include <catch2/catch.hpp>
#include <cmath>

#include "program/plot/scaling.hpp"
#include "tests/support/xml.hpp"

namespace test_scaling {

using namespace posse;

namespace {

constexpr double kWork = 8;  // seconds that one client alone needs for a round's evaluations

/// After round k, at k (latency + kWork/m), the regret is 2^-k times `scale`; six rounds.
RepetitionData repetition(std::size_t clients, double latency, double scale = 1) {
  RepetitionData r;
  auto& curve = r.curves["simple_regret"];
  for (int k = 0; k <= 6; ++k)
    curve.push_back(
        {10.0 * k, double(k), 0, k * (latency + kWork / double(clients)), scale * std::pow(2, -k)});
  return r;
}
RunData run_of(double latency, std::vector<AlgorithmData> algorithms) {
  RunData run;
  run.folder = "runs/by-hand";
  run.name = "by-hand";
  run.objective = "garland";
  run.latency_s = latency;
  run.algorithms = std::move(algorithms);
  return run;
}
AlgorithmData fed(std::size_t clients, double latency) {
  return {"fed-pne", clients, {repetition(clients, latency)}, {}, "fed-pne"};
}

const Chart& chart_of(const MaybeChart& plot) {
  if (const auto* why = std::get_if<std::string>(&plot)) FAIL(*why);
  return std::get<Chart>(plot);
}
std::string why_not(const MaybeChart& plot) {
  const auto* why = std::get_if<std::string>(&plot);
  return why == nullptr ? "" : *why;
}
const Series& series(const Chart& chart, const std::string& label) {
  for (const auto& s : chart.series)
    if (s.label == label) return s;
  FAIL("no series " << label);
  return chart.series.front();
}
auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("times to a regret lie over latency, a line for each number of clients") {
  std::vector<RunData> runs;
  for (const double latency : {0.1, 1.0, 0.01})
    for (const std::size_t m : {4, 1}) runs.push_back(run_of(latency, {fed(m, latency)}));
  const auto chart = chart_of(time_to_regret_plot(runs, 0.25));  // after two rounds
  REQUIRE(chart.series.size() == 3);
  const auto& frontier = series(chart, "frontier: the soonest");
  CHECK(frontier.kind == Series::Kind::guide);
  REQUIRE(frontier.points.size() == 3);  // four clients are always sooner
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(frontier.points[i].y == series(chart, "fed-pne, m = 4").points[i].y);
  for (const std::size_t m : {1, 4}) {
    const auto& line = series(chart, "fed-pne, m = " + std::to_string(m));
    REQUIRE(line.points.size() == 3);
    const double latencies[] = {0.01, 0.1, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(line.points[i].x == latencies[i]);
      CHECK(line.points[i].y == Approx(2 * (latencies[i] + kWork / double(m))));
    }
  }
  CHECK(chart.x.scale == Scale::log);
  CHECK(chart.y.scale == Scale::log);
  CHECK_THAT(chart.subtitle, has("by-hand: garland"));
  CHECK_THAT(chart.subtitle, has("stays at most 0.25"));
  CHECK_THAT(chart.subtitle, !has("the least that all reach"));
  CHECK(xml_problem(to_svg(chart)).empty());
  CHECK_THAT(to_csv(chart), has("series,part,latency_s,time_to_regret_s,"));
}

TEST_CASE("the regret is the least that all reach unless it is given") {
  const auto chart =
      chart_of(time_to_regret_plot({run_of(1, {fed(1, 1)}), run_of(2, {fed(1, 2)})}, std::nullopt));
  // The last regret is 1/64 = 0.015625.
  CHECK_THAT(chart.subtitle, has("at most 0.016, the least that all reach"));
  CHECK(chart.series.at(0).points.at(0).y == Approx(6 * (1 + kWork)));

  auto worse = fed(1, 2);
  worse.repetitions.push_back(repetition(1, 2, 3));  // resamples end at 3/64 at most
  const std::vector<RunData> runs{run_of(1, {fed(1, 1)}), run_of(2, {worse})};
  CHECK_THAT(chart_of(time_to_regret_plot(runs, std::nullopt)).subtitle, has("at most 0.047"));
  const auto given = chart_of(time_to_regret_plot(runs, 0.02));
  CHECK_THAT(given.subtitle, has("1 of 2 never reach it"));
  CHECK(given.series.at(0).points.size() == 1);
  CHECK_THAT(why_not(time_to_regret_plot(runs, 0.001)), has("ends above 0.001"));
}

TEST_CASE("the speed-up is that of the closed form, beside the ideal") {
  std::vector<RunData> runs;
  for (const double latency : {0.0, 2.0})
    for (const std::size_t m : {16, 1, 4}) runs.push_back(run_of(latency, {fed(m, latency)}));
  const auto chart = chart_of(speed_up_plot(runs, std::nullopt));
  REQUIRE(chart.series.size() == 3);
  const auto& ideal = series(chart, "ideal: S = m");
  CHECK(ideal.kind == Series::Kind::guide);
  CHECK(ideal.points.front().y == 1);
  CHECK(ideal.points.back().x == 16);
  CHECK(ideal.points.back().y == 16);
  for (const double latency : {0.0, 2.0}) {
    const auto& line =
        series(chart, latency == 0 ? "fed-pne, latency 0 s" : "fed-pne, latency 2 s");
    REQUIRE(line.points.size() == 3);
    for (const auto& p : line.points)
      CHECK(p.y == Approx((latency + kWork) / (latency + kWork / p.x)));
  }
  CHECK_THAT(chart.subtitle, has("S(m) = T(1) / T(m)"));
  const auto svg = to_svg(chart);
  CHECK(xml_problem(svg).empty());
  CHECK(xml_attributes(svg, "path", "stroke-dasharray").size() == 1);
  CHECK_THAT(to_csv(chart), has("ideal: S = m,guide,16,16,"));
}

TEST_CASE("a regret counts as reached from when it stays below, not from a lucky dip") {
  // One client dips to 1/16 in round 1 by chance, and is there for good after round 4.
  auto lucky = fed(1, 0), other = fed(4, 0);
  auto& curve = lucky.repetitions[0].curves["simple_regret"];
  curve[1].value = 1.0 / 16;
  const auto chart = chart_of(speed_up_plot({run_of(0, {lucky}), run_of(0, {other})}, 1.0 / 16));
  CHECK(series(chart, "fed-pne").points.back().y == Approx(4));
  // A level that is left again at the end is not reached.
  curve.back().value = 1;
  const auto both =
      chart_of(time_to_regret_plot({run_of(1, {lucky}), run_of(2, {fed(1, 2)})}, 1.0 / 16));
  CHECK_THAT(both.subtitle, has("1 of 2 never reach it"));
}

TEST_CASE("the band of a speed-up comes from resampled repetitions, in pairs") {
  // Repetitions of equal speed: no spread. Of two speeds: the interval spans both.
  auto one = fed(1, 0), four = fed(4, 0);
  for (int i = 0; i < 5; ++i) {
    one.repetitions.push_back(repetition(1, 0));
    four.repetitions.push_back(repetition(4, 0));
  }
  const auto level = 1.0 / 8;
  auto chart = chart_of(speed_up_plot({run_of(0, {one}), run_of(0, {four})}, level));
  auto point = series(chart, "fed-pne").points.back();
  REQUIRE(point.around_y);
  CHECK(point.around_y->empty());
  CHECK_THAT(chart.band, has("95 % of 1000 bootstrap samples"));
  for (std::size_t i = 0; i < 3; ++i) four.repetitions[i] = repetition(2, 0);
  chart = chart_of(speed_up_plot({run_of(0, {one}), run_of(0, {four})}, level));
  point = series(chart, "fed-pne").points.back();
  REQUIRE(point.around_y);
  CHECK(point.y == Approx(2));  // the slow half decides
  CHECK(point.low_y() == Approx(2));
  CHECK(point.high_y() > 2.1);
  CHECK(point.high_y() <= 4);
  // A single repetition has no band, and says so by empty cells.
  chart = chart_of(speed_up_plot({run_of(0, {fed(1, 0)}), run_of(0, {fed(4, 0)})}, level));
  CHECK_FALSE(series(chart, "fed-pne").points.back().around_y);
  CHECK(chart.band.empty());
  CHECK_THAT(to_csv(chart), has("fed-pne,line,4,4,,,1\n"));
}

TEST_CASE("without a single client the speed-up is relative to the fewest") {
  const auto chart =
      chart_of(speed_up_plot({run_of(0, {fed(8, 0)}), run_of(0, {fed(2, 0)})}, std::nullopt));
  const auto& line = series(chart, "fed-pne");
  CHECK(line.points.at(0).y == 2);
  CHECK(line.points.at(1).y == Approx(8));  // no latency: ideal
  CHECK_THAT(chart.subtitle, has("S(m) = 2 T(2) / T(m)"));
}

TEST_CASE("entries of one kind with their own clients are one algorithm, others aren't") {
  auto few = fed(1, 0), many = fed(4, 0);
  few.label = "few";
  many.label = "many";
  const auto chart = chart_of(speed_up_plot({run_of(0, {few, many})}, std::nullopt));
  CHECK(series(chart, "fed-pne").points.size() == 2);
  auto other = fed(4, 0);
  other.label = "other";
  CHECK_THAT(why_not(speed_up_plot({run_of(0, {few, many, other})}, std::nullopt)),
             has("two numbers of clients"));
}

TEST_CASE("where nothing takes time, evaluations count") {
  auto slow = fed(1, 0), fast = fed(2, 0);
  for (auto* algorithm : {&slow, &fast})
    for (auto& p : algorithm->repetitions[0].curves["simple_regret"]) {
      p.virtual_s = 0;
      if (algorithm == &fast) p.evaluations /= 2;
    }
  const auto chart = chart_of(speed_up_plot({run_of(0, {slow}), run_of(0, {fast})}, std::nullopt));
  CHECK(series(chart, "fed-pne").points.back().y == 2);
  CHECK_THAT(chart.subtitle, has("evaluations per client until"));
}

TEST_CASE("errors name what runs need for scaling plots") {
  const auto one = run_of(1, {fed(1, 1)});
  CHECK_THAT(why_not(time_to_regret_plot({one}, std::nullopt)), has("two mean latencies"));
  CHECK_THAT(why_not(speed_up_plot({one}, std::nullopt)), has("two numbers of clients"));
  CHECK_THAT(why_not(speed_up_plot({run_of(1, {{"echo", 1, {RepetitionData{}}}})}, std::nullopt)),
             has("a simple regret"));
  auto other = run_of(1, {fed(2, 1)});
  other.objective = "sine";
  CHECK_THAT(why_not(speed_up_plot({one, other}, std::nullopt)), has("of one problem"));
  other = run_of(1, {fed(2, 1)});
  other.latency_s.reset();
  CHECK_THAT(why_not(speed_up_plot({one, other}, std::nullopt)), has("mean latency"));
  // A regret that holds from the start has no ratio of times.
  CHECK_THAT(why_not(speed_up_plot({one, run_of(1, {fed(2, 1)})}, 1.0)), has("takes some time"));
}

}  // namespace test_scaling
