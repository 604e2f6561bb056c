// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_reuse/frontier_search.hpp"

#include <algorithm>
#include <limits>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

FrontierSearch::FrontierSearch(const Partition& partition, const theory::ReuseParameters& constants)
    : partition_(&partition), constants_(constants), lower_(-kInfinity) {}

void FrontierSearch::add_leaf(Cell cell, double sum, std::uint64_t count) {
  if (count > 0) update_lower_bound(cell, sum, count);
  push({cell, sum, count});
}

void FrontierSearch::add_inner(Cell cell, double sum, std::uint64_t count) {
  update_lower_bound(cell, sum, count);
}

void FrontierSearch::add_parent(Cell cell, double sum, std::uint64_t count, std::uint64_t& room) {
  if (cell.depth == partition_->max_depth() || room < partition_->children_per_cell())
    return add_leaf(cell, sum, count);
  if (count > 0) update_lower_bound(cell, sum, count);
  split(cell);
  room -= partition_->children_per_cell();
}

FrontierSearch::Pulls FrontierSearch::next(std::uint64_t left) {
  POSSE_CHECK(left > 0 && pending_.count == 0, "{} pulls left", left);
  for (;;) {
    POSSE_CHECK(!heap_.empty());
    const Leaf& leaf = heap_.front();
    if (refuted_ || leaf.upper < lower_) {
      refuted_ = true;
      return pending_ = {best_, left};
    }
    // The second-best leaf is one of the two below the top of the heap.
    bool alone = true;
    for (std::size_t i = 1; i < std::min<std::size_t>(heap_.size(), 3); ++i)
      alone = alone && heap_[i].upper < lower_;
    const std::uint64_t enough =
        theory::reuse_tau(constants_, theory::Stake::alone, leaf.cell.depth);
    if (leaf.count < enough && !(alone && leaf.count > 0)) {
      const std::uint64_t more = std::max<std::uint64_t>(1, leaf.count / 4);
      return pending_ = {leaf.cell, std::min({more, enough - leaf.count, left})};
    }
    if (leaf.cell.depth == partition_->max_depth() || left < partition_->children_per_cell())
      return pending_ = {leaf.cell, left};
    split(pop().cell);
  }
}

void FrontierSearch::tell(double sum) {
  POSSE_CHECK(pending_.count > 0);
  if (!refuted_) {
    Leaf leaf = pop();
    leaf.sum += sum;
    leaf.count += pending_.count;
    update_lower_bound(leaf.cell, leaf.sum, leaf.count);
    push(leaf);
  }
  pending_.count = 0;
}

std::vector<Cell> FrontierSearch::leaves() const {
  std::vector<Cell> cells;
  for (const auto& leaf : heap_)
    if (!(leaf.upper < lower_)) cells.push_back(leaf.cell);
  if (cells.empty()) cells.push_back(best_);
  std::sort(cells.begin(), cells.end());
  return cells;
}

double FrontierSearch::upper(const Leaf& leaf) const {
  if (leaf.count == 0) return kInfinity;
  return leaf.sum / static_cast<double>(leaf.count) +
         theory::reuse_radius(constants_, theory::Stake::alone, leaf.cell.depth, leaf.count) +
         constants_.nu1 * math::pow(constants_.rho, leaf.cell.depth);
}

bool FrontierSearch::after(const Leaf& a, const Leaf& b) {
  return a.upper != b.upper ? a.upper < b.upper : a.cell > b.cell;
}

void FrontierSearch::push(Leaf leaf) {
  leaf.upper = upper(leaf);
  heap_.push_back(leaf);
  std::push_heap(heap_.begin(), heap_.end(), after);
}

FrontierSearch::Leaf FrontierSearch::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), after);
  const Leaf leaf = heap_.back();
  heap_.pop_back();
  return leaf;
}

void FrontierSearch::split(Cell parent) {
  depth_ = std::max(depth_, parent.depth);
  for (std::uint32_t c = 0; c < partition_->children_per_cell(); ++c)
    push({partition_->child(parent, c)});
}

void FrontierSearch::update_lower_bound(Cell cell, double sum, std::uint64_t count) {
  const double lower = sum / static_cast<double>(count) -
                       theory::reuse_radius(constants_, theory::Stake::alone, cell.depth, count);
  if (!(lower > lower_)) return;
  lower_ = lower;
  best_ = cell;
}

}  // namespace posse
