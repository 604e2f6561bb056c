// SPDX-License-Identifier: Apache-2.0
// SOO against the paper's listing, a worked example, its bound, and its ends.
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include "core/learner/soo.hpp"
#include "core/theory/optimistic.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_soo {
namespace {

using namespace test;

/// The listing of section 4 with its loops unrolled: a map of values, a set of leaves, every choice
/// by going through all leaves.
class LiteralSoo {
 public:
  LiteralSoo(const Partition& partition, std::optional<double> max_depth)
      : partition_(partition), max_depth_(max_depth) {
    queue_.push_back({0, 1});
  }

  Cell next() {
    while (queue_.empty()) {
      if (h_ > last_) {
        // "for h = 0 to min(depth(T_t), h_max(t))"
        double deepest = 0, shallowest = 1e9;
        for (const Cell leaf : leaves_) {
          deepest = std::max<double>(deepest, leaf.depth);
          shallowest = std::min<double>(shallowest, leaf.depth);
        }
        double limit = max_depth_.value_or(std::sqrt(t_));
        if (!max_depth_) limit = std::max(limit, shallowest);
        limit = std::min(limit, partition_.max_depth() - 1.0);
        if (shallowest > limit) return query_ = recommend();  // nothing left to expand
        last_ = std::min(deepest, limit);
        h_ = 0;
        v_max_ = -1e300;
      }
      // "Among all leaves (h, j) of depth h, select (h, i) in argmax f(x_{h,j})"
      std::optional<Cell> best;
      for (const Cell leaf : leaves_)
        if (leaf.depth == h_ && (!best || values_[leaf] > values_[*best])) best = leaf;
      // "if f(x_{h,i}) >= v_max then expand this node, v_max = f(x_{h,i}), t = t + 1"
      if (best && values_[*best] >= v_max_) {
        v_max_ = values_[*best];
        leaves_.erase(*best);
        t_ += 1;
        for (std::uint32_t c = 0; c < partition_.children_per_cell(); ++c)
          queue_.push_back(partition_.child(*best, c));
      }
      h_ += 1;
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
  double expansions() const { return t_ - 1; }

 private:
  const Partition& partition_;
  std::optional<double> max_depth_;
  std::map<Cell, double> values_;
  std::set<Cell> leaves_;
  std::deque<Cell> queue_;
  Cell query_;
  double t_ = 1, h_ = 0, last_ = -1, v_max_ = 0;
};

TEST_CASE("soo: every step and every output follows the listing, whatever the ties",
          "[learner][long]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 5, 1000})
      for (std::uint64_t seed = 1; seed <= 10; ++seed)
        for (const int max_depth : {-1, 0, 3, 100}) {
          INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed " << seed
                    << ", h_max " << max_depth);
          std::optional<std::uint32_t> limit;
          if (max_depth >= 0) limit = static_cast<std::uint32_t>(max_depth);
          Soo learner(partition, {.max_depth = limit});
          LiteralSoo literal(partition, limit ? std::optional<double>(*limit) : std::nullopt);
          require_same_play(learner, literal, 300, CellValues{seed, levels});
        }
}

TEST_CASE("soo: every step follows the listing on the test functions", "[learner]") {
  for (const auto& ground : grounds()) {
    Soo learner(ground.partition, {});
    LiteralSoo literal(ground.partition, std::nullopt);
    require_same_queries(learner, literal, ground, 1000, [&](std::uint64_t t) {
      if (t % 100 == 0) REQUIRE(learner.recommend() == literal.recommend());
    });
  }
}

TEST_CASE("soo: a worked example", "[learner]") {
  // k = 3 on [0, 1], f(x) = 1 - |x - 1/9|. The centres: 1/2; 1/6, 1/2, 5/6; 1/18, 1/6, 5/18, …
  const Partition thirds(Box::cube(1, 0, 1), PartitionKind::cyclic, 3);
  const auto f = [&](Cell cell) { return 1 - std::abs(thirds.point(cell)[0] - 1.0 / 9); };
  Soo learner(thirds, {});
  std::vector<Cell> played;
  for (int t = 0; t < 16; ++t) {
    played.push_back(learner.next());
    learner.tell(f(played.back()));
  }
  // Sweep 1: the root. Sweep 2, h_max = floor(sqrt 2) = 1: cell (1, 1), 17/18. Sweep 3, h_max = 1:
  // the next of depth 1, (1, 2), 11/18, though depth 2 has better ones. Sweep 4, h_max = 2: (1, 3),
  // 5/18, then the best of depth 2: (2, 1) and (2, 2) are both 1/18 from the maximum, and the
  // rounded values decide.
  const std::vector<Cell> expected{{0, 1},
                                   {1, 1},
                                   {1, 2},
                                   {1, 3},
                                   {2, 1},
                                   {2, 2},
                                   {2, 3},
                                   {2, 4},
                                   {2, 5},
                                   {2, 6},
                                   {2, 7},
                                   {2, 8},
                                   {2, 9}};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(played[i] == expected[i]);
  const std::uint64_t better = f({2, 2}) > f({2, 1}) ? 2 : 1;
  CHECK(played[13] == thirds.child({2, better}, 0));
  CHECK(played[15] == thirds.child({2, better}, 2));
}

TEST_CASE("soo: with h_max = sqrt t it goes on after the first levels are full", "[learner]") {
  // k = 2: after 7 expansions all of depths 0 … 2 are expanded, and floor(sqrt 8) = 2.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  Soo learner(halves, {});
  std::set<Cell> cells;
  for (int t = 0; t < 1000; ++t) {
    const Cell cell = learner.next();
    CHECK(cells.insert(cell).second);
    learner.tell(-halves.point(cell)[0]);
  }
  CHECK(learner.recommend().depth > 8);
}

TEST_CASE("soo: the loss keeps to the bound where smoothness is known", "[learner]") {
  // f(x) = 1 - |x - x*|: nu = 1/2, rho = 1/2 for k = 2 at centres; the cells of I_h have centres
  // within 2^-(h+1) of x*: at most two.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  for (const double best : {0.0, 0.1234, 0.5, 0.71, 1.0})
    for (const std::uint32_t max_depth : {0u, 3u, 10u, 1000u}) {
      SooOptions options;
      if (max_depth < 1000) options.max_depth = max_depth;
      Soo learner(halves, options);
      double loss = 1;
      for (std::uint64_t n = 1; n <= 2000; ++n) {
        const Cell cell = learner.next();
        learner.tell(1 - std::abs(halves.point(cell)[0] - best));
        loss = std::abs(halves.point(learner.recommend())[0] - best);
        const std::uint64_t expansions = (n - 1) / 2;
        const auto h =
            theory::soo_loss_depth(expansions,
                                   max_depth < 1000 ? max_depth : theory::soo_depth(1 + expansions),
                                   {.dimension = 0, .constant = 2},
                                   0.5);
        REQUIRE(loss <= 0.5 * std::pow(0.5, h) + 1e-15);
      }
      if (max_depth == 1000) CHECK(loss < 1e-8);
    }
}

TEST_CASE("soo: with every cell down to h_max expanded it pulls its output", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2, 0);
  Soo learner(ground.partition, {.max_depth = 1});
  std::map<Cell, int> pulls;
  play(learner, ground, 50, [&](std::uint64_t, Cell cell) { ++pulls[cell]; });
  CHECK(pulls.size() == 7);
  CHECK(pulls[learner.recommend()] == 50 - 6);
  CHECK(learner.tree()->cells == 7);
  CHECK(learner.tree()->depth == 2);
}

TEST_CASE("soo: cells at the partition's depth limit are never expanded", "[learner]") {
  const Partition wide(Box::cube(1, 0, 1), PartitionKind::cyclic, 1 << 20);
  CHECK(wide.max_depth() == 3);
  const Partition deep(Box::cube(1, 0, 1), PartitionKind::cyclic, 1024);
  CHECK(deep.max_depth() == 6);
  Soo learner(deep, {});
  for (int t = 0; t < 100'000; ++t) {
    const Cell cell = learner.next();
    REQUIRE(cell.depth <= 6);
    learner.tell(-deep.point(cell)[0]);
  }
  CHECK(learner.tree()->depth == 6);
}

TEST_CASE("soo: one evaluation is of the root, misuse is caught", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  Soo learner(ground.partition, {});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK(learner.tree()->cells == 1);
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  CHECK(learner.next() == Cell{0, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
  CHECK(learner.recommend() == Cell{0, 1});
}

}  // namespace
}  // namespace posse::test_soo
