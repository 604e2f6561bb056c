// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "actors/common/cell_rewards.hpp"
#include "core/domain/partition.hpp"
#include "tests/support/problems.hpp"

namespace test_cell_rewards {

using namespace posse;

namespace {

struct Pulls {
  explicit Pulls(PointKind kind, std::string_view objective = "himmelblau")
      : problem(test::make_problem(objective, 2, 1000, Seed{5}, 0.05)),
        partition(problem.domain(), PartitionKind::cyclic, 2, Seed{5}, kind),
        rewards(problem, partition, 1) {}
  std::vector<PullsObserved> observed() const {
    std::vector<PullsObserved> all;
    for (const auto& record : reaction.observations())
      all.push_back(std::get<PullsObserved>(record.observation));
    return all;
  }
  Problem problem;
  Partition partition;
  CellRewards rewards;
  Reaction reaction;
};

}  // namespace

TEST_CASE("a fixed point is evaluated once for all pulls of a cell, and reported once") {
  for (const auto kind : {PointKind::centre, PointKind::corner}) {
    Pulls pulls(kind);
    const double sum = pulls.rewards.pull({3, 6}, 40, pulls.reaction);
    RewardSource source(pulls.problem, 1);
    CHECK(sum == source.pull(pulls.partition.point({3, 6}), 40));
    REQUIRE(pulls.observed().size() == 1);
    CHECK(pulls.observed()[0].client == 1);
    CHECK(pulls.observed()[0].count == 40);
    CHECK(pulls.observed()[0].point == pulls.partition.point({3, 6}));
    CHECK(pulls.rewards.pulls() == 40);
    CHECK(pulls.rewards.left() == 960);
  }
}

TEST_CASE("uniform points are drawn in the cell at every pull, from a stream of their own") {
  Pulls pulls(PointKind::uniform);
  const Cell cell{4, 11};
  double sum = pulls.rewards.pull(cell, 7, pulls.reaction);
  sum += pulls.rewards.pull(cell, 393, pulls.reaction);

  const Box bounds = pulls.partition.bounds(cell);
  UniformStream stream(stream_key(Seed{5}, "point", "client-1"));
  RewardSource source(pulls.problem, 1);
  double expected = 0, first = 0;
  std::vector<double> middle(2, 0.0);
  const auto observed = pulls.observed();
  REQUIRE(observed.size() == 400);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const auto& x = observed[i].point;
    CHECK(observed[i].count == 1);
    CHECK(pulls.partition.locate(4, x) == cell);
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(x[j] == bounds.low[j] + stream.at(2 * i + j) * bounds.width(j));
      middle[j] += (x[j] - bounds.low[j]) / bounds.width(j) / 400;
    }
    expected += source.pull(x, 1);
    if (i == 6) first = expected;
  }
  CHECK(sum == Approx(expected).epsilon(1e-14));
  CHECK(first < expected);
  // 400 uniforms: sd of their mean is 1 / sqrt(12 · 400) = 0.0144.
  for (const double m : middle) CHECK(std::abs(m - 0.5) < 4 * 0.0144);
}

TEST_CASE("recommendations stay at the centre when points are drawn") {
  Pulls uniform(PointKind::uniform), centre(PointKind::centre);
  CHECK(uniform.partition.point({5, 9}) == centre.partition.point({5, 9}));
}

}  // namespace test_cell_rewards
