#include "core/algorithm/cell_rewards.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace posse {

CellRewards::CellRewards(const Problem& problem, const Partition& partition, std::uint32_t client)
    : problem_(&problem),
      partition_(&partition),
      rewards_(problem, client),
      points_(stream_key(problem.seed(), "point", fmt::format("client-{}", client))) {}

double CellRewards::pull(Cell cell, std::uint64_t count, Reaction& reaction) {
  if (partition_->point_kind() == PointKind::uniform) return pull_uniform(cell, count, reaction);
  auto point = partition_->point(cell);
  const double sum = rewards_.pull(point, count);
  reaction.observe(PullsObserved{client(), std::move(point), count});
  return sum;
}

double CellRewards::pull_uniform(Cell cell, std::uint64_t count, Reaction& reaction) {
  const Box bounds = partition_->bounds(cell);
  const std::size_t d = bounds.dimension();
  double sum = 0;
  for (std::uint64_t pull = 0; pull < count; ++pull) {
    std::vector<double> point(d);
    for (std::size_t j = 0; j < d; ++j)
      point[j] = bounds.low[j] + points_.at(rewards_.pulls() * d + j) * bounds.width(j);
    sum += rewards_.pull(point, 1);
    reaction.observe(PullsObserved{client(), std::move(point), 1});
  }
  return sum;
}

}  // namespace posse
