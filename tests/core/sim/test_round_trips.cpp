// SPDX-License-Identifier: Apache-2.0
// Time-outs from measured round trips (RFC 6298), and repetitions that were needless.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "core/sim/repeated_messages.hpp"
#include "core/sim/round_trips.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_round_trips {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at(double x) { return Time{} + ms(x); }
constexpr LinkId kLink{0};

Retransmission unclamped() {
  Retransmission rule;
  rule.timeout = TimeOut::Rule::measured;
  rule.min_timeout = Duration{1};
  return rule;
}

/// A message with this number goes and comes back in so many milliseconds.
void round_trip(RoundTrips& trips, std::uint32_t number, double took) {
  trips.sent(kLink, number, false, at(0));
  trips.acknowledged(kLink, number, at(took));
}

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  test::Run run(echo_algorithm(), parameters, clients, Seed{7});
  run.spec.network.transport = Transport::reliable;
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  return run;
}

}  // namespace

TEST_CASE("round trips of 100, 100 and 200 ms give waits of 300, 250 and 325 ms") {
  const Retransmission rule = unclamped();
  RoundTrips trips(rule, 1);
  CHECK_FALSE(trips.wait(kLink));
  round_trip(trips, 0, 100);
  CHECK(trips.wait(kLink) == ms(300));
  round_trip(trips, 1, 100);
  CHECK(trips.wait(kLink) == ms(250));
  round_trip(trips, 2, 200);
  CHECK(trips.wait(kLink) == ms(325));
}

TEST_CASE("measured waits keep to their limits, and to the granularity") {
  Retransmission rule = unclamped();
  rule.granularity = ms(500);
  RoundTrips coarse(rule, 1);
  round_trip(coarse, 0, 100);
  CHECK(coarse.wait(kLink) == ms(600));
  rule.max_timeout = ms(250);
  RoundTrips capped(rule, 1);
  round_trip(capped, 0, 100);
  CHECK(capped.wait(kLink) == ms(250));
  rule = unclamped();
  rule.min_timeout.reset();
  RoundTrips usual(rule, 1);
  round_trip(usual, 0, 10);
  CHECK(usual.wait(kLink) == ms(200));
}

TEST_CASE("a message that was sent again gives no round trip") {
  const Retransmission rule = unclamped();
  RoundTrips trips(rule, 1);
  trips.sent(kLink, 0, false, at(0));
  trips.sent(kLink, 0, true, at(50));
  trips.acknowledged(kLink, 0, at(60));
  CHECK_FALSE(trips.wait(kLink));
  trips.acknowledged(kLink, 0, at(90));
  CHECK_FALSE(trips.wait(kLink));
}

TEST_CASE("waits grow when they are over in vain, once for all under way, until the next sample") {
  const Retransmission rule = unclamped();
  RoundTrips trips(rule, 1);
  round_trip(trips, 0, 100);
  trips.sent(kLink, 1, false, at(0));
  trips.sent(kLink, 2, false, at(0));
  trips.expired(kLink, 1);
  CHECK(trips.wait(kLink) == ms(600));
  trips.expired(kLink, 2);  // sent before the wait grew
  CHECK(trips.wait(kLink) == ms(600));
  trips.sent(kLink, 1, true, at(300));
  trips.expired(kLink, 1);
  CHECK(trips.wait(kLink) == ms(1200));
  round_trip(trips, 3, 100);
  CHECK(trips.wait(kLink) == ms(250));
  for (std::uint32_t number = 4; number < 40; ++number) {
    trips.sent(kLink, number, false, at(0));
    trips.expired(kLink, number);
  }
  CHECK(trips.wait(kLink) == rule.max_timeout);
  trips.forget(kLink);
  CHECK_FALSE(trips.wait(kLink));
}

TEST_CASE("a latency that rises is learnt after a few needless repetitions") {
  auto run = echo(1, 60);
  using Step = StepTrace<Duration>::Step;
  run.spec.network.links = {{.latency = TraceDuration{std::make_shared<const StepTrace<Duration>>(
                                 std::vector<Step>{{Time{}, ms(20)}, {at(1000), ms(400)}})}}};
  run.spec.network.retransmission.timeout = TimeOut::Rule::measured;
  // Before the first round trip the wait rests on the largest latency.
  run.spec.network.retransmission.min_timeout = ms(200);
  const auto& outcome = run_serial(run.spec).outcome;
  REQUIRE(outcome.status == RunStatus::finished);
  const auto needless = outcome.total(&TypeAccount::needless);
  CHECK(needless > 0);
  CHECK(needless <= 10);  // two links
  CHECK(needless == outcome.total(&TypeAccount::repeated));
  for (const auto& row : outcome.rounds)
    if (row.began > at(8000)) CHECK(row.needless == 0);
}

