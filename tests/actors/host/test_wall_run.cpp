// SPDX-License-Identifier: Apache-2.0
// Runs in wall time: what they share with simulations, that they really take their time, and how
// they end.
// The thread sanitizer does not see how CAF, which is not instrumented, hands messages from thread
// to thread: test_wall_world.cpp does without.
#if !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "actors/echo/protocol.hpp"
#include "actors/host/envelope.hpp"
#include "actors/host/wall_run.hpp"
#include "tests/support/chatter_simulation.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/soloist.hpp"

namespace posse::test_wall_run {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1});
}

void check_same_accounts(const RunOutcome& real, const RunOutcome& simulated) {
  REQUIRE(real.accounts.size() == simulated.accounts.size());
  for (std::size_t i = 0; i < real.accounts.size(); ++i) {
    const auto &a = real.accounts[i], &b = simulated.accounts[i];
    CHECK(a.type == b.type);
    CHECK(a.sent == b.sent);
    // Acknowledgements may be on their way at the end.
    if (a.type != kAcknowledgement) CHECK(a.delivered == b.delivered);
    CHECK(a.bytes == b.bytes);
    CHECK(a.wire_bytes == b.wire_bytes);
    CHECK(a.values == b.values);
  }
}

SimulationResult run_solo(const test::Soloist& soloist, const Limits& limits = {}) {
  const auto algorithm = test::Soloist::spec();
  SimulationSpec spec;
  spec.algorithm = &algorithm;
  spec.protocol = &soloist;
  spec.trace_messages = true;
  spec.limits = limits;
  return run_in_wall_time(spec, {});
}

}  // namespace

TEST_CASE("in wall time a lossless run sends what the simulation sends") {
  auto run = echo(20, 10);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  for (const auto transport : {Transport::datagram, Transport::reliable}) {
    run.spec.network.transport = transport;
    const auto simulated = run_serial(run.spec);
    const auto real = run_in_wall_time(run.spec, {.threads = 2});
    REQUIRE(real.outcome.status == RunStatus::finished);
    CHECK(real.outcome.complete_rounds == 10);
    check_same_accounts(real.outcome, simulated.outcome);
  }
}

TEST_CASE("a run in wall time lasts at least as long as its messages are on their way") {
  auto run = echo(3, 5);
  run.spec.network.links = {{.latency = ConstantDuration{ms(4)}}};
  const auto began = Clock::now();
  const auto real = run_in_wall_time(run.spec, {});
  const auto took = std::chrono::duration<double>(Clock::now() - began).count();
  CHECK(real.outcome.finished_at >= Time{} + ms(4) * 10);
  CHECK(took >= real.outcome.finished_at.to_seconds());
  CHECK(real.outcome.in_wall_time);
  CHECK(real.outcome.fingerprint == 0);
}

TEST_CASE("in wall time every account balances, whatever faults there are") {
  for (std::uint64_t number = 0; number < 24; ++number) {
    const auto topology = number % 2 == 0 ? Topology::star : Topology::full_mesh;
    const auto nodes = static_cast<std::uint32_t>(2 + number * number % 50);
    const auto algorithm = test::chatter_spec(topology);
    const test::Chatter protocol(nodes, topology, Seed{number});
    auto spec = test::chatter_simulation(number, algorithm, protocol);
    spec.compute.evaluation = ConstantDuration{Duration{1000}};
    spec.limits.virtual_time = Time{} + ms(150);
    spec.trace_messages = true;
    spec.stoppable_nodes = number % 4 == 0;
    const auto real = run_in_wall_time(spec, {.threads = 1 + number % 4});
    const auto& out = real.outcome;
    INFO("network " << number << ": " << out.report);
    CHECK((out.status == RunStatus::finished || out.status == RunStatus::limit_reached ||
           out.status == RunStatus::stalled));
    std::uint64_t copies = 0;
    for (const auto& a : out.accounts) copies += a.sent + a.repeated + a.duplicated;
    CHECK(copies == real.messages.size());
  }
}

TEST_CASE("in wall time a reaction is work as long as it takes") {
  const test::Soloist soloist(
      [](Reaction& reaction) {
        std::this_thread::sleep_for(20ms);
        reaction.set_timer_after_work(TimerId{1});
      },
      [](Reaction& reaction) { reaction.finish(); });
  const auto real = run_solo(soloist);
  REQUIRE(real.outcome.status == RunStatus::finished);
  REQUIRE(!real.work.empty());
  CHECK(real.work.front().until - real.work.front().from >= ms(20));
  CHECK(real.outcome.finished_at >= Time{} + ms(20));
  CHECK(real.outcome.phases.compute >= ms(20));
}

TEST_CASE("work that is declared includes the time that the reaction took") {
  const test::Soloist soloist([](Reaction& reaction) {
    std::this_thread::sleep_for(20ms);
    reaction.work(Duration::seconds(0.03));
    reaction.work(Duration::seconds(0.01));
    reaction.finish();
  });
  const auto real = run_solo(soloist);
  REQUIRE(real.outcome.status == RunStatus::finished);
  // 20 ms or a little more are over; of the declared 40 ms the rest is waited for.
  REQUIRE(!real.work.empty());
  const Duration took = real.work.front().until - real.work.front().from;
  CHECK(real.outcome.phases.compute == std::max(took, ms(40)));
  CHECK(real.outcome.finished_at >= Time{} + ms(40));
}

