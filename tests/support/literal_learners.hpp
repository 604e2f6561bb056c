// SPDX-License-Identifier: Apache-2.0
// Reference implementations of tree learners, directly from their definitions: maps of cells, no
// incremental updates, no formulas shared with the code under test.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/math.hpp"
#include "core/domain/partition.hpp"
#include "core/learner/choices.hpp"
#include "core/random/stream.hpp"

namespace posse::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// argmax over cells in ascending order, ties by the rule.
class LiteralTies {
 public:
  explicit LiteralTies(const LearnerChoices& choices)
      : ties_(choices.ties), stream_(stream_key(choices.seed, "ties", choices.name)) {}

  template <class Value>
  Cell best(const std::vector<Cell>& cells, Value value) {
    double most = -kInfinity;
    for (const Cell cell : cells) most = std::max(most, value(cell));
    std::vector<Cell> equals;
    for (const Cell cell : cells)
      if (value(cell) == most) equals.push_back(cell);
    if (equals.size() == 1 || ties_ == TieBreak::lower) return equals.front();
    if (ties_ == TieBreak::last) return equals.back();
    return equals[static_cast<std::size_t>(stream_.at(draws_++) *
                                           static_cast<double>(equals.size()))];
  }

 private:
  TieBreak ties_;
  UniformStream stream_;
  std::uint64_t draws_ = 0;
};

inline std::vector<Cell> children_of_cell(const Partition& partition, Cell cell) {
  std::vector<Cell> children;
  for (std::uint32_t c = 0; c < partition.children_per_cell(); ++c)
    children.push_back(partition.child(cell, c));
  return children;
}

struct LiteralNode {
  double pulls = 0;
  double sum = 0;
  std::vector<double> rewards;  // of the cell itself
  double u = kInfinity;
  double b = kInfinity;
};

/// HOO, and T-HOO if `horizon` is given (then `slack` makes it expand deeper).
class LiteralHoo {
 public:
  LiteralHoo(const Partition& partition,
             double nu,
             double rho,
             std::optional<double> horizon,
             std::uint32_t slack,
             const LearnerChoices& choices)
      : partition_(partition), nu_(nu), rho_(rho), horizon_(horizon), ties_(choices) {
    tree_[{0, 1}];
    limit_ = partition.max_depth();
    if (horizon) {
      const double D =
          std::ceil((0.5 * math::log(*horizon) - math::log(1 / nu)) / math::log(1 / rho));
      limit_ = std::min(limit_, static_cast<std::uint32_t>(std::max(1.0, D)) + slack);
    }
  }

  Cell next() {
    Cell cell{0, 1};
    path_ = {cell};
    while (tree_.contains(cell) && cell.depth < limit_) {
      cell = ties_.best(children_of_cell(partition_, cell), [&](Cell c) { return b(c); });
      path_.push_back(cell);
    }
    return cell;
  }

  void tell(double reward) {
    ++t_;
    for (const Cell cell : path_) {
      tree_[cell].pulls += 1;
      tree_[cell].sum += reward;
    }
    for (auto node = tree_.rbegin(); node != tree_.rend(); ++node) {  // deepest first
      auto& [cell, s] = *node;
      s.u = s.sum / s.pulls + std::sqrt(2 * math::log(horizon_.value_or(t_)) / s.pulls) +
            nu_ * math::pow(rho_, cell.depth);
      double most = kInfinity;
      if (cell.depth < limit_) {
        most = -kInfinity;
        for (const Cell child : children_of_cell(partition_, cell)) most = std::max(most, b(child));
      }
      s.b = std::min(s.u, most);
    }
  }

  const std::map<Cell, LiteralNode>& tree() const { return tree_; }

 private:
  double b(Cell cell) const {
    const auto node = tree_.find(cell);
    return node == tree_.end() ? kInfinity : node->second.b;
  }

  const Partition& partition_;
  double nu_, rho_;
  std::optional<double> horizon_;
  std::uint32_t limit_;
  LiteralTies ties_;
  std::map<Cell, LiteralNode> tree_;
  std::vector<Cell> path_;
  double t_ = 0;
};

