// SPDX-License-Identifier: Apache-2.0
// Virtual time and accounts of runs whose course is known in closed form.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_timing {
namespace {

test::Run echo(std::uint32_t clients, std::int64_t rounds, Duration work = {}, Policy policy = {}) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  parameters.set("request_bytes", std::int64_t{256});
  parameters.set("reply_bytes", std::int64_t{128});
  parameters.set("work", work);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1}, nullptr, policy);
}
Duration ms(double x) { return Duration::seconds(x * 1e-3); }
const TypeAccount& account(const RunOutcome& outcome, std::string_view type) {
  for (const auto& a : outcome.accounts)
    if (a.type == type) return a;
  FAIL("no account of " << type);
  std::abort();
}

}  // namespace

TEST_CASE("a round of echo takes two latencies and the work, every message and byte is counted") {
  auto run = echo(7, 5, ms(3));
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.finished_at == Time{} + ms(5 * (50 + 3 + 50)));
  REQUIRE(out.rounds.size() == 5);
  CHECK(out.rounds[2].began == Time{} + ms(206));
  CHECK(out.rounds[2].ended == Time{} + ms(309));
  CHECK(out.rounds[2].messages == 14);
  CHECK(out.rounds[2].bytes == 7 * (256 + 128));
  CHECK(out.rounds[2].bytes_so_far == 3 * 7 * (256 + 128));
  CHECK(out.rounds[4].values_so_far == out.total(&TypeAccount::values));
  CHECK(out.rounds[2].compute == ms(7 * 3));
  CHECK(out.rounds[2].propagation == ms(14 * 50));
  CHECK(out.rounds[2].waiting == Duration{});
  CHECK(account(out, "EchoRequest").sent == 35);
  CHECK(account(out, "EchoRequest").direction == Direction::down);
  CHECK(account(out, "EchoReply").delivered == 35);
  CHECK(account(out, "EchoReply").direction == Direction::up);
  CHECK(out.total(&TypeAccount::bytes) == 35 * 384);
  CHECK(out.deliveries == 70);
  CHECK(out.events == 8 + 35 * 3);  // starts; a request arrives, its reply departs and arrives
  CHECK(out.lossless);
}

