// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/local_learner.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace posse {

std::string local_learner_name(std::uint32_t client, std::uint64_t evaluations) {
  return evaluator_name(client, evaluations == 0 ? "" : fmt::format("after-{}", evaluations));
}

void learn_to_checkpoint(const PointSet& points,
                         Learner& learner,
                         CellRewards& rewards,
                         Checkpoints& checkpoints,
                         Reaction& reaction) {
  const std::uint64_t next = std::min(
      rewards.pulls() + std::min(rewards.left(), kMostEvaluationsPerReaction), checkpoints.next());
  while (rewards.pulls() < next) learner.tell(rewards.pull(learner.next(), 1, reaction));
  if (checkpoints.reached(next) || rewards.left() == 0)
    report(points, learner, rewards.client(), reaction);
}

LocalLearner::LocalLearner(const LearnerSetup& setup,
                           std::uint32_t client,
                           std::uint64_t evaluations)
    : own_points_(setup.kind->own_points(local_learner_name(client, evaluations))),
      points_(own_points_ ? own_points_.get() : &setup.kind->points()),
      learner_(setup.kind->make(local_learner_name(client, evaluations))),
      rewards_(*setup.problem, *points_, client),
      anew_(evaluations > 0) {
  rewards_.go_on_after(evaluations);
  checkpoints_.reached(evaluations);
}

void LocalLearner::search(Reaction& reaction) {
  learn_to_checkpoint(*points_, *learner_, rewards_, checkpoints_, reaction);
  if (rewards_.left() == 0)
    reaction.finish();
  else
    reaction.set_timer_after_work(kContinueLearning);
}

}  // namespace posse
