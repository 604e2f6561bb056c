// SPDX-License-Identifier: Apache-2.0
// What several systems share, by hand: averages of uploads, the grid of means, regrets that are
// reported.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "actors/blin/messages.hpp"
#include "actors/common/average_uploads.hpp"
#include "actors/common/common_measurements.hpp"
#include "actors/common/mean_parameters.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_common_parts {
namespace {

using Means = std::vector<double>;

TEST_CASE("uploads are averaged, or their median or trimmed mean is taken, number by number",
          "[uploads]") {
  const Means a{1, 10, -1}, b{2, 60, -4}, c{6, 20, -1}, d{3, 30, 6};
  const std::vector<const double*> rows{a.data(), b.data(), c.data(), d.data()};
  CHECK(average_rows(rows, 3, {}) == Means{3, 30, 0});
  CHECK(average_rows(rows, 3, {.aggregate = Aggregate::median}) == Means{2.5, 25, -1});
  // A quarter of four, one, is cut off at each end.
  CHECK(average_rows(rows, 3, {.aggregate = Aggregate::trimmed_mean, .trim = 0.25}) ==
        Means{2.5, 25, -1});
  CHECK(average_rows(rows, 3, {.aggregate = Aggregate::trimmed_mean, .trim = 0.2}) ==
        Means{3, 30, 0});
  CHECK(average_rows(rows, 2, {.aggregate = Aggregate::median}) == Means{2.5, 25});
  CHECK(average_rows({b.data()}, 3, {.aggregate = Aggregate::median}) == b);
}

TEST_CASE("the uploads that did not arrive are left out, and all are emptied", "[uploads]") {
  for (const Aggregate aggregate : {Aggregate::mean, Aggregate::median}) {
    Uploads uploads(4);
    uploads[0] = Payload::make(BatchMeans{1, {1, 5}});
    uploads[3] = Payload::make(BatchMeans{1, {2, 9}});
    CHECK(average_uploads<BatchMeans>(uploads, 2, {.aggregate = aggregate}) == Means{1.5, 7});
    REQUIRE(uploads.size() == 4);
    for (const auto& upload : uploads) CHECK_FALSE(upload);
  }
}

TEST_CASE("a grid of means needs a width of 0.001, and ends without a grid are refused",
          "[uploads]") {
  const auto refused = [](std::string means, double low, double high) {
    Parameters p = default_parameters(mean_encoding_parameters());
    p.set("means", std::move(means));
    p.set("means_low", low);
    p.set("means_high", high);
    return !mean_encoding_errors("any", p).empty();
  };
  for (const std::string grid : {"u8", "u16"}) {
    CHECK_FALSE(refused(grid, 0, 1));
    CHECK_FALSE(refused(grid, 0, 0.001));
    CHECK(refused(grid, 0, 0.000999));
    CHECK(refused(grid, 1, 1));
    CHECK(refused(grid, 1, 0));
    CHECK_FALSE(refused(grid, -1, -0.5));
  }
  for (const std::string exact : {"f64", "f32"}) {
    CHECK_FALSE(refused(exact, 0, 1));
    CHECK(refused(exact, 0, 2));
    CHECK(refused(exact, -1, 1));
  }
}

TEST_CASE("measurements of personal regrets are those that the outcome has", "[measurements]") {
  // Maxima: the mean of x and 1 - x is 1/2 everywhere, each client's is 1.
  const auto line = [](double slope) {
    return std::make_shared<test::FunctionObjective>(
        Box::cube(1, 0, 1),
        [slope](std::span<const double> x) { return slope > 0 ? x[0] : 1 - x[0]; },
        1.0,
        std::vector<double>{slope > 0 ? 1.0 : 0.0});
  };
  const Problem problem = test::make_problem({line(1), line(-1)}, 100, false, 1);
  RunOutcome outcome;
  outcome.regret.cumulative = 12;
  outcome.regret.local_cumulative = 34;
  outcome.regret.evaluations = 100;
  const auto value = [&](std::string_view name) -> std::optional<double> {
    std::vector<Measurement> all;
    add_personal_regrets(problem, outcome, std::nullopt, all);
    for (const auto& m : all)
      if (m.name == name) return m.measured;
    return std::nullopt;
  };
  CHECK(value("cumulative regret") == 12);
  CHECK(value("local cumulative regret") == 34);
  CHECK(*value("true Delta") == Approx(0.5).margin(2e-3));  // the mean's maximum is searched for
  CHECK(value("local simple regret") == std::nullopt);
  outcome.regret.local_simple = 0.25;
  CHECK(value("local simple regret") == 0.25);
  outcome.estimates["an estimate"] = 7;
  CHECK(value("an estimate") == 7);
}

TEST_CASE("results show zeros for an arm that was never pulled", "[measurements]") {
  const ArmRecord arm;
  CHECK(arm.pulls == 0);
  CHECK(arm.last == 0);
  CHECK(arm.best == 0);
  CHECK(arm.bound == 0);
  CHECK(arm.last_pull == 0);
  CHECK(arm.last_pulled == Time{});
}

}  // namespace
}  // namespace posse::test_common_parts
