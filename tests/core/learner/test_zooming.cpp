// SPDX-License-Identifier: Apache-2.0
// Zooming against its rules, a worked example, its ceilings, and its ends.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "core/base/math.hpp"
#include "core/learner/zooming.hpp"
#include "core/theory/optimistic.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_zooming {
namespace {

using namespace test;

/// The two rules by going through all arms, of which each has its rewards; arms without pulls are
/// arms like all others.
class LiteralZooming {
 public:
  LiteralZooming(const Partition& partition, double n, double nu, double rho)
      : partition_(partition), n_(n), nu_(nu), rho_(rho) {
    arms_[{0, 1}].region = {0, 1};
  }

  Cell next() {
    activate(last_);  // the others cover their cells as before
    std::optional<Cell> best;
    for (const auto& [cell, arm] : arms_)
      if (!best || index(arm) > index(arms_.at(*best))) best = cell;
    return query_ = *best;
  }
  void tell(double reward) {
    if (++told_ > n_) n_ *= 2;
    auto& arm = arms_.at(query_);
    arm.pulls += 1;
    arm.sum += reward;
    last_ = query_;
  }
  Cell recommend() const { return last_; }

  struct Arm {
    Cell region;
    double pulls = 0, sum = 0;
  };
  const std::map<Cell, Arm>& arms() const { return arms_; }

 private:
  double radius(const Arm& arm) const {
    return arm.pulls == 0 ? kInfinite : std::sqrt(2 * math::log(n_) / (arm.pulls + 1));
  }
  double index(const Arm& arm) const {
    return arm.pulls == 0 ? kInfinite : arm.sum / arm.pulls + 2 * radius(arm);
  }
  /// While the arm doesn't cover its cell, the points of the other children become arms.
  void activate(Cell cell) {
    auto& arm = arms_.at(cell);
    const auto x = partition_.point(cell);
    while (arm.region.depth < partition_.max_depth() &&
           radius(arm) < nu_ * math::pow(rho_, arm.region.depth)) {
      const Cell parent = arm.region;
      for (std::uint32_t c = 0; c < partition_.children_per_cell(); ++c) {
        const Cell child = partition_.child(parent, c);
        if (child == partition_.locate(child.depth, x))
          arm.region = child;
        else
          arms_[child].region = child;
      }
    }
  }

  static constexpr double kInfinite = 1e300;
  const Partition& partition_;
  double n_, nu_, rho_, told_ = 0;
  std::map<Cell, Arm> arms_;
  Cell query_, last_;
};

const LearnerChoices kLast{.recommendation = Recommendation::last};

TEST_CASE("zooming: every step follows the rules, whatever the ties", "[learner][long]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 8, 1000})
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const std::uint64_t n : {1, 20, 150})
          for (const double nu : {0.3, 1.0, 4.0})
            for (const double rho : {0.5, 0.9}) {
              INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed "
                        << seed << ", n " << n << ", nu " << nu << ", rho " << rho);
              Zooming learner(partition, {.horizon = n, .nu = nu, .rho = rho, .choices = kLast});
              LiteralZooming literal(partition, static_cast<double>(n), nu, rho);
              require_same_play(learner, literal, n + 30, CellValues{seed, levels});
            }
}

TEST_CASE("zooming: every step follows the rules on the test functions", "[learner]") {
  for (const auto& ground : grounds()) {
    Zooming learner(ground.partition, {.horizon = 1000, .nu = 2, .rho = 0.8, .choices = kLast});
    LiteralZooming literal(ground.partition, 1000, 2, 0.8);
    require_same_queries(learner, literal, ground, 1000, [](std::uint64_t) {});
  }
}

TEST_CASE("zooming: the cells of the arms always tile the domain", "[learner]") {
  for (const auto& ground : grounds()) {
    Zooming learner(ground.partition, {.horizon = 2000, .nu = 3, .rho = 0.7});
    const double k = ground.partition.children_per_cell();
    for (int t = 1; t <= 5000; ++t) {  // the horizon doubles twice
      const Cell cell = learner.next();
      learner.tell(ground.value(cell));
      if (t % 50 != 0) continue;
      double share = 0;
      const auto cells = learner.responsible_cells();
      for (const Cell region : cells) share += std::pow(k, -static_cast<double>(region.depth));
      REQUIRE(share == Approx(1).epsilon(1e-12));
      REQUIRE(std::set<Cell>(cells.begin(), cells.end()).size() == cells.size());
    }
    CHECK(learner.tree()->cells > 20);
  }
}

