// SPDX-License-Identifier: Apache-2.0
// The central regression test: the serial kernel, the window engine and the actors, on any number
// of threads, are one and the same simulator.
#include <array>
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "actors/host/run.hpp"
#include "tests/support/chatter_simulation.hpp"

namespace posse::test_kernels_agree {
namespace {

// The thread sanitizer slows this down more than tenfold, needs fewer networks to see what it looks
// for, and sees nothing on one thread.
#if defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kFirst = 100;  // number 19 has as many events as all before it
constexpr std::uint64_t kNetworks = 10;
constexpr std::array<std::size_t, 2> kThreads{2, 4};
#else
constexpr std::uint64_t kFirst = 0;
constexpr std::uint64_t kNetworks = 75;  // of each topology
constexpr std::array<std::size_t, 3> kThreads{1, 2, 4};
#endif

bool same_books(const RunOutcome& a, const RunOutcome& b) {
  if (a.accounts.size() != b.accounts.size()) return false;
  for (std::size_t i = 0; i < a.accounts.size(); ++i) {
    const auto &x = a.accounts[i], &y = b.accounts[i];
    if (x.type != y.type || x.direction != y.direction ||
        static_cast<const CopyCounts&>(x) != static_cast<const CopyCounts&>(y))
      return false;
  }
  return true;
}

bool same_messages(const std::vector<MessageRecord>& a, const std::vector<MessageRecord>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].type != b[i].type || a[i].from != b[i].from || a[i].to != b[i].to ||
        a[i].sent != b[i].sent || a[i].delivered != b[i].delivered ||
        a[i].outcome != b[i].outcome || a[i].cause != b[i].cause || a[i].bytes != b[i].bytes)
      return false;
  return true;
}

/// Runs one random network after another, those of every other number, on all kernels.
void check_kernels(Topology topology) {
  std::size_t with_loss = 0, with_ties = 0, serial_order = 0, reliable = 0;
  std::size_t changing = 0, with_handshakes = 0, finished = 0, stalled = 0, deciding_early = 0;
  std::size_t shared_windows = 0, ended_early = 0, after_finish = 0, crashes = 0;
  const std::uint64_t first = kFirst + (topology == Topology::star ? 1 : 0);
  for (std::uint64_t number = first; number < kFirst + 2 * kNetworks; number += 2) {
    const auto nodes = static_cast<std::uint32_t>(2 + number * number % 200);
    const auto algorithm = test::chatter_spec(topology);
    const test::Chatter protocol(nodes, topology, Seed{number});
    auto spec = test::chatter_simulation(number, algorithm, protocol);
    spec.trace_messages = true;
    const auto serial = run_serial(spec);
    INFO("network " << number << ", " << nodes << " nodes: " << serial.outcome.report);
    // Some of these nodes never finish.
    const bool stalls = serial.outcome.status == RunStatus::stalled;
    REQUIRE((stalls || serial.outcome.status == RunStatus::finished));
    REQUIRE(serial.outcome.deliveries > 0);
    stalled += stalls;
    finished += !stalls;
    deciding_early += serial.outcome.early_decisions > 0;
    with_loss += !serial.outcome.lossless;
    with_ties += serial.outcome.ties > 0;
    reliable += spec.network.transport == Transport::reliable;
    shared_windows += nodes >= 128;
    const auto& last = spec.network.links.back();
    changing += last.latency_factor || (last.rate && last.rate->trace);
    with_handshakes += spec.network.wire && *spec.network.wire != Wire::udp;
    ended_early += serial.outcome.total(&TypeAccount::in_flight) > 0;
    crashes += serial.outcome.total(&TypeAccount::dropped_crash) > 0;
    after_finish += serial.outcome.total(&TypeAccount::after_finish) > 0;
    const auto check = [&](const SimulationResult& other) {
      CHECK(other.outcome.fingerprint == serial.outcome.fingerprint);
      CHECK(other.outcome.events == serial.outcome.events);
      CHECK(other.outcome.ties == serial.outcome.ties);
      CHECK(other.outcome.early_decisions == serial.outcome.early_decisions);
      CHECK(other.outcome.report == serial.outcome.report);
      CHECK(same_books(serial.outcome, other.outcome));
      CHECK(same_messages(serial.messages, other.messages));
      CHECK(other.faults == serial.faults);
    };
    for (const std::size_t threads : kThreads) {
      check(run_windows(spec, threads));
      const auto on_actors = run_actors(spec, {.threads = threads});
      check(on_actors);
      if (threads == 2) serial_order += !on_actors.note.empty();
    }
    spec.trace_messages = false;
    CHECK(run_actors(spec, {.threads = 2}).outcome.fingerprint == serial.outcome.fingerprint);
  }
  // The rare branches were reached.
  CHECK(with_loss > kNetworks / 3);
  CHECK(with_ties > kNetworks / 15);
  CHECK(serial_order > kNetworks / 40);
  CHECK(reliable > kNetworks / 4);
  CHECK(shared_windows > kNetworks / 6);
  CHECK(ended_early > kNetworks / 4);
  CHECK(crashes > kNetworks / 6);
  CHECK(changing > kNetworks / 8);
  CHECK(with_handshakes > kNetworks / 10);
  CHECK(finished > 0);
  CHECK(stalled + deciding_early > 0);
  if (topology == Topology::star) CHECK(after_finish > kNetworks / 4);
}

}  // namespace

