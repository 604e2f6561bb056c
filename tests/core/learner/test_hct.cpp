// SPDX-License-Identifier: Apache-2.0
// HCT-iid and VHCT against their definitions, the worked example and the theory's depth.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "core/learner/hct.hpp"
#include "tests/support/learning.hpp"
#include "tests/support/literal_learners.hpp"

namespace posse::test_hct {
namespace {

using namespace test;

TEST_CASE("hct: the worked example is reproduced to every printed digit", "[learner]") {
  const auto run = [](const char* objective, std::vector<std::uint64_t> marks) {
    const Ground ground(objective, PartitionKind::cyclic, 2, 0);
    Hct hct(ground.partition, {.constants = {.nu = 1, .rho = 0.5, .c = 0.1, .delta = 0.01}});
    struct Found {
      std::vector<double> first;
      std::vector<double> sums;
      std::vector<std::uint64_t> depths, sizes;
    } found;
    double sum = 0;
    play(hct, ground, marks.back(), [&](std::uint64_t t, Cell cell) {
      sum += ground.value(cell);
      if (t <= 10) found.first.push_back(ground.value(cell));
      if (std::find(marks.begin(), marks.end(), t) == marks.end()) return;
      found.sums.push_back(sum);
      found.depths.push_back(hct.tree_depth());
      found.sizes.push_back(hct.tree_size());
    });
    return found;
  };
  const auto garland = run("garland", {64, 1000, 10000});
  const std::vector<double> first{0.598799,
                                  0.577042,
                                  0.33157,
                                  0.773911,
                                  0.833263,
                                  0.340427,
                                  0.833263,
                                  0.773911,
                                  0.775185,
                                  0.723842};
  for (std::size_t i = 0; i < 10; ++i) CHECK(std::abs(garland.first[i] - first[i]) < 0.5e-6);
  const std::vector<double> sums{50.18224782, 896.87665530, 9009.27205670};
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(garland.sums[i] - sums[i]) < 0.5e-8);
  CHECK(garland.depths == std::vector<std::uint64_t>{4, 7, 8});
  CHECK(garland.sizes == std::vector<std::uint64_t>{19, 31, 33});
  const auto doublesine = run("doublesine", {1000});
  CHECK(std::abs(doublesine.sums[0] - 909.66568292) < 0.5e-8);
  CHECK(doublesine.depths[0] == 7);
  CHECK(doublesine.sizes[0] == 33);
}

TEST_CASE("hct and vhct: every step follows the definition", "[learner]") {
  for (const auto& ground : grounds()) {
    for (const bool variance : {false, true}) {
      for (const TieBreak ties : {TieBreak::lower, TieBreak::last, TieBreak::random}) {
        for (const double c : {0.1, 0.4}) {
          HctOptions options;
          options.constants = {.nu = 1.1, .rho = 0.6, .c = c, .delta = 0.02};
          options.choices = {.ties = ties, .seed = Seed{7}, .name = "one"};
          if (variance) options.range = 0.7;
          Hct hct(ground.partition, options);
          LiteralHct literal(ground.partition, 1.1, 0.6, c, 0.02, options.range, options.choices);
          require_same_queries(hct, literal, ground, 1000, [&](std::uint64_t t) {
            if (t % 37 == 0 || t < 40)
              require_same_tree(hct.cells(), literal.tree(), variance ? 1e-12 : 0);
          });
          CHECK(hct.tree_size() == literal.tree().size());
          CHECK(hct.tree_depth() == literal.tree().rbegin()->first.depth);
          for (const auto& [cell, at] : literal.expanded_at()) CHECK(at.first >= at.second);
        }
      }
    }
  }
}

TEST_CASE("hct and vhct with resplit: a cell that is expanded anew forgets all below it",
          "[learner]") {
  for (const auto& ground : grounds())
    for (const bool variance : {false, true}) {
      HctOptions options;
      options.constants = {.nu = 1.1, .rho = 0.6, .c = 0.2, .delta = 0.02};
      options.resplit = true;
      if (variance) options.range = 0.7;
      Hct hct(ground.partition, options);
      LiteralHct literal(ground.partition, 1.1, 0.6, 0.2, 0.02, options.range, {}, true);
      require_same_queries(hct, literal, ground, 1500, [&](std::uint64_t t) {
        if (t % 37 == 0) require_same_tree(hct.cells(), literal.tree(), variance ? 1e-12 : 0);
      });
      CHECK(hct.tree_size() == literal.tree().size());
      CHECK(literal.forgotten() > 10);
    }
}

TEST_CASE("hct: B <= U but for the root, all pulls are counted, refreshes are at powers of two",
          "[learner]") {
  const Ground ground("doublesine", PartitionKind::cyclic, 2);
  for (const bool variance : {false, true}) {
    HctOptions options;
    if (variance) options.range = 1;
    Hct hct(ground.partition, options);
    RewardSource rewards(ground.problem, 0);
    std::map<Cell, double> before;
    std::set<std::uint64_t> refreshed;
    for (std::uint64_t t = 1; t <= 3000; ++t) {
      const Cell cell = hct.next();
      std::uint64_t pulls = 0;
      for (const auto& s : hct.cells()) {
        pulls += s.pulls;
        if (s.cell.depth > 0) REQUIRE(s.b <= s.upper);
        // A bound that moves before the pull is a refresh.
        if (s.pulls > 0 && before.at(s.cell) != s.upper) refreshed.insert(t);
      }
      REQUIRE(pulls == t - 1);
      hct.tell(rewards.pull(ground.partition.point(cell), 1));
      for (const auto& s : hct.cells()) before[s.cell] = s.upper;
    }
    // At t = 1 there is nothing to refresh.
    CHECK(refreshed == std::set<std::uint64_t>{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048});
  }
}

TEST_CASE("hct and vhct: no tree is deeper than the bound", "[learner]") {
  for (const auto& ground : grounds()) {
    for (const double c : {0.05, 0.3, 2.0}) {
      for (const double rho : {0.3, 0.8}) {
        HctOptions options;
        options.constants = {.nu = 0.8, .rho = rho, .c = c, .delta = 0.1};
        const std::uint64_t n = 2000;
        Hct hct(ground.partition, options);
        play(hct, ground, n);
        CHECK(hct.tree_depth() <= theory::hct_depth_bound(options.constants, n));
        if (theory::hct_depth_paper_applies(options.constants))
          CHECK(hct.tree_depth() <= theory::hct_depth_paper(options.constants, n));
        options.range = 1;
        Hct vhct(ground.partition, options);
        play(vhct, ground, n);
        CHECK(vhct.tree_depth() <= theory::vhct_depth_bound(options.constants, 1, n));
      }
    }
  }
}

TEST_CASE("hct: without noise and with valid constants the optimum's cell is expanded",
          "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2, 0);
  HctOptions options;
  options.constants = {.nu = 1.4, .rho = std::sqrt(0.5), .c = 0.1, .delta = 0.01};
  options.choices.recommendation = Recommendation::most_pulled;
  for (const bool variance : {false, true}) {
    if (variance) options.range = 1;
    Hct hct(ground.partition, options);
    const double mean = play(hct, ground, 5000);
    const double maximum = *ground.f->maximum();
    CHECK(mean <= maximum);
    CHECK(maximum - mean < 0.15);
    CHECK(maximum - ground.value(hct.recommend()) < 0.05);
    // U of the optimum's cell is at least the maximum, so the walk never settles beside it.
    const auto cells = hct.cells();
    std::uint32_t deepest = 0;
    for (const auto& s : cells)
      if (ground.partition.locate(s.cell.depth, ground.f->maximisers()[0]) == s.cell)
        deepest = std::max(deepest, s.cell.depth);
    CHECK(deepest >= 6);
  }
}

TEST_CASE("hct: a cell at the partition's depth limit is pulled again, never expanded",
          "[learner]") {
  // 1024 children per cell leave six levels, which tiny thresholds reach at once.
  const Ground ground("garland", PartitionKind::cyclic, 1024, 0);
  REQUIRE(ground.partition.max_depth() == 6);
  HctOptions options;
  options.constants = {.nu = 1, .rho = 1e-3, .c = 1e-100, .delta = 0.5};
  Hct hct(ground.partition, options);
  play(hct, ground, 8000);
  CHECK(hct.tree_depth() == 6);
  std::uint64_t most = 0;
  for (const auto& s : hct.cells())
    if (s.cell.depth == 6) most = std::max(most, s.pulls);
  CHECK(most > 1);
}

/// The evaluations of a learner whose rewards come in batches: the batch after t steps has
/// max(1, floor((growth - 1) t)) steps.
template <class Each>
void play_batches(
    Hct& hct, const Ground& ground, std::uint64_t steps, double growth, const Each& each) {
  RewardSource source(ground.problem, 0);
  while (hct.evaluations() < steps) {
    const auto grown =
        static_cast<std::uint64_t>((growth - 1) * static_cast<double>(hct.evaluations()));
    const auto batch =
        hct.next_batch(std::min(steps - hct.evaluations(), std::max<std::uint64_t>(1, grown)));
    std::vector<BatchRewards> rewards;
    for (const auto& [cell, pulls] : batch) {
      std::vector<double> all;
      source.pull_each(
          ground.partition.point(cell), pulls, [&](double reward) { all.push_back(reward); });
      BatchRewards r;
      for (const double reward : all) r.mean += reward / static_cast<double>(pulls);
      for (const double reward : all) r.squares += (reward - r.mean) * (reward - r.mean);
      rewards.push_back(r);
    }
    each(batch, rewards);
    hct.tell_batch(rewards);
  }
}

TEST_CASE("hct: batches as a program in Python makes them", "[learner]") {
  // A separate program, whose steps without batches give the sums of the worked example above.
  const Ground ground("garland", PartitionKind::cyclic, 2, 0);
  struct Row {
    double growth;
    std::uint64_t steps;
    double sum;
    int batches;
  };
  for (const auto& row : {Row{1, 1000, 896.87665530, 1000},
                          Row{1.5, 64, 48.93381326, 12},
                          Row{1.5, 1000, 897.00985200, 18},
                          Row{1.5, 10000, 8976.79728914, 24},
                          Row{2, 64, 47.20083884, 7},
                          Row{2, 1000, 882.13755137, 11},
                          Row{2, 10000, 8871.85283075, 15},
                          Row{3, 64, 46.53759486, 5},
                          Row{3, 1000, 838.35805406, 8},
                          Row{3, 10000, 8900.17024298, 10}}) {
    INFO("growth " << row.growth << ", " << row.steps << " steps");
    Hct hct(ground.partition, {.constants = {.nu = 1, .rho = 0.5, .c = 0.1, .delta = 0.01}});
    double sum = 0;
    int batches = 0;
    play_batches(hct, ground, row.steps, row.growth, [&](const auto& batch, const auto&) {
      ++batches;
      for (const auto& [cell, pulls] : batch)
        sum += static_cast<double>(pulls) * ground.value(cell);
    });
    CHECK(sum == Approx(row.sum).epsilon(0).margin(1e-7));
    CHECK(batches == row.batches);
  }
}

TEST_CASE("hct and vhct: a batch of one evaluation is a step in every bit", "[learner]") {
  for (const auto& ground : grounds())
    for (const bool variance : {false, true})
      for (const TieBreak ties : {TieBreak::lower, TieBreak::random}) {
        HctOptions options;
        options.choices = {.ties = ties, .seed = Seed{7}, .name = "one"};
        if (variance) options.range = 0.7;
        Hct hct(ground.partition, options);
        Hct batched(ground.partition, options);
        play_batches(batched, ground, 1500, 1, [&](const auto& batch, const auto& rewards) {
          REQUIRE(batch == std::vector<CellPulls>{{hct.next(), 1}});
          hct.tell(rewards.front().mean);
        });
        CHECK(batched.recommend() == hct.recommend());
        const auto a = hct.cells();
        const auto b = batched.cells();
        REQUIRE(a.size() == b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          REQUIRE(a[i].cell == b[i].cell);
          REQUIRE(a[i].pulls == b[i].pulls);
          REQUIRE(a[i].mean == b[i].mean);
          REQUIRE(a[i].upper == b[i].upper);
          REQUIRE(a[i].b == b[i].b);
        }
      }
}

TEST_CASE("hct and vhct: the tree after a batch has its rewards", "[learner]") {
  for (const auto& ground : grounds())
    for (const bool variance : {false, true})
      for (const double growth : {1.3, 2.0, 5.0}) {
        HctOptions options;
        if (variance) options.range = 1;
        Hct hct(ground.partition, options);
        std::map<Cell, std::vector<BatchRewards>> told;
        std::map<Cell, std::vector<double>> counts;
        std::set<Cell> last;  // cells of the last batch
        play_batches(hct, ground, 3000, growth, [&](const auto& batch, const auto& rewards) {
          last.clear();
          for (std::size_t i = 0; i < batch.size(); ++i) {
            last.insert(batch[i].cell);
            told[batch[i].cell].push_back(rewards[i]);
            counts[batch[i].cell].push_back(static_cast<double>(batch[i].pulls));
          }
        });
        // L after 3000 steps: t+ = 4096.
        const double l = std::log(4096 / (std::pow(0.5 / 3, 1.0 / 8) * options.constants.delta));
        for (const auto& s : hct.cells()) {
          if (s.cell.depth == 0) continue;
          double n = 0, mean = 0, squares = 0;
          const auto& rewards = told.at(s.cell);
          for (std::size_t i = 0; i < rewards.size(); ++i) n += counts.at(s.cell)[i];
          for (std::size_t i = 0; i < rewards.size(); ++i)
            mean += rewards[i].mean * counts.at(s.cell)[i] / n;
          for (std::size_t i = 0; i < rewards.size(); ++i)
            squares += rewards[i].squares +
                       counts.at(s.cell)[i] * (rewards[i].mean - mean) * (rewards[i].mean - mean);
          REQUIRE(static_cast<double>(s.pulls) == n);
          REQUIRE(s.mean == Approx(mean).epsilon(1e-12));
          REQUIRE(s.b <= s.upper);
          const double v = std::max(squares / n, 1e-3);
          const double radius =
              variance ? 0.1 * std::sqrt(2 * v * l / n) + 3 * 0.01 * l / n : 0.1 * std::sqrt(l / n);
          // A cell that wasn't pulled since the last refresh may have an older U, which is lower.
          const double upper = mean + std::pow(0.5, s.cell.depth) + radius;
          REQUIRE(s.upper <= upper + 1e-12);
          if (last.contains(s.cell)) REQUIRE(s.upper == Approx(upper).epsilon(1e-12));
        }
        CHECK(hct.evaluations() == 3000);
      }
}

/// Random known cells: a few levels of passed cells, whose other children have some rewards or
/// none.
std::vector<KnownCell> know_cells(const Ground& ground, std::mt19937& random, LiteralHct& literal) {
  std::vector<KnownCell> all;
  const auto know = [&](Cell cell, std::uint64_t pulls, bool passed) {
    std::vector<double> rewards;
    KnownCell known{.cell = cell, .pulls = pulls, .passed = passed};
    for (std::uint64_t i = 0; i < pulls; ++i) {
      rewards.push_back(ground.value(cell) + 0.2 * static_cast<double>(random() % 1000) / 1000 -
                        0.1);
      known.sum += rewards.back();
    }
    for (const double reward : rewards) {
      const double deviation = reward - known.sum / static_cast<double>(pulls);
      known.squares += deviation * deviation;
    }
    literal.know(cell, rewards, passed);
    all.push_back(known);
  };
  std::vector<Cell> passed{{0, 1}};
  know({0, 1}, random() % 3, true);
  for (int level = 0; level < 3; ++level) {
    std::vector<Cell> next;
    for (const Cell parent : passed)
      for (const Cell cell : children_of_cell(ground.partition, parent)) {
        if (random() % 4 == 0) continue;
        const bool passes = random() % 2 == 0;
        know(cell, 1 + random() % (random() % 4 == 0 ? 200 : 20), passes);
        if (passes) next.push_back(cell);
      }
    passed = next;
  }
  literal.begin();
  return all;
}

TEST_CASE("hct and vhct: steps from known cells follow the definition", "[learner][long]") {
  std::mt19937 random(17);
  std::size_t passed = 0;
  for (const auto& ground : grounds())
    for (const bool variance : {false, true})
      for (const TieBreak ties : {TieBreak::lower, TieBreak::random})
        for (int trial = 0; trial < 6; ++trial) {
          HctOptions options;
          options.constants = {.nu = 1.1, .rho = 0.6, .c = 0.1, .delta = 0.02};
          options.choices = {.ties = ties, .seed = Seed{7}, .name = "one"};
          if (variance) options.range = 0.7;
          Hct hct(ground.partition, options);
          LiteralHct literal(ground.partition, 1.1, 0.6, 0.1, 0.02, options.range, options.choices);
          const auto known = know_cells(ground, random, literal);
          hct.start_from(known);
          std::uint64_t pulls = 0;
          for (const auto& cell : known) {
            pulls += cell.pulls;
            passed += cell.passed && cell.cell.depth > 0;
          }
          CHECK(hct.evaluations() == pulls);
          const double tolerance = variance ? 1e-12 : 0;
          require_same_tree(hct.cells(), literal.tree(), tolerance);
          CHECK(hct.tree_size() == literal.tree().size());
          require_same_queries(hct, literal, ground, 600, [&](std::uint64_t t) {
            if (t % 37 == 0 || t < 40) require_same_tree(hct.cells(), literal.tree(), tolerance);
          });
          CHECK(hct.tree_size() == literal.tree().size());
          CHECK(hct.tree_depth() == literal.tree().rbegin()->first.depth);
          for (const auto& cell : hct.cells())
            for (const auto& before : known)
              if (before.cell == cell.cell && before.passed) REQUIRE(cell.pulls == before.pulls);
        }
  CHECK(passed > 300);
}

TEST_CASE("hct: a known leaf with tau pulls is expanded before the first step", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  HctOptions options;
  options.constants.c = 0.5;
  const auto cells_with = [&](std::uint64_t pulls) {
    Hct hct(ground.partition, options);
    hct.start_from(std::vector<KnownCell>{
        {.cell = {1, 2}, .pulls = pulls, .sum = 0.5 * static_cast<double>(pulls)}});
    return hct.tree_size();
  };
  // L grows with t, which counts the known pulls.
  std::uint64_t tau = 1;
  while (tau <
         theory::hct_pulls(options.constants, theory::hct_log_term(options.constants, tau + 1), 1))
    ++tau;
  REQUIRE(tau > 1);
  CHECK(cells_with(tau - 1) == 3);
  CHECK(cells_with(tau) == 5);
}

TEST_CASE("hct: known cells form a tree below the root, once and before the first step",
          "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 1024);
  const auto refuses = [&](const std::vector<KnownCell>& cells) {
    Hct hct(ground.partition, {});
    CHECK_THROWS_AS(hct.start_from(cells), CheckFailure);
  };
  refuses({{.cell = {0, 1}, .pulls = 1}});                    // the root is passed
  refuses({{.cell = {2, 1}, .pulls = 1}});                    // without its parent
  refuses({{.cell = {1, 1}}, {.cell = {1, 1}}});              // twice
  refuses({{.cell = {1, 1}, .pulls = 1}, {.cell = {2, 1}}});  // below a leaf
  std::vector<KnownCell> chain;
  for (std::uint32_t h = 1; h <= ground.partition.max_depth(); ++h)
    chain.push_back({.cell = {h, 1}, .passed = true});
  refuses(chain);  // a cell at the depth limit has no children
  chain.back().passed = false;
  Hct hct(ground.partition, {});
  hct.start_from(chain);
  CHECK(hct.tree_depth() == ground.partition.max_depth());
  Hct late(ground.partition, {});
  late.next();
  CHECK_THROWS_AS(late.start_from({}), CheckFailure);
}

TEST_CASE("hct: next and tell must alternate", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  Hct hct(ground.partition, {});
  CHECK(hct.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(hct.tell(0.5), CheckFailure);
  hct.next();
  CHECK_THROWS_AS(hct.next(), CheckFailure);
  Hct batched(ground.partition, {});
  batched.next_batch(3);
  CHECK_THROWS_AS(batched.next_batch(1), CheckFailure);
  CHECK_THROWS_AS(batched.tell(0.5), CheckFailure);
  CHECK_THROWS_AS(batched.tell_batch({}), CheckFailure);
}

}  // namespace
}  // namespace posse::test_hct
