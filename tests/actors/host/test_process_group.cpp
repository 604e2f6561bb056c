// SPDX-License-Identifier: Apache-2.0
// Runs that are spread over processes. Here each "process" is a thread with an actor system of its
// own, which talks to the others over TCP all the same.
#if !defined(__SANITIZE_THREAD__)
#include <atomic>
#include <boost/asio/post.hpp>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "actors/echo/protocol.hpp"
#include "actors/host/group_member.hpp"
#include "actors/host/line/connect.hpp"
#include "actors/host/process_group.hpp"
#include "actors/host/report.hpp"
#include "actors/host/wall_clock.hpp"
#include "actors/host/wall_world.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_process_group {
namespace {

using namespace std::chrono_literals;

test::Run echo(std::uint32_t clients, std::int64_t rounds) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  return test::Run(echo_algorithm(), parameters, clients, Seed{1});
}

class SameRun final : public MemberRun {
 public:
  explicit SameRun(const SimulationSpec& spec) : spec_(spec) {}
  const SimulationSpec& spec() const override { return spec_; }

 private:
  const SimulationSpec& spec_;
};

Credentials credentials() { return {"1", "secret", 7, {}}; }

/// A "process" that takes part until it is sent home, or is told to leave at once.
class Member {
 public:
  Member(std::uint16_t port, const SimulationSpec& spec, std::vector<std::string> wanted = {}) {
    options_.address.port = port;
    options_.credentials = credentials();
    options_.wanted = std::move(wanted);
    options_.stopped = [this] { return leaves_.load(); };
    thread_ = std::jthread([this, &spec] {
      end =
          take_part(options_, [&](const std::string&) { return std::make_unique<SameRun>(spec); });
    });
  }
  void leave() {
    leaves_ = true;
    thread_.join();
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  MemberEnd end = MemberEnd::lost;

 private:
  MemberOptions options_;
  std::atomic<bool> leaves_{false};
  std::jthread thread_;
};

GroupOptions options_for(std::size_t members) {
  GroupOptions options;
  options.credentials = credentials();
  options.members = members;
  options.rejoin = 300ms;
  return options;
}

SimulationResult run_together(const SimulationSpec& spec, std::size_t members) {
  WallLimit limit(20);
  auto group = std::make_unique<ProcessGroup>(options_for(members));
  std::vector<std::unique_ptr<Member>> others;
  for (std::size_t i = 0; i < members; ++i)
    others.push_back(std::make_unique<Member>(group->port(), spec));
  auto result = group->run(spec, "", limit, nullptr);
  group.reset();
  for (auto& member : others) {
    member->join();
    CHECK(member->end == MemberEnd::sent_home);
  }
  return result;
}

/// Runs with two members; `while_it_runs` is called from another thread as soon as `rounds` rounds
/// have ended.
template <class Act>
SimulationResult run_with_trouble(const SimulationSpec& spec,
                                  std::uint32_t rounds,
                                  Act&& while_it_runs) {
  WallLimit limit(20);
  auto group = std::make_unique<ProcessGroup>(options_for(2));
  Progress progress;
  Member stays(group->port(), spec, {"client-0..1"}), leaves(group->port(), spec, {"client-2"});
  std::jthread trouble([&, port = group->port()] {
    while (progress.rounds < rounds) std::this_thread::sleep_for(1ms);
    while_it_runs(leaves, port);
  });
  auto result = group->run(spec, "", limit, &progress);
  trouble.join();
  group.reset();
  stays.join();
  CHECK(stays.end == MemberEnd::sent_home);
  return result;
}

/// A member that has the token and "client-2", prepares its run, and then sends a frame of its own.
class Forger {
 public:
  Forger(std::uint16_t port, FrameKind kind, std::vector<char> content)
      : kind_(kind), content_(std::move(content)) {
    const EntranceKeys keys(credentials(), false);
    auto opened = connect_to("127.0.0.1", port, keys.options(), [] { return false; });
    line_ = std::make_shared<Line>(io_.io(), std::move(*opened));
    boost::asio::post(io_.io(), [this] {
      line_->start({[this](const Frame& frame) { hears(frame); }, [](const std::string&) {}});
    });
    line_->send(FrameKind::join, encode_frame(JoinFrame{"1", 7, {"client-2"}}));
  }
  ~Forger() { io_.stop(); }
  std::string why() {
    const std::lock_guard lock(mutex_);
    return why_;
  }

