// SPDX-License-Identifier: Apache-2.0
// Means of curves, by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "program/plot/curves.hpp"

namespace test_curves {

using namespace posse;

TEST_CASE("lines are interpolated at each other's points, where both are known") {
  // 0,0 - 10,10 and 2,0 - 6,8 - 12,8: common from 2 to 10.
  const auto mean = mean_curve({{{0, 0}, {10, 10}}, {{2, 0}, {6, 8}, {12, 8}}}, Between::line);
  REQUIRE(mean.size() == 3);
  CHECK(mean[0].x == 2);
  CHECK(mean[0].mean == 1);  // of 2 and 0
  // t(0.975; 1) sqrt(2) / sqrt(2), or one standard deviation.
  CHECK(mean[0].half_width == Approx(12.7062));
  const auto spread =
      mean_curve({{{0, 0}, {10, 10}}, {{2, 0}, {6, 8}, {12, 8}}}, Between::line, Band::sd);
  CHECK(spread[0].half_width == Approx(std::sqrt(2.0)));
  CHECK(mean[1].x == 6);
  CHECK(mean[1].mean == 7);  // of 6 and 8
  CHECK(mean[2].x == 10);
  CHECK(mean[2].mean == 9);  // of 10 and 8
}

TEST_CASE("held values last until the next point, and after the end") {
  const auto mean = mean_curve({{{0, 4}, {5, 2}}, {{0, 8}, {3, 6}, {9, 0}}}, Between::hold);
  const std::vector<std::pair<double, double>> expected{{0, 6}, {3, 5}, {5, 4}, {9, 1}};
  REQUIRE(mean.size() == expected.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    CHECK(mean[i].x == expected[i].first);
    CHECK(mean[i].mean == expected[i].second);
  }
}

TEST_CASE("lines may hold their last value, so that the longest curve decides the end") {
  const auto mean = mean_curve({{{0, 0}, {4, 8}}, {{0, 0}, {8, 4}}}, Between::line_then_hold);
  const std::vector<std::pair<double, double>> expected{{0, 0}, {4, 5}, {8, 6}};
  REQUIRE(mean.size() == expected.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    CHECK(mean[i].x == expected[i].first);
    CHECK(mean[i].mean == expected[i].second);
  }
}

TEST_CASE("of points with the same x the last one counts") {
  const auto mean = mean_curve({{{0, 1}, {0, 2}, {1, 3}, {1, 7}}}, Between::line);
  REQUIRE(mean.size() == 2);
  CHECK(mean[0].mean == 2);
  CHECK(mean[1].mean == 7);
  CHECK(mean[1].half_width == 0);
}

TEST_CASE("empty curves are left out, curves without a common stretch give nothing") {
  CHECK(mean_curve({}, Between::line).empty());
  CHECK(mean_curve({{}, {}}, Between::hold).empty());
  CHECK(mean_curve({{}, {{1, 5}}}, Between::line).size() == 1);
  CHECK(mean_curve({{{0, 1}, {1, 1}}, {{2, 1}, {3, 1}}}, Between::line).empty());
}

TEST_CASE("long curves are thinned, but keep their ends") {
  Curve curve;
  for (int i = 0; i <= 5000; ++i) curve.push_back({double(i), double(i) * 2});
  const auto mean = mean_curve({curve}, Between::line, Band::interval, 100);
  REQUIRE(mean.size() == 100);
  CHECK(mean.front().x == 0);
  CHECK(mean.back().x == 5000);
  for (const auto& point : mean) CHECK(point.mean == 2 * point.x);
}

TEST_CASE("a curve whose points are out of order is drawn in order") {
  const auto mean = mean_curve({{{1, 1}, {3, 3}, {2, 2}}, {{1, 1}, {3, 3}}}, Between::line);
  REQUIRE(mean.size() == 3);
  CHECK(mean[1].x == 2);
  CHECK(mean[1].mean == 2);
  CHECK(mean[2].mean == 3);
}

}  // namespace test_curves
