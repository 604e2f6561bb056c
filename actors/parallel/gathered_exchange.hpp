// SPDX-License-Identifier: Apache-2.0
// An exchange in which means travel unsummed. In a relay or a tree one player gets all of them and
// sends back the averages; in a mesh, a ring and by doubling every player gets all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "actors/parallel/exchange.hpp"

namespace posse {

/// The message in which means travel.
const MessageType& gathered_type(const ExchangeSetup& setup);

class GatheredExchange final : public Exchange {
 public:
  GatheredExchange(const ExchangeSetup& setup, std::uint32_t self);

  bool complete() const override { return unsent_.empty() && (has_all() || !averages_.empty()); }
  std::vector<double> averages() const override;
  Missing missing() const override;

 private:
  void start(std::vector<double> own, Reaction& reaction) override;
  bool in_turn(const Message& message) const override;
  bool accept(const Message& message, Reaction& reaction) override;

  /// Where a player's means are: in a message.
  struct Place {
    Payload payload;
    std::size_t offset = 0;
  };
  bool has_all() const { return count_ == setup_.players; }
  bool has(std::uint32_t first, std::uint32_t count) const;
  /// A player's means, in its message or decoded into `space`.
  const double* means_of(std::uint32_t player, std::vector<double>& space) const;
  Payload encoded(std::uint32_t first, std::vector<double> means) const;
  /// Takes the means of players from `first` on. True if some of them are new.
  bool keep(const Payload& payload, std::uint32_t first, std::size_t numbers);
  void send_what_is_there(Reaction& reaction);
  Payload content(const VectorSend& send) const;

  ExchangeSetup setup_;
  std::uint32_t self_;
  GatherPlan plan_;
  std::size_t cells_ = 0;
  std::vector<Place> places_;  // by player; no payload: not there yet
  std::uint32_t count_ = 0;    // players whose means are there
  std::vector<VectorSend> unsent_;
  std::vector<double> averages_;  // if somebody has sent them
};

}  // namespace posse
