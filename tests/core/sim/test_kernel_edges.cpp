// SPDX-License-Identifier: Apache-2.0
// Where kernels once differed, hung or lost their order; every case came from a review.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_kernel_edges {
namespace {

using test::Gossip;

/// A protocol from two functions, for roles that a test writes in place.
struct Behaviour {
  std::function<void(NodeId, Reaction&)> start = [](NodeId, Reaction&) {};
  std::function<void(NodeId, TimerId, Reaction&)> timer = [](NodeId, TimerId, Reaction&) {};
  std::function<void(NodeId, const Message&, Reaction&)> message =
      [](NodeId, const Message&, Reaction&) {};
};

class ScriptedRole final : public Role {
 public:
  ScriptedRole(const Behaviour& behaviour, NodeId self) : behaviour_(behaviour), self_(self) {}
  void on_start(Reaction& reaction) override { behaviour_.start(self_, reaction); }
  void on_message(const Message& message, Reaction& reaction) override {
    behaviour_.message(self_, message, reaction);
  }
  void on_timer(TimerId timer, Reaction& reaction) override {
    behaviour_.timer(self_, timer, reaction);
  }

 private:
  const Behaviour& behaviour_;
  NodeId self_;
};

class Scripted final : public Protocol {
 public:
  Scripted(Behaviour behaviour, std::uint32_t clients)
      : behaviour_(std::move(behaviour)), clients_(clients) {}
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", clients_, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<ScriptedRole>(behaviour_, node);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  Behaviour behaviour_;
  std::uint32_t clients_;
};

const AlgorithmSpec& star() {
  static const AlgorithmSpec spec = test::chatter_spec(Topology::star);
  return spec;
}

/// Some time below 50 ms, in another order than the node ids.
Duration scattered(NodeId node) {
  return Duration{1'000'000 + (node.value * 617LL + 8) % 1000 * 40'000};
}

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

SimulationSpec specification(const Protocol& protocol, DurationDistribution latency) {
  SimulationSpec spec;
  spec.algorithm = &star();
  spec.protocol = &protocol;
  spec.network.links = {{.latency = latency}};
  return spec;
}

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1});
}

}  // namespace

TEST_CASE("a virtual-time limit inside the last window ends all kernels alike") {
  auto run = echo(3, 1000);
  run.spec.network.links = {{.latency = UniformDuration{ms(50), ms(52)}}};
  run.spec.limits.virtual_time = Time{} + ms(1020);
  const auto serial = run_serial(run.spec).outcome;
  CHECK(serial.status == RunStatus::limit_reached);
  for (const std::size_t threads : {1, 3}) {
    const auto windows = run_windows(run.spec, threads).outcome;
    CHECK(windows.status == serial.status);
    CHECK(windows.fingerprint == serial.fingerprint);
    CHECK(windows.total(&TypeAccount::in_flight) == serial.total(&TypeAccount::in_flight));
  }
}

TEST_CASE(
    "thousands of messages that reach a node at one instant are in order on any number of "
    "threads") {
  auto run = echo(3000, 3);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto expected = run_serial(run.spec).outcome.fingerprint;
  for (const std::size_t threads : {1, 2, 2, 2, 3, 4})
    CHECK(run_windows(run.spec, threads).outcome.fingerprint == expected);
}

TEST_CASE("networks of thousands of nodes, with every kind of fault, are the same on any threads") {
  const auto reliable = [](NetworkConfig& network) {
    network.transport = Transport::reliable;
    network.links = {{.latency = ExponentialDuration{ms(50), ms(5)}, .loss = BernoulliLoss{0.05}}};
  };
  const std::vector<std::function<void(NetworkConfig&)>> networks = {
      reliable,
      [&](NetworkConfig& network) {  // ties by the thousand
        reliable(network);
        network.links.front().latency = ConstantDuration{ms(50)};
      },
      [](NetworkConfig& network) {
        network.links = {
            {.latency = UniformDuration{ms(1), ms(20)}, .duplication = 0.2, .fifo = true}};
      },
      [](NetworkConfig& network) {
        network.links = {{.latency = ConstantDuration{ms(10)}}};
        network.nodes = {{.nodes = "server", .rate_up = Rate{1e8}, .rate_down = Rate{1e8}}};
      },
      [&](NetworkConfig& network) {
        reliable(network);
        network.node_faults = {{.nodes = {"client"},
                                .when = {.lasting = ms(20), .mean_gap = ms(400)},
                                .kind = NodeFaultKind::crash}};
      }};
  for (std::size_t i = 0; i < networks.size(); ++i) {
    INFO("network " << i);
    auto run = echo(2200, 3);
    networks[i](run.spec.network);
    const auto expected = run_serial(run.spec).outcome;
    CHECK(expected.status == RunStatus::finished);
    for (const std::size_t threads : {1, 2, 3}) {
      const auto outcome = run_windows(run.spec, threads).outcome;
      CHECK(outcome.fingerprint == expected.fingerprint);
      CHECK(outcome.events == expected.events);
      CHECK(outcome.total(&TypeAccount::delivered) == expected.total(&TypeAccount::delivered));
    }
  }
}

