// SPDX-License-Identifier: Apache-2.0
// Nothing hangs, and what goes wrong is named.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_reports {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
LinkRule fifty_ms() { return {.latency = ConstantDuration{Duration::seconds(0.05)}}; }

}  // namespace

TEST_CASE("policy all over datagrams: a lost answer stalls the run, which names it") {
  const auto problem = test::make_problem("garland", 4, 2000, Seed{1}, 0.05);
  const auto& algorithm = fed_pne_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 4, Seed{1}, &problem);
  run.spec.network.links = {fifty_ms()};
  run.spec.network.drops = {{.type = "LocalMeans", .round = Round{2}, .from = "client-2"}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  INFO(out.report);
  CHECK(contains(out.report, "server has waited for LocalMeans of phase 2 from client-2 since"));
  CHECK(contains(out.report,
                 "lost: LocalMeans of round 2 from client-2 to server, sent at 0.15 s (loss)"));
  CHECK(out.rounds.size() == 1);
}

TEST_CASE("a lost plan is blamed on the plan") {
  const auto problem = test::make_problem("garland", 4, 2000, Seed{1}, 0.05);
  const auto& algorithm = fed_pne_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 4, Seed{1}, &problem);
  run.spec.network.links = {fifty_ms()};
  run.spec.network.drops = {{.type = "PhasePlan", .round = Round{1}, .to = "client-3"}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  INFO(out.report);
  CHECK(contains(out.report, "PhasePlan of round 1 from server to client-3"));
  CHECK(contains(out.report, "client-3 has waited for"));
}

TEST_CASE("players that lose one broadcast stall and say whose") {
  const auto problem = test::make_problem("garland", 3, 2000, Seed{1});
  const auto& algorithm = parallel_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 3, Seed{1}, &problem);
  run.spec.network.links = {fifty_ms()};
  run.spec.network.drops = {{.round = Round{2}, .from = "player-1", .to = "player-0"}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  INFO(out.report);
  CHECK(contains(out.report, "player-0 has waited for"));
  CHECK(contains(out.report, "from player-1 to player-0"));
}

TEST_CASE("every single message of a small federation, lost alone, ends the run with a report") {
  const auto problem = test::make_problem("garland", 3, 300, Seed{2}, 0.05);
  const auto& algorithm = fed_pne_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 3, Seed{2}, &problem);
  run.spec.network.links = {fifty_ms()};
  run.spec.trace_messages = true;
  const auto whole = run_serial(run.spec);
  REQUIRE(whole.outcome.status == RunStatus::finished);
  REQUIRE(whole.messages.size() > 15);
  const Round last = whole.messages.back().round;
  std::size_t cut_off = 0;
  for (const auto& message : whole.messages) {
    run.spec.network.drops = {{.type = std::string(message.type),
                               .round = message.round,
                               .from = whole.node_names[message.from.value],
                               .to = whole.node_names[message.to.value]}};
    const auto out = run_serial(run.spec).outcome;
    INFO(out.report);
    if (message.round == last) {
      // The server has sent its last plan and finished: who doesn't get it is cut off.
      REQUIRE(message.from == NodeId{0});
      CHECK(out.status == RunStatus::finished);
      CHECK_FALSE(out.lossless);
      ++cut_off;
    } else {
      CHECK(out.status == RunStatus::stalled);
      CHECK(contains(out.report, message.type));
    }
    // … and the reliable transport brings it, with the same decisions.
    run.spec.network.transport = Transport::reliable;
    const auto saved = run_serial(run.spec).outcome;
    CHECK(saved.status == RunStatus::finished);
    CHECK(saved.regret.local_cumulative == whole.outcome.regret.local_cumulative);
    CHECK(saved.regret.recommendation == whole.outcome.regret.recommendation);
    run.spec.network.transport = Transport::datagram;
  }
  CHECK(cut_off == 3);
}

TEST_CASE("a report lists no message of which a copy arrived") {
  test::Run run(echo_algorithm(), default_parameters(echo_algorithm().parameters), 2, Seed{1});
  run.spec.network.links = {
      {.latency = ConstantDuration{Duration::seconds(0.02)}, .duplication = 1.0}};
  // Of the request to client-1 the original is lost, the network's copy arrives; of its reply both
  // are lost. Of client-0's reply the copy is lost.
  run.spec.network.drops = {
      {.to = "client-1", .transmission = 0u},
      {.type = "EchoReply", .from = "client-1"},
      {.from = "client-0", .transmission = 1u},
  };
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.total(&TypeAccount::dropped_loss) == 4);
  INFO(out.report);
  CHECK(
      contains(out.report,
               "  server has waited for EchoReply of round 1 from client-1 since 0.04 s\n"
               "    lost: EchoReply of round 1 from client-1 to server, sent at 0.02 s (loss)\n"));
  CHECK_FALSE(contains(out.report, "lost: EchoRequest"));
  CHECK_FALSE(contains(out.report, "EchoRequest of round 1 from server"));
  CHECK_FALSE(contains(out.report, "client-0 to server"));
  CHECK(run_windows(run.spec, 2).outcome.report == out.report);
}

