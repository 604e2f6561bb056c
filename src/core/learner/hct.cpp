// SPDX-License-Identifier: Apache-2.0
#include "core/learner/hct.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.hpp"

namespace posse {
namespace {

/// std::has_single_bit calls a function where the processor is not known to count bits.
bool is_power_of_two(std::uint64_t x) { return x != 0 && (x & (x - 1)) == 0; }

}  // namespace

Hct::Hct(const Partition& partition, const HctOptions& options)
    : partition_(&partition),
      constants_(options.constants),
      range_(options.range),
      resplit_(options.resplit),
      arity_(partition.children_per_cell()),
      max_depth_(partition.max_depth()),
      tree_(partition),
      ties_(options.choices),
      recommender_(options.choices),
      smoothness_(smoothness_by_depth(options.constants.nu, options.constants.rho, max_depth_)) {
  POSSE_CHECK(constants_.c > 0 && constants_.delta > 0 && constants_.delta <= 1,
              "c {}, delta {}",
              constants_.c,
              constants_.delta);
  POSSE_CHECK(!range_ || *range_ > 0, "range {}", *range_);
  tree_[Tree::kRoot].expanded = tree_[Tree::kRoot].passed = true;
}

void Hct::start_from(std::span<const KnownCell> cells) {
  POSSE_CHECK(evaluations_ == 0 && tree_.size() == 1 && path_.empty(), "start_from() after a step");
  for (const auto& known : cells) {
    const auto& [depth, index] = known.cell;
    POSSE_CHECK(known.passed ? depth < max_depth_ : depth > 0, "known cell ({}, {})", depth, index);
    Tree::Id id = Tree::kRoot;
    if (depth > 0) {
      const Tree::Id parent = tree_.find(*partition_, partition_->parent(known.cell));
      POSSE_CHECK(parent != Tree::kNone && tree_[parent].passed,
                  "known cell ({}, {}) without a passed parent",
                  depth,
                  index);
      id = tree_.insert(parent, index);
    }
    auto& node = tree_[id];
    node.pulls = known.pulls;
    node.sum = known.sum;
    node.squares = known.squares;
    node.passed = known.passed;
    if (known.passed && !node.expanded) expand(node);
    evaluations_ += known.pulls;
  }
  log_term_ = theory::hct_log_term(constants_, evaluations_ + 1);
  for (Tree::Id id = tree_.size(); id-- > 0;)
    if (!tree_[id].passed && tree_[id].pulls > 0) judge(id);
  refresh_bounds();
}

Cell Hct::next() {
  POSSE_CHECK(path_.empty(), "next() before tell()");
  const std::uint64_t t = evaluations_ + 1;
  if (t == 1 || is_power_of_two(t - 1)) refresh_thresholds(t);
  if (is_power_of_two(t)) refresh_bounds();
  Tree::Id id = Tree::kRoot;
  path_.push_back(id);
  while (tree_[id].expanded && tree_[id].pulls >= tree_[id].threshold) {
    id = tree_.descend(id, ties_, [this](Tree::Id child) { return tree_[child].b; });
    path_.push_back(id);
  }
  auto& node = tree_[id];
  if (node.pulls == 0) {
    const auto& parent = tree_[path_[path_.size() - 2]];
    node.sum = mean(parent);
    node.squares = variance(parent);
  }
  return node.cell();
}

void Hct::tell(double reward) {
  POSSE_CHECK(!path_.empty() && batch_.empty(), "tell() before next()");
  learn(pull(), {.mean = reward});
  end_step();
}

std::vector<CellPulls> Hct::next_batch(std::uint64_t steps) {
  POSSE_CHECK(batch_.empty(), "next_batch() before tell_batch()");
  for (; steps > 0; --steps) {
    next();
    if (pull().pending == 1) batch_.push_back(path_.back());
    end_step();
  }
  std::vector<CellPulls> batch;
  batch.reserve(batch_.size());
  for (const Tree::Id id : batch_) batch.push_back({tree_[id].cell(), tree_[id].pending});
  return batch;
}

void Hct::tell_batch(std::span<const BatchRewards> rewards) {
  POSSE_CHECK(rewards.size() == batch_.size(),
              "rewards of {} cells, expected {}",
              rewards.size(),
              batch_.size());
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    learn(tree_[batch_[i]], rewards[i]);
    judge(batch_[i]);
  }
  batch_.clear();
  for (Tree::Id id = tree_.size(); id-- > 0;) tree_[id].b = b_value(tree_[id]);
}

