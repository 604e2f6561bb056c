// SPDX-License-Identifier: Apache-2.0
// Points of a domain, identified by number: a query takes 16 bytes on the wire in any dimension.
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
  /// The point for `choice`. Tree learners: the cell's representative point. Learners over a list
  /// of arms: arm number `choice.index` (from 1) at depth 0.
  virtual std::vector<double> point(Cell choice) const = 0;
  /// The box from which each pull of `choice` draws its own uniform point; nothing if all pulls use
  /// point(). The node that evaluates makes the draw.
  virtual std::optional<Box> drawn_from(Cell /*choice*/) const { return std::nullopt; }

 protected:
  PointSet() = default;
  PointSet(const PointSet&) = default;
  PointSet(PointSet&&) = default;
  PointSet& operator=(const PointSet&) = default;
  PointSet& operator=(PointSet&&) = default;
};

}  // namespace posse
