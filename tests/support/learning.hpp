// SPDX-License-Identifier: Apache-2.0
// Runs of single learners: a problem, a partition of its domain, rewards in the order of pulls.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/learner/learner.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/problem.hpp"

namespace posse::test {

/// One learner's surroundings.
struct Ground {
  Ground(std::string_view objective,
         PartitionKind kind,
         std::uint32_t arity,
         double noise_half_width = 0.1,
         std::uint64_t seed = 1)
      : name(std::string(objective) + " " + std::string(to_string(kind)) + " " +
             std::to_string(arity)),
        f(find_objective(objective)->make(
            default_parameters(find_objective(objective)->parameters))),
        problem({f}, make_uniform_noise(noise_half_width), 1, Seed{seed}),
        partition(f->domain(), kind, arity, Seed{seed}) {}

  double value(Cell cell) const { return f->value(partition.point(cell)); }

  std::string name;
  std::shared_ptr<const Objective> f;
  Problem problem;
  Partition partition;
};

/// One, two and more dimensions, arities 2 to 5, all kinds of partition.
inline std::vector<Ground> grounds() {
  std::vector<Ground> all;
  all.emplace_back("garland", PartitionKind::cyclic, 2);
  all.emplace_back("doublesine", PartitionKind::cyclic, 3);
  all.emplace_back("himmelblau", PartitionKind::dimwise, 4);
  all.emplace_back("himmelblau", PartitionKind::random_dim, 5);
  return all;
}

/// The mean of a run of `steps` evaluations; `each(t, cell)` is called after every tell.
template <class Each>
double play(Learner& learner, const Ground& ground, std::uint64_t steps, Each each) {
  RewardSource rewards(ground.problem, 0);
  double sum = 0;
  for (std::uint64_t t = 1; t <= steps; ++t) {
    const Cell cell = learner.next();
    sum += ground.value(cell);
    learner.tell(rewards.pull(ground.partition.point(cell), 1));
    each(t, cell);
  }
  return sum / static_cast<double>(steps);
}
inline double play(Learner& learner, const Ground& ground, std::uint64_t steps) {
  return play(learner, ground, steps, [](std::uint64_t, Cell) {});
}

/// Two learners side by side with the same rewards: every query must be the same. `each(t)` is
/// called after every tell.
template <class Literal, class Each>
void require_same_queries(
    Learner& learner, Literal& literal, const Ground& ground, std::uint64_t steps, Each each) {
  RewardSource rewards(ground.problem, 0);
  for (std::uint64_t t = 1; t <= steps; ++t) {
    const Cell cell = learner.next();
    const Cell expected = literal.next();
    INFO(ground.name << ", step " << t << ": depth " << cell.depth << " for " << expected.depth
                     << ", index " << cell.index << " for " << expected.index);
    REQUIRE(cell == expected);
    const double reward = rewards.pull(ground.partition.point(cell), 1);
    learner.tell(reward);
    literal.tell(reward);
    each(t);
  }
}

/// The learner's tree against the literal one: N, mean, U and B of every cell, U and B within
/// `tolerance` (0: bit for bit). A literal cell that isn't stored was never pulled.
template <class Cells, class Tree>
void require_same_tree(const Cells& cells, const Tree& tree, double tolerance) {
  const auto close = [&](double x, double y) { return x == y || std::abs(x - y) <= tolerance; };
  std::size_t pulled = 0;
  for (const auto& state : cells) {
    const auto node = tree.find(state.cell);
    REQUIRE(node != tree.end());
    const auto& s = node->second;
    pulled += s.pulls > 0;
    if (static_cast<double>(state.pulls) == s.pulls &&
        (s.pulls == 0 || state.mean == s.sum / s.pulls) && close(state.upper, s.u) &&
        close(state.b, s.b))
      continue;
    FAIL("depth " << state.cell.depth << ", index " << state.cell.index << ": N " << state.pulls
                  << " for " << s.pulls << ", U " << state.upper << " for " << s.u << ", B "
                  << state.b << " for " << s.b);
  }
  for (const auto& [cell, s] : tree) pulled -= s.pulls > 0;
  REQUIRE(pulled == 0);
}

}  // namespace posse::test
