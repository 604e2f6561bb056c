// What a kind of single learner brings for being hosted: its points, its making, its theory. The
// hosts (`central_learner`, `local_learner`) and their protocol (`single_learner`) do the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "core/learner/learner.hpp"
#include "core/objective/problem.hpp"
#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"
#include "core/role/policy.hpp"
#include "core/role/role.hpp"

namespace posse {

/// A node that learns alone works in portions of so many evaluations, and sets itself a timer
/// between them.
inline constexpr std::uint64_t kMostEvaluationsPerReaction = 4096;
inline constexpr TimerId kContinueLearning{1};

/// One per run; immutable and shared by its nodes.
class LearnerKind {
 public:
  virtual ~LearnerKind() = default;
  /// The points that a learner at the server asks for.
  virtual const PointSet& points() const = 0;
  /// Where every learner has points of its own: those of the learner called `name`.
  virtual std::unique_ptr<const PointSet> own_points(std::string_view /*name*/) const {
    return nullptr;
  }
  /// A learner for the problem's budget, whose random streams are called `name`; it may point into
  /// this. Called by several threads at once.
  virtual std::unique_ptr<Learner> make(std::string_view name) const = 0;

  // What theory says of a run, if anything.
  /// Of the depth of the tree, and of its cells.
  virtual std::optional<Bound> depth_bound() const { return std::nullopt; }
  virtual std::optional<Bound> cells_bound() const { return std::nullopt; }
  /// Of R_n = n f* - sum f(x_t).
  virtual std::optional<Bound> regret_bound(const RunOutcome&) const { return std::nullopt; }
  /// Of f* - f(recommendation).
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

/// Reports what the learner recommends, for `client` if that is a client's own, and how large its
/// tree is.
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

}  // namespace posse
