// A player of random-exchange: searches alone, sends its best point, outputs the best of all.
#pragma once

#include "actors/random_exchange/messages.hpp"
#include "core/exchange/peer_gather.hpp"
#include "core/objective/problem.hpp"
#include "core/role/role.hpp"

namespace posse {

class RandomPlayer final : public Role {
 public:
  /// Player number `self` of `players`. `problem` must outlive the player.
  RandomPlayer(const Problem& problem, std::uint32_t players, std::uint32_t self)
      : problem_(&problem), self_(self), players_(players), found_(players, self) {}

  void on_start(Reaction& reaction) override;
  void on_message(const Message& message, Reaction& reaction) override;
  std::optional<Waiting> waiting() const override;

 private:
  void finish_if_complete(Reaction& reaction);

  const Problem* problem_;
  std::uint32_t self_;
  std::uint32_t players_;
  PeerGather found_;  // the Best of every player
};

}  // namespace posse
