#include "core/learner/hct.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/check.hpp"

namespace posse {

Hct::Hct(const Partition& partition, const HctOptions& options)
    : constants_(options.constants),
      range_(options.range),
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
  tree_[Tree::kRoot].expanded = true;
}

Cell Hct::next() {
  POSSE_CHECK(path_.empty(), "next() before tell()");
  const std::uint64_t t = evaluations_ + 1;
  if (t == 1 || std::has_single_bit(t - 1)) refresh_thresholds(t);
  if (std::has_single_bit(t)) refresh_bounds();
  Tree::Id id = Tree::kRoot;
  path_.push_back(id);
  // The root, without pulls and with the threshold 0, is always passed.
  while (tree_[id].expanded && tree_[id].pulls >= tree_[id].threshold) {
    id = tree_.descend(id, ties_, [this](Tree::Id child) { return tree_[child].b; });
    path_.push_back(id);
  }
  return tree_[id].cell();
}

void Hct::tell(double reward) {
  POSSE_CHECK(!path_.empty(), "tell() before next()");
  ++evaluations_;
  auto& node = tree_[path_.back()];
  const double deviation =
      node.pulls == 0 ? 0 : reward - node.sum / static_cast<double>(node.pulls);
  ++node.pulls;
  node.sum += reward;
  node.squares += deviation * (reward - node.sum / static_cast<double>(node.pulls));
  node.threshold = threshold(node);
  node.upper = upper(node);
  if (!node.expanded && node.pulls >= node.threshold && node.depth < max_depth_) {
    node.expanded = true;
    ++expanded_;
    tree_depth_ = std::max(tree_depth_, node.depth + 1);
  }
  for (std::size_t i = path_.size(); i-- > 0;) tree_[path_[i]].b = b_value(tree_[path_[i]]);
  recommender_.played(node.cell(), node.pulls);
  path_.clear();
}

double Hct::variance(const Tree::Node& node) const {
  return std::max(node.squares / static_cast<double>(node.pulls), theory::kVhctLeastVariance);
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
  return node.sum / static_cast<double>(node.pulls) + smoothness_[node.depth] + radius;
}

double Hct::b_value(const Tree::Node& node) const {
  if (!node.expanded) return node.upper;
  return std::min(node.upper,
                  tree_.most_of_children(node, [](const Tree::Node& child) { return child.b; }));
}

void Hct::refresh_thresholds(std::uint64_t t) {
  log_term_ = theory::hct_log_term(constants_, t);
  thresholds_.clear();
  for (Tree::Id id = Tree::kRoot + 1; id < tree_.size(); ++id)
    tree_[id].threshold = threshold(tree_[id]);
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
    const double mean = node.pulls == 0 ? 0 : node.sum / static_cast<double>(node.pulls);
    all.push_back({node.cell(), node.pulls, mean, node.upper, node.b});
  }
  return all;
}

}  // namespace posse
