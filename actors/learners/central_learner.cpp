#include "actors/learners/central_learner.hpp"

#include <fmt/format.h>

#include <utility>

#include "actors/common/star.hpp"

namespace posse {
namespace {

constexpr NodeId kFirstEnvironment{1};

}  // namespace

CentralLearner::CentralLearner(const LearnerSetup& setup)
    : setup_(&setup),
      learner_(setup.kind->make("learner")),
      gather_(kFirstEnvironment, setup.clients, setup.policy),
      rewards_(setup.clients) {}

void CentralLearner::on_start(Reaction& reaction) {
  report(setup_->kind->points(), *learner_, std::nullopt, reaction);
  ask(reaction);
}

void CentralLearner::ask(Reaction& reaction) {
  const Round step{gather_.round().value + 1};
  asked_ = learner_->next();
  reaction.observe(RoundBegan{step});
  reaction.broadcast(
      kFirstEnvironment, setup_->clients, step, Query{step.value, asked_.depth, asked_.index});
  gather_.open(step, reaction);
}

void CentralLearner::on_message(const Message& message, Reaction& reaction) {
  const auto* reward = message.get<Reward>();
  if (reward == nullptr || gather_.take(message, reaction) != Answer::used) return;
  rewards_[message.from.value - kFirstEnvironment.value] = reward->reward;
  close_if_ready(reaction);
}

void CentralLearner::on_timer(TimerId timer, Reaction& reaction) {
  if (gather_.on_timer(timer)) close_if_ready(reaction);
}

double CentralLearner::mean_reward() const {
  double sum = 0;
  for (std::uint32_t client = 0; client < setup_->clients; ++client)
    if (gather_.has_answered(client)) sum += rewards_[client];
  return sum / static_cast<double>(gather_.arrived());
}

void CentralLearner::close_if_ready(Reaction& reaction) {
  if (!gather_.ready()) return;
  learner_->tell(mean_reward());
  const std::uint64_t step = gather_.round().value;
  RoundEnded ended;
  ended.round = gather_.round();
  ended.best = asked_;
  ended.active_cells = ended.pulls_per_cell = ended.kept_cells = 1;
  ended.steps = step;
  gather_.close(reaction, ended);
  reaction.observe(std::move(ended));
  const bool last = step == setup_->problem->budget();
  if (checkpoints_.reached(step) || last)
    report(setup_->kind->points(), *learner_, std::nullopt, reaction);
  if (last)
    reaction.finish();
  else
    ask(reaction);
}

std::optional<Waiting> CentralLearner::waiting() const {
  if (!gather_.is_open()) return std::nullopt;
  return Waiting{fmt::format("Reward of step {}", gather_.round().value),
                 Reward::kName,
                 gather_.round(),
                 gather_.missing()};
}

Environment::Environment(const LearnerSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.kind->points(), client) {}

void Environment::on_message(const Message& message, Reaction& reaction) {
  const auto* query = message.get<Query>();
  if (query == nullptr) return;
  const Sight sight = queries_.see(message.round);
  // The server has closed the step of a query that a newer one overtook.
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || rewards_.left() == 0) return;
  reaction.evaluate(1);
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
