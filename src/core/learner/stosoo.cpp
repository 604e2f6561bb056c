// SPDX-License-Identifier: Apache-2.0
#include "core/learner/stosoo.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

struct StoSoo::Lower {
  bool operator()(const Leaf& x, const Leaf& y) const {
    return x.b < y.b || (x.b == y.b && x.index > y.index);
  }
};

StoSoo::StoSoo(const Partition& partition, const StoSooOptions& options)
    : partition_(&partition),
      kappa_(options.kappa.value_or(theory::stosoo_pulls(options.horizon))),
      max_depth_(std::min(options.max_depth.value_or(theory::stosoo_depth(options.horizon, kappa_)),
                          partition.max_depth() - 1)),
      log_term_(math::log(static_cast<double>(options.horizon) * static_cast<double>(kappa_) /
                          options.delta.value_or(theory::stosoo_delta(options.horizon)))),
      leaves_{{Leaf{}}} {
  POSSE_CHECK(options.horizon >= 1 && kappa_ >= 1, "horizon {}, kappa {}", options.horizon, kappa_);
  POSSE_CHECK(log_term_ >= 0, "delta {}", options.delta.value_or(0));
  begin_sweep();
}

void StoSoo::begin_sweep() {
  depth_ = 0;
  last_ = std::min(static_cast<std::uint32_t>(leaves_.size()) - 1, max_depth_);
  most_expanded_ = -std::numeric_limits<double>::infinity();
  met_leaf_ = false;
}

Cell StoSoo::next() {
  POSSE_CHECK(pending_ == Pending::nothing, "next() before tell()");
  for (;;) {
    if (depth_ > last_) {
      const bool any = met_leaf_;
      begin_sweep();
      if (!any) {
        pending_ = Pending::output;
        return output_;
      }
    }
    const std::uint32_t h = depth_++;
    if (leaves_[h].empty()) continue;
    met_leaf_ = true;
    const Leaf& top = leaves_[h].front();
    if (top.b < most_expanded_) continue;
    if (top.pulls < kappa_) {
      pending_ = Pending::leaf;
      return {h, top.index};
    }
    expand(h);
  }
}

void StoSoo::expand(std::uint32_t depth) {
  std::pop_heap(leaves_[depth].begin(), leaves_[depth].end(), Lower{});
  const Leaf leaf = leaves_[depth].back();
  leaves_[depth].pop_back();
  most_expanded_ = leaf.b;
  ++expanded_;

  const Cell cell{depth, leaf.index};
  const double mean = leaf.sum / static_cast<double>(leaf.pulls);
  const bool better = mean > output_mean_ || (mean == output_mean_ && cell < output_);
  if (depth > output_.depth || (depth == output_.depth && better)) {
    output_ = cell;
    output_mean_ = mean;
  }

  if (leaves_.size() == depth + 1) leaves_.emplace_back();
  auto& below = leaves_[depth + 1];
  for (std::uint32_t c = 0; c < partition_->children_per_cell(); ++c) {
    below.push_back({.index = partition_->child(cell, c).index});
    std::push_heap(below.begin(), below.end(), Lower{});
  }
}

void StoSoo::tell(double reward) {
  POSSE_CHECK(pending_ != Pending::nothing, "tell() before next()");
  if (pending_ == Pending::leaf) {
    auto& heap = leaves_[depth_ - 1];
    std::pop_heap(heap.begin(), heap.end(), Lower{});
    Leaf& leaf = heap.back();
    ++leaf.pulls;
    leaf.sum += reward;
    const auto pulls = static_cast<double>(leaf.pulls);
    leaf.b = leaf.sum / pulls + std::sqrt(log_term_ / (2 * pulls));
    std::push_heap(heap.begin(), heap.end(), Lower{});
  }
  pending_ = Pending::nothing;
}

}  // namespace posse
