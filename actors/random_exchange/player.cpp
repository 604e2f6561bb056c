#include "actors/random_exchange/player.hpp"

#include <fmt/format.h>

#include "actors/common/mesh.hpp"
#include "core/random/stream.hpp"

namespace posse {

constexpr Round kExchange{1};

void RandomPlayer::on_start(Reaction& reaction) {
  const Box& box = problem_->domain();
  UniformStream explore(stream_key(problem_->seed(), "explore", fmt::format("player-{}", self_)));
  RewardSource rewards(*problem_, self_);
  reaction.observe(RoundBegan{kExchange});
  reaction.evaluate(problem_->budget());
  Best best;
  for (std::uint64_t t = 0, draw = 0; t < problem_->budget(); ++t) {
    std::vector<double> x(box.low);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += explore.at(draw++) * box.width(j);
    const double reward = rewards.pull(x, 1);
    if (t == 0 || reward > best.reward) best = {x, reward};
    reaction.observe(PullsObserved{self_, std::move(x), 1});
  }
  const auto own = Payload::make(std::move(best));
  send_to_others(players_, kExchange, own, reaction);
  found_.own(own);
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
  reaction.observe(RoundEnded{.round = kExchange,
                              .steps = problem_->budget(),
                              .arrived = players_ - 1,
                              .expected = players_ - 1,
                              .waited = found_.waited(reaction.now())});
  const Best* best = nullptr;
  for (const auto& message : found_.messages())
    if (const auto* theirs = message.get<Best>(); !best || theirs->reward > best->reward)
      best = theirs;
  // All players output the same point; one reports it.
  if (self_ == 0) reaction.observe(RecommendationObserved{best->x});
  reaction.finish();
}

}  // namespace posse
