// SPDX-License-Identifier: Apache-2.0
#include "core/learner/sequool.hpp"

#include <algorithm>
#include <utility>

#include "core/base/check.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {

SequOol::SequOol(const Partition& partition, const SequOolOptions& options)
    : partition_(&partition), max_depth_(0), child_(partition.children_per_cell()) {
  POSSE_CHECK(options.openings >= 1, "openings {}", options.openings);
  max_depth_ = theory::sequool_depth(options.openings);
}

bool SequOol::select() {
  if (opened_ == chosen_.size()) {
    if (depth_ + 1 > max_depth_ || depth_ + 1 >= partition_->max_depth()) return false;
    ++depth_;
    chosen_ = std::exchange(below_, {});
    const auto count = std::min<std::uint64_t>(max_depth_ / depth_, chosen_.size());
    const auto end = chosen_.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(
        chosen_.begin(), end, chosen_.end(), [](const Evaluated& x, const Evaluated& y) {
          return x.value > y.value || (x.value == y.value && x.index < y.index);
        });
    chosen_.resize(count);
    opened_ = 0;
  }
  parent_ = {depth_, chosen_[opened_++].index};
  child_ = 0;
  return true;
}

Cell SequOol::next() {
  POSSE_CHECK(pending_ == Pending::nothing, "next() before tell()");
  pending_ = Pending::evaluation;
  if (child_ == partition_->children_per_cell() && !select()) {
    pending_ = Pending::output;
    return query_ = best_;
  }
  return query_ = partition_->child(parent_, child_++);
}

void SequOol::tell(double reward) {
  POSSE_CHECK(pending_ != Pending::nothing, "tell() before next()");
  if (pending_ == Pending::evaluation) {
    ++evaluated_;
    deepest_ = query_.depth;
    below_.push_back({.value = reward, .index = query_.index});
    // Cells of a depth are not evaluated in the order of their indices.
    if (reward > best_value_ || (reward == best_value_ && query_ < best_)) {
      best_ = query_;
      best_value_ = reward;
    }
  }
  pending_ = Pending::nothing;
}

}  // namespace posse
