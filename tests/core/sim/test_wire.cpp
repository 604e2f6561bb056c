// SPDX-License-Identifier: Apache-2.0
// Headers and handshakes of protocol stacks: sizes of messages, and the accounts of whole runs.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "core/network/wire.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_wire {
namespace {

/// Five rounds of requests of 256 bytes and replies of 128, with two clients.
test::Run echo(std::optional<Wire> wire) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{5});
  parameters.set("request_bytes", std::int64_t{256});
  parameters.set("reply_bytes", std::int64_t{128});
  test::Run run(echo_algorithm(), parameters, 2, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
  run.spec.network.wire = wire;
  if (wire) run.spec.network.transport = wire_format(*wire).transport;
  return run;
}

}  // namespace

TEST_CASE("a message has the bytes of its headers, per segment") {
  const auto size = [](Wire wire, std::uint64_t payload) {
    return wire_format(wire).size_bytes(payload);
  };
  CHECK(size(Wire::udp, 0) == 28);
  CHECK(size(Wire::udp, 1472) == 1472 + 28);
  CHECK(size(Wire::udp, 1473) == 1473 + 2 * 28);
  CHECK(size(Wire::tcp, 100) == 140);
  CHECK(size(Wire::tcp, 1460) == 1500);
  CHECK(size(Wire::tcp, 14'601) == 14'601 + 11 * 40);
  CHECK(size(Wire::quic, 1) == 1 + 20 + 8 + 11 + 16 + 8);
  CHECK(size(Wire::quic, 1165) == 1228);  // a datagram of 1200 bytes
  CHECK(size(Wire::quic, 1166) == 1166 + 2 * 63);
  CHECK(size(Wire::grpc, 100) == 100 + 5 + 9 + 19 + 40);
  CHECK(size(Wire::grpc, 1427) == 1500);
  CHECK(size(Wire::grpc, 1428) == 1428 + 33 + 2 * 40);
  // Two DATA frames: 16379 bytes and the prefix fill the first.
  CHECK(size(Wire::grpc, 16'379) == 16'379 + 33 + 12 * 40);
  CHECK(size(Wire::grpc, 16'380) == 16'380 + 33 + 9 + 12 * 40);
}

TEST_CASE("headers count in every message's bytes and not in its payload") {
  const auto out = run_serial(echo(Wire::udp).spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  CHECK(out.total(&TypeAccount::bytes) == 10 * (256 + 128 + 2 * 28));
  CHECK(out.total(&TypeAccount::header_bytes) == 20 * 28);
  CHECK(out.total(&TypeAccount::wire_bytes) == out.total(&TypeAccount::bytes));
}

TEST_CASE("a handshake counts once for each two nodes, in the bytes on the wire only") {
  const auto out = run_serial(echo(Wire::tcp).spec).outcome;
  REQUIRE(out.status == RunStatus::finished);
  const auto wire = [&](std::string_view type) {
    return out.total(&TypeAccount::wire_bytes, type);
  };
  CHECK(out.total(&TypeAccount::bytes, "EchoRequest") == 10 * 296);
  CHECK(out.total(&TypeAccount::bytes, "EchoReply") == 10 * 168);
  // The server answers two connections; each client opens one with its first transmission, an
  // acknowledgement.
  CHECK(wire("EchoRequest") == 10 * 296 + 2 * 40);
  CHECK(wire("EchoReply") == 10 * 168);
  // The run ends with the last replies: their acknowledgements leave no more.
  const auto acknowledgements = out.total(&TypeAccount::sent, kAcknowledgement);
  CHECK(wire(kAcknowledgement) == acknowledgements * 40 + 2 * 80);
}

TEST_CASE("the links' bytes on the wire add up to those of the messages, lost ones included") {
  for (const auto wire :
       {std::optional<Wire>(), std::optional(Wire::tcp), std::optional(Wire::grpc)}) {
    auto run = echo(wire);
    run.spec.network.links.front().loss = BernoulliLoss{0.2};
    run.spec.network.links.front().duplication = 0.2;
    run.spec.network.transport = Transport::reliable;
    const auto out = run_serial(run.spec).outcome;
    REQUIRE(out.links.size() == 4);
    std::uint64_t bytes = 0;
    for (const auto& link : out.links) {
      CHECK(link.wire_bytes > 0);
      bytes += link.wire_bytes;
    }
    CHECK(bytes == out.total(&TypeAccount::wire_bytes));
  }
}

TEST_CASE("a wire format changes no time and no message without a rate") {
  for (const Wire wire : kWires) {
    auto run = echo(wire);
    auto same = echo({});
    same.spec.network.transport = run.spec.network.transport;
    const auto a = run_serial(run.spec).outcome, b = run_serial(same.spec).outcome;
    CHECK(a.ingredients.deliveries == b.ingredients.deliveries);
    CHECK(a.finished_at == b.finished_at);
    CHECK(a.total(&TypeAccount::sent) == b.total(&TypeAccount::sent));
    CHECK(a.total(&TypeAccount::bytes) > b.total(&TypeAccount::bytes));
    for (const std::size_t threads : {1, 2})
      CHECK(run_windows(run.spec, threads).outcome.fingerprint == a.fingerprint);
  }
}

TEST_CASE("headers take time at a rate, as header_bytes do, and handshakes take none") {
  auto run = echo(Wire::udp);
  auto same = echo({});
  same.spec.network.header_bytes = 28;
  for (auto* spec : {&run.spec, &same.spec})
    spec->network.nodes = {{.nodes = "server", .rate_up = Rate{8e5}}};
  CHECK(run_serial(run.spec).outcome.fingerprint == run_serial(same.spec).outcome.fingerprint);
  auto reliable = echo(Wire::quic);
  reliable.spec.network.nodes = {{.nodes = "server", .rate_up = Rate{8 * 319e3}}};  // 1 ms each
  CHECK(run_serial(reliable.spec).outcome.rounds[0].ended ==
        Time{} + Duration::seconds(0.05 + 0.05 + 0.002));
}

}  // namespace posse::test_wire
