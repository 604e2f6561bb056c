// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <functional>

#include "actors/echo/protocol.hpp"
#include "actors/f_lcb/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "core/role/protocol.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/chatter.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_ending {
namespace {

using test::Gossip;

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

/// A server that asks all clients, waits for `enough` answers, closes the round with the others as
/// late ones, sends everybody a last message and finishes. A client answers the first message,
/// works after the last one, sends `reports` that change nothing, one every 5 ms by a timer, and
/// finishes after its work if it `says_so`.
struct Plan {
  std::uint32_t clients = 3;
  std::uint32_t enough = 3;
  Duration last_work{};
  bool says_so = true;
  bool waits = false;  // a client, for the last message
  std::uint32_t reports = 0;
  std::function<void(Reaction&)> afterwards = {};  // the server, at messages after its finish
};

class Server final : public Role {
 public:
  explicit Server(const Plan& plan) : plan_(&plan), answered_(plan.clients) {}
  void on_start(Reaction& reaction) override {
    reaction.broadcast(NodeId{1}, plan_->clients, Round{1}, Gossip{1});
  }
  void on_message(const Message& message, Reaction& reaction) override {
    if (done_ && plan_->afterwards) plan_->afterwards(reaction);
    if (done_ || answered_[message.from.value - 1]) return;
    answered_[message.from.value - 1] = true;
    if (++answers_ < plan_->enough) return;
    done_ = true;
    RoundEnded ended{.round = Round{1}, .arrived = answers_, .expected = plan_->clients};
    ended.first_asked = NodeId{1};
    for (std::uint32_t i = 0; i < plan_->clients; ++i)
      if (!answered_[i]) ended.late.push_back(NodeId{i + 1});
    reaction.observe(std::move(ended));
    reaction.broadcast(NodeId{1}, plan_->clients, Round{2}, Gossip{2});
    reaction.finish();
  }

 private:
  const Plan* plan_;
  std::vector<bool> answered_;
  std::uint32_t answers_ = 0;
  bool done_ = false;
};

class Client final : public Role {
 public:
  explicit Client(const Plan& plan) : plan_(&plan) {}
  void on_message(const Message& message, Reaction& reaction) override {
    const auto part = message.get<Gossip>()->rumour;
    if (part != seen_ + 1) return;
    seen_ = part;
    if (part == 1) reaction.send(NodeId{0}, Round{1}, Gossip{1});
    if (part == 1) return;
    reaction.work(plan_->last_work);
    if (plan_->says_so) reaction.finish();
    go_on(reaction);
  }
  void on_timer(TimerId, Reaction& reaction) override {
    reaction.send(NodeId{0}, Round{3}, test::Chat{++reports_, {}});
    go_on(reaction);
  }
  void on_restart(Reaction& reaction) override {
    if (seen_ == 2) go_on(reaction);
  }
  std::optional<Waiting> waiting() const override {
    if (!plan_->waits || seen_ == 2) return std::nullopt;
    return Waiting{"the last message", {}, Round{2}, {NodeId{0}}};
  }

 private:
  void go_on(Reaction& reaction) {
    if (reports_ < plan_->reports) reaction.set_timer_from_now(TimerId{1}, ms(5));
  }

