// SPDX-License-Identifier: Apache-2.0
// StroquOOL against its listing, a worked example, its bound without noise, and its ends.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "core/learner/stroquool.hpp"
#include "core/theory/optimistic.hpp"
#include "tests/support/cell_values.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_stroquool {
namespace {

using namespace test;

/// The listing as the header states it: all rewards are kept, every choice goes through all cells.
class LiteralStroquOol {
 public:
  LiteralStroquOol(const Partition& partition, int n) : partition_(partition) {
    double harmonic = 0;
    for (int t = 1; t <= n; ++t) harmonic += 1.0 / t;
    h_max_ = static_cast<int>(
        std::floor(n / (partition.children_per_cell() * (harmonic + 1) * (harmonic + 1))));
    h_max_ = std::max(h_max_, 1);
    open({0, 1}, h_max_);
  }

  Cell next() {
    while (queue_.empty() && explore()) {
    }
    while (queue_.empty() && validate()) {
    }
    if (queue_.empty()) return recommend();
    query_ = queue_.front();
    return query_;
  }
  void tell(double reward) {
    if (queue_.empty()) return;
    queue_.pop_front();
    (validating_ ? fresh_ : rewards_)[query_].push_back(reward);
  }
  Cell recommend() const {
    const int done = queue_.empty() ? p_ : p_ - 1;
    if (!validating_ || done == 0) return first_;
    std::optional<Cell> best;
    for (int p = 0; p < done; ++p) {
      const Cell cell = candidates_[static_cast<std::size_t>(p)];
      if (!best || mean_of(complete(cell)) > mean_of(complete(*best)) ||
          (mean_of(complete(cell)) == mean_of(complete(*best)) && cell < *best))
        best = cell;
    }
    return *best;
  }
  int h_max() const { return h_max_; }

 private:
  static double mean_of(const std::vector<double>& rewards) {
    double sum = 0;
    // As the learner adds: the sum of each pass, then of the passes.
    return std::accumulate(rewards.begin(), rewards.end(), sum) /
           static_cast<double>(rewards.size());
  }
  /// The fresh rewards of whole passes of h_max.
  std::vector<double> complete(Cell cell) const {
    auto rewards = fresh_.at(cell);
    rewards.resize(rewards.size() / static_cast<std::size_t>(h_max_) *
                   static_cast<std::size_t>(h_max_));
    return rewards;
  }
  void open(Cell cell, int times) {
    opened_.insert(cell);
    for (std::uint32_t c = 0; c < partition_.children_per_cell(); ++c)
      queue_.insert(queue_.end(), static_cast<std::size_t>(times), partition_.child(cell, c));
  }
  /// "For h = 1 to h_max, for m = 1 to floor(h_max / h): open floor(h_max / (h m)) times the
  /// non-opened cell of depth h with the highest value, given that T >= floor(h_max / (h m))"
  bool explore() {
    if (h_ > h_max_ || h_ >= static_cast<int>(partition_.max_depth())) return false;
    const int times = h_max_ / (h_ * m_);
    std::optional<Cell> best;
    for (const auto& [cell, rewards] : rewards_)
      if (static_cast<int>(cell.depth) == h_ && !opened_.contains(cell) &&
          static_cast<int>(rewards.size()) >= times &&
          (!best || mean_of(rewards) > mean_of(rewards_.at(*best))))
        best = cell;
    if (best) {
      open(*best, times);
      if (best->depth > first_.depth) first_ = *best;
    }
    if (++m_ > h_max_ / h_) {
      ++h_;
      m_ = 1;
    }
    return true;
  }
  /// "For p in [0 : floor(log2 h_max)]: evaluate h_max times x(n, p) = argmax over T >= 2^p"
  bool validate() {
    if (!validating_) {
      validating_ = true;
      for (int power = 1; power <= h_max_; power *= 2) {
        std::optional<Cell> best;
        for (const auto& [cell, rewards] : rewards_)
          if (static_cast<int>(rewards.size()) >= power &&
              (!best || mean_of(rewards) > mean_of(rewards_.at(*best))))
            best = cell;
        candidates_.push_back(*best);
      }
    }
    if (p_ == static_cast<int>(candidates_.size())) return false;
    const Cell cell = candidates_[static_cast<std::size_t>(p_++)];
    queue_.assign(static_cast<std::size_t>(h_max_), cell);
    return true;
  }