/// HCT-iid, and VHCT if `range` is given.
class LiteralHct {
 public:
  LiteralHct(const Partition& partition,
             double nu,
             double rho,
             double c,
             double delta,
             std::optional<double> range,
             const LearnerChoices& choices,
             bool resplit = false)
      : partition_(partition),
        nu_(nu),
        rho_(rho),
        c_(c),
        delta_(delta),
        range_(range),
        resplit_(resplit),
        ties_(choices) {
    expand({0, 1});
  }

  /// Before the first step: rewards of a cell, parents before their children. A passed cell is
  /// never pulled and always expanded. After the last: begin().
  void know(Cell cell, const std::vector<double>& rewards, bool passed) {
    auto& s = tree_[cell];
    for (const double reward : rewards) add(reward, s);
    t_ += static_cast<double>(rewards.size());
    if (!passed) return;
    passed_.insert(cell);
    expand(cell);
  }
  void begin() {
    set_t_plus(t_ + 1);
    for (const auto& [cell, s] : std::map(tree_))
      if (!passed_.contains(cell) && s.pulls > 0 && s.pulls >= tau(cell) &&
          cell.depth < partition_.max_depth())
        expand(cell);
    refresh();
  }

  Cell next() {
    ++t_;
    set_t_plus(t_);
    if (t_ == t_plus_) refresh();
    Cell cell{0, 1};
    path_ = {cell};
    while (!is_leaf(cell) && (passed_.contains(cell) || tree_[cell].pulls >= tau(cell))) {
      cell = ties_.best(children_of_cell(partition_, cell), [&](Cell x) { return tree_[x].b; });
      path_.push_back(cell);
    }
    return cell;
  }

  void tell(double reward) {
    const Cell cell = path_.back();
    auto& s = tree_[cell];
    add(reward, s);
    s.u = u(cell, s);
    if ((is_leaf(cell) || resplit_) && s.pulls >= tau(cell) &&
        cell.depth < partition_.max_depth()) {
      forget_below(cell);
      expanded_at_[cell] = {s.pulls, tau(cell)};
      expand(cell);
    }
    for (auto it = path_.rbegin(); it != path_.rend(); ++it) update_b(*it);
  }

  const std::map<Cell, LiteralNode>& tree() const { return tree_; }
  /// T and tau of every expanded cell but the root at that time.
  const std::map<Cell, std::pair<double, double>>& expanded_at() const { return expanded_at_; }
  /// How many cells were pulled and then forgotten.
  std::size_t forgotten() const { return forgotten_; }

