// HOO and T-HOO against their definition, bit for bit.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/learner/t_hoo.hpp"
#include "core/theory/tree_learners.hpp"
#include "tests/support/learning.hpp"
#include "tests/support/literal_learners.hpp"

namespace posse {
namespace {

using namespace test;

TEST_CASE("t-hoo: every step is the definition's, U and B bit for bit", "[learner]") {
  for (const auto& ground : grounds()) {
    for (const std::uint32_t slack : {0u, 1u}) {
      for (const Ties ties : {Ties::lower, Ties::last, Ties::random}) {
        const LearnerChoices choices{.ties = ties, .seed = Seed{3}, .name = "one"};
        THoo learner(
            ground.partition(),
            {.nu = 1.2, .rho = 0.55, .horizon = 1000, .depth_slack = slack, .choices = choices});
        LiteralHoo literal(ground.partition(), 1.2, 0.55, 1000, slack, choices);
        require_same_queries(learner, literal, ground, 1000, [&](std::uint64_t t) {
          if (t % 29 == 0 || t < 30) require_same_tree(learner.cells(), literal.tree(), 0);
        });
      }
    }
  }
}

TEST_CASE("t-hoo: cells at depth D are pulled again, deeper ones never made", "[learner]") {
  const Ground ground("garland", PartitionKind::cyclic, 2);
  const std::uint64_t n = 3000;
  for (const std::uint32_t slack : {0u, 1u}) {
    THoo learner(ground.partition(), {.rho = 0.5, .horizon = n, .depth_slack = slack});
    // (1/2 ln 3000) / ln 2 = 5.78
    CHECK(learner.max_depth() == 6 + slack);
    play(learner, ground, n);
    std::uint32_t deepest = 0;
    std::uint64_t most = 0;
    for (const auto& s : learner.cells()) {
      deepest = std::max(deepest, s.cell.depth);
      if (s.cell.depth == 6 + slack) most = std::max(most, s.pulls);
    }
    CHECK(deepest == 6 + slack);
    CHECK(most > 10);
  }
  // D >= 1 even where the formula gives less; never below the partition's limit.
  CHECK(THoo(ground.partition(), {.nu = 0.01, .horizon = 10}).max_depth() == 1);
  const Ground wide("garland", PartitionKind::cyclic, 1024);
  CHECK(THoo(wide.partition(), {.rho = 0.9, .horizon = 1'000'000}).max_depth() == 6);
}

}  // namespace
}  // namespace posse