 private:
  void hears(const Frame& frame) {
    if (frame.kind == FrameKind::prepare)
      line_->send(FrameKind::ready, encode_frame(ReadyFrame{1, "", boot_id()}));
    if (frame.kind == FrameKind::begin) line_->send(kind_, content_);
    if (frame.kind != FrameKind::bye) return;
    const std::lock_guard lock(mutex_);
    why_ = decode_frame<ByeFrame>(frame.content)->why;
  }
  FrameKind kind_;
  std::vector<char> content_;
  IoThread io_;
  std::shared_ptr<Line> line_;
  std::mutex mutex_;
  std::string why_;
};

void check_balanced(const RunOutcome& out) {
  for (const auto& a : out.accounts) {
    INFO(a.type << ' ' << to_string(a.direction));
    CHECK(a.sent + a.repeated + a.duplicated == a.delivered + a.discarded + a.dropped_loss +
                                                    a.dropped_queue + a.dropped_partition +
                                                    a.dropped_crash + a.in_flight);
  }
}

/// Why the group doesn't let somebody in with these; empty: it does.
std::string refusal_of(const Credentials& shown) {
  ProcessGroup group(options_for(1));
  MemberOptions options;
  options.address.port = group.port();
  options.credentials = shown;
  int asked = 0;
  options.stopped = [&] { return ++asked > 20; };  // a second
  try {
    take_part(options, [](const std::string&) { return std::unique_ptr<MemberRun>(); });
  } catch (const OutsideFailure& refused) {
    return refused.what();
  }
  return "";
}

void check_same_accounts(const RunOutcome& real, const RunOutcome& simulated) {
  REQUIRE(real.accounts.size() == simulated.accounts.size());
  for (std::size_t i = 0; i < real.accounts.size(); ++i) {
    const auto &a = real.accounts[i], &b = simulated.accounts[i];
    INFO(a.type);
    CHECK(a.type == b.type);
    CHECK(a.sent == b.sent);
    // Acknowledgements may be on their way at the end.
    if (a.type != kAcknowledgement) CHECK(a.delivered == b.delivered);
    CHECK(a.bytes == b.bytes);
    CHECK(a.values == b.values);
  }
}

}  // namespace

TEST_CASE("a run over several processes sends what the simulation sends") {
  auto run = echo(10, 6);
  for (const auto transport : {Transport::datagram, Transport::reliable}) {
    run.spec.network.transport = transport;
    const auto simulated = run_serial(run.spec);
    const auto real = run_together(run.spec, 3);
    INFO(real.outcome.report);
    REQUIRE(real.outcome.status == RunStatus::finished);
    CHECK(real.outcome.complete_rounds == 6);
    check_same_accounts(real.outcome, simulated.outcome);
  }
}

TEST_CASE("members of a mesh reach each other through the process that listens") {
  const auto problem = test::make_problem("garland", 4, 200, Seed{3});
  test::Run run(parallel_algorithm(),
                default_parameters(parallel_algorithm().parameters),
                4,
                Seed{3},
                &problem);
  const auto simulated = run_serial(run.spec);
  const auto real = run_together(run.spec, 3);
  INFO(real.outcome.report);
  REQUIRE(real.outcome.status == RunStatus::finished);
  check_same_accounts(real.outcome, simulated.outcome);
  CHECK(real.outcome.regret.cumulative == simulated.outcome.regret.cumulative);
}

TEST_CASE("a traced run over several processes has every copy that arrived") {
  auto run = echo(4, 3);
  run.spec.trace_messages = true;
  const auto real = run_together(run.spec, 2);
  REQUIRE(real.outcome.status == RunStatus::finished);
  CHECK(real.messages.size() == 24);
  CHECK(real.outcome.paths.rounds == 3);
}

