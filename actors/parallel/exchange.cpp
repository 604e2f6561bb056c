// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/exchange.hpp"

#include <utility>

#include "actors/parallel/gathered_exchange.hpp"
#include "actors/parallel/gossip_exchange.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel/summed_exchange.hpp"

namespace posse {
namespace {

template <MeanCode Code>
std::optional<std::uint32_t> depth_of_coded(const Message& message) {
  if (const auto* own = message.get<CodedMeans<Code>>()) return own->phase;
  if (const auto* gathered = message.get<GatheredCodes<Code>>()) return gathered->depth;
  return std::nullopt;
}

std::optional<std::uint32_t> depth_of(const Message& message) {
  if (const auto* own = message.get<LevelMeans>()) return own->depth;
  if (const auto* gathered = message.get<GatheredMeans>()) return gathered->depth;
  if (const auto depth = depth_of_coded<float>(message)) return depth;
  if (const auto depth = depth_of_coded<std::uint16_t>(message)) return depth;
  if (const auto depth = depth_of_coded<std::uint8_t>(message)) return depth;
  if (const auto* sums = message.get<PartialSums>()) return sums->depth;
  if (const auto* averages = message.get<Averages>()) return averages->depth;
  if (const auto* gossip = message.get<GossipMeans>()) return gossip->depth;
  return std::nullopt;
}

}  // namespace

void Exchange::begin(std::uint32_t depth, std::vector<double> own, Reaction& reaction) {
  depth_ = depth;
  clock_ = {};
  start(std::move(own), reaction);
  take_early(reaction);
}

void Exchange::take_early(Reaction& reaction) {
  for (bool again = true; again;) {
    again = false;
    for (Early& early : std::exchange(early_, {})) {
      if (early.depth < depth_) continue;
      if (early.depth > depth_ || !in_turn(early.message)) {
        early_.push_back(std::move(early));
        continue;
      }
      reaction.use(early.message);
      if (!accept(early.message, reaction)) continue;
      clock_.add(early.message.from, early.at);
      again = true;
    }
  }
}

void Exchange::take(const Message& message, Reaction& reaction) {
  const auto depth = depth_of(message);
  if (!depth || *depth < depth_) return;
  if (*depth > depth_ || !in_turn(message)) {
    early_.push_back({*depth, message, reaction.now()});
    reaction.keep_message();
    return;
  }
  if (!accept(message, reaction)) return;
  clock_.add(message.from, reaction.now());
  if (!early_.empty()) take_early(reaction);
}

void Exchange::close(Time now, RoundEnded& record) const {
  record.arrived = record.expected = clock_.answers();
  record.waited = clock_.until(now);
  record.came_last = clock_.came_last();
}

std::unique_ptr<Exchange> make_exchange(const ExchangeSetup& setup, std::uint32_t self) {
  if (setup.gossip) return std::make_unique<GossipExchange>(setup, self);
  const bool adds_on_the_way = setup.sums == theory::SumsBy::exact && setup.way != AllToAll::mesh &&
                               setup.way != AllToAll::relay;
  if (adds_on_the_way) return std::make_unique<SummedExchange>(setup, self);
  return std::make_unique<GatheredExchange>(setup, self);
}

}  // namespace posse