TEST_CASE("a single nanosecond of work is booked") {
  auto run = echo(7, 2, Duration{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.rounds.size() == 2);
  for (const auto& round : out.rounds) CHECK(round.compute == Duration{7});
}

TEST_CASE("headers count in every message's size") {
  auto run = echo(2, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  run.spec.network.header_bytes = 40;
  CHECK(run_serial(run.spec).outcome.total(&TypeAccount::bytes) == 2 * (384 + 80));
}

TEST_CASE("the server waits for the slowest, and the wait is booked") {
  auto run = echo(3, 2, ms(10));
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  run.spec.network.nodes = {{.nodes = "client-1", .straggler = 5.0}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.finished_at == Time{} + ms(2 * (20 + 50 + 20)));
  CHECK(out.rounds[0].waiting == ms(2 * 40));  // two answers waited 40 ms
}

TEST_CASE("a rate makes the server's broadcast leave one after the other") {
  auto run = echo(4, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  run.spec.network.nodes = {{.nodes = "server", .rate_up = Rate{256 * 8 * 100.0}}};  // 10 ms each
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.finished_at == Time{} + ms(4 * 10 + 10 + 10));
  CHECK(out.rounds[0].transfer == ms(40));
  CHECK(out.rounds[0].queueing == ms(10 + 20 + 30));
}

TEST_CASE("a quorum closes a round at its k-th answer, a deadline when it has passed") {
  Policy quorum{.kind = PolicyKind::quorum, .quorum = 2};
  auto run = echo(3, 1, ms(10), quorum);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  run.spec.network.nodes = {{.nodes = "client-1", .straggler = 5.0}};
  auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.rounds[0].ended == Time{} + ms(50));
  CHECK(out.rounds[0].arrived == 2);
  CHECK(out.rounds[0].late == std::vector<NodeId>{{2}});

  Policy deadline{.kind = PolicyKind::deadline, .deadline = ms(70)};
  auto timed = echo(3, 1, ms(10), deadline);
  timed.spec.network = run.spec.network;
  out = run_serial(timed.spec).outcome;
  CHECK(out.rounds[0].ended == Time{} + ms(70));
  CHECK(out.rounds[0].arrived == 2);
}

TEST_CASE("reliable transport: the lost message comes again after the timeout") {
  auto run = echo(2, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission = {.timeout = ms(100), .backoff = 2, .max_timeout = ms(150)};
  run.spec.network.drops = {{.type = "EchoReply", .from = "client-1"}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.finished_at == Time{} + ms(20 + 100 + 20));
  CHECK(account(out, "EchoReply").sent == 2);
  CHECK(account(out, "EchoReply").repeated == 1);
  CHECK(account(out, "EchoReply").dropped_loss == 1);
  CHECK(account(out, "EchoReply").delivered == 2);
  CHECK(out.total(&TypeAccount::sent, "Ack") == 4);
  CHECK(account(out, "Ack").bytes % 8 == 0);
}

TEST_CASE("reliable transport: a lost acknowledgement costs a repetition that is discarded") {
  auto run = echo(1, 5);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission = {.timeout = ms(100)};
  run.spec.network.drops = {{.type = "Ack", .round = Round{1}, .from = "server"}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.finished_at == Time{} + ms(200));
  CHECK(account(out, "EchoReply").repeated >= 1);
  CHECK(account(out, "EchoReply").discarded == account(out, "EchoReply").repeated);
}

TEST_CASE("retransmissions back off up to the cap and give up after max_tries") {
  auto run = echo(1, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}},
                            {.from = "client", .loss = BernoulliLoss{1.0}}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission = {
      .timeout = ms(100), .backoff = 2, .max_timeout = ms(300), .max_tries = 4};
  const auto result = run_serial(run.spec);
  CHECK(result.outcome.status == RunStatus::stalled);
  CHECK(account(result.outcome, "EchoReply").repeated == 3);
  // Sent at 10, 110, 310, 610 ms; given up 300 ms later.
  CHECK(result.outcome.last_event == Time{} + ms(910));
  CHECK(result.outcome.report.find("sent at 0.01 s (never acknowledged, 4 tries)") !=
        std::string::npos);
}

TEST_CASE("a copy does not occupy its sender's line, but that of its receiver") {
  // A byte takes 1 ms: a request 256 ms, a reply 128 ms.
  auto run = echo(1, 2);
  run.spec.network.links = {
      {.latency = ConstantDuration{ms(10)}, .duplication = 1.0, .rate = Rate{8000}}};
  auto out = run_serial(run.spec).outcome;
  CHECK(out.finished_at == Time{} + ms(2 * (256 + 10 + 128 + 10)));
  CHECK(out.rounds[1].transfer == ms(256 + 128));
  CHECK(out.rounds[1].queueing == Duration{});
  CHECK(account(out, "EchoRequest").duplicated == 2);

  // At the client the first request comes in from 10 to 266 ms, its copy until 522 ms. The second
  // request is there at 286 ms and waits for that copy, its own copy waits for both.
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}},
                            {.to = "client-0", .duplication = 1.0}};
  run.spec.network.nodes = {{.nodes = "client-0", .rate_down = Rate{8000}}};
  out = run_serial(run.spec).outcome;
  CHECK(out.rounds[0].ended == Time{} + ms(276));
  CHECK(out.finished_at == Time{} + ms(522 + 256 + 10));
  CHECK(out.rounds[1].queueing == ms((522 - 286) + (522 + 256 - 286)));
}

TEST_CASE("duplicates change nothing but the counts") {
  auto run = echo(5, 4);
  run.spec.network.links = {{.latency = UniformDuration{ms(10), ms(90)}, .duplication = 1.0}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.rounds.size() == 4);
  CHECK(account(out, "EchoRequest").sent == 20);
  CHECK(account(out, "EchoRequest").duplicated == 20);
  CHECK(account(out, "EchoReply").sent == 20);
}

}  // namespace posse::test_timing