TEST_CASE("a run that is measured knows what every message took, in whichever process") {
  using Of = ServiceSample::Of;
  constexpr std::uint32_t kRequest = 0, kReply = 1, kServer = 0, kClients = 1;
  auto run = echo(4, 5);
  run.spec.measures_service = true;
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.002)}}};
  const auto real = run_together(run.spec, 2);
  INFO(real.outcome.report);
  REQUIRE(real.outcome.status == RunStatus::finished);
  std::map<std::tuple<Of, std::uint32_t, std::uint32_t>, int> counts;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> transmissions;
  for (const ServiceSample& sample : real.service) {
    CHECK(sample.time.ns >= 0);
    if (sample.of != Of::latency) {
      ++counts[{sample.of, sample.cause, sample.group}];
      if (sample.of == Of::compute && sample.cause == kRequest) CHECK(sample.sends);
      continue;
    }
    CHECK(sample.time >= Duration::seconds(0.002));  // the one that is injected
    CHECK(transmissions.emplace(sample.group, sample.to, sample.cause).second);
  }
  CHECK(transmissions.size() == 4 * 5 * 2);
  CHECK(counts[{Of::encode, kRequest, kServer}] == 20);
  CHECK(counts[{Of::encode, kReply, kClients}] == 20);
  for (const Of of : {Of::dispatch, Of::decode, Of::compute}) {
    CHECK(counts[{of, kRequest, kClients}] == 20);
    CHECK(counts[{of, kReply, kServer}] == 20);
  }
  run.spec.measures_service = false;
  CHECK(run_together(run.spec, 2).service.empty());
}

TEST_CASE("under policy all a run names the member that is lost, and ends") {
  auto run = echo(3, 1'000'000);
  const auto real =
      run_with_trouble(run.spec, 5, [](Member& member, std::uint16_t) { member.leave(); });
  CHECK(real.outcome.status == RunStatus::stalled);
  CHECK(real.outcome.report.find("client-2 has been down since") != std::string::npos);
  check_balanced(real.outcome);
  REQUIRE(real.interventions.size() == 1);
  CHECK(real.interventions[0].groups[0][0] == "client-2");
}

TEST_CASE(
    "under a quorum a run goes on without a lost member, and with it when it is there again") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{3000});
  Policy policy;
  policy.kind = PolicyKind::quorum;
  policy.quorum = 2;
  test::Run run(echo_algorithm(), parameters, 3, Seed{1}, nullptr, policy);
  std::unique_ptr<Member> again;
  const auto real = run_with_trouble(run.spec, 5, [&](Member& member, std::uint16_t port) {
    member.leave();
    again = std::make_unique<Member>(port, run.spec, std::vector<std::string>{"client-2"});
  });
  again->join();
  INFO(real.outcome.report);
  CHECK(real.outcome.status == RunStatus::finished);
  CHECK(real.outcome.complete_rounds == 3000);
  check_balanced(real.outcome);
  // It left and came again.
  REQUIRE(real.interventions.size() == 2);
  CHECK(real.interventions[1].action == Intervention::Action::restart);
  CHECK(again->end == MemberEnd::sent_home);
}

TEST_CASE("a node that nobody has yet may come late") {
  auto run = echo(3, 4);
  WallLimit limit(20);
  auto group = std::make_unique<ProcessGroup>([] {
    auto options = options_for(1);
    options.rejoin = 10s;
    return options;
  }());
  Progress progress;
  Member early(group->port(), run.spec, {"client-0..1"});
  std::unique_ptr<Member> late;
  std::jthread comes([&, port = group->port()] {
    while (progress.events < 4) std::this_thread::sleep_for(1ms);
    late = std::make_unique<Member>(port, run.spec, std::vector<std::string>{"client-2"});
  });
  run.spec.network.transport = Transport::reliable;  // what is sent before is sent again
  run.spec.network.retransmission.timeout = Duration::seconds(0.05);
  const auto real = group->run(run.spec, "", limit, &progress);
  comes.join();
  group.reset();
  late->join();
  INFO(real.outcome.report);
  CHECK(real.outcome.status == RunStatus::finished);
  CHECK(real.outcome.complete_rounds == 4);
  check_balanced(real.outcome);
}

