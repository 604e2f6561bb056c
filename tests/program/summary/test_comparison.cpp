// SPDX-License-Identifier: Apache-2.0
// Paired comparisons against numbers worked out by hand and quantiles from printed tables.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "program/summary/compared_quantities.hpp"
#include "program/summary/comparison.hpp"
#include "program/summary/comparison_table.hpp"

namespace test_comparison {

using namespace posse;

namespace {

using Row = std::vector<std::optional<double>>;

Measured measured(std::vector<Row> values) {
  return {"rounds", "", std::nullopt, std::move(values)};
}

/// A scenario with algorithms of these labels.
Scenario algorithms(const std::vector<std::string>& labels) {
  Scenario scenario;
  for (const auto& label : labels) scenario.algorithms.emplace_back().label = label;
  return scenario;
}

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("mean and sample standard deviation are the textbook's") {
  const auto s = statistics({2, 4, 4, 4, 5, 5, 7, 9});
  CHECK(s.mean == 5);
  CHECK(s.sd == Approx(std::sqrt(32.0 / 7)));
  CHECK(s.min == 2);
  CHECK(s.max == 9);
  CHECK(statistics({3}).sd == 0);
}

TEST_CASE("the 95 % interval is mean ± t sd / sqrt(n), with Student's table of t(0.975)") {
  // Degrees of freedom and quantile as printed in any table.
  for (const auto& [degrees, t] : {std::pair{1, 12.7062},
                                   {2, 4.30265},
                                   {4, 2.77645},
                                   {9, 2.26216},
                                   {29, 2.04523},
                                   {99, 1.98422}}) {
    Statistics s;
    s.n = static_cast<std::size_t>(degrees) + 1;
    s.mean = 10;
    s.sd = 3;
    const auto interval = interval_95(s);
    REQUIRE(interval);
    const double half = t * 3 / std::sqrt(degrees + 1.0);
    CHECK(interval->high - 10 == Approx(half).epsilon(1e-5));
    CHECK(10 - interval->low == Approx(half).epsilon(1e-5));
  }
  CHECK_FALSE(interval_95(statistics({7})));
  CHECK_FALSE(interval_95(statistics({})));
}

TEST_CASE("ranks count from 1, and equals share the average of their places") {
  CHECK(ranks({30, 10, 20}) == std::vector<double>{3, 1, 2});
  CHECK(ranks({5, 5}) == std::vector<double>{1.5, 1.5});
  CHECK(ranks({2, 1, 2, 0, 2}) == std::vector<double>{4, 2, 4, 1, 4});
  CHECK(ranks({}).empty());
}

TEST_CASE("differences are taken within a repetition: common noise cancels") {
  // b is 2, 3, 4 above a, whatever the repetition's level: mean 3, sd 1, t(0.975; 2) = 4.30265.
  const auto c = compare(measured({{100.0, 500.0, -40.0}, {102.0, 503.0, -36.0}}));
  REQUIRE(c);
  CHECK(c->best == 0);
  CHECK(c->reference == 0);
  CHECK(c->repetitions == 3);
  const auto& b = c->standings[1];
  CHECK(b.to_best.values.mean == Approx(3));
  CHECK(b.to_best.values.sd == Approx(1));
  REQUIRE(b.to_best.interval);
  CHECK(b.to_best.interval->low == Approx(3 - 4.30265 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(b.to_best.interval->high == Approx(3 + 4.30265 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(b.to_best.sign() == Sign::positive);
  CHECK(c->standings[0].to_best.sign() == Sign::none);
  // Unpaired, the same numbers would say nothing: their spread is a hundred times the difference.
  CHECK(b.measured.sd > 100);
  CHECK(b.mean_rank == 2);
}

TEST_CASE(
    "the difference to the reference is to the first algorithm, to the best it may be another") {
  const auto c = compare(measured({{5.0, 6.0}, {1.0, 4.0}, {9.0, 9.0}}));
  REQUIRE(c);
  CHECK(c->best == 1);
  CHECK(c->reference == 0);
  CHECK(c->standings[1].to_reference.values.mean == -3);
  CHECK(c->standings[2].to_reference.values.mean == 3.5);
  CHECK(c->standings[2].to_best.values.mean == 6.5);
  // -4 and -2: half width t(0.975; 1) sqrt(2) / sqrt(2) = 12.7 around -3.
  CHECK(c->standings[1].to_reference.sign() == Sign::unclear);
}

TEST_CASE("mean ranks over repetitions, by hand, with ties") {
  // Repetition 0: 1 2 3; repetition 1: 2.5 2.5 1; repetition 2: 2 2 2.
  const auto c = compare(measured({{1.0, 8.0, 4.0}, {2.0, 8.0, 4.0}, {3.0, 7.0, 4.0}}));
  REQUIRE(c);
  CHECK(c->standings[0].mean_rank == Approx((1 + 2.5 + 2) / 3));
  CHECK(c->standings[1].mean_rank == Approx((2 + 2.5 + 2) / 3));
  CHECK(c->standings[2].mean_rank == Approx((3 + 1 + 2) / 3.0));
}

TEST_CASE("only repetitions with values of all algorithms are used") {
  constexpr auto kNothing = std::nullopt;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto c = compare(measured(
      {{1.0, kNothing, 3.0, 5.0}, {kNothing, kNothing, kNothing, kNothing}, {2.0, 2.0, nan, 5.0}}));
  REQUIRE(c);
  REQUIRE(c->standings.size() == 2);  // the algorithm that never finished is left out
  CHECK(c->standings[1].algorithm == 2);
  CHECK(c->repetitions == 2);  // 0 and 3
  CHECK(c->standings[0].measured.mean == 3);
  CHECK(c->standings[1].measured.mean == 3.5);

  CHECK_FALSE(compare(measured({{1.0, kNothing}, {kNothing, 1.0}})));  // never together
  CHECK_FALSE(compare(measured({{1.0, 2.0}})));                        // alone
  CHECK_FALSE(compare(measured({{kNothing}, {1.0}})));
  CHECK_FALSE(compare(measured({})));
}

TEST_CASE("one repetition has differences and ranks, but no interval and no certainty") {
  const auto c = compare(measured({{1.0}, {2.0}}));
  REQUIRE(c);
  CHECK_FALSE(c->standings[1].to_best.interval);
  CHECK(c->standings[1].to_best.sign() == Sign::unclear);
}

TEST_CASE("a difference that is the same in every repetition is certain") {
  const auto c = compare(measured({{6.0, 6.0, 6.0}, {7.0, 7.0, 7.0}}));
  REQUIRE(c);
  CHECK(c->standings[1].to_best.sign() == Sign::positive);
  const auto equal = compare(measured({{6.0, 7.0}, {6.0, 7.0}}));
  CHECK(equal->standings[1].to_best.sign() == Sign::none);
}

TEST_CASE("unranked quantities have values, but neither best nor ranks in comparison.csv") {
  auto m = measured({{900.0, 900.0}, {400.0, 500.0}});
  m.name = "evaluations";
  m.ranked = false;
  const auto c = compare(m);
  REQUIRE(c);
  const auto csv = csv_text(comparison_table({*c}, algorithms({"long", "short"})));
  CHECK_THAT(csv, has("\nevaluations,,long,2,900,0,,,,,,long,0,0,0\n"));
}

TEST_CASE("of all quantities only evaluations aren't ranked") {
  for (const auto& quantity : kQuantities) {
    INFO(quantity.name);
    CHECK(quantity.ranked == !quantity.name.starts_with("evaluations"));
  }
}

TEST_CASE("comparison.csv has a row per algorithm, empty intervals with one repetition") {
  auto c = *compare(measured({{1.0}, {2.5}}));
  c.evaluations = 16;
  const auto csv = csv_text(comparison_table({c}, algorithms({"a", "b,c"})));
  CHECK_THAT(csv, has("\nrounds,16,a,1,1,0,1,1,0,,,a,0,,\n"));
  CHECK_THAT(csv, has("\nrounds,16,\"b,c\",1,2.5,0,2,0,1.5,,,a,1.5,,\n"));
}

TEST_CASE("measurements leave out what didn't finish, and acknowledgements") {
  Scenario scenario;
  scenario.algorithms.resize(2);
  ScenarioResult result;
  result.runs.resize(4);
  for (std::size_t i = 0; i < 4; ++i) {
    auto& run = result.runs[i];
    run.algorithm = i % 2;
    run.repetition = static_cast<std::uint32_t>(i / 2);
    run.started = true;
    auto& o = run.result.outcome;
    o.regret.evaluations = 40;
    o.regret.max_evaluations = 10;
    o.regret.cumulative = 100.0 + static_cast<double>(i);
    TypeAccount means, acks;
    means.type = "LocalMeans";
    means.sent = 5;
    means.bytes = 500;
    acks.type = "Ack";
    acks.sent = 5;
    acks.bytes = 80;
    o.accounts = {means, acks};
    for (const std::uint64_t at : {1, 2, 4, 8, 10})
      run.result.regret_curve.push_back(
          {at, 0, 0, 0, "cumulative_regret", static_cast<double>(at + i)});
    run.result.regret_curve.push_back({0, 0, 0, 0, "simple_regret", 0.5});
    run.result.regret_curve.push_back({3, 1, 0, 0, "simple_regret", 0.25});
  }
  result.runs[3].result.outcome.status = RunStatus::stalled;

  std::vector<Measured> all;
  for_compared_quantities(scenario,
                          result_of(scenario, std::move(result.runs)),
                          [&](const Measured& measured) { all.push_back(measured); });
  const auto find = [&](const std::string& name, std::optional<std::uint64_t> at) {
    for (const auto& m : all)
      if (m.name == name && m.evaluations == at) return m.values;
    return std::vector<Row>{};
  };
  CHECK(find("cumulative_regret", {}) == std::vector<Row>{{100.0, 102.0}, {101.0, std::nullopt}});
  CHECK(find("messages", {}) == std::vector<Row>{{5.0, 5.0}, {5.0, std::nullopt}});
  CHECK(find("payload_bytes", {}) == std::vector<Row>{{500.0, 500.0}, {500.0, std::nullopt}});
  CHECK(find("local_simple_regret", {})[0] == Row{std::nullopt, std::nullopt});
  // Checkpoints 1, 2, 4, 8: exact for the cumulative regret, the latest for the simple regret.
  CHECK(find("cumulative_regret", 4)[1] == Row{5.0, std::nullopt});
  CHECK(find("simple_regret", 2)[0] == Row{0.5, 0.5});
  CHECK(find("simple_regret", 4)[0] == Row{0.25, 0.25});
  CHECK(find("cumulative_regret", 16).empty());
}

}  // namespace test_comparison
