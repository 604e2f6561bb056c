// SPDX-License-Identifier: Apache-2.0
#include "actors/common/cell_rewards.hpp"

#include <utility>
#include <vector>

namespace posse {

std::vector<double> uniform_point(const Box& box, UniformStream& draws, std::uint64_t pull) {
  const std::size_t d = box.dimension();
  std::vector<double> point(d);
  for (std::size_t j = 0; j < d; ++j) point[j] = box.low[j] + draws.at(pull * d + j) * box.width(j);
  return point;
}

CellRewards::CellRewards(const Problem& problem,
                         const PointSet& points,
                         std::uint32_t client,
                         std::string_view name)
    : problem_(&problem),
      points_(&points),
      rewards_(problem, client, name),
      draws_(stream_key(problem.seed(), "point", evaluator_name(client, name))) {}

double CellRewards::pull(Cell cell, std::uint64_t count, Reaction& reaction) {
  if (const auto box = points_->drawn_from(cell)) return pull_within(*box, count, reaction);
  auto point = points_->point(cell);
  const double sum = rewards_.pull(point, count);
  reaction.observe(PullsObserved{client(), std::move(point), count, rewards_.value()});
  return sum;
}

double CellRewards::pull_within(const Box& box, std::uint64_t count, Reaction& reaction) {
  double sum = 0;
  for (std::uint64_t pull = 0; pull < count; ++pull) {
    auto point = draw_point(box);
    sum += rewards_.pull(point, 1);
    reaction.observe(PullsObserved{client(), std::move(point), 1, rewards_.value()});
  }
  return sum;
}

}  // namespace posse
