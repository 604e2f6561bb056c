// SPDX-License-Identifier: Apache-2.0
// An exchange in which players average their means in random pairs, several times; then the vector
// of one of them decides for all (core/exchange/gossip.hpp).
//
// A player ends a level when it has made all steps of the level and has the averages. It sends what
// its partner needs for a step as soon as it has made the steps before, so nobody waits for a
// player that has ended the level. Two pairs need not wait for each other: a player may be several
// levels ahead of another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/parallel/exchange.hpp"
#include "core/exchange/gossip.hpp"

namespace posse {

class GossipExchange final : public Exchange {
 public:
  GossipExchange(const ExchangeSetup& setup, std::uint32_t self);

  bool complete() const override { return step_ == partners_.size() && !averages_.empty(); }
  std::vector<double> averages() const override { return averages_; }
  Missing missing() const override;

 private:
  void start(std::vector<double> own, Reaction& reaction) override;
  bool in_turn(const Message& message) const override;
  bool accept(const Message& message, Reaction& reaction) override;
  /// Makes the steps whose messages are there.
  void advance(Reaction& reaction);
  void send_own(Reaction& reaction) const;
  bool decides() const { return decider_ == self_; }

  std::uint32_t players_;
  NodeId self_;
  GossipPlan plan_;
  std::vector<std::optional<NodeId>> partners_;  // by step; nobody: alone
  std::vector<Payload> arrived_;                 // by step
  std::size_t step_ = 0;                         // steps made
  std::vector<double> own_;                      // after them
  NodeId decider_{};
  std::vector<double> averages_;  // empty: not known
};

}  // namespace posse
