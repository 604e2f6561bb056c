// SPDX-License-Identifier: Apache-2.0
// Critical paths of rounds whose course is known in closed form.
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "actors/echo/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/sim/critical_path.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_critical_path {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

test::Run echo(std::uint32_t clients, Duration work = {}, Policy policy = {}) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{2});
  parameters.set("request_bytes", std::int64_t{256});
  parameters.set("reply_bytes", std::int64_t{128});
  parameters.set("work", work);
  test::Run run(echo_algorithm(), parameters, clients, Seed{1}, nullptr, policy);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  return run;
}

struct Note {
  static constexpr std::string_view kName = "CriticalPathNote";
  std::vector<double> numbers;
  std::uint64_t values() const { return numbers.size(); }
  POSSE_FIELDS(numbers)
};

using Parts = std::map<std::string, Duration>;

/// The parts that take time.
CriticalPath critical_path(const Path& path, Time began, Time ended) {
  CriticalPath times;
  follow(path, began, ended, times);
  return times;
}
Parts parts_of(const CriticalPath& path) {
  Parts parts;
  for (const auto& part : kCriticalPathParts)
    if ((path.*part.time).ns != 0) parts[std::string(part.name)] = path.*part.time;
  return parts;
}

CriticalPath path_of_round(const RunOutcome& out, std::size_t i) {
  REQUIRE(out.status == RunStatus::finished);
  REQUIRE(out.rounds.size() > i);
  REQUIRE(out.rounds[i].path);
  Duration sum;
  for (const auto& [name, time] : parts_of(*out.rounds[i].path)) sum += time;
  CHECK(sum == out.rounds[i].ended - out.rounds[i].began);
  return *out.rounds[i].path;
}

}  // namespace

TEST_CASE("the critical path goes through the slowest client") {
  auto run = echo(3, ms(10));
  run.spec.network.nodes = {{.nodes = "client-1", .straggler = 5.0}};
  const auto out = run_serial(run.spec).outcome;
  for (const std::size_t round : {0u, 1u}) {
    const auto path = path_of_round(out, round);
    CHECK(parts_of(path) == Parts{{"compute", ms(50)}, {"propagation", ms(40)}});
    CHECK(path.waited_for == NodeId{2});
  }
  CHECK(out.paths.rounds == 2);
  CHECK(out.paths.sum.compute == ms(100));
  CHECK(out.paths.waited_for ==
        std::map<NodeId, std::uint64_t>{{NodeId{2}, 2 * CriticalPaths::kWholeRound}});
}

TEST_CASE("without work the round waits for the client whose reply comes last") {
  auto run = echo(3);
  run.spec.network.links.push_back(
      {.from = "client-2", .to = "server", .latency = ConstantDuration{ms(70)}});
  const auto path = path_of_round(run_serial(run.spec).outcome, 1);
  CHECK(parts_of(path) == Parts{{"propagation", ms(90)}});
  CHECK(path.waited_for == NodeId{3});
}

TEST_CASE("queues and transfers of both ends are on the critical path") {
  auto run = echo(4);
  run.spec.network.nodes = {{.nodes = "server",
                             .rate_up = Rate{256 * 8 * 100.0},     // 10 ms a request
                             .rate_down = Rate{128 * 8 * 20.0}}};  // 50 ms a reply
  const auto path = path_of_round(run_serial(run.spec).outcome, 0);
  // The fourth reply: its request queued for 30 ms; it arrived at 80 ms, when the line was busy
  // until 50 + 3 * 50 = 200 ms.
  CHECK(parts_of(path) ==
        Parts{{"queueing", ms(30 + 120)}, {"transfer", ms(10 + 50)}, {"propagation", ms(40)}});
  CHECK(path.waited_for == NodeId{4});
}

TEST_CASE("a transfer without a queue is on the critical path") {
  auto run = echo(1);
  run.spec.network.links[0].rate = Rate{256 * 8 * 100.0};  // 10 ms a request, 5 ms a reply
  const auto path = path_of_round(run_serial(run.spec).outcome, 0);
  CHECK(parts_of(path) == Parts{{"transfer", ms(15)}, {"propagation", ms(40)}});
}

TEST_CASE("a lost message puts its repetition on the critical path") {
  auto run = echo(2);
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission = {.timeout = ms(100), .backoff = 2, .max_timeout = ms(150)};
  run.spec.network.drops = {{.type = "EchoReply", .round = Round{1}, .from = "client-1"}};
  const auto out = run_serial(run.spec).outcome;
  auto path = path_of_round(out, 0);
  CHECK(parts_of(path) == Parts{{"retransmission", ms(100)}, {"propagation", ms(40)}});
  CHECK(path.waited_for == NodeId{2});
  path = path_of_round(out, 1);
  CHECK(parts_of(path) == Parts{{"propagation", ms(40)}});
}

TEST_CASE("a deadline that closes a round is its critical path, nobody is waited for") {
  auto run = echo(3, ms(10), {.kind = PolicyKind::deadline, .deadline = ms(70)});
  run.spec.network.nodes = {{.nodes = "client-1", .straggler = 5.0}};
  const auto path = path_of_round(run_serial(run.spec).outcome, 0);
  CHECK(parts_of(path) == Parts{{"timer", ms(70)}});
  CHECK_FALSE(path.waited_for);
}