TEST_CASE("a report lists a message whose copies reached a crashed node only if both did") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{1});
  test::Run run(echo_algorithm(), parameters, 1, Seed{1});
  run.spec.network.links = {
      {.latency = UniformDuration{Duration::seconds(0.01), Duration::seconds(0.05)},
       .duplication = 1.0}};
  run.spec.network.drops = {{.type = "EchoReply"}};
  run.spec.trace_messages = true;
  std::vector<Time> arrivals;
  for (const auto& message : run_serial(run.spec).messages)
    if (message.type == "EchoRequest") arrivals.push_back(message.delivered);
  REQUIRE(arrivals.size() == 2);
  const Time first = std::min(arrivals[0], arrivals[1]),
             second = std::max(arrivals[0], arrivals[1]);
  REQUIRE(first < second);

  const Duration eternity = Duration::seconds(10);
  const auto report = [&](Time crash, Duration lasting) {
    run.spec.network.node_faults = {
        {{"client-0"}, {.at = crash, .lasting = lasting}, NodeFaultKind::crash}};
    const auto out = run_serial(run.spec).outcome;
    CHECK(out.status == RunStatus::stalled);
    CHECK(contains(out.report, "server has waited for EchoReply"));
    CHECK(run_windows(run.spec, 2).outcome.report == out.report);
    return out.report;
  };
  const std::string_view lost =
      "EchoRequest of round 1 from server to client-0, sent at 0 s (crash)";
  CHECK(contains(report(Time{}, eternity), lost));
  CHECK_FALSE(
      contains(report(first + Duration{-1}, Duration{2}), "EchoRequest of"));  // only the first
  CHECK_FALSE(
      contains(report(first + Duration{1}, eternity), "EchoRequest of"));  // only the second
}

TEST_CASE("a report lists no message of which a copy found room in its receiver's queue") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{1});
  test::Run run(echo_algorithm(), parameters, 1, Seed{1});
  run.spec.network.links = {
      {.latency = ConstantDuration{Duration::seconds(0.02)}, .duplication = 1.0}};
  run.spec.network.drops = {{.type = "EchoReply"}};
  run.spec.network.nodes = {{.nodes = "client-0", .rate_down = Rate{8000, 100}}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK(out.total(&TypeAccount::dropped_queue) == 1);
  CHECK_FALSE(contains(out.report, "EchoRequest of"));
}

TEST_CASE(
    "a report lists no message that a retransmission brought, and no node that has answered") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{1});
  test::Run run(echo_algorithm(), parameters, 3, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.02)}},
                            {.from = "client-1", .loss = BernoulliLoss{1.0}}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission = {.timeout = Duration::seconds(0.1), .max_tries = 2};
  // client-0's reply comes with its second transmission; the acknowledgement of client-2's is lost.
  run.spec.network.drops = {{.type = "EchoReply", .from = "client-0"},
                            {.type = "Ack", .from = "server", .to = "client-2"}};
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  INFO(out.report);
  // 0.02 and 0.12 s; the server's request to client-1 is given up, too, since no acknowledgement
  // comes from there.
  CHECK(contains(out.report,
                 "  server has waited for EchoReply of round 1 from client-1 since 0.14 s"));
  CHECK(
      contains(out.report,
               "EchoReply of round 1 from client-1 to server, sent at 0.02 s (never acknowledged, "
               "2 tries)"));
  CHECK_FALSE(contains(out.report, "client-0"));
  CHECK_FALSE(contains(out.report, "client-2"));
  CHECK_FALSE(contains(out.report, "lost datagrams"));
}

