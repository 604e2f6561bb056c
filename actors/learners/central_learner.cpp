// SPDX-License-Identifier: Apache-2.0
#include "actors/learners/central_learner.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/star.hpp"

namespace posse {

CentralLearner::CentralLearner(const LearnerSetup& setup)
    : GatheringServer(setup.clients, setup.policy, "step"),
      setup_(&setup),
      learner_(setup.kind->make("learner")) {}

void CentralLearner::on_start(Reaction& reaction) {
  report(setup_->kind->points(), *learner_, std::nullopt, reaction);
  ask(reaction);
}

void CentralLearner::ask(Reaction& reaction) {
  const Round step = next_round();
  asked_ = learner_->next();
  reaction.observe(RoundBegan{step});
  reaction.broadcast(
      kFirstClient, setup_->clients, step, Query{step.value, asked_.depth, asked_.index});
  open(step, reaction);
}

double CentralLearner::mean_reward() {
  rewards_.clear();
  for (auto& upload : uploads()) {
    if (!upload) continue;
    rewards_.push_back(upload.get<Reward>()->reward);
    upload = Payload{};
  }
  return aggregate(rewards_, setup_->policy);
}

void CentralLearner::on_uploads(Reaction& reaction) {
  learner_->tell(mean_reward());
  const std::uint64_t step = round().value;
  RoundEnded ended;
  ended.best = asked_;
  ended.active_cells = ended.pulls_per_cell = ended.kept_cells = 1;
  ended.steps = step;
  close(std::move(ended), reaction);
  const bool last = step == setup_->problem->budget();
  if (checkpoints_.reached(step) || last)
    report(setup_->kind->points(), *learner_, std::nullopt, reaction);
  if (last)
    reaction.finish();
  else
    ask(reaction);
}

Environment::Environment(const LearnerSetup& setup, std::uint32_t client, std::uint64_t evaluations)
    : setup_(&setup), rewards_(*setup.problem, setup.kind->points(), client) {
  rewards_.go_on_after(evaluations);
}

void Environment::on_message(const Message& message, Reaction& reaction) {
  const auto* query = message.get<Query>();
  if (query == nullptr) return;
  const Sight sight = queries_.see(message.round);
  // The server has closed the step of a query that a newer one overtook.
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || rewards_.left() == 0) return;
  const double reward = rewards_.pull({query->depth, query->index}, 1, reaction);
  reaction.send(kServer, message.round, Reward{query->t, reward});
  if (rewards_.left() == 0) reaction.finish();
}

std::optional<Waiting> Environment::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  const Round next{queries_.newest().value + 1};
  return Waiting{fmt::format("Query of step {}", next.value), Query::kName, next, {kServer}};
}

}  // namespace posse
