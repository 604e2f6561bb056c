// SPDX-License-Identifier: Apache-2.0
// Interface of a single learner: it asks for one evaluation after the other and receives the
// rewards.
//
// Pure and sequential, without network or time; actors/ runs learners on nodes. A learner
// identifies the point of an evaluation by a `Cell`. Its `PointSet`, which the evaluating nodes
// share, maps the cell to a point of the domain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

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
  /// A learner in the same state, with the same draws to come.
  virtual std::unique_ptr<Learner> clone() const = 0;
  /// The next evaluation. Each call of next() must be followed by one call of tell().
  virtual Cell next() = 0;
  /// The reward for the last next().
  virtual void tell(double reward) = 0;
  /// The output if the run ended now.
  virtual Cell recommend() const = 0;
  /// Nothing if the learner has no tree.
  virtual std::optional<TreeSize> tree() const { return std::nullopt; }
};

/// Owns a learner, or none. A copy owns a clone.
class OwnedLearner {
 public:
  OwnedLearner() = default;
  OwnedLearner(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}
  OwnedLearner(const OwnedLearner& other)
      : learner_(other.learner_ == nullptr ? nullptr : other.learner_->clone()) {}
  OwnedLearner(OwnedLearner&&) noexcept = default;
  OwnedLearner& operator=(OwnedLearner other) noexcept {
    learner_ = std::move(other.learner_);
    return *this;
  }
  ~OwnedLearner() = default;

  explicit operator bool() const { return learner_ != nullptr; }
  Learner* operator->() { return learner_.get(); }
  const Learner* operator->() const { return learner_.get(); }
  void reset() { learner_.reset(); }

 private:
  std::unique_ptr<Learner> learner_;
};

}  // namespace posse
