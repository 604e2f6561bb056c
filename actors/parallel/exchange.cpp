#include "actors/parallel/exchange.hpp"

#include <algorithm>

#include "actors/parallel/gathered_exchange.hpp"
#include "actors/parallel/messages.hpp"
#include "actors/parallel/summed_exchange.hpp"

namespace posse {
namespace {

std::optional<std::uint32_t> depth_of(const Message& message) {
  if (const auto* own = message.get<LevelMeans>()) return own->depth;
  if (const auto* gathered = message.get<GatheredMeans>()) return gathered->depth;
  if (const auto* sums = message.get<PartialSums>()) return sums->depth;
  if (const auto* averages = message.get<Averages>()) return averages->depth;
  return std::nullopt;
}

}  // namespace

void Exchange::begin(std::uint32_t depth, std::vector<double> own, Reaction& reaction) {
  depth_ = depth;
  clock_ = {};
  start(std::move(own), reaction);
  for (const Early& early : std::exchange(early_, {})) {
    reaction.use(early.message);
    if (accept(early.message, reaction)) clock_.add(early.at);
  }
}

void Exchange::take(const Message& message, Reaction& reaction) {
  const auto depth = depth_of(message);
  if (!depth) return;
  if (*depth == depth_ + 1) {
    early_.push_back({message, reaction.now()});
    reaction.keep_message();
  }
  if (*depth == depth_ && !complete() && accept(message, reaction)) clock_.add(reaction.now());
}

void Exchange::close(Time now, RoundEnded& record) const {
  record.arrived = record.expected = clock_.answers();
  record.waited = clock_.until(now);
}

std::unique_ptr<Exchange> make_exchange(const ExchangeSetup& setup, std::uint32_t self) {
  const bool adds_on_the_way = setup.sums == theory::SumsBy::exact && setup.way != AllToAll::mesh &&
                               setup.way != AllToAll::relay;
  if (adds_on_the_way) return std::make_unique<SummedExchange>(setup, self);
  return std::make_unique<GatheredExchange>(setup, self);
}

}  // namespace posse
