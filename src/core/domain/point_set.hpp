// Points of a domain by number, so that a query is 16 bytes on the wire whatever the dimension.
#pragma once

#include <optional>
#include <vector>

#include "core/domain/box.hpp"
#include "core/domain/cell.hpp"

namespace posse {

/// The points that a learner can ask for. Immutable; shared by all nodes of a run.
class PointSet {
 public:
  virtual ~PointSet() = default;
  /// The point that `choice` stands for. Tree learners: the cell's representative point; learners
  /// over a list of arms: arm number `choice.index` (from 1) at depth 0.
  virtual std::vector<double> point(Cell choice) const = 0;
  /// Where every pull of `choice` has a point of its own, which whoever pulls draws uniformly: the
  /// box to draw it from.
  virtual std::optional<Box> drawn_from(Cell /*choice*/) const { return std::nullopt; }

 protected:
  PointSet() = default;
  PointSet(const PointSet&) = default;
  PointSet(PointSet&&) = default;
  PointSet& operator=(const PointSet&) = default;
  PointSet& operator=(PointSet&&) = default;
};

}  // namespace posse