Hct::Tree::Node& Hct::pull() {
  ++evaluations_;
  auto& node = tree_[path_.back()];
  ++node.pulls;
  ++node.pending;
  return node;
}

void Hct::learn(Tree::Node& node, const BatchRewards& rewards) {
  const auto count = static_cast<double>(node.pending);
  const bool first = node.pulls == node.pending;
  const double deviation = first ? 0 : rewards.mean - mean(node);
  if (first) node.sum = node.squares = 0;
  node.pending = 0;
  node.sum += count * rewards.mean;
  node.squares += rewards.squares + count * deviation * (rewards.mean - mean(node));
}

void Hct::judge(Tree::Id id) {
  auto& node = tree_[id];
  node.threshold = threshold(node);
  node.upper = upper(node);
  if (node.pulls < node.threshold || node.depth == max_depth_) return;
  if (!node.expanded)
    expand(node);
  else if (resplit_)
    forget_below(id);
}

void Hct::forget_below(Tree::Id id) {
  tree_.forget_below(id, [&](Tree::Id below) {
    expanded_ -= tree_[below].expanded;
    tree_[below].forgotten = true;
  });
}

void Hct::expand(Tree::Node& node) {
  node.expanded = true;
  ++expanded_;
  tree_depth_ = std::max(tree_depth_, node.depth + 1);
}

void Hct::end_step() {
  judge(path_.back());
  for (std::size_t i = path_.size(); i-- > 0;) {
    const double before = std::exchange(tree_[path_[i]].b, b_value(tree_[path_[i]]));
    if (tree_[path_[i]].b == before) break;  // nor does B change above
  }
  const auto& node = tree_[path_.back()];
  recommender_.played(node.cell(), node.pulls);
  path_.clear();
}

double Hct::mean(const Tree::Node& node) const {
  const std::uint64_t known = node.pulls - node.pending;
  return known == 0 ? node.sum : node.sum / static_cast<double>(known);
}

double Hct::variance(const Tree::Node& node) const {
  const std::uint64_t known = node.pulls - node.pending;
  return std::max(known == 0 ? node.squares : node.squares / static_cast<double>(known),
                  theory::kVhctLeastVariance);
}

std::uint64_t Hct::threshold(const Tree::Node& node) {
  if (range_)
    return theory::vhct_pulls_of(
        constants_, *range_, variance(node), log_term_, smoothness_[node.depth]);
  for (auto h = static_cast<std::uint32_t>(thresholds_.size()); h <= node.depth; ++h)
    thresholds_.push_back(theory::hct_pulls(constants_, log_term_, h));
  return thresholds_[node.depth];
}

double Hct::upper(const Tree::Node& node) const {
  const double radius =
      range_ ? theory::vhct_radius(constants_, *range_, variance(node), log_term_, node.pulls)
             : theory::hct_radius(constants_, log_term_, node.pulls);
  return mean(node) + smoothness_[node.depth] + radius;
}

double Hct::b_value(const Tree::Node& node) const {
  if (!node.expanded) return node.upper;
  return std::min(node.upper,
                  tree_.most_of_children(node, [](const Tree::Node& child) { return child.b; }));
}

void Hct::refresh_thresholds(std::uint64_t t) {
  log_term_ = theory::hct_log_term(constants_, t);
  thresholds_.clear();
  for (Tree::Id id = 0; id < tree_.size(); ++id)
    if (!tree_[id].passed) tree_[id].threshold = threshold(tree_[id]);
}

void Hct::refresh_bounds() {
  for (Tree::Id id = tree_.size(); id-- > 0;) {  // children come after their parents
    auto& node = tree_[id];
    if (node.pulls > 0) node.upper = upper(node);
    node.b = b_value(node);
  }
}

std::vector<CellState> Hct::cells() const {
  std::vector<CellState> all;
  all.reserve(tree_.size());
  for (Tree::Id id = 0; id < tree_.size(); ++id) {
    const auto& node = tree_[id];
    if (node.forgotten) continue;
    all.push_back({node.cell(), node.pulls, node.pulls == 0 ? 0 : mean(node), node.upper, node.b});
  }
  return all;
}

}  // namespace posse
