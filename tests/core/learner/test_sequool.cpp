// SPDX-License-Identifier: Apache-2.0
// SequOOL against the paper's listing, a worked example, its bound, and its ends.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <map>

#include "core/learner/sequool.hpp"
#include "core/theory/optimistic.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_sequool {
namespace {

using namespace test;

/// The listing, every choice by going through all cells of the depth.
class LiteralSequOol {
 public:
  LiteralSequOol(const Partition& partition, int n) : partition_(partition) {
    // "h_max = floor(n / log-bar n)", log-bar n the n-th harmonic number
    double harmonic = 0;
    for (int t = 1; t <= n; ++t) harmonic += 1.0 / t;
    h_max_ = static_cast<int>(std::floor(n / harmonic));
    open({0, 1});
  }

  Cell next() {
    while (queue_.empty()) {
      // "For h = 1 to h_max: open floor(h_max / h) cells of depth h with largest values"
      if (left_ == 0) {
        ++h_;
        left_ = h_ <= h_max_ ? h_max_ / h_ : 0;
      }
      if (h_ > h_max_ || h_ >= static_cast<int>(partition_.max_depth()))
        return query_ = recommend();
      std::optional<Cell> best;
      for (const auto& [cell, value] : values_)
        if (static_cast<int>(cell.depth) == h_ && !opened_.contains(cell) &&
            (!best || value > values_.at(*best)))
          best = cell;
      left_ = best ? left_ - 1 : 0;
      if (best) open(*best);
    }
    query_ = queue_.front();
    queue_.pop_front();
    return query_;
  }
  void tell(double value) { values_.emplace(query_, value); }
  Cell recommend() const {
    std::optional<Cell> best;
    for (const auto& [cell, value] : values_)
      if (!best || value > values_.at(*best)) best = cell;
    return best.value_or(Cell{});
  }
  std::size_t opened() const { return opened_.size(); }

 private:
  void open(Cell cell) {
    opened_[cell] = true;
    for (std::uint32_t c = 0; c < partition_.children_per_cell(); ++c)
      queue_.push_back(partition_.child(cell, c));
  }

  const Partition& partition_;
  std::map<Cell, double> values_;
  std::map<Cell, bool> opened_;
  std::deque<Cell> queue_;
  Cell query_;
  int h_max_ = 0, h_ = 0, left_ = 0;
};

TEST_CASE("sequool: every step and every output follows the listing, whatever the ties",
          "[learner][long]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 8, 1000})
      for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (const int n : {1, 2, 3, 10, 60, 150}) {
          INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed " << seed
                    << ", n " << n);
          SequOol learner(partition, {.openings = static_cast<std::uint64_t>(n)});
          LiteralSequOol literal(partition, n);
          require_same_play(learner, literal, 400, CellValues{seed, levels});
        }
}

TEST_CASE("sequool: every step follows the listing on the test functions", "[learner]") {
  for (const auto& ground : grounds()) {
    const int n = 1000 / static_cast<int>(ground.partition.children_per_cell());
    SequOol learner(ground.partition, {.openings = static_cast<std::uint64_t>(n)});
    LiteralSequOol literal(ground.partition, n);
    require_same_queries(learner, literal, ground, 1000, [&](std::uint64_t t) {
      if (t % 100 == 0) REQUIRE(learner.recommend() == literal.recommend());
    });
  }
}

TEST_CASE("sequool: a worked example", "[learner]") {
  // n = 6: H_6 = 2.45, h_max = 2: two cells of depth 1 are opened, one of depth 2. f(x) = 1 - |x -
  // 0.3|: the best centre of depth 2 is 3/8, then 1/8.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  SequOol learner(halves, {.openings = 6});
  CHECK(learner.max_depth() == 2);
  std::vector<double> points;
  for (int t = 0; t < 10; ++t) {
    points.push_back(halves.point(learner.next())[0]);
    learner.tell(1 - std::abs(points.back() - 0.3));
  }
  CHECK(points == std::vector<double>{0.25,
                                      0.75,
                                      0.125,
                                      0.375,
                                      0.625,
                                      0.875,
                                      5.0 / 16,
                                      7.0 / 16,
                                      5.0 / 16,  // the schedule is used up
                                      5.0 / 16});
  CHECK(learner.tree()->depth == 3);
  CHECK(learner.tree()->cells == 9);
}

TEST_CASE("sequool: n openings suffice, and h_max follows its formula", "[learner]") {
  CHECK(theory::sequool_depth(1) == 1);
  CHECK(theory::sequool_depth(2) == 1);
  CHECK(theory::sequool_depth(1000) == 133);  // H = 7.485
  CHECK(theory::harmonic(1000) == Approx(7.4854708605503449).epsilon(1e-14));
  CHECK(theory::harmonic(1001) == Approx(7.4854708605503449 + 1.0 / 1001).epsilon(1e-14));
  for (std::uint64_t n = 2; n <= 3000; ++n) {
    const std::uint64_t h_max = theory::sequool_depth(n);
    REQUIRE(h_max == theory::sequool_depth(n));
    REQUIRE(theory::sequool_openings(h_max, h_max) <= n);
  }
}

TEST_CASE("sequool: the loss keeps to the bound where smoothness is known", "[learner]") {
  // f(x) = 1 - |x - x*|: nu = 1/2, rho = 1/2; the cells of I_h have centres within 2^-(h+1) of x*:
  // at most two.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  for (const double best : {0.0, 0.1234, 0.5, 0.71, 1.0})
    for (const std::uint64_t n : {2, 10, 30, 100, 200}) {
      SequOol learner(halves, {.openings = n});
      double loss = 1;
      for (std::uint64_t t = 1; t <= 2 * n; ++t) {
        const Cell cell = learner.next();
        learner.tell(1 - std::abs(halves.point(cell)[0] - best));
      }
      loss = std::abs(halves.point(learner.recommend())[0] - best);
      const auto h =
          theory::sequool_loss_depth(learner.max_depth(), 61, {.dimension = 0, .constant = 2}, 0.5);
      CHECK(h == 1 + learner.max_depth() / 2);  // floor(h_max / h) >= 2
      CHECK(loss <= 0.5 * std::pow(0.5, h) + 1e-15);
    }
}

TEST_CASE("sequool: cells at the partition's depth limit are never opened", "[learner]") {
  const Partition deep(Box::cube(1, 0, 1), PartitionKind::cyclic, 1024);
  SequOol learner(deep, {.openings = 1000});
  for (int t = 0; t < 500'000; ++t) {
    const Cell cell = learner.next();
    REQUIRE(cell.depth <= 6);
    learner.tell(-deep.point(cell)[0]);
  }
  CHECK(learner.tree()->depth == 6);
}

TEST_CASE("sequool: the first evaluation is of the root's first child, misuse is caught",
          "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  CHECK_THROWS_AS(SequOol(ground.partition, {.openings = 0}), CheckFailure);
  SequOol learner(ground.partition, {.openings = 1});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  CHECK(learner.next() == Cell{1, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
  CHECK(learner.recommend() == Cell{1, 1});
}

}  // namespace
}  // namespace posse::test_sequool
