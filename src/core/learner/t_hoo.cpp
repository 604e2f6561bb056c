// SPDX-License-Identifier: Apache-2.0
#include "core/learner/t_hoo.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse {

THoo::THoo(const Partition& partition, const THooOptions& options)
    : tree_(partition),
      ties_(options.choices),
      recommender_(options.choices),
      max_depth_(std::min(
          theory::t_hoo_depth(options.horizon, options.nu, options.rho) + options.depth_slack,
          partition.max_depth())),
      two_log_n_(2 * math::log(static_cast<double>(options.horizon))),
      smoothness_(smoothness_by_depth(options.nu, options.rho, max_depth_)) {
  POSSE_CHECK(options.horizon >= 1, "horizon {}", options.horizon);
}

Cell THoo::next() {
  POSSE_CHECK(path_.empty(), "next() before tell()");
  Tree::Id id = Tree::kRoot;
  path_.push_back(id);
  do {
    id = tree_.descend(id, ties_, [this](Tree::Id child) { return tree_[child].b; });
    path_.push_back(id);
  } while (tree_[id].pulls > 0 && tree_[id].depth < max_depth_);
  return tree_[id].cell();
}

void THoo::tell(double reward) {
  POSSE_CHECK(!path_.empty(), "tell() before next()");
  for (std::size_t i = path_.size(); i-- > 0;) {
    auto& node = tree_[path_[i]];
    ++node.pulls;
    node.sum += reward;
    node.b = std::min(
        upper(node), tree_.most_of_children(node, [](const Tree::Node& child) { return child.b; }));
  }
  const auto& pulled = tree_[path_.back()];
  recommender_.played(pulled.cell(), pulled.pulls);
  path_.clear();
}

double THoo::upper(const Tree::Node& node) const {
  const auto pulls = static_cast<double>(node.pulls);
  return node.sum / pulls + std::sqrt(two_log_n_ / pulls) + smoothness_[node.depth];
}

std::vector<CellState> THoo::cells() const {
  std::vector<CellState> all;
  all.reserve(tree_.size());
  for (Tree::Id id = 0; id < tree_.size(); ++id) {
    const auto& node = tree_[id];
    CellState state{node.cell(), node.pulls};
    if (node.pulls > 0)
      state = {
          node.cell(), node.pulls, node.sum / static_cast<double>(node.pulls), upper(node), node.b};
    all.push_back(state);
  }
  return all;
}

}  // namespace posse
