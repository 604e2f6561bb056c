// SPDX-License-Identifier: Apache-2.0
// StoSOO against its definition, and its ends.
#include <catch2/catch.hpp>
#include <map>

#include "core/learner/stosoo.hpp"
#include "tests/support/learning.hpp"
#include "tests/support/literal_learners.hpp"

namespace posse::test_stosoo {
namespace {

using namespace test;

TEST_CASE("stosoo: every step and every output follows the definition", "[learner]") {
  for (const auto& ground : grounds()) {
    for (const std::uint64_t n : {10, 100, 1000}) {
      StoSoo learner(ground.partition, {.horizon = n});
      LiteralStoSoo literal(ground.partition, static_cast<double>(n));
      require_same_queries(learner, literal, ground, n, [&](std::uint64_t) {
        REQUIRE(learner.recommend() == literal.recommend());
      });
    }
  }
}

TEST_CASE("stosoo: no cell is pulled more than kappa times, none is deeper than h_max + 1",
          "[learner]") {
  const Ground ground("doublesine", PartitionKind::cyclic, 3);
  const std::uint64_t n = 3000;
  StoSoo learner(ground.partition, {.horizon = n});
  std::map<Cell, std::uint64_t> pulls;
  play(learner, ground, n, [&](std::uint64_t, Cell cell) {
    REQUIRE(++pulls[cell] <= learner.kappa());
    REQUIRE(cell.depth <= learner.max_depth());
  });
  // ln^3 3000 = 513.2, sqrt(3000 / 6) = 22.4
  CHECK(learner.kappa() == 6);
  CHECK(learner.max_depth() == 22);
}

TEST_CASE("stosoo: without noise it finds Garland's maximum", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 3, 0);
  StoSoo learner(ground.partition, {.horizon = 5000});
  play(learner, ground, 5000);
  CHECK(*ground.f->maximum() - ground.value(learner.recommend()) < 0.01);
}

TEST_CASE("stosoo: with every cell down to h_max expanded it pulls its output", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2, 0);
  StoSoo learner(ground.partition, {.horizon = 100, .kappa = 1, .max_depth = 2});
  std::map<Cell, int> pulls;
  play(learner, ground, 50, [&](std::uint64_t, Cell cell) { ++pulls[cell]; });
  CHECK(pulls.size() == 7);
  // The best centre of depth 2 is 3/8 or 5/8: f(0.375) = 0.7739, f(0.625) = 0.8333 (f's values
  // at odd eighths are among the worked example's).
  CHECK(learner.recommend() == Cell{2, 3});
  CHECK(pulls[Cell{2, 3}] == 50 - 6);
}

TEST_CASE("stosoo: cells at the partition's depth limit are never expanded", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 1024);
  CHECK(StoSoo(ground.partition, {.horizon = 1'000'000, .max_depth = 100}).max_depth() == 5);
}

TEST_CASE("stosoo: with a horizon of one it pulls the root", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  StoSoo learner(ground.partition, {.horizon = 1});
  CHECK(learner.next() == Cell{0, 1});
  CHECK_THROWS_AS(learner.next(), CheckFailure);
  learner.tell(0.5);
  CHECK(learner.recommend() == Cell{0, 1});
}

}  // namespace
}  // namespace posse::test_stosoo
