#include "actors/learners/local_learner.hpp"

#include <algorithm>

namespace posse {
LocalLearner::LocalLearner(const LearnerSetup& setup, std::uint32_t client)
    : own_points_(setup.kind->own_points(evaluator_name(client, {}))),
      points_(own_points_ ? own_points_.get() : &setup.kind->points()),
      learner_(setup.kind->make(evaluator_name(client, {}))),
      rewards_(*setup.problem, *points_, client) {}

void LocalLearner::search(Reaction& reaction) {
  const std::uint64_t until =
      rewards_.pulls() + std::min(rewards_.left(), kMostEvaluationsPerReaction);
  while (rewards_.pulls() < until) {
    const std::uint64_t next = std::min(until, checkpoints_.next());
    reaction.evaluate(next - rewards_.pulls());
    while (rewards_.pulls() < next) learner_->tell(rewards_.pull(learner_->next(), 1, reaction));
    if (checkpoints_.reached(next) || rewards_.left() == 0)
      report(*points_, *learner_, rewards_.client(), reaction);
  }
  if (rewards_.left() == 0)
    reaction.finish();
  else
    reaction.set_timer(kContinueLearning, Duration{});
}

}  // namespace posse