  const Partition& partition_;
  std::map<Cell, std::vector<double>> rewards_, fresh_;
  std::set<Cell> opened_;
  std::vector<Cell> candidates_;
  std::deque<Cell> queue_;
  Cell query_, first_;
  bool validating_ = false;
  int h_max_ = 0, h_ = 1, m_ = 1, p_ = 0;
};

TEST_CASE("stroquool: every step and every output follows the listing, whatever the ties",
          "[learner]") {
  for (const auto& partition : arities())
    for (const std::uint64_t levels : {1, 2, 8, 1000})
      for (std::uint64_t seed = 1; seed <= 4; ++seed)
        for (const int n : {1, 5, 100, 400, 1500}) {
          INFO("k " << partition.children_per_cell() << ", levels " << levels << ", seed " << seed
                    << ", n " << n);
          StroquOol learner(partition, {.horizon = static_cast<std::uint64_t>(n)});
          LiteralStroquOol literal(partition, n);
          REQUIRE(learner.max_depth() == static_cast<std::uint64_t>(literal.h_max()));
          // Noise of eighths, added exactly: sums don't depend on their order.
          std::uint64_t t = 0;
          require_same_play(learner, literal, static_cast<std::uint64_t>(n) + 20, [&](Cell cell) {
            const CellValues values{seed, levels}, noise{seed + 77, 3};
            return std::floor(values(cell) * 1024) / 1024 + std::floor(noise({0, ++t}) * 8) / 8;
          });
        }
}

TEST_CASE("stroquool: every step follows the listing on the test functions", "[learner]") {
  for (const auto& ground : grounds()) {
    StroquOol learner(ground.partition, {.horizon = 3000});
    LiteralStroquOol literal(ground.partition, 3000);
    require_same_queries(learner, literal, ground, 3000, [](std::uint64_t) {});
  }
}

TEST_CASE("stroquool: a worked example", "[learner]") {
  // k = 2, n = 300: H = 6.2827, 300 / (2 * 53.03) = 2.83: h_max = 2. The root twice; h = 1: m = 1
  // opens the best cell twice, m = 2 the other one once; h = 2: m = 1 opens the best cell once,
  // given T >= 1; x(0), x(1) twice each.
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  StroquOol learner(halves, {.horizon = 300});
  CHECK(learner.max_depth() == 2);
  std::vector<double> points;
  for (int t = 0; t < 20; ++t) {
    points.push_back(halves.point(learner.next())[0]);
    learner.tell(1 - std::abs(points.back() - 0.8));
  }
  CHECK(points == std::vector<double>{0.25,      0.25,      0.75,      0.75,   // the root
                                      0.625,     0.625,     0.875,     0.875,  // (1, 2) twice
                                      0.125,     0.375,                        // (1, 1) once
                                      13.0 / 16, 15.0 / 16,                    // 7/8 once
                                      13.0 / 16, 13.0 / 16,                    // x(0)
                                      0.75,      0.75,                         // x(1): T >= 2
                                      13.0 / 16, 13.0 / 16, 13.0 / 16, 13.0 / 16});
  CHECK(learner.tree()->depth == 3);
  CHECK(learner.tree()->cells == 9);
}

TEST_CASE("stroquool: the schedule keeps to the budget, whatever k, once h_max is not forced up",
          "[learner]") {
  CHECK(theory::stroquool_depth(1000, 2) == 6);  // 1000 / (2 * 8.4855^2) = 6.94
  for (const std::uint32_t k : {2u, 3u, 8u, 64u})
    for (std::uint64_t n = 10; n <= 2'000'000; n = n * 5 / 4 + 1) {
      const std::uint64_t h_max = theory::stroquool_depth(n, k);
      const double log_term = theory::harmonic(n) + 1;
      if (static_cast<double>(n) < k * log_term * log_term) continue;
      INFO("n " << n << ", k " << k);
      REQUIRE(theory::stroquool_evaluations(h_max, h_max, k) <= static_cast<double>(n));
    }
}

TEST_CASE("stroquool: without noise the loss keeps to the bound where smoothness is known",
          "[learner]") {
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  for (const double best : {0.0, 0.1234, 0.5, 0.71, 1.0})
    for (const std::uint64_t n : {100, 1000, 10'000, 30'000}) {
      StroquOol learner(halves, {.horizon = n});
      for (std::uint64_t t = 1; t <= n; ++t) {
        const Cell cell = learner.next();
        learner.tell(1 - std::abs(halves.point(cell)[0] - best));
      }
      const double loss = std::abs(halves.point(learner.recommend())[0] - best);
      const auto h = theory::stroquool_loss_depth(
          learner.max_depth(), 61, {.dimension = 0, .constant = 2}, 0.5);
      INFO("n " << n << ", maximiser " << best << ", h_max " << learner.max_depth());
      CHECK(loss <= 0.5 * std::pow(0.5, h) + 1e-15);
      if (n == 30'000) CHECK(h >= 9);
    }
}

TEST_CASE("stroquool: under noise it finds Garland's maximum", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2, 0.1);
  StroquOol learner(ground.partition, {.horizon = 20'000});
  play(learner, ground, 20'000);
  CHECK(*ground.f->maximum() - ground.value(learner.recommend()) < 0.05);
}

TEST_CASE("stroquool: cells at the partition's depth limit are never opened", "[learner]") {
  const Partition deep(Box::cube(1, 0, 1), PartitionKind::cyclic, 16);
  StroquOol learner(deep, {.horizon = 1'000'000});
  CHECK(learner.max_depth() > 100);
  for (int t = 0; t < 1'000'000; ++t) {
    const Cell cell = learner.next();
    REQUIRE(cell.depth <= 15);
    learner.tell(-deep.point(cell)[0]);
  }
  CHECK(learner.tree()->depth == 15);
}

TEST_CASE("stroquool: the first evaluation is of the root's first child, misuse is caught",
          "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  StroquOol learner(ground.partition, {.horizon = 1});
  CHECK(learner.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(learner.tell(1), CheckFailure);
  CHECK(learner.next() == Cell{1, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK_THROWS_AS(learner.tell(0.5), CheckFailure);
  CHECK(learner.recommend() == Cell{0, 1});
}

}  // namespace
}  // namespace posse::test_stroquool
