// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "core/exchange/gather.hpp"

namespace posse::test_gather {
namespace {

struct Nothing {
  static constexpr std::string_view kName = "Nothing";
  std::uint32_t zero = 0;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(zero)
};

constexpr NodeId kFirst{3};

Message answer(std::uint32_t member, std::uint32_t round) {
  return {NodeId{kFirst.value + member}, Round{round}, Payload::make(Nothing{})};
}

std::vector<std::uint32_t> ids(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> values;
  for (const auto node : nodes) values.push_back(node.value);
  return values;
}

template <class T>
std::size_t count_of(const Reaction& reaction) {
  std::size_t n = 0;
  for (const auto& effect : reaction.effects()) n += std::holds_alternative<T>(effect) ? 1 : 0;
  return n;
}

TEST_CASE("policy all closes with the last member's answer and names nobody late") {
  Reaction reaction;
  Gather gather(kFirst, 3, {});
  gather.open(Round{1}, reaction);
  CHECK(gather.take(answer(2, 1), reaction) == Answer::used);
  CHECK(gather.take(answer(0, 1), reaction) == Answer::used);
  CHECK_FALSE(gather.ready());
  CHECK(ids(gather.missing()) == std::vector<std::uint32_t>{4});
  CHECK(gather.take(answer(1, 1), reaction) == Answer::used);
  REQUIRE(gather.ready());
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(record.arrived == 3);
  CHECK(record.expected == 3);
  CHECK(record.late.empty());
  CHECK(reaction.effects().empty());
  CHECK(reaction.observations().empty());
}

TEST_CASE("if a round asks only some members, the others' answers are stale") {
  Reaction reaction;
  Gather gather(kFirst, 5, {});
  gather.open(Round{1}, reaction, 1, 2);
  CHECK(ids(gather.missing()) == std::vector<std::uint32_t>{4, 5});
  CHECK(gather.take(answer(0, 1), reaction) == Answer::stale);
  CHECK(gather.take(answer(3, 1), reaction) == Answer::stale);
  CHECK(gather.take(answer(2, 1), reaction) == Answer::used);
  CHECK(ids(gather.missing()) == std::vector<std::uint32_t>{4});
  CHECK_FALSE(gather.ready());
  CHECK(gather.take(answer(1, 1), reaction) == Answer::used);
  REQUIRE(gather.ready());
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(record.expected == 2);
  CHECK(record.arrived == 2);
  // All again, a quorum of more than are asked means those.
  gather.open(Round{2}, reaction);
  CHECK(gather.missing().size() == 5);
  Gather quorum(kFirst, 5, {PolicyKind::quorum, 3, {}});
  quorum.open(Round{1}, reaction, 3, 2);
  CHECK(quorum.take(answer(3, 1), reaction) == Answer::used);
  CHECK_FALSE(quorum.ready());
  CHECK(quorum.take(answer(4, 1), reaction) == Answer::used);
  CHECK(quorum.ready());
}

TEST_CASE("members that are admitted later count from the next round on") {
  Reaction reaction;
  Gather gather(kFirst, 1, {});
  gather.open(Round{1}, reaction);
  CHECK(gather.take(answer(1, 1), reaction) == Answer::stale);
  CHECK(gather.take(answer(0, 1), reaction) == Answer::used);
  RoundEnded record;
  gather.close(reaction, record);
  gather.admit(3);
  gather.open(Round{2}, reaction);
  CHECK(gather.take(answer(0, 1), reaction) == Answer::duplicate);
  CHECK(gather.take(answer(2, 2), reaction) == Answer::used);
  CHECK(gather.take(answer(0, 2), reaction) == Answer::used);
  CHECK(ids(gather.missing()) == std::vector<std::uint32_t>{4});
  CHECK(gather.take(answer(1, 2), reaction) == Answer::used);
  gather.close(reaction, record);
  CHECK(record.expected == 3);
}

TEST_CASE("a duplicate answer is never counted, in its round or later") {
  Reaction reaction;
  Gather gather(kFirst, 2, {});
  gather.open(Round{1}, reaction);
  gather.take(answer(0, 1), reaction);
  CHECK(gather.take(answer(0, 1), reaction) == Answer::duplicate);
  CHECK(gather.arrived() == 1);
  gather.take(answer(1, 1), reaction);
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(gather.take(answer(1, 1), reaction) == Answer::duplicate);
  gather.open(Round{2}, reaction);
  CHECK(gather.take(answer(1, 1), reaction) == Answer::duplicate);
  CHECK(gather.arrived() == 0);
  CHECK(reaction.observations().empty());
}

TEST_CASE("quorum closes with the k-th answer, the others are late, then stale once") {
  Reaction reaction;
  Gather gather(kFirst, 4, {PolicyKind::quorum, 2, {}});
  gather.open(Round{1}, reaction);
  gather.take(answer(3, 1), reaction);
  CHECK_FALSE(gather.ready());
  gather.take(answer(1, 1), reaction);
  REQUIRE(gather.ready());
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(record.arrived == 2);
  CHECK(ids(record.late) == std::vector<std::uint32_t>{3, 5});
  gather.open(Round{2}, reaction);
  CHECK(gather.take(answer(0, 2), reaction) == Answer::used);
  // Its answer to round 1 comes after that to round 2: still the first copy of it.
  CHECK(gather.take(answer(0, 1), reaction) == Answer::stale);
  CHECK(gather.take(answer(0, 1), reaction) == Answer::duplicate);
  CHECK(gather.take(answer(0, 2), reaction) == Answer::duplicate);
  CHECK(gather.arrived() == 1);
  REQUIRE(reaction.observations().size() == 1);
  const auto stale = std::get<StaleObserved>(reaction.observations()[0].observation);
  CHECK(stale.round == Round{1});
  CHECK(stale.from == kFirst);
}

TEST_CASE("a quorum larger than the group means everybody") {
  Reaction reaction;
  Gather gather(kFirst, 2, {PolicyKind::quorum, 9, {}});
  gather.open(Round{1}, reaction);
  gather.take(answer(0, 1), reaction);
  CHECK_FALSE(gather.ready());
  gather.take(answer(1, 1), reaction);
  CHECK(gather.ready());
}

TEST_CASE("deadline closes with what has arrived, but not below its quorum") {
  Reaction reaction;
  Gather gather(kFirst, 4, {PolicyKind::deadline, 2, Duration::seconds(1)});
  gather.open(Round{1}, reaction);
  REQUIRE(count_of<SetTimerEffect>(reaction) == 1);
  const auto set = std::get<SetTimerEffect>(reaction.effects()[0]);
  CHECK(set.after == Duration::seconds(1));
  gather.take(answer(0, 1), reaction);
  CHECK(gather.on_timer(set.timer));
  CHECK_FALSE(gather.ready());  // one answer, two wanted: the round goes on until then
  gather.take(answer(2, 1), reaction);
  REQUIRE(gather.ready());
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(ids(record.late) == std::vector<std::uint32_t>{4, 6});
  CHECK(count_of<CancelTimerEffect>(reaction) == 0);

  // Before the deadline even the quorum isn't enough; everybody is, and then the timer goes.
  gather.open(Round{2}, reaction);
  for (std::uint32_t member = 0; member < 4; ++member) {
    CHECK_FALSE(gather.ready());
    gather.take(answer(member, 2), reaction);
  }
  REQUIRE(gather.ready());
  gather.close(reaction, record);
  CHECK(record.late.empty());
  CHECK(count_of<CancelTimerEffect>(reaction) == 1);
}

TEST_CASE("the deadline of a closed round doesn't close another one") {
  Reaction reaction;
  Gather gather(kFirst, 1, {PolicyKind::deadline, 1, Duration::seconds(1)});
  gather.open(Round{1}, reaction);
  const auto first = std::get<SetTimerEffect>(reaction.effects()[0]).timer;
  gather.take(answer(0, 1), reaction);
  RoundEnded record;
  gather.close(reaction, record);
  CHECK_FALSE(gather.on_timer(first));
  gather.open(Round{2}, reaction);
  CHECK_FALSE(gather.on_timer(first));
}

TEST_CASE("answers of non-members and to rounds that were never opened are stale and don't count") {
  Reaction reaction;
  Gather gather(kFirst, 2, {});
  gather.open(Round{5}, reaction);
  CHECK(gather.take(answer(2, 5), reaction) == Answer::stale);
  CHECK(gather.take({NodeId{0}, Round{5}, {}}, reaction) == Answer::stale);
  CHECK(gather.take(answer(0, 6), reaction) == Answer::stale);
  CHECK(gather.take(answer(0, 0), reaction) == Answer::stale);
  CHECK(gather.arrived() == 0);
  CHECK(gather.take(answer(0, 5), reaction) == Answer::used);
  CHECK(reaction.observations().size() == 4);
}

TEST_CASE("a round's record of rounds seen agrees with a plain set within 32 rounds") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    RoundsSeen seen;
    std::set<std::uint32_t> reference;
    std::uint32_t newest = 0;
    for (int step = 0; step < 200; ++step) {
      const std::uint32_t low = newest > 32 ? newest - 32 : 1;
      const std::uint32_t round = low + static_cast<std::uint32_t>(random() % 40);
      const bool first = reference.insert(round).second;
      const Sight expected = !first           ? Sight::repeated
                             : round > newest ? Sight::newest
                                              : Sight::overtaken;
      REQUIRE(seen.see(Round{round}) == expected);
      newest = std::max(newest, round);
      REQUIRE(seen.newest() == Round{newest});
      for (std::uint32_t r = newest > 32 ? newest - 32 : 1; r <= newest + 2; ++r)
        REQUIRE(seen.has(Round{r}) == (reference.count(r) > 0));
    }
  }
}

TEST_CASE("a round older than the window counts as seen") {
  RoundsSeen seen;
  seen.see(Round{1000});
  CHECK(seen.see(Round{967}) == Sight::repeated);
  CHECK(seen.see(Round{968}) == Sight::overtaken);
  CHECK(seen.see(Round{0}) == Sight::repeated);
}

TEST_CASE("a round's record sums the time that used answers waited for its end") {
  Reaction reaction(Time{100}, NodeId{0});
  Gather gather(kFirst, 4, {PolicyKind::quorum, 3, {}});
  gather.open(Round{1}, reaction);
  const std::int64_t arrivals[] = {107, 107, 130};
  for (std::uint32_t member = 0; member < 3; ++member) {
    reaction.reset(Time{arrivals[member]}, NodeId{0});
    gather.take(answer(member, 1), reaction);
  }
  reaction.reset(Time{135}, NodeId{0});
  RoundEnded record;
  gather.close(reaction, record);
  CHECK(record.waited.ns == 28 + 28 + 5);
}

TEST_CASE("gathering costs 8 bytes per member") { CHECK(sizeof(RoundsSeen) == 8); }

}  // namespace
}  // namespace posse::test_gather