 private:
  void forget_below(Cell cell) {
    if (is_leaf(cell)) return;
    for (const Cell child : children_of_cell(partition_, cell)) {
      forget_below(child);
      forgotten_ += tree_.at(child).pulls > 0;
      tree_.erase(child);
      expanded_at_.erase(child);
    }
  }
  bool is_leaf(Cell cell) const {
    return cell.depth == partition_.max_depth() || !tree_.contains(partition_.child(cell, 0));
  }
  void expand(Cell cell) {
    tree_[cell];
    for (const Cell child : children_of_cell(partition_, cell)) tree_[child];
  }
  static void add(double reward, LiteralNode& s) {
    s.pulls += 1;
    s.sum += reward;
    s.rewards.push_back(reward);
  }
  void set_t_plus(double t) {
    t_plus_ = 1;
    while (t_plus_ < t) t_plus_ *= 2;
  }
  void refresh() {
    for (auto& [cell, s] : tree_)
      if (s.pulls > 0) s.u = u(cell, s);
    for (auto node = tree_.rbegin(); node != tree_.rend(); ++node) update_b(node->first);
  }
  double log_term() const {
    const double c1 = math::pow(rho_ / (3 * nu_), 1.0 / 8);
    return math::log(1 / std::min(c1 * delta_ / t_plus_, 0.5));
  }
  static double variance(const LiteralNode& s) {
    double mean = 0, squares = 0;
    for (const double r : s.rewards) mean += r / s.pulls;
    for (const double r : s.rewards) squares += (r - mean) * (r - mean);
    return s.rewards.empty() ? 1e-3 : std::max(1e-3, squares / s.pulls);
  }
  double tau(Cell cell) const {
    const double oe = nu_ * math::pow(rho_, cell.depth);
    if (!range_)
      return std::ceil(c_ * c_ * log_term() / (nu_ * nu_) * math::pow(rho_, -2.0 * cell.depth));
    const double v = variance(tree_.at(cell)), b = *range_;
    return std::ceil((v + 3 * b * oe + v * std::sqrt(1 + 6 * b * oe / v)) * c_ * c_ * log_term() /
                     (oe * oe));
  }
  double u(Cell cell, const LiteralNode& s) const {
    const double optimistic = s.sum / s.pulls + nu_ * math::pow(rho_, cell.depth);
    const double log_term = this->log_term();
    if (!range_) return optimistic + c_ * std::sqrt(log_term / s.pulls);
    return optimistic + c_ * std::sqrt(2 * variance(s) * log_term / s.pulls) +
           3 * *range_ * c_ * c_ * log_term / s.pulls;
  }
  void update_b(Cell cell) {
    auto& s = tree_[cell];
    double most = -kInfinity;
    if (!is_leaf(cell))
      for (const Cell child : children_of_cell(partition_, cell))
        most = std::max(most, tree_[child].b);
    s.b = is_leaf(cell) ? s.u : std::min(s.u, most);
  }

  const Partition& partition_;
  double nu_, rho_, c_, delta_;
  std::optional<double> range_;
  bool resplit_;
  std::size_t forgotten_ = 0;
  LiteralTies ties_;
  std::map<Cell, LiteralNode> tree_;
  std::map<Cell, std::pair<double, double>> expanded_at_;
  std::vector<Cell> path_;
  std::set<Cell> passed_{Cell{0, 1}};
  double t_ = 0, t_plus_ = 1;
};

/// StoSOO, with the sweep's last depth fixed at its start.
class LiteralStoSoo {
 public:
  LiteralStoSoo(const Partition& partition, double n) : partition_(partition), n_(n) {
    kappa_ = std::ceil(n / math::pow(math::log(n), 3));
    max_depth_ = std::floor(std::sqrt(n / kappa_));
    leaves_[{0, 1}];
  }

  Cell next() {
    for (;;) {
      if (h_ > last_) {
        h_ = 0;
        last_ = std::min<double>(leaves_.rbegin()->first.depth, max_depth_);
        b_max_ = -kInfinity;
      }
      const auto h = static_cast<std::uint32_t>(h_++);
      std::optional<Cell> best;
      for (const auto& [cell, s] : leaves_)
        if (cell.depth == h && (!best || s.b > leaves_[*best].b)) best = cell;
      if (!best) continue;
      const LiteralNode node = leaves_[*best];
      if (node.b < b_max_) continue;
      if (node.pulls < kappa_) return pulled_ = *best;
      b_max_ = node.b;
      expanded_[*best] = node.sum / node.pulls;
      leaves_.erase(*best);
      for (const Cell child : children_of_cell(partition_, *best)) leaves_[child];
    }
  }
  void tell(double reward) {
    auto& s = leaves_[pulled_];
    s.pulls += 1;
    s.sum += reward;
    const double delta = 1 / std::sqrt(n_);
    s.b = s.sum / s.pulls + std::sqrt(math::log(n_ * kappa_ / delta) / (2 * s.pulls));
  }
  Cell recommend() const {
    std::optional<Cell> best;
    for (const auto& [cell, mean] : expanded_)
      if (!best || cell.depth > best->depth || mean > expanded_.at(*best)) best = cell;
    return best.value_or(Cell{});
  }

 private:
  const Partition& partition_;
  double n_, kappa_, max_depth_;
  std::map<Cell, LiteralNode> leaves_;
  std::map<Cell, double> expanded_;
  Cell pulled_;
  double h_ = 0, last_ = -1, b_max_ = 0;
};

}  // namespace posse::test
