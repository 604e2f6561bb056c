// SPDX-License-Identifier: Apache-2.0
// Interface of a single learner: it asks for one evaluation after the other and receives the
// rewards.
//
// Pure and sequential, without network or time; actors/ runs learners on nodes. A learner
// identifies the point of an evaluation by a `Cell`. Its `PointSet`, which the evaluating nodes
// share, maps the cell to a point of the domain.
#pragma once

#include <cstdint>
#include <optional>

#include "core/domain/cell.hpp"
#include "core/domain/point_set.hpp"

namespace posse {

/// Size of a tree learner's tree.
struct TreeSize {
  std::uint32_t depth = 0;  // of the deepest cell
  std::uint64_t cells = 1;
};

class Learner {
 public:
  virtual ~Learner() = default;
  /// The next evaluation. Each call of next() must be followed by one call of tell().
  virtual Cell next() = 0;
  /// The reward for the last next().
  virtual void tell(double reward) = 0;
  /// The output if the run ended now.
  virtual Cell recommend() const = 0;
  /// Nothing if the learner has no tree.
  virtual std::optional<TreeSize> tree() const { return std::nullopt; }
};

}  // namespace posse