TEST_CASE("zooming: a worked example", "[learner]") {
  // n = 8: 2 ln 8 = 4.158883. nu = 1.5, rho = 0.5: a cell of depth 0 is split when T + 1 > 4.1589 /
  // 2.25, after 1 pull; of depth 1 when T + 1 > 4.1589 / 0.5625 = 7.39, after 7 pulls.
  CHECK(theory::zooming_pulls(8, 1.5, 0.5, 0) == 1);
  CHECK(theory::zooming_pulls(8, 1.5, 0.5, 1) == 7);
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  Zooming learner(halves, {.horizon = 8, .nu = 1.5, .rho = 0.5});
  // The centre 1/2 is in the second half, so the first half's centre, (1, 1), is the second arm.
  // Rewards 1 at 1/2 and 0 at 1/4: indices 1 + 2 sqrt(4.1589 / 2) = 3.88 and 2.88; then 1/2 has
  // 3.355 after 2 pulls, 3.039 after 3, 2.824 after 4.
  std::vector<Cell> played;
  for (int t = 0; t < 7; ++t) {
    played.push_back(learner.next());
    learner.tell(played.back() == Cell{0, 1} ? 1 : 0);
  }
  CHECK(played == std::vector<Cell>{{0, 1}, {1, 1}, {0, 1}, {0, 1}, {0, 1}, {1, 1}, {0, 1}});
  CHECK(learner.tree()->cells == 3);
}

TEST_CASE("zooming: depth and number of cells keep to their ceilings", "[learner]") {
  for (const auto& ground : grounds())
    for (const double nu : {0.5, 1.0, 4.0})
      for (const std::uint64_t n : {10, 100, 3000}) {
        const std::uint32_t k = ground.partition.children_per_cell();
        const std::uint32_t limit = ground.partition.max_depth();
        Zooming learner(ground.partition, {.horizon = n, .nu = nu, .rho = 0.6});
        play(learner, ground, n);
        CHECK(learner.tree()->depth <= theory::zooming_depth_bound(n, nu, 0.6, limit));
        CHECK(static_cast<double>(learner.tree()->cells) <=
              theory::zooming_cells_bound(n, nu, 0.6, k, limit));
      }
}

TEST_CASE("zooming: played arms have a gap of at most three radii, without noise", "[learner]") {
  // f(x) = 1 - |x - 0.3| is Lipschitz for nu = 1, rho = 1/2 with k = 2.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const std::uint64_t n = 20'000;
  Zooming learner(halves, {.horizon = n, .nu = 1, .rho = 0.5});
  std::map<Cell, std::uint64_t> pulls;
  double regret = 0;
  for (std::uint64_t t = 0; t < n; ++t) {
    const Cell cell = learner.next();
    const double gap = std::abs(halves.point(cell)[0] - 0.3);
    if (pulls[cell] > 0) REQUIRE(gap <= 3 * theory::zooming_radius(n, pulls[cell]));
    ++pulls[cell];
    regret += gap;
    learner.tell(1 - gap);
  }
  CHECK(regret < 0.1 * static_cast<double>(n));
}

TEST_CASE("zooming: cells at the partition's depth limit are never split, a horizon of one",
          "[learner]") {
  const Partition deep(Box::cube(1, 0, 1), PartitionKind::cyclic, 1024);
  Zooming learner(deep, {.horizon = 1, .nu = 1, .rho = 0.5});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  CHECK(learner.next() == Cell{0, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
  // ln 1 = 0: every radius after a pull is 0.
  CHECK(learner.tree()->depth == 6);
  for (int t = 0; t < 10'000; ++t) {
    const Cell cell = learner.next();
    REQUIRE(cell.depth <= 6);
    learner.tell(0);
  }
}

TEST_CASE("zooming: misuse is caught", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  CHECK_THROWS_AS(Zooming(ground.partition, {.horizon = 0}), CheckFailure);
  CHECK_THROWS_AS(Zooming(ground.partition, {.nu = 0}), CheckFailure);
  CHECK_THROWS_AS(Zooming(ground.partition, {.rho = 1}), CheckFailure);
}

}  // namespace
}  // namespace posse::test_zooming