TEST_CASE("whoever has another token, version or scenario is refused, and told why") {
  CHECK(refusal_of(credentials()).empty());
  auto shown = credentials();
  shown.token = "secreT";
  CHECK(refusal_of(shown) == "refused: the token is not the one of this run");
  shown.token = "";
  CHECK(refusal_of(shown) == "refused: the token is not the one of this run");
  shown = credentials();
  shown.version = "2";
  CHECK(refusal_of(shown) == "refused: this is posse 1, not 2");
  shown = credentials();
  shown.scenario_hash = 8;
  CHECK(refusal_of(shown) ==
        "refused: the scenario here has the hash 0000000000000007, not 0000000000000008");
  shown.scenario_hash = 0;  // takes the listener's
  CHECK(refusal_of(shown).empty());
}

TEST_CASE("a member that forges is sent away with the reason, and the run goes on without it") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{50});
  Policy policy;
  policy.kind = PolicyKind::quorum;
  policy.quorum = 2;
  test::Run run(echo_algorithm(), parameters, 3, Seed{1}, nullptr, policy);
  const auto message = [](std::uint32_t from, std::uint32_t to, const std::string& type) {
    MessageFrame frame{1, {}};
    frame.message.from = from;
    frame.message.to = to;
    frame.message.type = type;
    return encode_frame(frame);
  };
  auto late = MessageFrame{1, {.from = 3, .to = 0, .type = "Acknowledgement"}};
  late.message.departed_ns = std::numeric_limits<std::int64_t>::min();
  auto third_of_two = MessageFrame{1, {.from = 3, .to = 0, .type = "Acknowledgement"}};
  third_of_two.message.tries = 3;  // copies of datagrams come in pairs
  struct Forgery {
    FrameKind kind;
    std::vector<char> content;
    std::string why;
  };
  const std::vector<char> garbage(100, '\x7f');
  for (const auto& [kind, content, why] : std::vector<Forgery>{
           {FrameKind::message,
            message(1, 0, "EchoReply"),
            "it sent a message in the name of a node that it doesn't have"},
           {FrameKind::message,
            message(4'000'000'000, 0, "EchoReply"),
            "it sent a message in the name of a node that it doesn't have"},
           {FrameKind::message,
            message(3, 4, "EchoReply"),
            "it sent a message to a node that doesn't exist"},
           {FrameKind::message, message(3, 1, "EchoReply"), "it sent a message that can't be read"},
           {FrameKind::message, message(3, 0, "Unheard"), "it sent a message that can't be read"},
           {FrameKind::message, encode_frame(late), "it sent a message that can't be read"},
           {FrameKind::message, encode_frame(third_of_two), "it sent a message that can't be read"},
           {FrameKind::message, garbage, "what it sent can't be read"},
           {FrameKind::report, encode_frame(ReportFrame{1, garbage}), "its report can't be read"},
           {FrameKind::pong, encode_frame(PongFrame{-1, 1}), "its clock can't be read"},
           {FrameKind::join, garbage, "it sent what members don't send"},
           {FrameKind::stop, encode_frame(RunFrame{1}), "it sent what members don't send"}}) {
    INFO(why);
    WallLimit limit(20);
    auto group = std::make_unique<ProcessGroup>(options_for(2));
    Member honest(group->port(), run.spec, {"client-0..1"});
    Forger forger(group->port(), kind, content);
    const auto result = group->run(run.spec, "", limit, nullptr);
    group.reset();
    honest.join();
    CHECK(honest.end == MemberEnd::sent_home);
    CHECK(result.outcome.status == RunStatus::finished);
    CHECK(result.outcome.complete_rounds == 50);
    check_balanced(result.outcome);
    CHECK(forger.why() == why);
  }
}

