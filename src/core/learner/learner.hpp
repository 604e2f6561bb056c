// A single learner: asks for one evaluation after the other and is told the rewards.
//
// Pure and sequential, without network or time; `algorithm/` hosts learners as actors. A learner names what
// it wants evaluated by a small number, a `Cell`, so that a query is 16 bytes on the wire, and its
// `PointSet`, which whoever evaluates shares, says which point of the domain that is.
#pragma once

#include <vector>

#include "core/domain/cell.hpp"

namespace posse {

/// The points that a learner can ask for. Immutable; shared by all nodes of a run.
class PointSet {
 public:
  virtual ~PointSet() = default;
  /// The point that `choice` stands for. Tree learners: the cell's representative point; learners
  /// over a list of arms: arm number `choice.index` (from 1) at depth 0.
  virtual std::vector<double> point(Cell choice) const = 0;
};

class Learner {
 public:
  virtual ~Learner() = default;
  /// What to evaluate now. Each call of next() is followed by one call of tell().
  virtual Cell next() = 0;
  /// The reward of the last next().
  virtual void tell(double reward) = 0;
  /// What the learner would output if the run ended now.
  virtual Cell recommend() const = 0;
};

}  // namespace posse