TEST_CASE("all kernels and thread counts give one fingerprint on random stars", "[fingerprints]") {
  check_kernels(Topology::star);
}

TEST_CASE("all kernels and thread counts give one fingerprint on random meshes", "[fingerprints]") {
  check_kernels(Topology::full_mesh);
}

TEST_CASE("another seed gives another run") {
  const auto algorithm = test::chatter_spec(Topology::star);
  const test::Chatter one(20, Topology::star, Seed{1}), two(20, Topology::star, Seed{2});
  const auto a = run_serial(test::chatter_simulation(1, algorithm, one));
  auto other = test::chatter_simulation(1, algorithm, two);
  CHECK(run_serial(other).outcome.fingerprint != a.outcome.fingerprint);
  other = test::chatter_simulation(1, algorithm, one);
  other.seed = Seed{3};  // the same conversation on a network with other draws
  CHECK(run_serial(other).outcome.fingerprint != a.outcome.fingerprint);
}

TEST_CASE("paced time changes nothing but the wall clock") {
  const auto algorithm = test::chatter_spec(Topology::star);
  const test::Chatter protocol(5, Topology::star, Seed{7});
  const auto spec = test::chatter_simulation(7, algorithm, protocol);
  const auto virtual_time = run_actors(spec, {});
  const double pace = virtual_time.outcome.last_event.to_seconds() / 0.05;  // lasts 50 ms
  const auto paced = run_actors(spec, {.threads = 2, .pace = pace});
  CHECK(paced.outcome.fingerprint == virtual_time.outcome.fingerprint);
}

TEST_CASE("a cancelled paced run ends early with what it has") {
  const auto& algorithm = echo_algorithm();
  auto parameters = default_parameters(algorithm.parameters);
  parameters.set("rounds", std::int64_t{1000});
  ProtocolContext context;
  context.clients = 2;
  const auto protocol = algorithm.make(parameters, context);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = protocol.get();
  spec.network.links.push_back({.latency = ConstantDuration{Duration::seconds(10)}});
  Progress progress;
  progress.cancel = true;
  const auto result = run_actors(spec, {.pace = 1}, &progress);
  CHECK(result.outcome.status == RunStatus::stopped);
  CHECK(result.outcome.rounds.empty());
}

TEST_CASE("a limit of wall time ends a run that would take for ever") {
  const auto& algorithm = echo_algorithm();
  auto parameters = default_parameters(algorithm.parameters);
  parameters.set("rounds", std::int64_t{2'000'000'000});
  ProtocolContext context;
  context.clients = 2;
  const auto protocol = algorithm.make(parameters, context);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = protocol.get();
  spec.limits.wall_seconds = 0.05;
  for (const double latency : {10.0, 0.0}) {  // in windows, and in serial order
    spec.network.links = {{.latency = ConstantDuration{Duration::seconds(latency)}}};
    const auto result = run_actors(spec, {});
    CHECK(result.outcome.status == RunStatus::limit_reached);
    CHECK(result.outcome.report.find("0.05 s of wall time") != std::string::npos);
    CHECK(result.outcome.rounds.size() > 0);
  }
}

namespace {

class Thrower final : public Role {
 public:
  void on_message(const Message&, Reaction&) override {
    throw std::runtime_error("division by cucumber");
  }
};
class Asker final : public Role {
 public:
  void on_start(Reaction& reaction) override {
    reaction.broadcast(NodeId{1}, 3, Round{1}, test::Gossip{1});
  }
  void on_message(const Message&, Reaction&) override {}
};
class Throwing final : public Protocol {
 public:
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", 3, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node.value == 0) return std::make_unique<Asker>();
    return std::make_unique<Thrower>();
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }
};

}  // namespace

TEST_CASE("a role that throws fails the run by name, on every kernel") {
  const auto algorithm = test::chatter_spec(Topology::star);
  const Throwing protocol;
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.network.links.push_back({.latency = ConstantDuration{Duration::seconds(0.25)}});
  for (const auto& result :
       {run_serial(spec), run_windows(spec, 2), run_actors(spec, {.threads = 2})}) {
    CHECK(result.outcome.status == RunStatus::failed);
    CHECK(result.outcome.report == "client-0 failed at 0.25 s: division by cucumber");
  }
}

}  // namespace posse::test_kernels_agree