TEST_CASE("a node that stands still is on the critical path") {
  SECTION("while it works") {
    auto run = echo(2, ms(10));
    run.spec.network.node_faults = {
        {.nodes = {"client-1"}, .when = {.at = at_ms(25), .lasting = ms(200)}}};
    const auto path = path_of_round(run_serial(run.spec).outcome, 0);
    CHECK(parts_of(path) ==
          Parts{{"compute", ms(10)}, {"propagation", ms(40)}, {"stopped", ms(200)}});
    CHECK(path.waited_for == NodeId{2});
  }
  SECTION("when a message reaches it") {
    auto run = echo(2, ms(10));
    run.spec.network.node_faults = {
        {.nodes = {"client-1"}, .when = {.at = at_ms(5), .lasting = ms(200)}}};
    const auto path = path_of_round(run_serial(run.spec).outcome, 0);
    CHECK(parts_of(path) ==
          Parts{{"compute", ms(10)}, {"propagation", ms(40)}, {"stopped", ms(185)}});
  }
  SECTION("when messages reach the server") {
    auto run = echo(2);
    run.spec.network.node_faults = {
        {.nodes = {"server"}, .when = {.at = at_ms(30), .lasting = ms(50)}}};
    const auto path = path_of_round(run_serial(run.spec).outcome, 0);
    CHECK(parts_of(path) == Parts{{"propagation", ms(40)}, {"stopped", ms(40)}});
  }
}

TEST_CASE("a player that computes longer than messages travel is waited for, not the messages") {
  const auto problem = test::make_problem("sine", 3, 300, Seed{1});
  auto run = test::Run(parallel_algorithm(),
                       default_parameters(parallel_algorithm().parameters),
                       3,
                       Seed{1},
                       &problem);
  run.spec.network.links = {{.latency = ConstantDuration{ms(1)}}};
  run.spec.compute.evaluation = ConstantDuration{ms(10)};
  run.spec.network.nodes = {{.nodes = "player-1", .straggler = 3.0}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.rounds.size() >= 3);
  for (std::size_t i = 0; i < out.rounds.size(); ++i) {
    const RoundRecord& round = out.rounds[i];
    const auto path = path_of_round(out, i);
    INFO("round " << i);
    // The slow player's work, then its message to the others, which end the round 1 ms later. The
    // slow one itself begins the next round that much earlier than they do.
    const Duration work =
        ms(10 * 3.0 * static_cast<double>(round.pulls_per_cell * round.active_cells));
    CHECK(parts_of(path) == Parts{{"compute", work}, {"propagation", ms(1)}});
    CHECK(path.waited_for == NodeId{1});
  }
}

TEST_CASE("a part of a path before the round does not count") {
  Path path = Path::beginning(NodeId{1}, at_ms(0));
  path.extend(PathPart::compute, NodeId{1}, at_ms(10));
  path.extend(PathPart::propagation, NodeId{1}, at_ms(30));
  const auto whole = critical_path(path, at_ms(0), at_ms(30));
  CHECK(parts_of(whole) == Parts{{"compute", ms(10)}, {"propagation", ms(20)}});
  CHECK(whole.waited_for == NodeId{1});
  CHECK(parts_of(critical_path(path, at_ms(4), at_ms(30))) ==
        Parts{{"compute", ms(6)}, {"propagation", ms(20)}});
  CHECK(parts_of(critical_path(path, at_ms(13), at_ms(30))) == Parts{{"propagation", ms(17)}});
}

TEST_CASE("what a path does not know is called unknown") {
  Path path = Path::beginning(NodeId{1}, at_ms(12));
  path.extend(PathPart::propagation, NodeId{1}, at_ms(30));
  CHECK(parts_of(critical_path(path, at_ms(10), at_ms(30))) ==
        Parts{{"propagation", ms(18)}, {"unknown", ms(2)}});
}

TEST_CASE("a long path forgets its beginning, and copies keep theirs") {
  Path path = Path::beginning(NodeId{0}, at_ms(1));
  const Path beginning = path;
  for (int i = 2; i <= 10'000; ++i) path.extend(PathPart::propagation, NodeId{0}, at_ms(i));
  std::size_t segments = 0;
  Time first;
  path.visit_backwards([&](const PathSegment& segment) {
    ++segments;
    first = segment.from;
    return true;
  });
  CHECK(segments <= 4096);
  CHECK(segments >= 63);
  CHECK(first == at_ms(10'000 - static_cast<double>(segments)));
  CHECK(beginning.until() == at_ms(1));
  path.begin_round();
  CHECK(path.until() == at_ms(10'000));
  std::size_t kept = 0;
  path.visit_backwards([&](const PathSegment&) { return ++kept > 0; });
  CHECK(kept < segments);
  CHECK(kept >= 63);
}

TEST_CASE("a message that is sent on keeps its content and has a path of its own") {
  const Path one = Path::beginning(NodeId{0}, at_ms(1));
  const Path other = Path::beginning(NodeId{0}, at_ms(2));
  const Payload first = Payload::make(Note{{1, 2, 3}}).with_path(one);
  const Payload second = Payload(first).with_path(other);
  const Payload third = Payload(second).with_path(one);
  CHECK(first.path().until() == at_ms(1));
  CHECK(second.path().until() == at_ms(2));
  CHECK(third.path().until() == at_ms(1));
  for (const Payload* each : {&second, &third}) {
    REQUIRE(each->get<Note>() != nullptr);
    CHECK(each->get<Note>() == first.get<Note>());
    CHECK(each->hash() == first.hash());
    CHECK(each->size_bytes() == first.size_bytes());
    CHECK(each->values() == 3);
  }
}

}  // namespace posse::test_critical_path