TEST_CASE("a report word for word: at most five names, five losses and five nodes of each") {
  const std::string begin = "no event is left, but the run is not finished:\n";
  const std::string hint =
      "  lost datagrams are not sent again: transport = \"reliable\" does that, a server policy of "
      "quorum or deadline goes on without them\n";
  const auto report = [](std::uint32_t clients, std::int64_t rounds, const ListedLoss& drop) {
    auto parameters = default_parameters(echo_algorithm().parameters);
    parameters.set("rounds", rounds);
    test::Run run(echo_algorithm(), parameters, clients, Seed{1});
    run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.02)}}};
    run.spec.network.drops = {drop};
    const auto out = run_serial(run.spec).outcome;
    CHECK(out.status == RunStatus::stalled);
    CHECK(run_windows(run.spec, 2).outcome.report == out.report);
    return out.report;
  };
  /// What is lost on the way to or from `clients` clients.
  const auto lost = [](bool reply, std::uint32_t clients) {
    std::string text = "    lost: ";
    for (std::uint32_t i = 0; i < clients; ++i) {
      const std::string client = "client-" + std::to_string(i);
      text += i > 0 ? ", " : "";
      text += reply ? "EchoReply of round 1 from " + client + " to server, sent at 0.02 s (loss)"
                    : "EchoRequest of round 1 from server to " + client + ", sent at 0 s (loss)";
    }
    return text;
  };
  const std::string waits =
      "  server has waited for EchoReply of round 1 from client-0, client-1, client-2, client-3, "
      "client-4";

  CHECK(report(5, 1, {.type = "EchoReply"}) ==
        begin + waits + " since 0 s\n" + lost(true, 5) + "\n" + hint);
  CHECK(report(7, 1, {.type = "EchoReply"}) ==
        begin + waits + " and 2 more since 0 s\n" + lost(true, 5) + " and others\n" + hint);

  std::string clients;
  for (const char* i : {"0", "1", "2", "3"})
    clients +=
        std::string("  client-") + i +
        " has waited for EchoRequest of round 1 from server since 0 s\n    lost: EchoRequest "
        "of round 1 from server to client-" +
        i + ", sent at 0 s (loss)\n";
  CHECK(report(4, 1, {.type = "EchoRequest"}) ==
        begin +
            "  server has waited for EchoReply of round 1 from client-0, client-1, client-2, "
            "client-3 since 0 s\n" +
            lost(false, 4) + "\n" + clients + hint);
  CHECK(report(7, 1, {.type = "EchoRequest"}) == begin + waits + " and 2 more since 0 s\n" +
                                                     lost(false, 5) + " and others\n" + clients +
                                                     "  … and 3 more nodes are waiting\n" + hint);

  // Those for whose waiting there is a reason come first: client-0 waits for the next round.
  const std::string loss =
      "    lost: EchoRequest of round 1 from server to client-1, sent at 0 s (loss)\n";
  CHECK(report(2, 2, {.to = "client-1"}) ==
        begin + "  server has waited for EchoReply of round 1 from client-1 since 0.04 s\n" + loss +
            "  client-1 has waited for EchoRequest of round 1 from server since 0 s\n" + loss +
            "  client-0 has waited for EchoRequest of round 2 from server since 0.02 s\n" + hint);
}

TEST_CASE(
    "a report says of at most five deciding nodes that they stand still, and of the others "
    "how many") {
  const auto problem = test::make_problem("garland", 7, 2000, Seed{1});
  const auto& algorithm = parallel_algorithm();
  test::Run run(algorithm, default_parameters(algorithm.parameters), 7, Seed{1}, &problem);
  run.spec.network.links = {fifty_ms()};
  const auto report = [&](std::string_view who, NodeFaultKind kind) {
    run.spec.network.node_faults = {
        {{std::string(who)}, {.at = Time{} + Duration::seconds(0.01)}, kind}};
    const auto out = run_serial(run.spec).outcome;
    CHECK(out.status == RunStatus::stalled);
    return out.report;
  };
  CHECK(contains(report("player", NodeFaultKind::pause),
                 "  player-3 has not finished, and has been paused since 0.01 s\n"
                 "  player-4 has not finished, and has been paused since 0.01 s\n"
                 "  … and so have 2 more nodes\n"));
  const auto five = report("player-2..6", NodeFaultKind::crash);
  CHECK(contains(five, "  player-6 has not finished, and has been down since 0.01 s\n"));
  CHECK_FALSE(contains(five, "and so have"));
}

TEST_CASE("limits end a run with a report, and what is under way is booked") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{1000});
  test::Run run(echo_algorithm(), parameters, 5, Seed{1});
  run.spec.network.links = {fifty_ms()};
  run.spec.limits.virtual_time = Time{} + Duration::seconds(1.02);
  for (const auto& result : {run_serial(run.spec), run_windows(run.spec, 2)}) {
    const auto& out = result.outcome;
    CHECK(out.status == RunStatus::limit_reached);
    CHECK(contains(out.report, "1.02 s of virtual time"));
    CHECK(contains(out.report, "server has waited for EchoReply of round 11"));
    CHECK(out.total(&TypeAccount::in_flight) == 5);
    CHECK(out.rounds.size() == 10);
  }
  // 6 starts, then 10 events a round: 5 requests, 5 replies.
  run.spec.limits = {.events = 40};
  const auto events = run_serial(run.spec).outcome;
  CHECK(events.status == RunStatus::limit_reached);
  CHECK(events.events == 40);
  CHECK(events.last_event == Time{} + Duration::seconds(0.35));
  CHECK(events.report.find("the limit of 40 events was reached:\n  server has waited for ") == 0);
  Progress progress;
  progress.cancel = true;
  run.spec.limits = {};
  const auto stopped = run_serial(run.spec, &progress).outcome;
  CHECK(stopped.status == RunStatus::stopped);
  CHECK(stopped.report.find("the run was stopped by the user:\n  ") == 0);
}

TEST_CASE("a tampered ledger fails the run") {
  test::Run run(echo_algorithm(), default_parameters(echo_algorithm().parameters), 5, Seed{1});
  run.spec.network.links = {fifty_ms()};
  run.spec.tamper_with_ledger = [](Ledger& ledger) { --ledger.of(0, Direction::down).delivered; };
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::ledger_violated);
  CHECK(contains(out.report, "EchoRequest (down) does not balance"));
}

}  // namespace posse::test_reports
