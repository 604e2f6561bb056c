// SPDX-License-Identifier: Apache-2.0
#include "core/learner/vroom.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kMostRankedCells = 1u << 16;  // of a depth

}  // namespace

Vroom::Vroom(const Partition& partition, const VroomOptions& options)
    : partition_(&partition),
      horizon_(options.horizon),
      reward_bound_(options.reward_bound),
      explore_(stream_key(options.seed, "explore", options.name)),
      recommend_(stream_key(options.seed, "recommend", options.name)) {
  POSSE_CHECK(options.horizon >= 1 && options.noise > 0 && options.reward_bound > 0,
              "horizon {}, noise {}, reward bound {}",
              options.horizon,
              options.noise,
              options.reward_bound);
  const auto n = static_cast<double>(horizon_);
  const double delta = std::min(1.0, 4 * options.noise / (reward_bound_ * std::sqrt(n)));
  log_term_ = math::log(2 * n * n / delta);

  const std::uint64_t k = partition.children_per_cell();
  powers_.push_back(1);
  for (std::uint32_t h = 1; h <= partition.max_depth(); ++h) powers_.push_back(powers_.back() * k);
  std::uint32_t deepest = 1;
  while (deepest <
             std::min(options.max_depth.value_or(partition.max_depth()), partition.max_depth()) &&
         (options.max_depth || powers_[deepest + 1] <= horizon_) &&
         powers_[deepest + 1] <= kMostRankedCells)
    ++deepest;

  for (std::uint64_t l = 1; l <= powers_[deepest]; ++l)
    harmonic_.push_back(harmonic_.back() + 1 / static_cast<double>(l));
  double weight = 0;
  for (std::uint32_t h = 1; h <= deepest; ++h) {
    weights_.push_back(weight += harmonic_[powers_[h]] / h);
    Depth depth;
    depth.cells.resize(powers_[h]);
    depth.order.resize(powers_[h]);
    for (std::uint32_t i = 0; i < powers_[h]; ++i) {
      depth.cells[i].rank = depth.cells[i].most_rank = i + 1;
      depth.order[i] = i;
    }
    depths_.push_back(std::move(depth));
  }
}

Cell Vroom::uniform_below(Cell cell, double u) const {
  const std::uint32_t last = partition_->max_depth();
  const std::uint64_t cells = powers_[last - cell.depth];
  // u < 1, but the product may be rounded up to the number of cells.
  const auto offset =
      std::min(static_cast<std::uint64_t>(u * static_cast<double>(cells)), cells - 1);
  return {last, (cell.index - 1) * cells + offset + 1};
}

Cell Vroom::next() {
  POSSE_CHECK(!pending_, "next() before tell()");
  pending_ = true;
  const double u = explore_.at(3 * evaluations_) * weights_.back();
  const auto at = std::upper_bound(weights_.begin(), weights_.end() - 1, u) - weights_.begin();
  const Depth& depth = depths_[static_cast<std::size_t>(at)];
  const auto first = harmonic_.begin() + 1;
  const auto last = harmonic_.begin() + static_cast<std::ptrdiff_t>(depth.order.size());
  const auto rank =
      std::upper_bound(first, last, explore_.at(3 * evaluations_ + 1) * *last) - first;
  const Cell cell{static_cast<std::uint32_t>(at + 1),
                  std::uint64_t{1} + depth.order[static_cast<std::size_t>(rank)]};
  return query_ = uniform_below(cell, explore_.at(3 * evaluations_ + 2));
}

std::uint64_t Vroom::ancestor(std::uint32_t depth) const {
  return (query_.index - 1) / powers_[partition_->max_depth() - depth];
}

double Vroom::probability(std::uint32_t depth, const Ranked& cell) const {
  return 1 / (depth * static_cast<double>(cell.rank) * weights_.back());
}

void Vroom::tell(double reward) {
  POSSE_CHECK(pending_, "tell() before next()");
  pending_ = false;
  ++evaluations_;
  double density = 0;  // of the plays at the query, relative to uniform plays of the root
  for (std::uint32_t h = 1; h <= ranked_depth(); ++h)
    density += static_cast<double>(powers_[h]) * probability(h, depths_[h - 1].cells[ancestor(h)]);
  for (std::uint32_t h = 1; h <= ranked_depth(); ++h) {
    const auto index = static_cast<std::uint32_t>(ancestor(h));
    depths_[h - 1].cells[index].estimate += reward * (static_cast<double>(powers_[h]) / density);
    move(depths_[h - 1], index);
  }
  if (std::has_single_bit(evaluations_) || evaluations_ == horizon_) determine_output();
}

void Vroom::place(Depth& depth, std::uint32_t index, std::uint64_t rank) {
  Ranked& cell = depth.cells[index];
  cell.rank_sum += (evaluations_ - cell.since) * cell.rank;
  cell.since = evaluations_;
  cell.rank = rank;
  cell.most_rank = std::max(cell.most_rank, rank);
  depth.order[rank - 1] = index;
}

void Vroom::move(Depth& depth, std::uint32_t index) {
  const auto before = [&depth](std::uint32_t x, std::uint32_t y) {
    const double a = depth.cells[x].estimate, b = depth.cells[y].estimate;
    return a > b || (a == b && x < y);
  };
  const std::uint64_t from = depth.cells[index].rank;
  std::uint64_t rank = from;
  for (; rank > 1 && before(index, depth.order[rank - 2]); --rank)
    place(depth, depth.order[rank - 2], rank);
  for (; rank < depth.order.size() && before(depth.order[rank], index); ++rank)
    place(depth, depth.order[rank], rank);
  if (rank != from) place(depth, index, rank);
}

void Vroom::determine_output() {
  double most = -std::numeric_limits<double>::infinity();
  Cell best;
  for (std::uint32_t h = 1; h <= ranked_depth(); ++h) {
    const double scale = h * weights_.back() * log_term_;  // h Z L
    const auto& cells = depths_[h - 1].cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Ranked& cell = cells[i];
      const auto ranks =
          static_cast<double>(cell.rank_sum + (evaluations_ - cell.since) * cell.rank);
      const double lower = cell.estimate - reward_bound_ * std::sqrt(2 * scale * ranks) -
                           reward_bound_ * scale * static_cast<double>(cell.most_rank) / 3;
      if (lower <= most) continue;
      most = lower;
      best = {h, i + 1};
    }
  }
  output_ = uniform_below(best, recommend_.at(outputs_++));
}

}  // namespace posse
