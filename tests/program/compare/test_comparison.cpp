// SPDX-License-Identifier: Apache-2.0
// Paired comparisons against numbers worked out by hand and quantiles from printed tables.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "program/compare/comparison.hpp"
#include "program/compare/comparison_table.hpp"
#include "program/compare/studied_runs.hpp"

namespace test_comparison {

using namespace posse;

namespace {

using Row = std::vector<std::optional<double>>;

RunValues values_of(const Row& row) {
  RunValues values;
  for (std::uint32_t r = 0; r < row.size(); ++r)
    if (row[r]) values.emplace(r, *row[r]);
  return values;
}

/// One quantity of these values, by algorithm and repetition, where they have it in common.
std::optional<CommonComparison> in_common(const std::vector<Row>& rows,
                                          std::string_view quantity = "rounds",
                                          std::optional<std::uint64_t> evaluations = std::nullopt) {
  std::vector<RunValues> values;
  for (const auto& row : rows) values.push_back(values_of(row));
  return compare_in_common(*quantity_named(quantity), evaluations, values);
}
MeasureComparison compared(const std::vector<Row>& rows) { return in_common(rows)->measure; }

/// Of an algorithm that has values.
const MeasuredCell& cell(const MeasureComparison& measure, std::size_t algorithm) {
  REQUIRE(measure.cells[0][algorithm]);
  return *measure.cells[0][algorithm];
}

/// A study of one setting with these rounds, by algorithm and repetition.
Study study_of_rounds(const std::vector<Row>& rows) {
  Study study;
  study.settings = {""};
  for (std::size_t a = 0; a < rows.size(); ++a) {
    study.algorithms.push_back(std::string(1, static_cast<char>('a' + a)));
    for (std::size_t r = 0; r < rows[a].size(); ++r) {
      StudyRun run{std::to_string(r), rows[a][r].has_value(), {}, {}, {}};
      run.finals["rounds"] = rows[a][r];
      study.add(0, a, run);
    }
  }
  return study;
}

Sign sign_between(const Row& b, const Row& a) {
  return paired_effect(pairs_of(values_of(b), values_of(a)))->sign();
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
  const auto c = compared({{100.0, 500.0, -40.0}, {102.0, 503.0, -36.0}});
  CHECK(c.best[0] == 0);
  const auto& b = cell(c, 1);
  CHECK(b.values.n == 3);
  CHECK(b.to_best->difference.mean == Approx(3));
  CHECK(b.to_best->difference.sd == Approx(1));
  REQUIRE(b.to_best->interval);
  CHECK(b.to_best->interval->low == Approx(3 - 4.30265 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(b.to_best->interval->high == Approx(3 + 4.30265 / std::sqrt(3.0)).epsilon(1e-5));
  CHECK(b.to_best->sign() == Sign::positive);
  CHECK(cell(c, 0).to_best->sign() == Sign::none);
  // Unpaired, the same numbers would say nothing: their spread is a hundred times the difference.
  CHECK(b.values.sd > 100);
  CHECK(b.mean_rank == 2);
}

TEST_CASE("the difference to the first algorithm may be another than that to the best") {
  const auto c = compared({{5.0, 6.0}, {1.0, 4.0}, {9.0, 9.0}});
  CHECK(c.best[0] == 1);
  CHECK_FALSE(cell(c, 0).to_first_algorithm);
  CHECK(cell(c, 1).to_first_algorithm->difference.mean == -3);
  CHECK(cell(c, 2).to_first_algorithm->difference.mean == 3.5);
  CHECK(cell(c, 2).to_best->difference.mean == 6.5);
  // -4 and -2: half width t(0.975; 1) sqrt(2) / sqrt(2) = 12.7 around -3.
  CHECK(cell(c, 1).to_first_algorithm->sign() == Sign::unclear);
}

TEST_CASE("mean ranks over repetitions, by hand, with ties") {
  // Repetition 0: 1 2 3; repetition 1: 2.5 2.5 1; repetition 2: 2 2 2.
  const auto c = compared({{1.0, 8.0, 4.0}, {2.0, 8.0, 4.0}, {3.0, 7.0, 4.0}});
  CHECK(*cell(c, 0).mean_rank == Approx((1 + 2.5 + 2) / 3));
  CHECK(*cell(c, 1).mean_rank == Approx((2 + 2.5 + 2) / 3));
  CHECK(*cell(c, 2).mean_rank == Approx((3 + 1 + 2) / 3.0));
}

TEST_CASE("common comparisons are of the repetitions that all algorithms with values have") {
  constexpr auto kNothing = std::nullopt;
  const auto c = in_common({{1.0, kNothing, 3.0, 5.0},
                            {kNothing, kNothing, kNothing, kNothing},
                            {2.0, 2.0, kNothing, 5.0}});
  REQUIRE(c);
  CHECK(c->algorithms == std::vector<std::size_t>{0, 2});
  CHECK(cell(c->measure, 0).values.n == 2);  // 0 and 3
  CHECK(cell(c->measure, 0).values.mean == 3);
  CHECK(cell(c->measure, 1).values.mean == 3.5);

  CHECK_FALSE(in_common({{1.0, kNothing}, {kNothing, 1.0}}));  // never together
  CHECK_FALSE(in_common({{1.0, 2.0}}));                        // alone
  CHECK_FALSE(in_common({{kNothing}, {1.0}}));
  CHECK_FALSE(in_common({}));
}

TEST_CASE("a study's means are over an algorithm's repetitions, its differences over pairs") {
  constexpr auto kNothing = std::nullopt;
  const auto study = study_of_rounds({{1.0, kNothing, 3.0, 5.0, 7.0},
                                      {kNothing, kNothing, kNothing, kNothing, kNothing},
                                      {2.0, 20.0, kNothing, 4.0, 8.0},
                                      {kNothing, 0.0, kNothing, 6.0, 9.0}});
  const auto compared = compare_study(study);
  const auto& c = *compared.find("rounds");
  CHECK_FALSE(c.cells[0][1]);
  CHECK(cell(c, 0).values.n == 4);
  CHECK(cell(c, 0).values.mean == 4);
  CHECK(cell(c, 2).values.mean == 8.5);
  CHECK(c.best[0] == 0);
  CHECK(cell(c, 2).to_best->difference.n == 3);  // 0, 3 and 4
  CHECK(cell(c, 2).to_best->difference.mean == Approx(1 / 3.0));
  CHECK(cell(c, 3).to_best->difference.n == 2);  // 3 and 4
  CHECK(cell(c, 3).to_first_algorithm->difference.mean == 1.5);
}

TEST_CASE("where all have all repetitions, a study and a common comparison say the same") {
  const std::vector<Row> rows{{100.0, 500.0, -40.0}, {102.0, 503.0, -36.0}, {90.0, 510.0, 7.0}};
  const auto study = compare_study(study_of_rounds(rows));
  const auto &a = *study.find("rounds"), b = compared(rows);
  CHECK(a.best == b.best);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(cell(a, i).values.mean == cell(b, i).values.mean);
    CHECK(cell(a, i).values.sd == cell(b, i).values.sd);
    CHECK(cell(a, i).to_best->difference.mean == cell(b, i).to_best->difference.mean);
    CHECK(cell(a, i).to_best->interval->low == cell(b, i).to_best->interval->low);
    CHECK(cell(a, i).to_best->interval->high == cell(b, i).to_best->interval->high);
  }
}

TEST_CASE("values that are not finite count as none") {
  StudyCell of;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [repetition, value] : {std::pair{0U, 1.0}, {1U, nan}, {2U, 3.0}, {3U, 1 / 0.0}})
    of.finished[repetition]["rounds"] = value;
  of.finished[4];
  CHECK(of.values(*quantity_named("rounds")) == RunValues{{0, 1.0}, {2, 3.0}});
}

TEST_CASE("one repetition has differences and ranks, but no interval and no certainty") {
  const auto c = compared({{1.0}, {2.0}});
  CHECK_FALSE(cell(c, 1).to_best->interval);
  CHECK(cell(c, 1).to_best->sign() == Sign::unclear);
}

TEST_CASE("a difference that is the same in every repetition is certain") {
  CHECK(sign_between({7.0, 7.0, 7.0}, {6.0, 6.0, 6.0}) == Sign::positive);
  CHECK(sign_between({5.0, 6.0}, {6.0, 7.0}) == Sign::negative);
  CHECK(sign_between({6.0, 7.0}, {6.0, 7.0}) == Sign::none);
}

TEST_CASE("unranked quantities have values, but neither best nor ranks in comparison.csv") {
  const auto c = in_common({{900.0, 900.0}, {400.0, 500.0}}, "evaluations");
  const auto csv = csv_text(comparison_table({*c}, algorithms({"long", "short"})));
  CHECK_THAT(csv, has("\nevaluations,,long,2,900,0,,,,,,long,0,0,0\n"));
}

TEST_CASE("of all quantities only evaluations aren't ranked") {
  for (const auto& quantity : kQuantities) {
    INFO(quantity.name);
    CHECK(quantity.ranked() == !quantity.name.starts_with("evaluations"));
  }
}

TEST_CASE("comparison.csv has a row per algorithm, empty intervals with one repetition") {
  const auto c = in_common({{1.0}, {2.5}}, "rounds", 16);
  const auto csv = csv_text(comparison_table({*c}, algorithms({"a", "b,c"})));
  CHECK_THAT(csv, has("\nrounds,16,a,1,1,0,1,1,0,,,a,0,,\n"));
  CHECK_THAT(csv, has("\nrounds,16,\"b,c\",1,2.5,0,2,0,1.5,,,a,1.5,,\n"));
}

TEST_CASE("the reference of comparison.csv is the first algorithm that has values") {
  const auto c = in_common({{std::nullopt}, {2.5}, {3.0}});
  const auto csv = csv_text(comparison_table({*c}, algorithms({"a", "b", "c"})));
  CHECK_THAT(csv, has("\nrounds,,b,1,2.5,0,1,1,0,,,b,0,,\n"));
  CHECK_THAT(csv, has("\nrounds,,c,1,3,0,2,0,0.5,,,b,0.5,,\n"));
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

  const auto runs = result_of(scenario, std::move(result.runs));
  const Study study = study_of(scenario, runs);
  const auto at_end = [&](std::size_t algorithm, std::string_view quantity) {
    return study.find(0, algorithm)->values(*quantity_named(quantity));
  };
  CHECK(at_end(0, "cumulative_regret") == RunValues{{0, 100.0}, {1, 102.0}});
  CHECK(at_end(1, "cumulative_regret") == RunValues{{0, 101.0}});
  CHECK(at_end(0, "messages") == RunValues{{0, 5.0}, {1, 5.0}});
  CHECK(at_end(1, "payload_bytes") == RunValues{{0, 500.0}});
  CHECK(at_end(0, "local_simple_regret").empty());
  // Checkpoints 1, 2, 4, 8: exact for the cumulative regret, the latest for the simple regret; of
  // the repetition that both have.
  const auto all = compare_algorithms(runs, study);
  const auto mean = [&](std::string_view quantity, std::uint64_t at, std::size_t algorithm) {
    for (const auto& c : all)
      if (c.measure.quantity == *quantity_named(quantity) && c.evaluations == at)
        return std::optional(cell(c.measure, algorithm).values.mean);
    return std::optional<double>();
  };
  CHECK(mean("cumulative_regret", 4, 0) == 4);
  CHECK(mean("cumulative_regret", 4, 1) == 5);
  CHECK(mean("simple_regret", 2, 0) == 0.5);
  CHECK(mean("simple_regret", 4, 0) == 0.25);
  CHECK_FALSE(mean("cumulative_regret", 16, 0));
}

}  // namespace test_comparison
