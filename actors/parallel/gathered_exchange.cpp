// SPDX-License-Identifier: Apache-2.0
#include "actors/parallel/gathered_exchange.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "actors/parallel/messages.hpp"
#include "core/base/check.hpp"
#include "core/base/exact_sum.hpp"

namespace posse {
namespace {

/// What a message says of means: the first player of whom it has some, how many there are, and the
/// numbers themselves, of one of the types.
struct GivenMeans {
  std::uint32_t first = 0;
  std::size_t count = 0;
  std::variant<const double*, const float*, const std::uint16_t*, const std::uint8_t*> numbers;
};

template <class Own, class Gathered>
std::optional<GivenMeans> given_as(const Payload& payload, std::uint32_t from) {
  if (const auto* own = payload.get<Own>())
    return GivenMeans{from, own->means.size(), own->means.data()};
  if (const auto* gathered = payload.get<Gathered>())
    return GivenMeans{gathered->first, gathered->means.size(), gathered->means.data()};
  return std::nullopt;
}
std::optional<GivenMeans> given_means(const Payload& payload,
                                      std::uint32_t from,
                                      const MeanEncoding& encoding) {
  if (encoding.is_exact()) return given_as<LevelMeans, GatheredMeans>(payload, from);
  return with_code(encoding.format, [&]<class Code>(Code) {
    return given_as<CodedMeans<Code>, GatheredCodes<Code>>(payload, from);
  });
}

}  // namespace

const MessageType& gathered_type(const ExchangeSetup& setup) {
  if (setup.way == AllToAll::mesh) return means_type<LevelMeans>(setup.means);
  if (setup.means.is_exact()) return kMessageType<GatheredMeans>;
  return with_code(setup.means.format, []<class Code>(Code) -> const MessageType& {
    return kMessageType<GatheredCodes<Code>>;
  });
}

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
  keep(setup_.way == AllToAll::mesh
           ? encode_means<LevelMeans>(depth(), std::move(own), setup_.means)
           : encoded(self_, std::move(own)),
       self_,
       cells_);
  send_what_is_there(reaction);
}

bool GatheredExchange::in_turn(const Message& message) const {
  if (setup_.way != AllToAll::ring && setup_.way != AllToAll::doubling) return true;
  const auto given = given_means(message.payload, message.from.value, setup_.means);
  if (!given || has(given->first, 1)) return true;
  const std::uint32_t players = setup_.players;
  return given->first ==
         (self_ + (setup_.way == AllToAll::ring ? players - count_ : count_)) % players;
}

bool GatheredExchange::accept(const Message& message, Reaction& reaction) {
  bool is_new = false;
  if (const auto given = given_means(message.payload, message.from.value, setup_.means)) {
    is_new = keep(message.payload, given->first, given->count);
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

const double* GatheredExchange::means_of(std::uint32_t player, std::vector<double>& space) const {
  const Place& place = places_[player];
  const auto given = given_means(place.payload, player, setup_.means);
  if (const auto* exact = std::get_if<const double*>(&given->numbers)) return *exact + place.offset;
  space.clear();
  with_code(setup_.means.format, [&]<class Code>(Code) {
    append_values(
        std::get<const Code*>(given->numbers) + place.offset, cells_, setup_.means, space);
  });
  return space.data();
}

Payload GatheredExchange::encoded(std::uint32_t first, std::vector<double> means) const {
  if (setup_.means.is_exact())
    return Payload::make(GatheredMeans{depth(), first, std::move(means)});
  return with_code(setup_.means.format, [&]<class Code>(Code) {
    return Payload::make(GatheredCodes<Code>{depth(), first, codes_of<Code>(means, setup_.means)});
  });
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
    const auto given = given_means(first.payload, send.first, setup_.means);
    if (given->count == cells_) return first.payload;
  }
  std::vector<double> several, space;
  several.reserve(send.count * cells_);
  for (std::uint32_t i = 0; i < send.count; ++i) {
    const double* means = means_of((send.first + i) % setup_.players, space);
    several.insert(several.end(), means, means + cells_);
  }
  return encoded(send.first, std::move(several));
}

std::vector<double> GatheredExchange::averages() const {
  if (!averages_.empty()) return averages_;
  std::vector<double> means(cells_, 0.0), space;
  if (setup_.sums == theory::SumsBy::exact) {
    std::vector<Int128> sums(cells_, 0);
    for (std::uint32_t player = 0; player < setup_.players; ++player)
      for (std::size_t i = 0; i < cells_; ++i) sums[i] += to_multiple(means_of(player, space)[i]);
    std::transform(sums.begin(), sums.end(), means.begin(), from_multiple);
  } else {
    for (std::uint32_t player = 0; player < setup_.players; ++player) {
      const double* theirs = means_of(player, space);
      for (std::size_t i = 0; i < cells_; ++i) means[i] += theirs[i];
    }
  }
  for (double& mean : means) mean /= static_cast<double>(setup_.players);
  return means;
}

Exchange::Missing GatheredExchange::missing() const {
  Missing missing{gathered_type(setup_).name, {}};
  for (std::uint32_t i = 0; i < plan_.vectors; ++i) {
    const std::uint32_t player = (self_ + i) % setup_.players;
    if (!places_[player].payload) missing.from.push_back(NodeId{player});
  }
  std::sort(missing.from.begin(), missing.from.end());
  if (missing.from.empty() && plan_.result_from) return {Averages::kName, {*plan_.result_from}};
  return missing;
}

}  // namespace posse
