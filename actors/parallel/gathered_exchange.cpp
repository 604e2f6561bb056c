#include "actors/parallel/gathered_exchange.hpp"

#include <algorithm>
#include <utility>

#include "actors/parallel/messages.hpp"
#include "core/base/check.hpp"
#include "core/base/exact_sum.hpp"

namespace posse {

GatheredExchange::GatheredExchange(const ExchangeSetup& setup, std::uint32_t self)
    : setup_(setup),
      self_(self),
      plan_(gather_plan(setup.way, setup.players, self)),
      places_(setup.players) {}

void GatheredExchange::start(std::vector<double> own, Reaction& reaction) {
  cells_ = own.size();
  count_ = 0;
  std::fill(places_.begin(), places_.end(), Place{});
  averages_.clear();
  unsent_ = plan_.sends;
  keep(setup_.way == AllToAll::mesh ? Payload::make(LevelMeans{depth(), std::move(own)})
                                    : Payload::make(GatheredMeans{depth(), self_, std::move(own)}),
       self_,
       cells_);
  send_what_is_there(reaction);
}

bool GatheredExchange::in_turn(const Message& message) const {
  const auto* gathered = message.get<GatheredMeans>();
  if (gathered == nullptr || has(gathered->first, 1)) return true;
  const std::uint32_t players = setup_.players;
  if (setup_.way == AllToAll::ring) return gathered->first == (self_ + players - count_) % players;
  if (setup_.way == AllToAll::doubling) return gathered->first == (self_ + count_) % players;
  return true;
}

bool GatheredExchange::accept(const Message& message, Reaction& reaction) {
  bool is_new = false;
  if (const auto* own = message.get<LevelMeans>()) {
    is_new = keep(message.payload, message.from.value, own->means.size());
  } else if (const auto* gathered = message.get<GatheredMeans>()) {
    is_new = keep(message.payload, gathered->first, gathered->means.size());
  } else if (const auto* averages = message.get<Averages>(); averages && averages_.empty()) {
    POSSE_CHECK(
        averages->means.size() == cells_, "{} averages of {}", averages->means.size(), cells_);
    averages_ = averages->means;
    is_new = true;
  }
  if (is_new) send_what_is_there(reaction);
  return is_new;
}

bool GatheredExchange::keep(const Payload& payload, std::uint32_t first, std::size_t numbers) {
  const std::size_t players = numbers / cells_;
  POSSE_CHECK(players * cells_ == numbers && players >= 1 && players <= setup_.players &&
                  first < setup_.players,
              "{} means from player {} on, of {} cells and {} players",
              numbers,
              first,
              cells_,
              setup_.players);
  const std::uint32_t before = count_;
  for (std::size_t i = 0; i < players; ++i) {
    Place& place = places_[(first + i) % setup_.players];
    if (place.payload) continue;
    place = {payload, i * cells_};
    ++count_;
  }
  return count_ > before;
}

const double* GatheredExchange::means_of(std::uint32_t player) const {
  const Place& place = places_[player];
  const auto* own = place.payload.get<LevelMeans>();
  const auto& means = own != nullptr ? own->means : place.payload.get<GatheredMeans>()->means;
  return means.data() + place.offset;
}

bool GatheredExchange::has(std::uint32_t first, std::uint32_t count) const {
  for (std::uint32_t i = 0; i < count; ++i)
    if (!places_[(first + i) % setup_.players].payload) return false;
  return true;
}

void GatheredExchange::send_what_is_there(Reaction& reaction) {
  std::erase_if(unsent_, [&](const VectorSend& send) {
    if (send.count > 0 ? !has(send.first, send.count) : !has_all() && averages_.empty())
      return false;
    reaction.send_payload(send.to, send.nodes, round(), content(send));
    return true;
  });
}

Payload GatheredExchange::content(const VectorSend& send) const {
  if (send.count == 0) return Payload::make(Averages{depth(), 0, averages()});
  const Place& first = places_[send.first];
  if (send.count == 1) {  // usually a message of its own
    const auto* gathered = first.payload.get<GatheredMeans>();
    if (gathered == nullptr || gathered->means.size() == cells_) return first.payload;
  }
  GatheredMeans several{depth(), send.first, {}};
  several.means.reserve(send.count * cells_);
  for (std::uint32_t i = 0; i < send.count; ++i) {
    const double* means = means_of((send.first + i) % setup_.players);
    several.means.insert(several.means.end(), means, means + cells_);
  }
  return Payload::make(std::move(several));
}

std::vector<double> GatheredExchange::averages() const {
  if (!averages_.empty()) return averages_;
  std::vector<double> means(cells_, 0.0);
  if (setup_.sums == theory::SumsBy::exact) {
    std::vector<Int128> sums(cells_, 0);
    for (std::uint32_t player = 0; player < setup_.players; ++player)
      for (std::size_t i = 0; i < cells_; ++i) sums[i] += to_multiple(means_of(player)[i]);
    std::transform(sums.begin(), sums.end(), means.begin(), from_multiple);
  } else {
    for (std::uint32_t player = 0; player < setup_.players; ++player)
      for (std::size_t i = 0; i < cells_; ++i) means[i] += means_of(player)[i];
  }
  for (double& mean : means) mean /= static_cast<double>(setup_.players);
  return means;
}

Exchange::Missing GatheredExchange::missing() const {
  Missing missing{setup_.way == AllToAll::mesh ? LevelMeans::kName : GatheredMeans::kName, {}};
  for (std::uint32_t i = 0; i < plan_.vectors; ++i) {
    const std::uint32_t player = (self_ + i) % setup_.players;
    if (!places_[player].payload) missing.from.push_back(NodeId{player});
  }
  std::sort(missing.from.begin(), missing.from.end());
  if (missing.from.empty() && plan_.result_from) return {Averages::kName, {*plan_.result_from}};
  return missing;
}

}  // namespace posse
