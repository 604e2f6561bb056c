// SPDX-License-Identifier: Apache-2.0
#include "core/learner/random_learner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.hpp"

namespace posse {

std::vector<double> RandomPoints::point(Cell choice) const {
  POSSE_CHECK(choice.depth == 0 && choice.index >= 1, "point {}", choice.index);
  UniformStream draws(stream_);
  std::vector<double> x(box_.dimension());
  for (std::size_t j = 0; j < x.size(); ++j)
    x[j] = box_.low[j] + draws.at((choice.index - 1) * x.size() + j) * box_.width(j);
  return x;
}

RandomLearner::RandomLearner(const RandomLearnerOptions& options)
    : draws_(std::numeric_limits<std::uint64_t>::max()), most_candidates_(1) {
  POSSE_CHECK(options.horizon >= 1);
  if (!options.reevaluate) return;
  const auto again =
      static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(options.horizon))));
  draws_ = options.horizon > again ? options.horizon - again : 1;
  most_candidates_ = again;
}

bool RandomLearner::better(const Candidate& a, const Candidate& b) {
  return a.first != b.first ? a.first > b.first : a.index < b.index;
}

Cell RandomLearner::next() { return {0, told_ < draws_ ? told_ + 1 : candidates_[turn()].index}; }

void RandomLearner::tell(double reward) {
  if (told_ < draws_)
    tell_draw(reward);
  else
    tell_reevaluation(reward);
  ++told_;
}

void RandomLearner::tell_draw(double reward) {
  if (told_ == 0 || reward > recommended_mean_) {
    recommended_ = told_ + 1;
    recommended_mean_ = reward;
  }
  candidates_.push_back({reward, told_ + 1});
  std::push_heap(candidates_.begin(), candidates_.end(), &better);
  if (candidates_.size() > most_candidates_) {
    std::pop_heap(candidates_.begin(), candidates_.end(), &better);
    candidates_.pop_back();
  }
  if (told_ + 1 == draws_) std::sort_heap(candidates_.begin(), candidates_.end(), &better);
}

void RandomLearner::tell_reevaluation(double reward) {
  Candidate& told = candidates_[turn()];
  told.sum += reward;
  told.count += 1;
  recommended_mean_ = -std::numeric_limits<double>::infinity();
  for (const auto& candidate : candidates_) {  // O(sqrt n), in the last sqrt n steps only
    if (candidate.count > 0 && candidate.sum / candidate.count > recommended_mean_) {
      recommended_mean_ = candidate.sum / candidate.count;
      recommended_ = candidate.index;
    }
  }
}

}  // namespace posse
