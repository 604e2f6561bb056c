#include "actors/learners/local_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace posse {
namespace {

std::string learner_name(std::uint32_t client, std::uint64_t evaluations) {
  return evaluator_name(client, evaluations == 0 ? "" : fmt::format("after-{}", evaluations));
}

}  // namespace

LocalLearner::LocalLearner(const LearnerSetup& setup,
                           std::uint32_t client,
                           std::uint64_t evaluations)
    : own_points_(setup.kind->own_points(learner_name(client, evaluations))),
      points_(own_points_ ? own_points_.get() : &setup.kind->points()),
      learner_(setup.kind->make(learner_name(client, evaluations))),
      rewards_(*setup.problem, *points_, client),
      anew_(evaluations > 0) {
  rewards_.go_on_after(evaluations);
  checkpoints_.reached(evaluations);
}

void LocalLearner::search(Reaction& reaction) {
  const std::uint64_t next =
      std::min(rewards_.pulls() + std::min(rewards_.left(), kMostEvaluationsPerReaction),
               checkpoints_.next());
  reaction.evaluate(next - rewards_.pulls());
  while (rewards_.pulls() < next) learner_->tell(rewards_.pull(learner_->next(), 1, reaction));
  if (checkpoints_.reached(next) || rewards_.left() == 0)
    report(*points_, *learner_, rewards_.client(), reaction);
  if (rewards_.left() == 0)
    reaction.finish();
  else
    reaction.set_timer_after_work(kContinueLearning);
}

}  // namespace posse
