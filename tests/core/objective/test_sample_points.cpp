// SPDX-License-Identifier: Apache-2.0
// The points on which a user's function is checked, beside their definition in the header.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/objective/sample_points.hpp"

namespace posse::test_sample_points {
namespace {

using Points = std::vector<std::vector<double>>;

TEST_CASE("the grid has 2^k + 1 points a side, as many as 5000 allow", "[expression]") {
  // 4097, 65^2, 17^3, 5^4, 5^5, 3^6, 3^7: with one more halving, 8193, 129^2 = 16641, 33^3 = 35937,
  // 9^4 = 6561, 9^5, 5^6 = 15625, 5^7.
  constexpr std::array<std::size_t, 7> kPoints{4097, 4225, 4913, 625, 3125, 729, 2187};
  for (std::size_t d = 1; d <= 7; ++d)
    CHECK(sample_points(Box::cube(d, 0, 1)).size() == kPoints[d - 1]);
}

TEST_CASE("the grid in one dimension ascends evenly from end to end", "[expression]") {
  const auto points = sample_points(Box::cube(1, -1, 3));
  REQUIRE(points.size() == 4097);
  for (std::size_t i = 0; i < points.size(); ++i)
    CHECK(points[i] == std::vector{-1 + static_cast<double>(i) / 1024});
}

TEST_CASE("every second row of the grid runs backwards", "[expression]") {
  const auto points = sample_points(Box{{0, -1}, {1, 3}});
  REQUIRE(points.size() == 65 * 65);
  for (std::size_t row = 0; row < 65; ++row)
    for (std::size_t i = 0; i < 65; ++i) {
      const double along = static_cast<double>(row % 2 == 0 ? i : 64 - i);
      CHECK(points[65 * row + i] ==
            std::vector{static_cast<double>(row) / 64, -1 + 4 * along / 64});
    }
}

TEST_CASE("above seven dimensions the axes come first: centre, corners, ends of each axis",
          "[expression]") {
  const std::vector<double> middle(8, 0.5), low(8, -1), high(8, 2);
  const auto points = sample_points(Box::cube(8, -1, 2));
  REQUIRE(points.size() == 3 + 16 + 1024);
  CHECK(points[0] == middle);
  CHECK(points[1] == low);
  CHECK(points[2] == high);
  for (std::size_t j = 0; j < 8; ++j) {
    auto end = middle;
    end[j] = -1;
    CHECK(points[3 + 2 * j] == end);
    end[j] = 2;
    CHECK(points[4 + 2 * j] == end);
  }
}

// Point i = 1, 2, … of the sequence has the coordinates frac(1/2 + i g^-j), j = 1 … d, with
// g^(d+1) = g + 1. Numbers: Python, mpmath, 40 digits.
TEST_CASE("above seven dimensions a Kronecker sequence follows", "[expression]") {
  struct Row {
    std::size_t d, i;
    double first, second, last;
  };
  for (const Row& r : {
           Row{8, 1, 0.421599319633983, 0.3493453059498204, 0.02039985119815466},
           Row{8, 2, 0.343198639267966, 0.1986906118996408, 0.5407997023963093},
           Row{8, 1000, 0.0993196339830063, 0.8453059498203751, 0.8998511981546648},
           Row{8, 1024, 0.2177033051985985, 0.2295932926160641, 0.3894476269103767},
           Row{20, 1, 0.4667464397509393, 0.4345986787711165, 0.008453952064423667},
           Row{20, 2, 0.4334928795018786, 0.369197357542233, 0.5169079041288473},
           Row{20, 1000, 0.2464397509392977, 0.09867877111650556, 0.9539520644236673},
           Row{20, 1024, 0.4483543049618409, 0.5290470616233017, 0.1568469139698353},
       }) {
    INFO("dimension " << r.d << ", point " << r.i);
    const auto unit = sample_points(Box::cube(r.d, 0, 1));
    const auto& x = unit.at(3 + 2 * r.d + r.i - 1);
    CHECK(x.front() == Approx(r.first).margin(1e-11));  // rounding adds up over the points
    CHECK(x[1] == Approx(r.second).margin(1e-11));
    CHECK(x.back() == Approx(r.last).margin(1e-11));
    const auto wide = sample_points(Box::cube(r.d, -1, 3));
    CHECK(wide.at(3 + 2 * r.d + r.i - 1)[1] == Approx(-1 + 4 * r.second).margin(1e-10));
  }
}

}  // namespace
}  // namespace posse::test_sample_points
