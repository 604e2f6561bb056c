// SPDX-License-Identifier: Apache-2.0
#include "core/learner/soo.hpp"

#include <algorithm>

#include "core/base/check.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {

struct Soo::Lower {
  bool operator()(const Leaf& x, const Leaf& y) const {
    return x.value < y.value || (x.value == y.value && x.index > y.index);
  }
};

Soo::Soo(const Partition& partition, const SooOptions& options)
    : partition_(&partition),
      max_depth_(options.max_depth),
      leaves_(1),
      child_(partition.children_per_cell()) {}

Cell Soo::next() {
  POSSE_CHECK(pending_ == Pending::nothing, "next() before tell()");
  pending_ = Pending::evaluation;
  if (evaluated_ == 0) return query_ = {0, 1};
  if (child_ == partition_->children_per_cell() && !select()) {
    pending_ = Pending::output;
    return query_ = best_;
  }
  return query_ = partition_->child(parent_, child_++);
}

bool Soo::begin_sweep() {
  while (leaves_[shallowest_].empty()) ++shallowest_;
  const std::uint32_t above_limit = partition_->max_depth() - 1;
  const std::uint32_t limit = std::min(
      max_depth_.value_or(std::max(theory::soo_depth(1 + expanded_), shallowest_)), above_limit);
  if (shallowest_ > limit) return false;
  depth_ = shallowest_;
  end_ = std::min(static_cast<std::uint32_t>(leaves_.size()), limit + 1);
  most_expanded_ = -std::numeric_limits<double>::infinity();
  return true;
}

bool Soo::select() {
  for (;;) {
    if (depth_ == end_ && !begin_sweep()) return false;
    const std::uint32_t h = depth_++;
    auto& heap = leaves_[h];
    if (heap.empty() || heap.front().value < most_expanded_) continue;
    std::pop_heap(heap.begin(), heap.end(), Lower{});
    most_expanded_ = heap.back().value;
    parent_ = {h, heap.back().index};
    heap.pop_back();
    child_ = 0;
    ++expanded_;
    return true;
  }
}

void Soo::tell(double reward) {
  POSSE_CHECK(pending_ != Pending::nothing, "tell() before next()");
  if (pending_ == Pending::evaluation) {
    ++evaluated_;
    if (reward > best_value_ || (reward == best_value_ && query_ < best_)) {
      best_ = query_;
      best_value_ = reward;
    }
    if (leaves_.size() == query_.depth) leaves_.emplace_back();
    auto& heap = leaves_[query_.depth];
    heap.push_back({.value = reward, .index = query_.index});
    std::push_heap(heap.begin(), heap.end(), Lower{});
  }
  pending_ = Pending::nothing;
}

}  // namespace posse
