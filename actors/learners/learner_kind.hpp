// SPDX-License-Identifier: Apache-2.0
// Interface of a kind of single learner for the hosts: its points, its learners, its theory. The
// hosts (central_learner.hpp, local_learner.hpp) and their protocol (single_learner.hpp) do the
// rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/learner/learner.hpp"
#include "core/objective/problem.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/policy.hpp"
#include "core/role/protocol.hpp"
#include "core/role/role.hpp"

namespace posse {

/// A node that learns alone makes at most this many evaluations per reaction, and continues by a
/// timer.
inline constexpr std::uint64_t kMostEvaluationsPerReaction = 4096;
inline constexpr TimerId kContinueLearning{1};

/// One per run; immutable and shared by its nodes.
class LearnerKind {
 public:
  virtual ~LearnerKind() = default;
  /// The points that a learner at the server can query.
  virtual const PointSet& points() const = 0;
  /// The points of the learner named `name`, if every learner has points of its own; else null.
  virtual std::unique_ptr<const PointSet> own_points(std::string_view /*name*/) const {
    return nullptr;
  }
  /// A learner for the problem's budget, whose random streams are named `name`. It may point into
  /// this object. May be called by several threads at once.
  virtual std::unique_ptr<Learner> make(std::string_view name) const = 0;

  virtual ComparisonFacts comparison_facts() const { return {}; }

  // Bounds that theory gives for a run, if any.
  /// On the depth of the tree, and on the number of its cells.
  virtual std::optional<Bound> depth_bound() const { return std::nullopt; }
  virtual std::optional<Bound> cells_bound() const { return std::nullopt; }
  /// On R_n = n f* - sum f(x_t).
  virtual std::optional<Bound> regret_bound(const RunOutcome&) const { return std::nullopt; }
  /// On f* - f(recommendation).
  virtual std::optional<Bound> loss_bound(const RunOutcome&) const { return std::nullopt; }
};

/// What all nodes of a run share.
struct LearnerSetup {
  const Problem* problem;
  const LearnerKind* kind;
  std::uint32_t clients;  // M
  Policy policy;
};

/// The names under which hosts report the size of a learner's tree (CountObserved).
inline constexpr std::string_view kTreeDepth = "tree depth";
inline constexpr std::string_view kTreeCells = "tree cells";

/// Reports the learner's recommendation (of `client` if the learner is a client's own) and the size
/// of its tree.
inline void report(const PointSet& points,
                   const Learner& learner,
                   std::optional<std::uint32_t> client,
                   Reaction& reaction) {
  reaction.observe(RecommendationObserved{points.point(learner.recommend()), client});
  if (const auto tree = learner.tree()) {
    reaction.observe(CountObserved{kTreeDepth, tree->depth});
    reaction.observe(CountObserved{kTreeCells, tree->cells});
  }
}

/// Adds what `report` reported of the size of the tree, beside ceilings, if any.
inline void add_tree_size(const RunOutcome& outcome,
                          const std::optional<Bound>& depth,
                          const std::optional<Bound>& cells,
                          std::vector<Measurement>& measurements) {
  const auto add = [&](std::string_view name, const std::optional<Bound>& bound) {
    const auto count = outcome.counts.find(name);
    if (count != outcome.counts.end())
      measurements.push_back({std::string(name), "", static_cast<double>(count->second), bound});
  };
  add(kTreeDepth, depth);
  add(kTreeCells, cells);
}
/// Adds what `report` reported of the size of the tree, beside the kind's ceilings.
inline void add_tree_size(const LearnerKind& kind,
                          const RunOutcome& outcome,
                          std::vector<Measurement>& measurements) {
  add_tree_size(outcome, kind.depth_bound(), kind.cells_bound(), measurements);
}

}  // namespace posse
