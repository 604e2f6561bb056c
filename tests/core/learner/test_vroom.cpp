// SPDX-License-Identifier: Apache-2.0
// VROOM against its definition, its estimates against true means, and its ends.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "core/base/math.hpp"
#include "core/learner/vroom.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_vroom {
namespace {

using namespace test;

/// The definition: at every step all cells are sorted, probabilities and densities are computed for
/// every cell, all ranks are kept.
class LiteralVroom {
 public:
  LiteralVroom(const Partition& partition, int n, int depth, double b, double f_max, Seed seed)
      : partition_(partition),
        n_(n),
        depth_(depth),
        b_(b),
        f_max_(f_max),
        explore_(stream_key(seed, "explore", "learner")),
        recommend_(stream_key(seed, "recommend", "learner")) {
    const auto k = partition.children_per_cell();
    for (std::uint32_t h = 1; h <= static_cast<std::uint32_t>(depth); ++h) {
      double harmonic = 0;
      for (std::uint64_t i = 1; i <= static_cast<std::uint64_t>(std::pow(k, h)); ++i) {
        cells_[{h, i}];
        harmonic += 1.0 / static_cast<double>(i);
      }
      z_ += harmonic / h;
    }
    rank();
  }

  Cell next() {
    // The choice goes by depth, then by rank.
    const auto draw = static_cast<std::uint64_t>(3 * t_);
    double u = explore_.at(draw) * z_;
    std::uint32_t h = 0;
    for (double total = 0; h < static_cast<std::uint32_t>(depth_) && total <= u;) {
      ++h;
      for (const auto& [cell, s] : cells_)
        if (cell.depth == h) total += 1.0 / (h * s.rank);
    }
    std::vector<Cell> order = sorted(h);
    double sum = 0;
    for (std::size_t l = 1; l <= order.size(); ++l) sum += 1.0 / static_cast<double>(l);
    u = explore_.at(draw + 1) * sum;
    std::size_t l = 0;
    for (double total = 0; l < order.size() && total <= u;) total += 1.0 / static_cast<double>(++l);
    return query_ = below(order[l - 1], explore_.at(draw + 2));
  }
  void tell(double reward) {
    ++t_;
    for (auto& [cell, s] : cells_) s.ranks.push_back(s.rank);
    const double k = partition_.children_per_cell();
    double density = 0;
    std::vector<Cell> path;
    for (Cell cell = query_; cell.depth > 0; cell = partition_.parent(cell))
      if (cell.depth <= static_cast<std::uint32_t>(depth_)) path.push_back(cell);
    std::reverse(path.begin(), path.end());
    for (const Cell cell : path)
      density += std::pow(k, cell.depth) * (1 / (cell.depth * cells_[cell].rank * z_));
    for (const Cell cell : path)
      cells_[cell].estimate += reward * (std::pow(k, cell.depth) / density);
    rank();
    if (t_ != n_ && (t_ & (t_ - 1)) != 0) return;
    const double delta = std::min(1.0, 4 * b_ / (f_max_ * std::sqrt(n_)));
    const double L = math::log(2.0 * n_ * n_ / delta);
    std::optional<Cell> best;
    double most = 0;
    for (const auto& [cell, s] : cells_) {
      double sum = 0, largest = s.rank;
      for (const double r : s.ranks) {
        sum += r;
        largest = std::max(largest, r);
      }
      const double scale = cell.depth * z_ * L;
      const double lower =
          s.estimate - f_max_ * std::sqrt(2 * scale * sum) - f_max_ * scale * largest / 3;
      if (best && lower <= most) continue;
      best = cell;
      most = lower;
    }
    output_ = below(*best, recommend_.at(outputs_++));
  }
  Cell recommend() const { return output_; }

  struct Statistics {
    double estimate = 0, rank = 0;
    std::vector<double> ranks;
  };
  const std::map<Cell, Statistics>& cells() const { return cells_; }

 private:
  std::vector<Cell> sorted(std::uint32_t h) const {
    std::vector<Cell> order;
    for (const auto& [cell, s] : cells_)
      if (cell.depth == h) order.push_back(cell);
    std::stable_sort(order.begin(), order.end(), [&](Cell x, Cell y) {
      return cells_.at(x).estimate > cells_.at(y).estimate;
    });
    return order;
  }
  void rank() {
    for (std::uint32_t h = 1; h <= static_cast<std::uint32_t>(depth_); ++h) {
      double l = 0;
      for (const Cell cell : sorted(h)) cells_[cell].rank = ++l;
    }
  }
  Cell below(Cell cell, double u) const {
    std::uint64_t cells = 1;
    while (cell.depth < partition_.max_depth()) {
      cell = partition_.child(cell, 0);
      cells *= partition_.children_per_cell();
    }
    return {cell.depth,
            cell.index + static_cast<std::uint64_t>(std::floor(u * static_cast<double>(cells)))};
  }