TEST_CASE("a run in wall time that nothing can go on stalls at once") {
  auto run = echo(3, 5);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}, .loss = BernoulliLoss{1.0}}};
  const auto real = run_in_wall_time(run.spec, {});
  CHECK(real.outcome.status == RunStatus::stalled);
  CHECK(real.outcome.report.find("client-0") != std::string::npos);
}

TEST_CASE("in wall time, too, a run whose node never finishes stalls and names it") {
  const test::Soloist silent([](Reaction& reaction) { reaction.work(ms(1)); });
  const auto real = run_solo(silent);
  CHECK(real.outcome.status == RunStatus::stalled);
  CHECK(real.outcome.report.find("soloist has not finished, and does not say what it waits for") !=
        std::string::npos);
}

TEST_CASE("a run in wall time heeds its limits") {
  const test::Soloist waits(
      [](Reaction& reaction) { reaction.set_timer_from_now(TimerId{1}, ms(60'000)); },
      [](Reaction& reaction) { reaction.finish(); });
  const auto of_run = run_solo(waits, {.virtual_time = Time{} + ms(30)});
  CHECK(of_run.outcome.status == RunStatus::limit_reached);
  const auto of_wall = run_solo(waits, {.wall_seconds = 0.03});
  CHECK(of_wall.outcome.status == RunStatus::limit_reached);
  CHECK(of_wall.outcome.report.find("wall time") != std::string::npos);
}

TEST_CASE("a role that fails in wall time fails the run, by its node's name") {
  const test::Soloist fails([](Reaction&) { throw std::runtime_error("no such thing"); });
  const auto real = run_solo(fails);
  CHECK(real.outcome.status == RunStatus::failed);
  CHECK(real.outcome.report.find("soloist failed") != std::string::npos);
  CHECK(real.outcome.report.find("no such thing") != std::string::npos);
}

TEST_CASE("a user may stop a run in wall time") {
  auto run = echo(3, 100'000);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  Progress progress;
  std::jthread user([&] {
    while (progress.rounds < 5) std::this_thread::sleep_for(1ms);
    progress.cancel = true;
  });
  const auto real = run_in_wall_time(run.spec, {.threads = 2}, &progress);
  CHECK(real.outcome.status == RunStatus::stopped);
  CHECK(real.outcome.complete_rounds >= 5);
}

TEST_CASE("a run in wall time can't be paused, but links can be cut and nodes stopped") {
  auto run = echo(3, 100'000);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  run.spec.stoppable_nodes = true;
  Progress progress;
  std::jthread user([&] {
    progress.interventions.ask({Intervention::Action::pause});
    while (progress.rounds < 5) std::this_thread::sleep_for(1ms);
    progress.interventions.ask({Intervention::Action::cut, {{"server"}, {"client-0"}}});
    progress.interventions.ask({Intervention::Action::crash, {{"client-1"}}});
  });
  const auto real = run_in_wall_time(run.spec, {.threads = 2}, &progress);
  CHECK(real.outcome.status == RunStatus::stalled);
  CHECK(real.outcome.report.find("client-0") != std::string::npos);
  CHECK(real.interventions.size() == 3);
}

TEST_CASE("a path keeps its last segments on the way") {
  Path path = Path::beginning(NodeId{3}, Time{5});
  path.extend(PathPart::compute, NodeId{3}, Time{1'000'000'007});
  path.extend(PathPart::propagation, NodeId{70'000}, Time{1'000'000'300});
  const auto same = decode_path(encode_path(path));
  REQUIRE(same);
  std::vector<PathSegment> segments;
  same->visit_backwards([&](const PathSegment& s) {
    segments.push_back(s);
    return true;
  });
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].part == PathPart::propagation);
  CHECK(segments[0].node == NodeId{70'000});
  CHECK(segments[0].from == Time{1'000'000'007});
  CHECK(segments[0].until == Time{1'000'000'300});
  CHECK(segments[1].from == Time{5});
  CHECK(!*decode_path(encode_path(Path())));
}

TEST_CASE("an envelope that holds no message is refused") {
  const MessageTypes types(echo_algorithm());
  Event copy;
  copy.node = NodeId{2};
  copy.source = NodeId{0};
  copy.kind = ArrivalEvent{Time{7}};
  copy.type = types.acknowledgement();
  const Envelope empty = to_envelope(copy, types);
  CHECK(from_envelope(empty, types)->type == types.acknowledgement());
  Envelope wrong = empty;
  wrong.content = {'x'};
  CHECK(!from_envelope(wrong, types));
  wrong = empty;
  wrong.type = "EchoRequest";
  CHECK(!from_envelope(wrong, types));  // without content
  wrong.type = "Unheard";
  CHECK(!from_envelope(wrong, types));
  CHECK(!decode_path({char(200)}));
  CHECK(!decode_path({1, 99, 1, 1}));
}

}  // namespace posse::test_wall_run
#endif
