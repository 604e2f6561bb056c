// HCT-iid and VHCT against their definitions, the worked example and the theory's depth.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
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
      for (const Ties ties : {Ties::lower, Ties::last, Ties::random}) {
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

TEST_CASE("hct: next and tell must alternate", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  Hct hct(ground.partition, {});
  CHECK(hct.recommend() == Cell{0, 1});
  CHECK_THROWS_AS(hct.tell(0.5), CheckFailure);
  hct.next();
  CHECK_THROWS_AS(hct.next(), CheckFailure);
}

}  // namespace
}  // namespace posse::test_hct