  const Partition& partition_;
  int n_, depth_;
  double b_, f_max_, z_ = 0;
  UniformStream explore_, recommend_;
  std::map<Cell, Statistics> cells_;
  Cell query_, output_;
  int t_ = 0;
  std::uint64_t outputs_ = 0;
};

TEST_CASE("vroom: every step and every output follows the definition, whatever the ties",
          "[learner]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 1000})
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const int n : {1, 7, 100}) {
          INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed " << seed
                    << ", n " << n);
          Vroom learner(
              partition,
              {.horizon = static_cast<std::uint64_t>(n), .noise = 0.5, .seed = Seed{seed}});
          LiteralVroom literal(
              partition, n, static_cast<int>(learner.ranked_depth()), 0.5, 1, Seed{seed});
          // Values by the cell of depth 3.
          require_same_play(learner, literal, static_cast<std::uint64_t>(n) + 10, [&](Cell cell) {
            while (cell.depth > 3) cell = partition.parent(cell);
            return CellValues{seed, levels}(cell);
          });
        }
}

TEST_CASE("vroom: the ranked depth is floor(log_k n), or what is asked for", "[learner]") {
  const auto depth = [](std::uint32_t k, VroomOptions options) {
    const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, k);
    return Vroom(partition, options).ranked_depth();
  };
  CHECK(depth(2, {.horizon = 1}) == 1);
  CHECK(depth(2, {.horizon = 1023}) == 9);
  CHECK(depth(2, {.horizon = 1024}) == 10);
  CHECK(depth(3, {.horizon = 80}) == 3);
  CHECK(depth(3, {.horizon = 81}) == 4);
  CHECK(depth(2, {.horizon = 1'000'000'000}) == 16);
  CHECK(depth(2, {.horizon = 1024, .max_depth = 3}) == 3);
  CHECK(depth(2, {.horizon = 4, .max_depth = 100}) == 16);
  CHECK(depth(1 << 20, {.horizon = 4}) == 1);
}

TEST_CASE("vroom: estimates are unbiased for uniform plays of a cell", "[learner][statistical]") {
  // f = 1 on the second quarter, else 1/4. Mean over many seeds of estimate / n of the cells of
  // depth 2 and 1: the means 1/4, 1, 1/4, 1/4 and 5/8, 1/4. With 2000 seeds of n = 30 the standard
  // error is below 0.02 for all of them; 5 of these are allowed.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  std::map<Cell, double> sums;
  const int seeds = 2000, n = 30;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Seed s{static_cast<std::uint64_t>(seed)};
    Vroom learner(halves, {.horizon = n, .max_depth = 2, .seed = s});
    LiteralVroom literal(halves, n, 2, 1, 1, s);
    for (int t = 0; t < n; ++t) {
      const Cell cell = learner.next();
      REQUIRE(literal.next() == cell);
      const double x = halves.point(cell)[0];
      const double y = x >= 0.25 && x < 0.5 ? 1 : 0.25;
      learner.tell(y);
      literal.tell(y);
    }
    for (const auto& [cell, statistics] : literal.cells())
      sums[cell] += statistics.estimate / n / seeds;
  }
  CHECK(sums[Cell{2, 1}] == Approx(0.25).margin(0.1));
  CHECK(sums[Cell{2, 2}] == Approx(1).margin(0.1));
  CHECK(sums[Cell{2, 3}] == Approx(0.25).margin(0.1));
  CHECK(sums[Cell{2, 4}] == Approx(0.25).margin(0.1));
  CHECK(sums[Cell{1, 1}] == Approx(0.625).margin(0.1));
  CHECK(sums[Cell{1, 2}] == Approx(0.25).margin(0.1));
}

TEST_CASE("vroom: it concentrates its plays and its output where rewards are high", "[learner]") {
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  int near = 0, played_near = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Vroom learner(halves, {.horizon = 3000, .noise = 0.1, .seed = Seed{seed}});
    for (int t = 0; t < 3000; ++t) {
      const double x = halves.point(learner.next())[0];
      played_near += std::abs(x - 0.7) < 0.125;
      learner.tell(1 - std::abs(x - 0.7));
    }
    near += std::abs(halves.point(learner.recommend())[0] - 0.7) <= 0.3;
  }
  CHECK(played_near > 20 * 3000 / 4);  // more than uniform plays
  CHECK(near >= 15);
}

TEST_CASE("vroom: beyond the horizon the search goes on, misuse is caught", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  CHECK_THROWS_AS(Vroom(ground.partition, {.horizon = 0}), CheckFailure);
  CHECK_THROWS_AS(Vroom(ground.partition, {.noise = 0}), CheckFailure);
  CHECK_THROWS_AS(Vroom(ground.partition, {.reward_bound = 0}), CheckFailure);
  Vroom learner(ground.partition, {.horizon = 3});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  std::set<Cell> played;
  for (int t = 0; t < 6; ++t) {
    played.insert(learner.next());
    CHECK(played.rbegin()->depth == ground.partition.max_depth());
    CHECK_THROWS_AS(learner.next(), CheckFailure);
    learner.tell(0.5);
  }
  CHECK(played.size() == 6);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
}

}  // namespace
}  // namespace posse::test_vroom
