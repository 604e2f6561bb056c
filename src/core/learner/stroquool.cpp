// SPDX-License-Identifier: Apache-2.0
#include "core/learner/stroquool.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/base/check.hpp"
#include "core/theory/optimistic.hpp"

namespace posse {

struct StroquOol::Lower {
  bool operator()(const Evaluated& x, const Evaluated& y) const {
    return x.mean < y.mean || (x.mean == y.mean && x.index > y.index);
  }
};

StroquOol::StroquOol(const Partition& partition, const StroquOolOptions& options)
    : partition_(&partition),
      max_depth_(theory::stroquool_depth(options.horizon, partition.children_per_cell())),
      each_(max_depth_),
      left_(max_depth_),
      query_(partition.child(parent_, 0)),
      candidates_(static_cast<std::size_t>(std::bit_width(max_depth_))) {
  POSSE_CHECK(options.horizon >= 1, "horizon {}", options.horizon);
}

Cell StroquOol::next() {
  POSSE_CHECK(!pending_, "next() before tell()");
  pending_ = true;
  if (left_ == 0) advance();
  return phase_ == Phase::output ? output_ : query_;
}

void StroquOol::tell(double reward) {
  POSSE_CHECK(pending_, "tell() before next()");
  pending_ = false;
  if (phase_ == Phase::output) return;
  sum_ += reward;
  if (--left_ > 0) return;
  if (phase_ == Phase::exploration)
    finish_child();
  else
    finish_candidate();
}

void StroquOol::advance() {
  if (phase_ == Phase::exploration) {
    if (++child_ < partition_->children_per_cell() || select()) {
      query_ = partition_->child(parent_, child_);
      left_ = each_;
      sum_ = 0;
      return;
    }
    phase_ = Phase::validation;
  } else if (phase_ == Phase::validation) {
    if (++validated_ == candidates_.size()) phase_ = Phase::output;
  }
  if (phase_ == Phase::output) return;
  query_ = candidates_[validated_].cell;
  left_ = max_depth_;
  sum_ = 0;
}

void StroquOol::finish_child() {
  const double mean = sum_ / static_cast<double>(each_);
  ++cells_;
  deepest_ = query_.depth;
  below_.push_back({.mean = mean, .pulls = each_, .index = query_.index});
  // x(p) for all p with 2^p <= T.
  for (std::size_t p = 0; (each_ >> p) > 0; ++p) {
    auto& candidate = candidates_[p];
    if (mean > candidate.mean || (mean == candidate.mean && query_ < candidate.cell)) {
      candidate.cell = query_;
      candidate.mean = mean;
    }
  }
}

bool StroquOol::begin_depth() {
  if (depth_ + 1 > max_depth_ || depth_ + 1 >= partition_->max_depth()) return false;
  ++depth_;
  unopened_ = std::exchange(below_, {});
  std::sort(unopened_.begin(), unopened_.end(), [](const Evaluated& x, const Evaluated& y) {
    return x.pulls > y.pulls || (x.pulls == y.pulls && x.index < y.index);
  });
  waiting_ = 0;
  heap_.clear();
  rank_ = 0;
  return true;
}

bool StroquOol::select() {
  for (;;) {
    const std::uint64_t most = depth_ == 0 ? 0 : max_depth_ / depth_;
    if (rank_ == most || (waiting_ == unopened_.size() && heap_.empty())) {
      if (!begin_depth()) return false;
      continue;
    }
    each_ = most / ++rank_;
    for (; waiting_ < unopened_.size() && unopened_[waiting_].pulls >= each_; ++waiting_) {
      heap_.push_back(unopened_[waiting_]);
      std::push_heap(heap_.begin(), heap_.end(), Lower{});
    }
    if (heap_.empty()) continue;
    std::pop_heap(heap_.begin(), heap_.end(), Lower{});
    parent_ = {depth_, heap_.back().index};
    heap_.pop_back();
    child_ = 0;
    if (parent_.depth > output_.depth) output_ = parent_;
    return true;
  }
}

void StroquOol::finish_candidate() {
  // A cell may be x(p) for several p: its evaluations count together.
  const Cell cell = candidates_[validated_].cell;
  for (auto& candidate : candidates_) {
    if (candidate.cell != cell) continue;
    candidate.sum += sum_;
    candidate.pulls += static_cast<double>(max_depth_);
  }
  output_mean_ = -std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p <= validated_; ++p) {
    const auto& candidate = candidates_[p];
    const double mean = candidate.sum / candidate.pulls;
    if (mean > output_mean_ || (mean == output_mean_ && candidate.cell < output_)) {
      output_ = candidate.cell;
      output_mean_ = mean;
    }
  }
}

}  // namespace posse