  const Plan* plan_;
  std::uint64_t seen_ = 0;
  std::uint32_t reports_ = 0;
};

class Federation final : public Protocol {
 public:
  explicit Federation(Plan plan) : plan_(plan) {}
  std::vector<NodeGroup> groups() const override {
    return {{"server", 1, false}, {"client", plan_.clients, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    if (node.value == 0) return std::make_unique<Server>(plan_);
    return std::make_unique<Client>(plan_);
  }
  bool can_lose_state(NodeId node) const override { return node.value != 0; }
  std::unique_ptr<Role> make_role_anew(NodeId node, std::uint64_t) const override {
    return make_role(node);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  Plan plan_;
};

/// Latency 10 ms: answers arrive at 20 ms, the last message at 30 ms.
RunOutcome run(const Plan& plan, const std::function<void(NetworkConfig&)>& change) {
  static const AlgorithmSpec algorithm = test::chatter_spec(Topology::star);
  const Federation protocol(plan);
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &protocol;
  spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  spec.network.retransmission.timeout = ms(25);
  change(spec.network);
  const auto result = run_serial(spec).outcome;
  for (const std::size_t threads : {1, 2, 4}) {
    const auto other = run_windows(spec, threads).outcome;
    CHECK(other.fingerprint == result.fingerprint);
    CHECK(other.events == result.events);
  }
  // Acknowledgements are events then.
  spec.trace_messages = true;
  const auto traced = run_serial(spec).outcome;
  CHECK(traced.fingerprint == result.fingerprint);
  CHECK(traced.finished_at.ns == result.finished_at.ns);
  CHECK(traced.total(&TypeAccount::in_flight) == result.total(&TypeAccount::in_flight));
  return result;
}

void datagrams(NetworkConfig&) {}
void reliable(NetworkConfig& network) { network.transport = Transport::reliable; }

TEST_CASE("a run ends when the clients of the last round have finished, with their work") {
  const auto out = run({.last_work = ms(7)}, datagrams);
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(37));
  CHECK(out.total(&TypeAccount::delivered) == 9);
  CHECK(out.total(&TypeAccount::in_flight) == 0);
  CHECK(out.total(&TypeAccount::after_finish) == 0);
}

TEST_CASE("a server that goes on after it has finished fails the run, by its name") {
  const auto report = [](const std::function<void(Reaction&)>& afterwards) {
    const auto out = run({.enough = 1, .afterwards = afterwards}, datagrams);
    return out.status == RunStatus::failed ? out.report : std::string();
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(report([](auto& r) { r.work(ms(1)); }), Contains("server works after it finished"));
  CHECK_THAT(report([](auto& r) { r.send(NodeId{1}, Round{3}, Gossip{3}); }),
             Contains("server sends after it finished"));
  CHECK_THAT(report([](auto& r) { r.observe(RoundBegan{Round{2}}); }),
             Contains("server reports something other than a late message after it finished"));
  CHECK(report([](auto& r) { r.observe(StaleObserved{Round{1}, NodeId{1}}); }).empty());
}

TEST_CASE("acknowledgements that are on the way when the run ends are in flight") {
  const auto out = run({}, reliable);
  CHECK(out.finished_at == at_ms(30));
  CHECK(out.last_event == at_ms(30));
  // Of 9 messages: the last three left at 20 ms, when the server finished; their acknowledgements
  // leave at 30 ms. Those of the answers arrive at 30 ms.
  CHECK(out.total(&TypeAccount::sent) == 18);
  CHECK(out.total(&TypeAccount::in_flight) == 3);
  CHECK(out.total(&TypeAccount::after_finish) == 3);
  CHECK(out.total(&TypeAccount::after_finish_bytes) == 24);
}

TEST_CASE("a run does not wait for a client that was late in the last round") {
  const auto out = run({.enough = 2}, [](NetworkConfig& network) {
    network.links.push_back({.to = "client-2", .latency = ConstantDuration{ms(500)}});
  });
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(30));
  CHECK(out.total(&TypeAccount::in_flight) == 2);  // both messages to client-2
}

TEST_CASE("retransmissions to a client that is cut off end with the run") {
  const auto out = run({.enough = 2, .last_work = ms(200)}, [](NetworkConfig& network) {
    reliable(network);
    network.link_faults = {{{{"server"}, {"client-2"}}, Time{}, std::nullopt}};
  });
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(230));
  // Transmissions at 0, 25, 75, 175 ms and at 20, 45, 95, 195 ms; before, they went on for 1000
  // tries.
  CHECK(out.total(&TypeAccount::dropped_partition) == 8);
  CHECK(out.last_event <= at_ms(230));
}

TEST_CASE("a client of the last round that is cut off for good has nothing left to do") {
  const auto out = run({.enough = 3}, [](NetworkConfig& network) {
    reliable(network);
    network.link_faults = {{{{"server"}, {"client-2"}}, at_ms(15), std::nullopt}};
  });
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(30));
  const auto heals = run({.enough = 3}, [](NetworkConfig& network) {
    reliable(network);
    network.link_faults = {{{{"server"}, {"client-2"}}, at_ms(15), ms(60)}};
  });
  // The last message leaves at 20, 45 and 95 ms.
  CHECK(heals.finished_at == at_ms(105));
}

TEST_CASE("a last message that is lost for good does not keep a run from ending") {
  const auto lost = run(
      {}, [](NetworkConfig& network) { network.drops = {{.round = Round{2}, .to = "client-1"}}; });
  CHECK(lost.status == RunStatus::finished);
  CHECK(lost.finished_at == at_ms(30));
  const auto given_up = run({}, [](NetworkConfig& network) {
    reliable(network);
    network.retransmission.max_tries = 3;
    network.link_faults = {{{{"server"}, {"client-1"}}, at_ms(20), ms(1000)}};
  });
  CHECK(given_up.status == RunStatus::finished);
  CHECK(given_up.finished_at == at_ms(20 + 25 + 50 + 100));  // when the server gives up
}

TEST_CASE("where a client waits in vain for the last message, the others still do their work") {
  for (const bool says_so : {true, false}) {
    const auto out = run(
        {.last_work = ms(7), .says_so = says_so, .waits = true},
        [](NetworkConfig& network) { network.drops = {{.round = Round{2}, .to = "client-1"}}; });
    CHECK(out.status == RunStatus::finished);
    CHECK(out.finished_at == at_ms(37));
  }
}

TEST_CASE("a client that never says that it has finished has, when nothing is left for it to do") {
  const auto out = run({.last_work = ms(7), .says_so = false}, reliable);
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(37));
}

