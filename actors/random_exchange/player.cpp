// SPDX-License-Identifier: Apache-2.0
#include "actors/random_exchange/player.hpp"

#include "actors/common/mesh.hpp"
#include "core/learner/random_learner.hpp"

namespace posse {

constexpr Round kExchange{1};

void RandomPlayer::on_start(Reaction& reaction) {
  const Problem& problem = *setup_->problem;
  const std::uint32_t self = reaction.self().value;
  const auto stream = stream_key(problem.seed(), "explore", "player-" + std::to_string(self));
  const RandomPoints points(problem.domain(), stream);
  RewardSource rewards(problem, self);
  reaction.observe(RoundBegan{kExchange});
  Best best;
  for (std::uint64_t t = 1; t <= problem.budget(); ++t) {
    auto x = points.point({0, t});
    const double reward = rewards.pull(x, 1);
    if (t == 1 || reward > best.reward) best = {x, reward};
    reaction.observe(PullsObserved{self, std::move(x), 1, rewards.value()});
  }
  send_to_others(kExchange, Payload::make(std::move(best)), found_, reaction);
  finish_if_complete(reaction);
}

void RandomPlayer::on_message(const Message& message, Reaction& reaction) {
  if (message.get<Best>() != nullptr && found_.take(message, 0, reaction.now()))
    finish_if_complete(reaction);
}

std::optional<Waiting> RandomPlayer::waiting() const {
  if (found_.complete()) return std::nullopt;
  return Waiting{"the other players' Best", Best::kName, kExchange, found_.missing()};
}

void RandomPlayer::finish_if_complete(Reaction& reaction) {
  if (!found_.complete()) return;
  RoundEnded ended{.round = kExchange, .steps = setup_->problem->budget()};
  found_.close(reaction.now(), ended);
  reaction.observe(ended);
  const Best* best = nullptr;
  for (const auto& message : found_.messages())
    if (const auto* theirs = message.get<Best>(); !best || theirs->reward > best->reward)
      best = theirs;
  // All players output the same point; one reports it.
  if (reaction.self().value == 0) reaction.observe(RecommendationObserved{best->x});
  reaction.finish();
}

}  // namespace posse
