// SPDX-License-Identifier: Apache-2.0
// Ties and recommendations, and the flat tree that tree learners grow.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "core/learner/cell_tree.hpp"
#include "core/learner/choices.hpp"
#include "core/learner/hct.hpp"
#include "core/learner/t_hoo.hpp"
#include "tests/support/learning.hpp"

namespace posse::test_choices {
namespace {

using namespace test;

/// Chi-square of counts that should be equal.
double chi_square(const std::vector<int>& counts, double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST_CASE("recommendation: every play is kept with the same probability, at any time",
          "[learner]") {
  // 10 plays, 2000 names each: 9 degrees of freedom, 99.99 % quantile 33.7; fixed seed.
  for (const std::uint64_t plays : {1, 2, 10}) {
    std::vector<int> kept(plays);
    for (int name = 0; name < 2000; ++name) {
      Recommender recommender({.seed = Seed{1}, .name = "learner-" + std::to_string(name)});
      for (std::uint64_t t = 1; t <= plays; ++t) recommender.played({1, t}, 1);
      ++kept[recommender.cell().index - 1];
    }
    CHECK(chi_square(kept, 2000.0 / static_cast<double>(plays)) < 33.7);
  }
}

TEST_CASE("recommendation: a long run keeps a play of its whole length", "[learner]") {
  // The kept play's number over a million, in tenths: 200 names, 99.99 % quantile 33.7.
  std::vector<int> tenths(10);
  for (int name = 0; name < 200; ++name) {
    Recommender recommender({.seed = Seed{2}, .name = "learner-" + std::to_string(name)});
    for (std::uint64_t t = 1; t <= 20'000; ++t) recommender.played({1, t}, 1);
    ++tenths[(recommender.cell().index - 1) / 2000];
  }
  CHECK(chi_square(tenths, 20) < 33.7);
}

TEST_CASE("recommendation: each rule returns its cell: most pulled, deepest most pulled, last",
          "[learner]") {
  struct Play {
    Cell cell;
    std::uint64_t pulls;
    Cell most, deepest;
  };
  const std::vector<Play> plays{
      {{2, 3}, 1, {2, 3}, {2, 3}},  // the first
      {{2, 1}, 1, {2, 1}, {2, 1}},  // equal: the lower index
      {{1, 2}, 1, {1, 2}, {2, 1}},  // equal: the smaller depth
      {{2, 3}, 2, {2, 3}, {2, 3}},
      {{1, 2}, 2, {1, 2}, {2, 3}},
      {{1, 2}, 3, {1, 2}, {2, 3}},
      {{3, 5}, 1, {1, 2}, {3, 5}},
      {{3, 8}, 1, {1, 2}, {3, 5}},
      {{3, 8}, 2, {1, 2}, {3, 8}},
  };
  Recommender most({.recommendation = Recommendation::most_pulled});
  Recommender deepest({.recommendation = Recommendation::deepest_most_pulled});
  Recommender last({.recommendation = Recommendation::last});
  for (auto* recommender : {&most, &deepest, &last}) CHECK(recommender->cell() == Cell{0, 1});
  for (const auto& play : plays) {
    for (auto* recommender : {&most, &deepest, &last}) recommender->played(play.cell, play.pulls);
    CHECK(most.cell() == play.most);
    CHECK(deepest.cell() == play.deepest);
    CHECK(last.cell() == play.cell);
  }
}

TEST_CASE("recommendation: learners report their cells' own pulls", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  for (const auto rule :
       {Recommendation::most_pulled, Recommendation::deepest_most_pulled, Recommendation::last}) {
    THoo t_hoo(ground.partition, {.horizon = 500, .choices = {.recommendation = rule}});
    Hct hct(ground.partition, {.constants = {}, .range = {}, .choices = {.recommendation = rule}});
    for (Learner* learner : std::initializer_list<Learner*>{&t_hoo, &hct}) {
      std::map<Cell, std::uint64_t> pulls;
      Recommender expected({.recommendation = rule});
      play(*learner, ground, 500, [&](std::uint64_t, Cell cell) {
        expected.played(cell, ++pulls[cell]);
        REQUIRE(learner->recommend() == expected.cell());
      });
    }
  }
}

TEST_CASE("ties: the rules take the lowest index, the highest, or each equally often",
          "[learner]") {
  TieBreaker lower({.ties = TieBreak::lower});
  TieBreaker last({.ties = TieBreak::last});
  TieBreaker random({.ties = TieBreak::random, .seed = Seed{1}});
  std::vector<int> counts(5);
  for (int i = 0; i < 5000; ++i) {
    REQUIRE(lower.pick(5) == 0);
    REQUIRE(last.pick(5) == 4);
    REQUIRE(random.pick(1) == 0);  // takes no draw
    ++counts[random.pick(5)];
  }
  CHECK(chi_square(counts, 1000) < 23.5);  // 4 degrees of freedom, 99.99 %
  TieBreaker again({.ties = TieBreak::random, .seed = Seed{1}});
  UniformStream stream(stream_key(Seed{1}, "ties", "learner"));
  for (std::uint64_t i = 0; i < 100; ++i)
    REQUIRE(again.pick(7) == static_cast<std::uint32_t>(7 * stream.at(i)));
}

TEST_CASE("ties: unvisited children are entered in the rule's order", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 6);
  const auto first_cells = [&](TieBreak ties) {
    THoo learner(ground.partition,
                 {.horizon = 2, .choices = {.ties = ties, .seed = Seed{6}, .name = "a"}});
    std::vector<std::uint64_t> indices;
    for (int i = 0; i < 6; ++i) {
      const Cell cell = learner.next();
      CHECK(cell.depth == 1);
      indices.push_back(cell.index);
      learner.tell(0.5);
    }
    return indices;
  };
  CHECK(first_cells(TieBreak::lower) == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
  CHECK(first_cells(TieBreak::last) == std::vector<std::uint64_t>{6, 5, 4, 3, 2, 1});
  auto random = first_cells(TieBreak::random);
  CHECK(random != std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
  std::sort(random.begin(), random.end());
  CHECK(random == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("cell tree: ties between children follow the rule, siblings are in order of their index",
          "[learner]") {
  struct Statistics {
    double b = 0;
  };
  const Partition partition(Box::cube(1, 0, 1), PartitionKind::cyclic, 5);
  CellTree<Statistics> tree(partition);
  TieBreaker random({.ties = TieBreak::random, .seed = Seed{3}});
  const auto value = [&](std::uint32_t id) { return tree[id].b; };
  for (int i = 0; i < 5; ++i) {
    CHECK_FALSE(tree.has_all_children(tree[0]));
    tree.descend(0, random, value);
  }
  REQUIRE(tree.has_all_children(tree[0]));
  std::vector<std::uint32_t> ids;
  for (auto id = tree[0].first_child; id != tree.kNone; id = tree[id].next_sibling)
    ids.push_back(id);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(tree[ids[i]].cell() == Cell{1, i + 1});
  tree[ids[1]].b = tree[ids[2]].b = tree[ids[4]].b = 2;
  tree[ids[3]].b = 1;
  TieBreaker lower({.ties = TieBreak::lower});
  TieBreaker last({.ties = TieBreak::last});
  CHECK(tree.descend(0, lower, value) == ids[1]);
  CHECK(tree.descend(0, last, value) == ids[4]);
  std::map<std::uint32_t, int> counts;
  for (int i = 0; i < 3000; ++i) ++counts[tree.descend(0, random, value)];
  CHECK(counts.size() == 3);
  CHECK(chi_square({counts[ids[1]], counts[ids[2]], counts[ids[4]]}, 1000) < 18.4);
  CHECK(tree.most_of_children(tree[0], [](const auto& node) { return node.b; }) == 2);
}

}  // namespace
}  // namespace posse::test_choices
