// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/objective/memo.hpp"

using namespace posse;

namespace {

using Points = std::vector<std::vector<double>>;

std::vector<double> firsts(const Points& points) {
  std::vector<double> values;
  for (const auto& x : points) values.push_back(x[0]);
  return values;
}

}  // namespace

TEST_CASE("A memo computes each value once, one by one or several together") {
  Memo memo;
  int computed = 0;
  const auto one = [&] {
    ++computed;
    return 5.0;
  };
  const std::vector<double> x{5};
  CHECK(memo.get(x, one) == 5);
  CHECK(memo.get(x, one) == 5);
  CHECK(computed == 1);

  std::vector<Points> asked;
  const Points points{{1}, {5}, {2}, {1}};
  const auto together = [&](const Points& unknown) {
    asked.push_back(unknown);
    return firsts(unknown);
  };
  memo.prepare(points, together);
  CHECK(asked == std::vector<Points>{{{1}, {2}}});
  memo.prepare(points, together);
  CHECK(asked.size() == 1);
  CHECK(memo.get(points[2], one) == 2);
  CHECK(computed == 1);
  CHECK(memo.size() == 3);
}

TEST_CASE("A memo forgets what could not be computed, and lets others try") {
  Memo memo;
  const Points points{{1}, {2}};
  const auto fail = [](const Points&) -> std::vector<double> { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(memo.prepare(points, fail), std::runtime_error);
  CHECK_THROWS_AS(memo.get(points[0], []() -> double { throw std::runtime_error("no"); }),
                  std::runtime_error);
  CHECK(memo.get(points[0], [] { return 7.0; }) == 7);
  memo.prepare(points, firsts);
  CHECK(memo.get(points[0], [] { return 8.0; }) == 7);
  CHECK(memo.get(points[1], [] { return 8.0; }) == 2);
}

TEST_CASE("Threads that ask a memo for the same points at once compute each value once") {
  Memo memo;
  std::atomic<int> computed = 0;
  Points points;
  for (int i = 0; i < 200; ++i) points.push_back({static_cast<double>(i)});
  std::vector<double> sums(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < sums.size(); ++t)
      threads.emplace_back([&, t] {
        if (t % 2 == 0)
          memo.prepare(points, [&](const Points& unknown) {
            computed += static_cast<int>(unknown.size());
            return firsts(unknown);
          });
        for (const auto& x : points)
          sums[t] += memo.get(x, [&] {
            ++computed;
            return x[0];
          });
      });
  }
  CHECK(computed == 200);
  CHECK(sums == std::vector<double>(4, 199 * 200 / 2.0));
}
