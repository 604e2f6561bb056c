#include "actors/random_exchange/player.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/random/stream.hpp"

namespace posse {

constexpr Round kExchange{1};

void RandomPlayer::on_start(Reaction& reaction) {
  reaction.observe(RoundBegan{kExchange});
  reaction.evaluate(problem_->budget());
  const auto own = Payload::make(search(reaction));
  const auto above = static_cast<std::uint32_t>(best_.size()) - self_ - 1;
  if (self_ > 0) reaction.send_payload(NodeId{0}, self_, kExchange, own);
  if (above > 0) reaction.send_payload(NodeId{self_ + 1}, above, kExchange, own);
  take(self_, own, reaction);
}

void RandomPlayer::on_message(const Message& message, Reaction& reaction) {
  if (message.get<Best>() != nullptr) take(message.from.value, message.payload, reaction);
}

std::optional<Waiting> RandomPlayer::waiting() const {
  Waiting waiting{"the other players' Best", Best::kName, kExchange, {}};
  for (std::uint32_t player = 0; player < best_.size(); ++player)
    if (!best_[player]) waiting.from.push_back(NodeId{player});
  return waiting.from.empty() ? std::nullopt : std::optional(waiting);
}

Best RandomPlayer::search(Reaction& reaction) const {
  const Box& box = problem_->domain();
  UniformStream explore(stream_key(problem_->seed(), "explore", fmt::format("player-{}", self_)));
  RewardSource rewards(*problem_, self_);
  Best best;
  for (std::uint64_t t = 0, draw = 0; t < problem_->budget(); ++t) {
    std::vector<double> x(box.low);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += explore.at(draw++) * box.width(j);
    const double reward = rewards.pull(x, 1);
    if (t == 0 || reward > best.reward) best = {x, reward};
    reaction.observe(PullsObserved{self_, std::move(x), 1});
  }
  return best;
}

void RandomPlayer::take(std::uint32_t player, Payload best, Reaction& reaction) {
  if (best_[player]) return;  // a duplicate
  best_[player] = std::move(best);
  if (player != self_) others_.add(reaction.now());
  if (!best_[self_] || others_.answers() + 1 < best_.size()) return;
  reaction.observe(RoundEnded{.round = kExchange,
                              .steps = problem_->budget(),
                              .arrived = others_.answers(),
                              .expected = others_.answers(),
                              .waited = others_.until(reaction.now())});
  const auto winner =
      std::max_element(best_.begin(), best_.end(), [](const auto& a, const auto& b) {
        return a.template get<Best>()->reward < b.template get<Best>()->reward;
      });
  if (self_ == 0) reaction.observe(RecommendationObserved{winner->get<Best>()->x});
  reaction.finish();
}

}  // namespace posse