TEST_CASE("a node starts before it gets a message of the same instant") {
  std::vector<std::string> order;
  const Scripted protocol(
      {.start =
           [&](NodeId self, Reaction& r) {
             order.push_back(self == NodeId{0} ? "server starts" : "client starts");
             if (self == NodeId{0}) {
               r.send(NodeId{1}, Round{1}, Gossip{});
               r.finish();
             }
           },
       .message =
           [&](NodeId, const Message&, Reaction& r) {
             order.push_back("client hears");
             r.finish();
           }},
      1);
  const auto result = run_serial(specification(protocol, ConstantDuration{}));
  CHECK(result.outcome.status == RunStatus::finished);
  CHECK(order == std::vector<std::string>{"server starts", "client starts", "client hears"});
}

TEST_CASE("a timer of zero length that rearms itself for ever is cut by the limit of events") {
  const Scripted protocol(
      {.start = [](NodeId, Reaction& r) { r.set_timer_from_now(TimerId{1}, Duration{}); },
       .timer = [](NodeId, TimerId t, Reaction& r) { r.set_timer_from_now(t, Duration{}); }},
      2);
  auto spec = specification(protocol, ConstantDuration{ms(50)});
  spec.limits.events = 10000;
  for (const auto& result : {run_serial(spec), run_windows(spec, 1), run_windows(spec, 2)}) {
    CHECK(result.outcome.status == RunStatus::limit_reached);
    CHECK(result.outcome.events >= 10000);
    CHECK(result.outcome.events < 40000);
  }
}

TEST_CASE("of many failures the first in virtual time is reported, on any number of threads") {
  const Scripted protocol(
      {.start = [](NodeId n, Reaction& r) { r.set_timer_from_now(TimerId{1}, scattered(n)); },
       .timer = [](NodeId, TimerId, Reaction&) { throw std::runtime_error("enough"); }},
      999);
  const auto spec = specification(protocol, ConstantDuration{ms(50)});
  const auto serial = run_serial(spec).outcome;
  CHECK(serial.status == RunStatus::failed);
  CHECK(serial.report == "client-375 failed at 0.001 s: enough");
  for (const std::size_t threads : {1, 2, 4})
    CHECK(run_windows(spec, threads).outcome.report == serial.report);
}

TEST_CASE("anything that a role throws fails the run by name") {
  const Scripted protocol({.start =
                               [](NodeId n, Reaction&) {
                                 if (n.value == 1) throw 42;
                               }},
                          1);
  const auto out = run_serial(specification(protocol, ConstantDuration{ms(1)})).outcome;
  CHECK(out.status == RunStatus::failed);
  CHECK(out.report.rfind("client-0 failed at 0 s", 0) == 0);
}

TEST_CASE("of several nodes' recommendations the last in virtual time counts, on every kernel") {
  const Scripted protocol(
      {.start = [](NodeId n, Reaction& r) { r.set_timer_from_now(TimerId{1}, scattered(n)); },
       .timer =
           [](NodeId n, TimerId, Reaction& r) {
             r.observe(RecommendationObserved{{n.value / 1000.0}});
             r.finish();
           }},
      999);
  const auto problem = test::make_problem("garland", 999, 10, Seed{1});
  auto spec = specification(protocol, ConstantDuration{ms(50)});
  spec.problem = &problem;
  const auto serial = run_serial(spec).outcome;
  REQUIRE(serial.regret.recommendation.size() == 1);
  for (const std::size_t threads : {1, 2, 4}) {
    const auto windows = run_windows(spec, threads).outcome;
    CHECK(windows.regret.recommendation == serial.regret.recommendation);
    CHECK(windows.fingerprint == serial.fingerprint);
  }
}

