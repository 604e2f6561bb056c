// SPDX-License-Identifier: Apache-2.0
#include "core/learner/doo.hpp"

#include "core/base/check.hpp"
#include "core/learner/cell_tree.hpp"

namespace posse {

struct Doo::Lower {
  bool operator()(const Leaf& x, const Leaf& y) const {
    return x.b < y.b || (x.b == y.b && x.cell > y.cell);
  }
};

Doo::Doo(const Partition& partition, const DooOptions& options)
    : partition_(&partition),
      delta_(smoothness_by_depth(options.nu, options.rho, partition.max_depth())),
      child_(partition.children_per_cell()) {}

Cell Doo::next() {
  POSSE_CHECK(pending_ == Pending::nothing, "next() before tell()");
  pending_ = Pending::evaluation;
  if (evaluated_ == 0) return query_ = {0, 1};
  if (child_ == partition_->children_per_cell()) {
    if (leaves_.empty()) {
      pending_ = Pending::output;
      return query_ = best_;
    }
    std::pop_heap(leaves_.begin(), leaves_.end(), Lower{});
    parent_ = leaves_.back().cell;
    leaves_.pop_back();
    child_ = 0;
  }
  return query_ = partition_->child(parent_, child_++);
}

void Doo::tell(double reward) {
  POSSE_CHECK(pending_ != Pending::nothing, "tell() before next()");
  if (pending_ == Pending::evaluation) {
    ++evaluated_;
    deepest_ = std::max(deepest_, query_.depth);
    if (reward > best_value_ || (reward == best_value_ && query_ < best_)) {
      best_ = query_;
      best_value_ = reward;
    }
    if (query_.depth < partition_->max_depth()) {
      leaves_.push_back({.b = reward + delta_[query_.depth], .cell = query_});
      std::push_heap(leaves_.begin(), leaves_.end(), Lower{});
    }
  }
  pending_ = Pending::nothing;
}

}  // namespace posse
