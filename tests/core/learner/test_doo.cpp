// SPDX-License-Identifier: Apache-2.0
// DOO against the paper's listing, a worked example, its bounds, and its ends.
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "core/base/math.hpp"
#include "core/learner/doo.hpp"
#include "core/theory/optimistic.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_doo {
namespace {

using namespace test;

/// The listing of section 3: every choice by going through all leaves.
class LiteralDoo {
 public:
  LiteralDoo(const Partition& partition, double nu, double rho)
      : partition_(partition), nu_(nu), rho_(rho) {
    queue_.push_back({0, 1});
  }

  Cell next() {
    if (queue_.empty()) {
      // "Select the leaf (h, j) with maximum b_{h,j} = f(x_{h,j}) + delta(h) value. Expand it."
      std::optional<Cell> best;
      for (const Cell leaf : leaves_)
        if (leaf.depth < partition_.max_depth() && (!best || b(leaf) > b(*best))) best = leaf;
      if (!best) return query_ = recommend();
      leaves_.erase(*best);
      for (std::uint32_t c = 0; c < partition_.children_per_cell(); ++c)
        queue_.push_back(partition_.child(*best, c));
    }
    query_ = queue_.front();
    queue_.pop_front();
    return query_;
  }
  void tell(double value) {
    if (values_.contains(query_)) return;
    values_[query_] = value;
    leaves_.insert(query_);
  }
  Cell recommend() const {
    std::optional<Cell> best;
    for (const auto& [cell, value] : values_)
      if (!best || value > values_.at(*best)) best = cell;
    return best.value_or(Cell{});
  }

 private:
  double b(Cell cell) const { return values_.at(cell) + nu_ * math::pow(rho_, cell.depth); }

  const Partition& partition_;
  double nu_, rho_;
  std::map<Cell, double> values_;
  std::set<Cell> leaves_;
  std::deque<Cell> queue_;
  Cell query_;
};

TEST_CASE("doo: every step and every output follows the listing, whatever the ties",
          "[learner][long]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 8, 1000})
      for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (const double nu : {0.01, 1.0})
          for (const double rho : {0.25, 0.5, 0.9}) {
            INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed " << seed
                      << ", nu " << nu << ", rho " << rho);
            Doo learner(partition, {.nu = nu, .rho = rho});
            LiteralDoo literal(partition, nu, rho);
            require_same_play(learner, literal, 300, CellValues{seed, levels});
          }
}

TEST_CASE("doo: every step follows the listing on the test functions", "[learner]") {
  for (const auto& ground : grounds()) {
    Doo learner(ground.partition, {.nu = 1.4, .rho = 0.7});
    LiteralDoo literal(ground.partition, 1.4, 0.7);
    require_same_queries(learner, literal, ground, 1000, [&](std::uint64_t t) {
      if (t % 100 == 0) REQUIRE(learner.recommend() == literal.recommend());
    });
  }
}

TEST_CASE("doo: a worked example", "[learner]") {
  // f(x) = 1 - |x - 0.3| on halves, delta(h) = 2^-h / 2. The centres 1/4 and 3/4 have b = 0.95 +
  // 0.25 and 0.55 + 0.25. Of depth 2, 1/8 and 3/8 have b = 0.825 + 0.125 and 0.925 + 0.125. Of
  // depth 3, 5/16 and 7/16 have 0.9875 + 0.0625 and 0.8625 + 0.0625; of depth 4, 9/32 and 11/32
  // have 0.98125 + 0.03125 and 0.95625 + 0.03125, above 1/8's 0.95.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  Doo learner(halves, {.nu = 0.5, .rho = 0.5});
  std::vector<double> points;
  for (int t = 0; t < 11; ++t) {
    const Cell cell = learner.next();
    points.push_back(halves.point(cell)[0]);
    learner.tell(1 - std::abs(points.back() - 0.3));
  }
  CHECK(points == std::vector<double>{0.5,
                                      0.25,
                                      0.75,
                                      0.125,
                                      0.375,
                                      5.0 / 16,
                                      7.0 / 16,
                                      9.0 / 32,
                                      11.0 / 32,
                                      17.0 / 64,
                                      19.0 / 64});
  CHECK(halves.point(learner.recommend())[0] == 19.0 / 64);
}

TEST_CASE("doo: the loss keeps to both bounds where smoothness is known", "[learner]") {
  // f(x) = 1 - |x - x*|: delta(h) = 2^-h / 2 is valid; the cells of I_h have centres within
  // 2^-(h+1) of x*: at most two.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  for (const double best : {0.0, 0.1234, 0.5, 0.71, 1.0}) {
    Doo learner(halves, {.nu = 0.5, .rho = 0.5});
    for (std::uint64_t n = 1; n <= 100; ++n) {
      const Cell cell = learner.next();
      learner.tell(1 - std::abs(halves.point(cell)[0] - best));
      const double loss = std::abs(halves.point(learner.recommend())[0] - best);
      const auto h = theory::doo_loss_depth((n - 1) / 2, 62, {.dimension = 0, .constant = 2}, 0.5);
      REQUIRE(loss <= 0.5 * std::pow(0.5, h) + 1e-15);
      const std::uint32_t depth = learner.tree()->depth;
      if (depth == 0) continue;
      REQUIRE(loss <= 0.5 * std::pow(0.5, depth - 1) + 1e-15);
      // A cell of depth h(n) or more was expanded: the bound from the tree is at least as good.
      if (n % 2 == 1) REQUIRE(depth - 1 >= h);
    }
  }
}

TEST_CASE("doo: at the partition's depth limit it expands elsewhere, at last it pulls its output",
          "[learner]") {
  const Partition wide(Box::cube(1, 0, 1), PartitionKind::cyclic, 1 << 16);
  CHECK(wide.max_depth() == 3);
  Doo learner(wide, {.nu = 1e-6, .rho = 0.5});
  for (int t = 0; t < 400'000; ++t) {
    const Cell cell = learner.next();
    REQUIRE(cell.depth <= 3);
    learner.tell(-wide.point(cell)[0]);
  }
  CHECK(learner.tree()->depth == 3);
  CHECK(learner.tree()->cells == 400'000);
}

TEST_CASE("doo: one evaluation is of the root, misuse is caught", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  CHECK_THROWS_AS(Doo(ground.partition, {.nu = 0}), CheckFailure);
  CHECK_THROWS_AS(Doo(ground.partition, {.nu = 1, .rho = 1}), CheckFailure);
  Doo learner(ground.partition, {});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  CHECK(learner.next() == Cell{0, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
  CHECK(learner.recommend() == Cell{0, 1});
}

}  // namespace
}  // namespace posse::test_doo