TEST_CASE(
    "a run is finished once all nodes have finished, even if a limit cuts timers and "
    "acknowledgements") {
  auto run = echo(3, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission.timeout = Duration::seconds(1);
  run.spec.limits.virtual_time = Time{} + ms(500);
  CHECK(run_serial(run.spec).outcome.status == RunStatus::finished);
  CHECK(run_windows(run.spec, 2).outcome.status == RunStatus::finished);
}

TEST_CASE("a run whose server has not finished is stalled, though nobody says what it waits for") {
  const Scripted protocol({}, 2);
  const auto out = run_serial(specification(protocol, ConstantDuration{ms(1)})).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.report ==
        "no event is left, but the run is not finished:\n"
        "  server has not finished, and does not say what it waits for; it received nothing, and "
        "sent nothing\n");

  // Its clients have finished. One of their messages is lost.
  const Scripted clients({.start =
                              [](NodeId self, Reaction& r) {
                                if (self == NodeId{0})
                                  return r.broadcast(NodeId{1}, 2, Round{1}, Gossip{1});
                                r.send(NodeId{0}, Round{4}, Gossip{2});
                                r.finish();
                              }},
                         2);
  auto spec = specification(clients, ConstantDuration{ms(10)});
  spec.network.drops = {{.from = "client-0"}};
  const auto serial = run_serial(spec).outcome;
  CHECK(serial.status == RunStatus::stalled);
  CHECK(
      serial.report ==
      "no event is left, but the run is not finished:\n"
      "  server has not finished, and does not say what it waits for; it last received Gossip of "
      "round 4 from client-1 at 0.01 s, and last sent Gossip of round 1 to client-0 and 1 more at "
      "0 s\n"
      "    lost: Gossip of round 4 from client-0 to server, sent at 0 s (loss)\n"
      "  lost datagrams are not sent again: transport = \"reliable\" does that, a server policy of "
      "quorum or deadline goes on without them\n");
  for (const std::size_t threads : {1, 2})
    CHECK(run_windows(spec, threads).outcome.report == serial.report);
}

TEST_CASE("without a hub, each of at most five nodes that have not finished is named") {
  const AlgorithmSpec mesh = test::chatter_spec(Topology::full_mesh);
  for (const std::uint32_t unfinished : {1, 7}) {
    const Scripted protocol({.start =
                                 [&](NodeId self, Reaction& r) {
                                   if (self.value >= unfinished) r.finish();
                                 }},
                            8);
    auto spec = specification(protocol, ConstantDuration{ms(1)});
    spec.algorithm = &mesh;
    const auto out = run_serial(spec).outcome;
    CHECK(out.status == RunStatus::stalled);
    CHECK((out.report.find("client-3 has not finished") != std::string::npos) == (unfinished == 7));
    CHECK((out.report.find("and so have 2 more nodes") != std::string::npos) == (unfinished == 7));
    CHECK(run_windows(spec, 2).outcome.report == out.report);
  }
}

TEST_CASE("a client that waits for ever when its server has finished is cut off, not a stall") {
  class Deaf final : public Role {  // a client that waits for what nobody sends
   public:
    void on_message(const Message&, Reaction&) override {}
    std::optional<Waiting> waiting() const override { return Waiting{"more", "Gossip", {}, {}}; }
  };
  class WithDeaf final : public Protocol {
   public:
    std::vector<NodeGroup> groups() const override {
      return {{"server", 1, false}, {"client", 2, true}};
    }
    std::unique_ptr<Role> make_role(NodeId node) const override {
      if (node.value > 0) return std::make_unique<Deaf>();
      return std::make_unique<ScriptedRole>(behaviour_, node);
    }
    std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
    Forecast forecast() const override { return {}; }

   private:
    Behaviour behaviour_{.start = [](NodeId, Reaction& r) {
      r.send(NodeId{1}, Round{1}, Gossip{1});
      r.finish();
    }};
  };
  const WithDeaf protocol;
  const auto spec = specification(protocol, ConstantDuration{ms(10)});
  const auto out = run_serial(spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == Time{} + ms(10));  // the message has arrived
  CHECK(run_windows(spec, 2).outcome.fingerprint == out.fingerprint);
}

TEST_CASE(
    "the network copies what leaves a sender's lines, when it leaves them, and nothing else") {
  auto run = echo(4, 1);
  run.spec.network.links = {{.latency = ConstantDuration{ms(10)}, .duplication = 1.0}};
  // 128-byte requests take 1 s each, and nothing may wait.
  run.spec.network.nodes = {{.nodes = "server", .rate_up = Rate{1024, 0}}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.total(&TypeAccount::dropped_queue) == 3);
  CHECK(out.total(&TypeAccount::delivered, "EchoRequest") == 2);  // one and its copy
  CHECK(out.last_event >= Time{} + ms(1010));                     // the copy wasn't early

  auto listed = echo(1, 1);
  listed.spec.network.links = {{.latency = ConstantDuration{ms(10)}, .duplication = 1.0}};
  listed.spec.network.drops = {{.type = "EchoReply"}};
  CHECK(run_serial(listed.spec).outcome.status == RunStatus::stalled);  // copies are lost too
}