TEST_CASE("a run waits for timers of a client, also for those that a crash dropped") {
  // The last message arrives at 30 ms, so reports leave at 35, 40, 45 and 50 ms.
  const Plan plan{.says_so = false, .reports = 4};
  const auto reports = [](const RunOutcome& out) { return out.total(&TypeAccount::sent, "Chat"); };
  const auto crashes = [&](double at, std::optional<Duration> lasting, bool loses_state = false) {
    return run(plan, [&](NetworkConfig& network) {
      network.node_faults = {{.nodes = {"client-1"},
                              .when = {.at = at_ms(at), .lasting = lasting},
                              .kind = NodeFaultKind::crash,
                              .loses_state = loses_state}};
    });
  };
  const auto out = run(plan, datagrams);
  CHECK(out.finished_at == at_ms(50));
  CHECK(reports(out) == 12);

  // With kept state client-1 sets its timer again when it restarts, at 44 and at 79 ms: its last
  // three reports follow 5, 10 and 15 ms later. Nothing else happens between 50 and 79 ms.
  const auto soon = crashes(37, ms(7));
  CHECK(soon.status == RunStatus::finished);
  CHECK(soon.finished_at == at_ms(59));
  CHECK(reports(soon) == 12);
  const auto late = crashes(37, ms(42));
  CHECK(late.status == RunStatus::finished);
  CHECK(late.finished_at == at_ms(94));
  CHECK(reports(late) == 12);

  // With its state it loses the three: the new role has nothing to do, as is known at 79 ms.
  const auto lost = crashes(37, ms(42), true);
  CHECK(lost.status == RunStatus::finished);
  CHECK(lost.finished_at == at_ms(79));
  CHECK(reports(lost) == 9);

  // A crash without an end keeps no run from ending, nor does one that drops no timer.
  CHECK(crashes(37, std::nullopt).finished_at == at_ms(50));
  CHECK(reports(crashes(37, std::nullopt)) == 9);
  const auto idle = run({.says_so = false}, [&](NetworkConfig& network) {
    network.links = {{.latency = ConstantDuration{ms(10)}},
                     {.to = "client-2", .latency = ConstantDuration{ms(20)}}};
    network.node_faults = {{.nodes = {"client-1"},
                            .when = {.at = at_ms(42), .lasting = ms(70)},
                            .kind = NodeFaultKind::crash}};
  });
  CHECK(idle.finished_at == at_ms(50));
}

TEST_CASE("a copy of the last message on its way is something left to do") {
  const auto out = run({.says_so = false}, [](NetworkConfig& network) {
    network.links = {{.latency = UniformDuration{ms(10), ms(30)}, .duplication = 1.0}};
  });
  CHECK(out.status == RunStatus::finished);
  CHECK(out.total(&TypeAccount::in_flight) <= 2);
}

}  // namespace

TEST_CASE("echo with a quorum ends with its last round, on any kernel") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{5});
  test::Run echo(
      echo_algorithm(), parameters, 3, Seed{1}, nullptr, {.kind = PolicyKind::quorum, .quorum = 2});
  echo.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  echo.spec.network.transport = Transport::reliable;
  echo.spec.network.link_faults = {{{{"server"}, {"client-2"}}, at_ms(1), std::nullopt}};
  const auto out = run_serial(echo.spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(200));
  CHECK(out.last_event == at_ms(200));
  for (const std::size_t threads : {1, 2, 3})
    CHECK(run_windows(echo.spec, threads).outcome.fingerprint == out.fingerprint);
}

