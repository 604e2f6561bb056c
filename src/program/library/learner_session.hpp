// SPDX-License-Identifier: Apache-2.0
// A single learner that a program of the user's asks for points and tells the rewards.
//
// The learner is that of client 0 in a scenario with `placement = "local"`, the same seed and the
// same budget, repetition 0: with the same rewards it asks for the same points and recommends the
// same one, bit for bit. POO, GPO, PCT and VPCT run their instances one after the other. A copy of
// a session goes on as the session would.
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

/// What a session asks for beyond its budget n. search: HOO, HCT, VHCT, DOO, SOO and POO have no
/// end; T-HOO, StoSOO and VROOM keep the constants of their n; Zooming doubles its n; the schedules
/// of the others end, and they evaluate their output.
enum class BeyondBudget { recommendation, search };

class LearnerSession {
 public:
  /// `kind`: an algorithm of learner_kinds(). `parameters`: a table as in an [[algorithm]], without
  /// `kind`. `domain`: finite, low < high. `budget`: n, at least 1. Throws ScenarioMistakes for
  /// anything else.
  LearnerSession(std::string_view kind,
                 const Value& parameters,
                 Box domain,
                 std::uint64_t budget,
                 std::uint64_t seed,
                 BeyondBudget beyond = BeyondBudget::recommendation);
  ~LearnerSession();
  LearnerSession(const LearnerSession&);
  LearnerSession(LearnerSession&&) noexcept;
  LearnerSession& operator=(const LearnerSession&) = delete;
  LearnerSession& operator=(LearnerSession&&) noexcept;

  std::size_t dimension() const;
  std::uint64_t budget() const;
  /// Evaluations whose rewards are known.
  std::uint64_t evaluations() const { return evaluations_; }

  /// The next point to evaluate. Asking again before tell() gives the same point.
  std::span<const double> ask();
  /// The reward of the point last asked for: finite. Throws std::invalid_argument if it is not, or
  /// if no point was asked for.
  void tell(double reward);
  /// The output if the search ended now.
  std::vector<double> recommend() const;
  /// The cell of the point last asked for, and of the output.
  Cell cell() const { return cell_; }
  Cell recommended_cell() const { return learner_->recommend(); }
  /// Of a cell of the learner's partition; nothing if it has none.
  std::optional<Box> bounds(Cell cell) const;
  /// Nothing if the learner has no tree.
  std::optional<TreeSize> tree() const { return learner_->tree(); }

 private:
  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<const LearnerKind> kind_;
  std::shared_ptr<const PointSet> own_points_;
  const PointSet* points_ = nullptr;
  OwnedLearner learner_;
  std::optional<UniformStream> draws_;  // of uniform points
  std::vector<double> point_;
  std::optional<Cell> last_;  // the cell of point_, if it is the cell's own
  Cell cell_;
  BeyondBudget beyond_;
  bool asked_ = false;
  std::uint64_t evaluations_ = 0;
};

/// The algorithms that can be asked and told, in the catalogue's order.
std::vector<std::string> learner_kinds();

}  // namespace posse