TEST_CASE(
    "of more than 255 copies, some of which the network duplicated, the trace has as many "
    "needless ones as the account") {
  auto run = echo(2, 3);
  run.spec.network.links = {{.latency = ConstantDuration{ms(400)}, .duplication = 0.3}};
  run.spec.network.retransmission = {.timeout = ms(1), .backoff = 1, .max_tries = 5000};
  run.spec.trace_messages = true;
  const auto result = run_serial(run.spec);
  REQUIRE(result.outcome.status == RunStatus::finished);
  std::uint64_t traced = 0, saturated = 0;
  for (const auto& message : result.messages) {
    traced += message.needless;
    saturated += message.tries == kManyTries;
  }
  CHECK(saturated > 1000);
  CHECK(traced == result.outcome.total(&TypeAccount::needless));
}

TEST_CASE("a repetition is needless if an acknowledgement of an earlier copy comes after it") {
  RepeatedMessages repeated;
  const auto needless = [&](std::uint32_t number, std::uint8_t tries) {
    const auto found = repeated.acknowledged(kLink, number, tries);
    return found ? found->count() : 0u;
  };
  repeated.sent({at(0), 3, 1, 1}, kLink, 7, 10);
  repeated.sent({at(0), 3, 2, 2}, kLink, 7, 10);
  repeated.sent({at(0), 3, 3, 3}, kLink, 7, 10);
  CHECK(needless(6, 0) == 0);  // was not sent again
  CHECK(needless(7, 3) == 0);  // of the last copy
  CHECK(needless(7, 2) == 1);
  CHECK(needless(7, 2) == 0);  // the network duplicated it
  CHECK(needless(7, 0) == 2);
  CHECK(needless(7, 1) == 0);
  repeated.sent({at(0), 3, 1, 1}, kLink, 8, 2);
  repeated.sent({at(0), 3, 1, 1}, kLink, 9, 2);  // the oldest one is forgotten
  CHECK(repeated.find(kLink, 7) == nullptr);
  CHECK(repeated.find(kLink, 8) != nullptr);
  repeated.forget(kLink);
  CHECK(repeated.find(kLink, 8) == nullptr);
  // Copies with very large numbers are not told apart.
  repeated.sent({at(0), 3, 300, 300}, kLink, 10, 2);
  CHECK(needless(10, kManyTries) == 0);
  CHECK(needless(10, 254) == 46);
}

TEST_CASE("a stated time-out below the round trip sends every message again needlessly") {
  for (const bool traced : {false, true}) {
    auto run = echo(3, 5);
    run.spec.network.retransmission.timeout = ms(60);
    run.spec.trace_messages = traced;
    const auto result = run_serial(run.spec);
    for (const auto& account : result.outcome.accounts) {
      if (account.type == kAcknowledgement) continue;
      // The run ends before the last answers would be sent again.
      const auto again = account.sent - (account.type == "EchoReply" ? 3 : 0);
      CHECK(account.needless == again);
      CHECK(account.repeated == again);
      CHECK(account.needless_trip == ms(100));
    }
    for (const auto& row : result.outcome.rounds)
      CHECK(row.needless == (row.round.value < 5 ? 6u : 3u));
    if (traced)
      for (const auto& message : result.messages) CHECK(message.needless == (message.tries == 1));
  }
  auto run = echo(3, 5);
  run.spec.network.retransmission.timeout = TimeOut::Rule::derived;
  CHECK(run_serial(run.spec).outcome.total(&TypeAccount::repeated) == 0);
}

TEST_CASE("a repetition of a message that was lost is not needless") {
  auto run = echo(10, 40);
  run.spec.network.links.front().loss = BernoulliLoss{0.2};
  run.spec.network.retransmission.timeout = TimeOut::Rule::derived;
  const auto& outcome = run_serial(run.spec).outcome;
  CHECK(outcome.total(&TypeAccount::repeated) > 50);
  CHECK(outcome.total(&TypeAccount::needless) == 0);
}

TEST_CASE("recorded needless copies are as many as the account says, duplicates apart") {
  auto run = echo(10, 40);
  run.spec.network.links = {{.latency = ExponentialDuration{ms(50), ms(5)},
                             .loss = BernoulliLoss{0.1},
                             .duplication = 0.3}};
  run.spec.network.retransmission.timeout = ms(80);
  run.spec.trace_messages = true;
  const auto result = run_serial(run.spec);
  const auto needless = result.outcome.total(&TypeAccount::needless);
  CHECK(needless > 50);
  CHECK(std::uint64_t(std::ranges::count_if(
            result.messages, [](const auto& message) { return message.needless; })) == needless);
}

TEST_CASE("derived time-outs count from when a copy has left its sender's lines") {
  // 100 messages of 264 bytes wait for the server's line: the last one leaves after 211 ms.
  auto run = echo(100, 3);
  run.spec.network.nodes = {{.nodes = "server", .rate_up = Rate{1e6}}};
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.retransmission.timeout = ms(40);
  CHECK(run_serial(run.spec).outcome.total(&TypeAccount::needless) > 200);
  run.spec.network.retransmission.timeout = TimeOut::Rule::derived;
  CHECK(run_serial(run.spec).outcome.total(&TypeAccount::repeated) == 0);
}

}  // namespace posse::test_round_trips