TEST_CASE("a name that is taken, or doesn't exist, is refused by the listener") {
  auto options = options_for(2);
  options.nodes = {{NodeNames({{"server", 1, false}, {"client", 3, true}}), true}};
  std::atomic<bool> joined{false};
  options.tell = [&](const std::string& line) {
    if (line == "member 1 has joined, for client-1") joined = true;
  };
  ProcessGroup group(options);
  const auto refusal = [&](std::vector<std::string> wanted) -> std::string {
    MemberOptions member;
    member.address.port = group.port();
    member.credentials = credentials();
    member.wanted = std::move(wanted);
    try {
      take_part(member, [](const std::string&) { return std::unique_ptr<MemberRun>(); });
    } catch (const OutsideFailure& refused) {
      return refused.what();
    }
    return "";
  };
  auto run = echo(3, 1);
  Member one(group.port(), run.spec, {"client-1"});
  while (!joined) std::this_thread::sleep_for(1ms);
  CHECK(refusal({"client-1"}) == "refused: client-1 is with member 1; free: client-0, client-2");
  CHECK(refusal({"client-7"}) == "refused: no member can be 'client-7': there are client-0..2");
  one.leave();
}

TEST_CASE("a member that can't make the run fails it, and says why") {
  auto run = echo(3, 4);
  WallLimit limit(20);
  auto group = std::make_unique<ProcessGroup>(options_for(1));
  std::jthread member([port = group->port()] {
    MemberOptions options;
    options.address.port = port;
    options.credentials = credentials();
    take_part(options, [](const std::string&) -> std::unique_ptr<MemberRun> {
      throw OutsideFailure("no such data here");
    });
  });
  CHECK_THROWS_WITH(group->run(run.spec, "", limit, nullptr),
                    "member 1 can't run this: no such data here");
  group.reset();
}

TEST_CASE("a report is read as it was written, and garbage is refused") {
  ProcessReport report;
  report.number = 3;
  report.ledger = Ledger(2);
  report.ledger.of(1, Direction::up).sent = 5;
  RoundCount& round = report.ledger.round(Round{4});
  round.messages = 3;
  round.bytes = 300;
  round.values = 30;
  round.needless = 2;
  report.ledger.add_time(Round{4}, &RoundCount::compute, Duration{77});
  report.ledger.latency(Direction::down).add(Duration{1'500'000});
  report.fault_counts.crash = {3, 1};
  RoundEnded ended;
  ended.round = Round{4};
  ended.cells = {{Cell{2, 3}, 0.5, false}};
  ended.late = {NodeId{2}};
  Path path = Path::beginning(NodeId{1}, Time{10});
  path.extend(PathPart::timer, NodeId{1}, Time{30});
  report.observations = {{Time{9}, Time{8}, NodeId{1}, ended, path},
                         {Time{9}, Time{9}, NodeId{1}, CountObserved{"cells", 12}, {}}};
  report.messages.push_back({.type = "EchoReply", .from = NodeId{1}, .bytes = 12});
  report.nodes.push_back({NodeId{1}, {}, true, Waiting{"a plan", "Plan", Round{2}, {NodeId{0}}}});
  report.links.push_back({1, 1, {5, 1, 2, 0}, 60});
  report.came.push_back({NodeId{0}, NodeId{1}, 1, 7, Round{4}, 100, 8, 3});
  report.service.push_back({.of = ServiceSample::Of::compute,
                            .cause = 1,
                            .sends = true,
                            .group = 1,
                            .evaluations = 40,
                            .time = Duration{1500}});
  const auto bytes = encode_report(report);
  auto read = decode_report(bytes, 2);
  REQUIRE(read);
  CHECK(encode_report(*read) == bytes);
  CHECK(read->ledger.counts()[3].sent == 5);
  CHECK(read->ledger.spent().compute == Duration{77});
  CHECK(read->ledger.latencies() == report.ledger.latencies());
  CHECK(read->fault_counts == report.fault_counts);
  CHECK(std::get<CountObserved>(read->observations[1].observation).name == "cells");
  CHECK(read->observations[0].path.until() == Time{30});
  REQUIRE(read->service.size() == 1);
  CHECK(read->service[0].evaluations == 40);
  CHECK(read->service[0].time == Duration{1500});
  CHECK(!decode_report(bytes, 3));  // another run's types
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK(!decode_report({bytes.data(), size}, 2));
}

}  // namespace posse::test_process_group
#endif
