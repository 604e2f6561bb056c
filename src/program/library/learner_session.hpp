// SPDX-License-Identifier: Apache-2.0
// A single learner that a program of the user's asks for points and tells the rewards.
//
// The learner is that of client 0 in a scenario with `placement = "local"`, the same seed and the
// same budget, repetition 0: with the same rewards it asks for the same points and recommends the
// same one, bit for bit. POO, GPO, PCT and VPCT run their instances one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/domain/box.hpp"
#include "core/learner/learner.hpp"
#include "core/random/stream.hpp"
#include "program/scenario/value.hpp"

namespace posse {

class LearnerKind;
class Problem;

class LearnerSession {
 public:
  /// `kind`: an algorithm of learner_kinds(). `parameters`: a table as in an [[algorithm]], without
  /// `kind`. `domain`: finite, low < high. `budget`: n, at least 1. Throws ScenarioMistakes for
  /// anything else.
  LearnerSession(std::string_view kind,
                 const Value& parameters,
                 Box domain,
                 std::uint64_t budget,
                 std::uint64_t seed);
  ~LearnerSession();
  LearnerSession(LearnerSession&&) noexcept;
  LearnerSession& operator=(LearnerSession&&) noexcept;

  std::size_t dimension() const;
  std::uint64_t budget() const;
  /// Evaluations whose rewards are known.
  std::uint64_t evaluations() const { return evaluations_; }

  /// The next point to evaluate; beyond the budget it is the recommendation. Asking again before
  /// tell() gives the same point.
  std::span<const double> ask();
  /// The reward of the point last asked for: finite. Throws std::invalid_argument if it is not, or
  /// if no point was asked for.
  void tell(double reward);
  /// The output if the search ended now.
  std::vector<double> recommend() const;
  /// Nothing if the learner has no tree.
  std::optional<TreeSize> tree() const { return learner_->tree(); }

 private:
  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<const LearnerKind> kind_;
  std::unique_ptr<const PointSet> own_points_;
  const PointSet* points_ = nullptr;
  std::unique_ptr<Learner> learner_;
  std::optional<UniformStream> draws_;  // of uniform points
  std::vector<double> point_;
  std::optional<Cell> last_;  // the cell of point_, if it is the cell's own
  bool asked_ = false;
  std::uint64_t evaluations_ = 0;
};

/// The algorithms that can be asked and told, in the catalogue's order.
std::vector<std::string> learner_kinds();

}  // namespace posse
