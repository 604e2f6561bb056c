// SPDX-License-Identifier: Apache-2.0
// A player's part in the exchange of a level: all players get the averages of their means.
//
// The messages of a faster player are kept until its level begins here. With an exact exchange it
// is at most one level ahead, since no player ends a level before it has what depends on every
// other player's means; with gossip it may be several. Where a player sends on what it gets, it
// takes messages in the plan's order and keeps those that overtook others: then the order of
// arrival decides nothing but times. A message that brings nothing new is a duplicate and changes
// nothing.
//
// Every way but gossip, which is inexact (gossip_exchange.hpp), gives every player the same
// averages, bit by bit: the means are added in the order of the players, or exactly (SumsBy::exact,
// to multiples of 2^-80), then divided by their number.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/exchange/all_to_all.hpp"
#include "core/exchange/gather.hpp"
#include "core/exchange/gossip.hpp"
#include "core/exchange/mean_encoding.hpp"
#include "core/role/message.hpp"
#include "core/role/role.hpp"
#include "core/theory/all_to_all_cost.hpp"

namespace posse {

class Exchange {
 public:
  virtual ~Exchange() = default;

  /// Begins level `depth`, which is the one after the level before: takes the player's own means,
  /// rounded for their encoding, sends what it can, and takes what came for this level before.
  void begin(std::uint32_t depth, std::vector<double> own, Reaction& reaction);
  /// Takes a message of this level or a later one.
  void take(const Message& message, Reaction& reaction);
  /// The averages are known and everything is sent that others need.
  virtual bool complete() const = 0;
  /// The averages, once complete.
  virtual std::vector<double> averages() const = 0;
  /// Fills in `arrived`, `expected` and `waited` of the record of this level, once complete.
  void close(Time now, RoundEnded& record) const;

  struct Missing {
    std::string_view type;  // a message of this type …
    std::vector<NodeId> from;
  };
  virtual Missing missing() const = 0;

 protected:
  std::uint32_t depth() const { return depth_; }
  Round round() const { return {depth_ + 1}; }
  virtual void start(std::vector<double> own, Reaction& reaction) = 0;
  /// False if this player takes other messages of the level before this one.
  virtual bool in_turn(const Message& message) const = 0;
  /// Takes a message that is in turn; true if it brings something new.
  virtual bool accept(const Message& message, Reaction& reaction) = 0;

 private:
  struct Early {
    std::uint32_t depth;
    Message message;
    Time at;
  };
  void take_early(Reaction& reaction);

  std::uint32_t depth_ = 0;
  std::vector<Early> early_;  // of later levels, or of this one but not in turn; by arrival
  WaitClock clock_;
};

/// How the players of a run exchange.
struct ExchangeSetup {
  AllToAll way = AllToAll::mesh;
  theory::SumsBy sums = theory::SumsBy::gathered;
  std::uint32_t players = 1;
  MeanEncoding means = {};  // of unsummed means; averages and sums are not rounded again
  std::optional<GossipPlan> gossip = {};  // in place of `way` and `sums`; means are not rounded
};

std::unique_ptr<Exchange> make_exchange(const ExchangeSetup& setup, std::uint32_t self);

}  // namespace posse