TEST_CASE("what a node sends leaves in the order of sending, also at the instant its work ends") {
  std::vector<std::uint64_t> received;
  const Scripted protocol(
      {.start =
           [](NodeId n, Reaction& r) {
             if (n.value != 1) return;
             r.set_timer_from_now(TimerId{1}, ms(5));
             r.work(ms(5));
             r.send(NodeId{0}, Round{1}, Gossip{1});
           },
       .timer = [](NodeId, TimerId, Reaction& r) { r.send(NodeId{0}, Round{1}, Gossip{2}); },
       .message = [&](NodeId,
                      const Message& m,
                      Reaction&) { received.push_back(m.get<Gossip>()->rumour); }},
      1);
  auto spec = specification(protocol, ConstantDuration{ms(10)});
  spec.network.links.front().fifo = true;
  run_serial(spec);
  CHECK(received == std::vector<std::uint64_t>{1, 2});
}

TEST_CASE("a send to nobody, or with an absurd round, fails the run by name, idle or busy") {
  for (const bool busy : {false, true}) {
    for (const bool absurd_round : {false, true}) {
      const Scripted protocol({.start =
                                   [&](NodeId n, Reaction& r) {
                                     if (n.value != 1) return;
                                     if (busy) r.work(ms(5));
                                     if (absurd_round)
                                       r.send(NodeId{0}, Round{4'000'000'000u}, Gossip{1});
                                     else
                                       r.send(NodeId{2}, Round{1}, Gossip{1});
                                   }},
                              2);
      const auto out = run_serial(specification(protocol, ConstantDuration{ms(1)})).outcome;
      CHECK(out.status == RunStatus::failed);
      CHECK(out.report.rfind("client-0 failed at 0 s", 0) == 0);
      CHECK(out.report.find(absurd_round ? "is above the limit" : "has no link") !=
            std::string::npos);
    }
  }
}

TEST_CASE("the fingerprint depends on the content of messages") {
  const auto fingerprint = [](std::uint64_t rumour) {
    const Scripted protocol({.start =
                                 [=](NodeId n, Reaction& r) {
                                   if (n.value == 1) r.send(NodeId{0}, Round{1}, Gossip{rumour});
                                   if (n.value == 1) r.finish();
                                 },
                             .message = [](NodeId, const Message&, Reaction& r) { r.finish(); }},
                            1);
    return run_serial(specification(protocol, ConstantDuration{ms(1)})).outcome.fingerprint;
  };
  CHECK(fingerprint(1) == fingerprint(1));
  CHECK(fingerprint(1) != fingerprint(2));
}

TEST_CASE("stall reports don't depend on the kernel or the threads, even with many losses") {
  auto run = echo(20000, 2);
  run.spec.network.links = {
      {.latency = UniformDuration{ms(50), ms(60)}, .loss = BernoulliLoss{0.3}}};
  const auto serial = run_serial(run.spec).outcome;
  CHECK(serial.status == RunStatus::stalled);
  CHECK(serial.report.find("EchoRequest of round 1 from server to client-") != std::string::npos);
  for (const std::size_t threads : {1, 2, 3})
    CHECK(run_windows(run.spec, threads).outcome.report == serial.report);
}

TEST_CASE("virtual time that runs out fails the run instead of wrapping around") {
  auto run = echo(2, 5);
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(8e9)}}};
  for (const auto& result : {run_serial(run.spec), run_windows(run.spec, 2)}) {
    CHECK(result.outcome.status == RunStatus::failed);
    CHECK(result.outcome.report.find("virtual time exceeded its range") != std::string::npos);
  }
}

TEST_CASE("regret curves end where the run does, with its final measurements") {
  const auto problem = test::make_problem("garland", 3, 1000, Seed{1}, 0.05);
  const auto& algorithm = fed_pne_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 3, Seed{1}, &problem);
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto result = run_serial(run.spec);
  for (const auto& [metric, value] :
       {std::pair{"cumulative_regret", result.outcome.regret.cumulative},
        std::pair{"simple_regret", *result.outcome.regret.simple}}) {
    const RegretPoint* last = nullptr;
    for (const auto& point : result.regret_curve)
      if (point.metric == metric) last = &point;
    REQUIRE(last != nullptr);
    CHECK(last->evaluations == 1000);
    CHECK(last->value == value);
    CHECK(last->rounds == result.outcome.rounds.size());
  }
}

TEST_CASE("a round that a policy closes early is not lossless") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  test::Run run(
      echo_algorithm(), parameters, 5, Seed{1}, nullptr, {.kind = PolicyKind::quorum, .quorum = 2});
  run.spec.network.links = {{.latency = UniformDuration{ms(1), ms(9)}}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK_FALSE(out.lossless);
}

}  // namespace posse::test_kernel_edges
