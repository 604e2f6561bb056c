// SPDX-License-Identifier: Apache-2.0
#include "core/learner/hoo.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr double kNoCrossing = std::numeric_limits<double>::infinity();

}  // namespace

Hoo::Hoo(const Partition& partition, const HooOptions& options)
    : tree_(partition),
      ties_(options.choices),
      recommender_(options.choices),
      max_depth_(partition.max_depth()),
      smoothness_(smoothness_by_depth(options.nu, options.rho, max_depth_)) {}

Cell Hoo::next() {
  POSSE_CHECK(path_.empty(), "next() before tell()");
  Tree::Id id = Tree::kRoot;
  path_.push_back(id);
  do {
    id = tree_.descend(id, ties_, [this](Tree::Id child) { return b_value(child); });
    path_.push_back(id);
  } while (tree_[id].pulls > 0 && tree_[id].depth < max_depth_);
  return tree_[id].cell();
}

void Hoo::tell(double reward) {
  POSSE_CHECK(!path_.empty(), "tell() before next()");
  ++evaluations_;
  two_log_t_ = 2 * math::log(static_cast<double>(evaluations_));
  s_ = std::sqrt(two_log_t_);
  largest_reward_ = std::max(largest_reward_, std::abs(reward));
  // U and the lines are sums of a mean, a term s / sqrt(N) < 10 and a nu rho^h, with at most a
  // dozen rounding errors of 2^-53. If two of them differ by more than 2^-48 of that, they compare
  // as their exact values do.
  tolerance_ = 0x1p-44 * (largest_reward_ + 10 + smoothness_[0]);
  for (const Tree::Id id : path_) {
    auto& node = tree_[id];
    ++node.pulls;
    node.sum += reward;
    node.slope = 1 / std::sqrt(static_cast<double>(node.pulls));
  }
  for (std::size_t i = path_.size(); i-- > 1;) find_critical(path_[i]);
  const auto& pulled = tree_[path_.back()];
  recommender_.played(pulled.cell(), pulled.pulls);
  path_.clear();
}

double Hoo::upper(Tree::Id id) const {
  const auto& node = tree_[id];
  const auto pulls = static_cast<double>(node.pulls);
  return node.sum / pulls + std::sqrt(two_log_t_ / pulls) + smoothness_[node.depth];
}

double Hoo::b_value(Tree::Id id) {
  if (s_ > tree_[id].certain_until) find_critical(id);
  return upper(tree_[id].critical);
}

void Hoo::find_critical(Tree::Id id) {
  ++comparisons_;
  tree_[id].critical = id;
  tree_[id].certain_until = kNoCrossing;
  if (!tree_.has_all_children(tree_[id])) return;  // a child with B = +infinity

  double until = kNoCrossing;
  double most = -kNoCrossing;
  Tree::Id best = Tree::kNone;  // the critical cell of the child with the largest B
  for (Tree::Id child = tree_[id].first_child; child != Tree::kNone;
       child = tree_[child].next_sibling) {
    const double b = b_value(child);
    const Tree::Id critical = tree_[child].critical;
    until = std::min(until, tree_[child].certain_until);
    if (best == Tree::kNone || b > most) {
      if (best != Tree::kNone) until = std::min(until, stays_until(b - most, critical, best));
      most = b;
      best = critical;
    } else {
      until = std::min(until, stays_until(most - b, best, critical));
    }
  }
  const double own = upper(id);
  if (most - own > tolerance_) return;
  if (own > most) {
    tree_[id].critical = best;
    until = std::min(until, stays_until(own - most, id, best));
  } else {
    until = s_;
  }
  tree_[id].certain_until = until;
}

double Hoo::stays_until(double ahead, Tree::Id above, Tree::Id below) const {
  const auto& a = tree_[above];
  const auto& b = tree_[below];
  // Every operation of U is monotone in the mean.
  if (a.pulls == b.pulls && a.depth == b.depth) return kNoCrossing;
  if (ahead <= tolerance_) return s_;
  return b.slope > a.slope ? s_ + (ahead - tolerance_) / (b.slope - a.slope) : kNoCrossing;
}

std::vector<CellState> Hoo::cells() const {
  std::vector<CellState> all(tree_.size());
  for (Tree::Id id = tree_.size(); id-- > 0;) {  // children come after their parents
    const auto& node = tree_[id];
    all[id].cell = node.cell();
    all[id].pulls = node.pulls;
    if (node.pulls == 0) continue;
    all[id].mean = node.sum / static_cast<double>(node.pulls);
    all[id].upper = upper(id);
    all[id].b = all[id].upper;
    if (id != Tree::kRoot && s_ <= node.certain_until) {
      all[id].b = upper(node.critical);
    } else if (tree_.has_all_children(node)) {
      double most = -kNoCrossing;
      for (Tree::Id child = node.first_child; child != Tree::kNone;
           child = tree_[child].next_sibling)
        most = std::max(most, all[child].b);
      all[id].b = std::min(all[id].upper, most);
    }
  }
  return all;
}

}  // namespace posse
