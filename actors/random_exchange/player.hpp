// SPDX-License-Identifier: Apache-2.0
// A player of random-exchange: searches alone, sends its best point, outputs the best of all.
#pragma once

#include "actors/random_exchange/messages.hpp"
#include "core/exchange/peer_gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/role.hpp"

namespace posse {

struct RandomExchangeSetup {
  const Problem* problem;
  std::uint32_t players;
};

class RandomPlayer final : public Role {
 public:
  /// `setup` must outlive the player.
  RandomPlayer(const RandomExchangeSetup& setup, NodeId self)
      : setup_(&setup), found_(setup.players, self.value) {}

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void finish_if_complete(Reaction& reaction);

  const RandomExchangeSetup* setup_;
  PeerGather found_;  // the Best of every player
};

}  // namespace posse
