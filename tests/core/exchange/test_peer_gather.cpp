// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "actors/parallel/messages.hpp"
#include "core/exchange/peer_gather.hpp"

namespace posse::test_peer_gather {
namespace {

Message from(std::uint32_t player, double mean) {
  return {NodeId{player}, Round{1}, Payload::make(LevelMeans{0, {mean}})};
}
double mean_of(const PeerGather& gather, std::size_t player) {
  return gather.messages()[player].get<LevelMeans>()->means[0];
}

TEST_CASE("a round of peers is complete when all have sent a message, in whatever order") {
  PeerGather gather(3, 1);
  CHECK(gather.missing() == std::vector<NodeId>{NodeId{0}, NodeId{1}, NodeId{2}});
  CHECK(gather.take(from(2, 0.2), 0, Time{10}));
  CHECK_FALSE(gather.take(from(2, 0.9), 0, Time{11}));  // a copy
  CHECK_FALSE(gather.take(from(1, 0.9), 0, Time{11}));  // nobody sends to itself
  CHECK_FALSE(gather.take(from(3, 0.9), 0, Time{11}));  // nor does anybody else play
  CHECK_FALSE(gather.complete());
  CHECK(gather.take(from(0, 0.0), 0, Time{15}));
  CHECK_FALSE(gather.complete());  // the own message is missing
  gather.own(Payload::make(LevelMeans{0, {0.1}}));
  CHECK(gather.complete());
  CHECK(gather.missing().empty());
  for (std::size_t player = 0; player < 3; ++player)
    CHECK(mean_of(gather, player) == Approx(0.1 * static_cast<double>(player)));
  RoundEnded record;
  gather.close(Time{20}, record);
  CHECK(record.arrived == 2);
  CHECK(record.expected == 2);
  CHECK(record.waited.ns == 10 + 5);
}

TEST_CASE("a faster peer's message waits for its round") {
  PeerGather gather(2, 0);
  CHECK_FALSE(gather.take(from(1, 0.7), 1, Time{3}));
  CHECK(gather.take(from(1, 0.6), 0, Time{4}));
  gather.own(Payload::make(LevelMeans{0, {0.1}}));
  CHECK(gather.complete());
  CHECK(mean_of(gather, 1) == 0.6);
  gather.next_round();
  CHECK_FALSE(gather.complete());
  CHECK(gather.missing() == std::vector<NodeId>{NodeId{0}});
  CHECK_FALSE(gather.take(from(1, 0.9), 0, Time{5}));
  CHECK(mean_of(gather, 1) == 0.7);
  RoundEnded record;
  gather.close(Time{10}, record);
  CHECK(record.waited.ns == 7);
  gather.own(Payload::make(LevelMeans{0, {0.1}}));
  CHECK(gather.complete());
}

TEST_CASE("a single player's round is complete without a message") {
  PeerGather gather(1, 0);
  gather.own(Payload::make(LevelMeans{0, {0.1}}));
  CHECK(gather.complete());
}

}  // namespace
}  // namespace posse::test_peer_gather