TEST_CASE("a run in which a lost message keeps all from finishing is stalled, and says who waits") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{3});
  test::Run echo(echo_algorithm(), parameters, 3, Seed{1});
  echo.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  CHECK(run_serial(echo.spec).outcome.status == RunStatus::finished);
  echo.spec.network.drops = {{.type = "EchoReply", .round = Round{2}, .from = "client-1"}};
  const auto out = run_serial(echo.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  using Catch::Matchers::Contains;
  CHECK_THAT(out.report,
             Contains("server has waited for EchoReply of round 2 from client-1 since 0.04 s") &&
                 Contains("lost: EchoReply of round 2 from client-1 to server, sent at 0.03 s") &&
                 Contains("client-2 has waited for EchoRequest of round 3 from server"));
  for (const std::size_t threads : {1, 2, 3}) {
    const auto other = run_windows(echo.spec, threads).outcome;
    CHECK(other.status == RunStatus::stalled);
    CHECK(other.report == out.report);
  }
}

TEST_CASE("what the transport would do at a client that stands still is nothing left to do") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{1});
  test::Run echo(echo_algorithm(), parameters, 2, Seed{1});
  echo.spec.network.links = {{.latency = ConstantDuration{ms(10)}}};
  echo.spec.network.transport = Transport::reliable;
  echo.spec.network.retransmission.timeout = ms(8);  // of its answer: checked at 18 ms
  echo.spec.network.node_faults = {{.nodes = {"client-1"},
                                    .when = {.at = at_ms(15), .lasting = ms(45)},
                                    .kind = NodeFaultKind::crash}};
  const auto out = run_serial(echo.spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == at_ms(20));
  CHECK(out.last_event == at_ms(20));
  for (const std::size_t threads : {1, 2, 3})
    CHECK(run_windows(echo.spec, threads).outcome.fingerprint == out.fingerprint);

  // client-0 gets the acknowledgement of its answer while client-1's is on its way, and pauses.
  echo.spec.network.links.push_back(
      {.from = "client-1", .to = "server", .latency = ConstantDuration{ms(30)}});
  echo.spec.network.retransmission.timeout = ms(100);
  echo.spec.network.node_faults = {{.nodes = {"client-0"},
                                    .when = {.at = at_ms(29), .lasting = ms(45)},
                                    .kind = NodeFaultKind::pause}};
  const auto paused = run_serial(echo.spec).outcome;
  CHECK(paused.finished_at == at_ms(40));
  CHECK(paused.last_event == at_ms(40));
  for (const std::size_t threads : {1, 2, 3})
    CHECK(run_windows(echo.spec, threads).outcome.fingerprint == paused.fingerprint);
}

TEST_CASE("clients' own searches after the server has finished belong to the run") {
  const auto problem = test::make_problem("garland", 4, 3000, Seed{3}, 0.05);
  test::Run pf_pne(
      pf_pne_algorithm(), default_parameters(pf_pne_algorithm().parameters), 4, Seed{3}, &problem);
  pf_pne.spec.network.links = {{.latency = UniformDuration{ms(5), ms(40)}}};
  pf_pne.spec.compute.evaluation = ExponentialDuration{ms(1), Duration{}};
  const auto out = run_serial(pf_pne.spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.regret.min_evaluations == 3000);
  CHECK(out.own_searches.size() == 4);
}

TEST_CASE("a functional bandit ends with its agent") {
  const ArmSet arms = test::random_arms(1, 60);
  test::Run bandit(
      f_lcb_algorithm(), default_parameters(f_lcb_algorithm().parameters), Seed{1}, arms);
  bandit.spec.network.links = {{.latency = ConstantDuration{ms(100)}}};
  bandit.spec.network.transport = Transport::reliable;
  const auto out = run_serial(bandit.spec).outcome;
  CHECK(out.status == RunStatus::finished);
  CHECK(out.finished_at == Time{} + ms(200) * out.arms.pulls);
  CHECK(out.last_event == out.finished_at);
  CHECK(out.total(&TypeAccount::in_flight) == 1);  // the acknowledgement of the last reply
}

}  // namespace posse::test_ending
