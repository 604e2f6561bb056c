// A single learner: asks for one evaluation after the other and is told the rewards.
//
// Pure and sequential, without network or time; `algorithm/` hosts learners as actors. A learner
// names what it wants evaluated by a small number, a `Cell`, and its `PointSet`, which whoever
// evaluates shares, says which point of the domain that is.
#pragma once

#include <cstdint>
#include <optional>

#include "core/domain/cell.hpp"
#include "core/domain/point_set.hpp"

namespace posse {

/// How far a tree learner's tree has grown.
struct TreeSize {
  std::uint32_t depth = 0;  // of the deepest cell
  std::uint64_t cells = 1;
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
  /// Nothing if the learner grows no tree.
  virtual std::optional<TreeSize> tree() const { return std::nullopt; }
};

}  // namespace posse
