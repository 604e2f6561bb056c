// SPDX-License-Identifier: Apache-2.0
// Random search by a single learner: a new uniform point at every step.
//
// A baseline of Posse. It recommends the best single observation. With noise that is often a point
// with a lucky reward; `reevaluate` therefore reserves the last ceil(sqrt n) of n evaluations (but
// never all of them) for the ceil(sqrt n) points with the best observations. They are evaluated
// again in that order, round robin, and the one with the largest mean of the new evaluations is
// recommended; the old observations are biased by the selection. Ties: the earlier point, the
// better candidate.
// Point number i (from 1, at depth 0) has coordinate j = 0 … d-1 from draw (i - 1) d + j of a
// stream that the host names, `explore/…`. Cost: O(log n) per step. Memory: O(sqrt n).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/domain/box.hpp"
#include "core/learner/learner.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// A numbered sequence of uniform points, drawn on request; nothing is stored.
class RandomPoints final : public PointSet {
 public:
  RandomPoints(Box box, StreamKey stream) : box_(std::move(box)), stream_(stream) {}
  std::vector<double> point(Cell choice) const override;

 private:
  Box box_;
  StreamKey stream_;
};

struct RandomLearnerOptions {
  std::uint64_t horizon = 1;  // n
  bool reevaluate = false;    // for noisy rewards
};

class RandomLearner final : public Learner {
 public:
  explicit RandomLearner(const RandomLearnerOptions& options);

  std::unique_ptr<Learner> clone() const override { return std::make_unique<RandomLearner>(*this); }
  Cell next() override;
  void tell(double reward) override;
  /// Point 1 before any evaluation.
  Cell recommend() const override { return {0, recommended_}; }

 private:
  struct Candidate {
    double first = 0;  // the observation by which it was selected
    std::uint64_t index = 0;
    double sum = 0;  // of the new evaluations
    double count = 0;
  };
  static bool better(const Candidate& a, const Candidate& b);
  void tell_draw(double reward);
  void tell_reevaluation(double reward);
  /// The candidate to evaluate now.
  std::size_t turn() const { return (told_ - draws_) % candidates_.size(); }

  std::uint64_t draws_;  // number of new points; then candidates are evaluated again
  std::size_t most_candidates_;
  std::uint64_t told_ = 0;
  std::vector<Candidate>
      candidates_;  // a heap, the worst on top; sorted, best first, after the draws
  std::uint64_t recommended_ = 1;
  double recommended_mean_ = 0;
};

}  // namespace posse
