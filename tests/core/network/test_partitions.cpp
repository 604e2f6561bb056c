// SPDX-License-Identifier: Apache-2.0
// Faults of links: who is cut off from whom or held up, when, and what that does to a run.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "actors/blin/protocol.hpp"
#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "core/network/network.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/transmission_numbers.hpp"

namespace posse::test_partitions {
namespace {

using Groups = std::vector<std::vector<FaultyNodes>>;

const std::vector<std::string_view> kTypes = {"Question", "Answer", "Ack"};

/// Five players, all connected, and a second group of three.
struct Mesh {
  explicit Mesh(NetworkConfig c)
      : config(std::move(c)),
        nodes({{"player", 5, true}, {"guest", 3, true}}),
        links(Topology::full_mesh, 8),
        network(config, {}, nodes, links, kTypes, Seed{5}) {}

  Fate send(std::uint32_t from, std::uint32_t to, std::int64_t at_ns = 0) {
    const auto link = links.link({from}, {to});
    const Time at{at_ns};
    return network.transmit({{from}, {to}, link, 0, Round{1}, 100, at, at, true, false},
                            numbers.take(link));
  }
  bool cut(std::uint32_t from, std::uint32_t to, std::int64_t at_ns = 0) {
    return send(from, to, at_ns).cause == DropCause::partition;
  }
  /// The links that are cut, as "from>to" with node numbers.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> all_cut(std::int64_t at_ns = 0) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t from = 0; from < 8; ++from)
      for (std::uint32_t to = 0; to < 8; ++to)
        if (from != to && cut(from, to, at_ns)) pairs.emplace_back(from, to);
    return pairs;
  }
  NetworkConfig config;
  Nodes nodes;
  LinkMap links;
  Network network;
  test::TransmissionNumbers numbers;
};

NetworkConfig with(std::vector<LinkFault> partitions) {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{Duration{1000}}}};
  config.link_faults = std::move(partitions);
  return config;
}

/// All pairs of nodes in two different ones of these sets.
std::vector<std::pair<std::uint32_t, std::uint32_t>> between(
    const std::vector<std::vector<std::uint32_t>>& sets) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const auto& a : sets)
    for (const auto& b : sets)
      for (const auto from : a)
        for (const auto to : b)
          if (&a != &b && from != to) pairs.emplace_back(from, to);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

}  // namespace

TEST_CASE("a partition cuts the links between its groups, both ways, and no others") {
  Mesh names(with({{Groups{{"player-0", "player-2"}, {"player-4"}}, Time{}, {}}}));
  CHECK(names.all_cut() == between({{0, 2}, {4}}));
  Mesh groups(with({{Groups{{"player"}, {"guest"}}, Time{}, {}}}));
  CHECK(groups.all_cut() == between({{0, 1, 2, 3, 4}, {5, 6, 7}}));
  Mesh mixed(with({{Groups{{"player-1", "guest"}, {"player-3"}}, Time{}, {}}}));
  CHECK(mixed.all_cut() == between({{1, 5, 6, 7}, {3}}));
  Mesh three(with({{Groups{{"player-0"}, {"player-1"}, {"guest"}}, Time{}, {}}}));
  CHECK(three.all_cut() == between({{0}, {1}, {5, 6, 7}}));
}

TEST_CASE("a partition of a name and \"*\" cuts the node off from all others") {
  Mesh mesh(with({{Groups{{"player-3"}, {"*"}}, Time{}, {}}}));
  CHECK(mesh.all_cut() == between({{3}, {0, 1, 2, 4, 5, 6, 7}}));
}

TEST_CASE("a partition holds from its beginning, inclusive, to its end, exclusive") {
  Mesh mesh(with({{Groups{{"player-0"}, {"player-1"}}, Time{1000}, Duration{500}}}));
  CHECK_FALSE(mesh.cut(0, 1, 999));
  CHECK(mesh.cut(0, 1, 1000));
  CHECK(mesh.cut(1, 0, 1499));
  CHECK_FALSE(mesh.cut(0, 1, 1500));
  Mesh for_good(with({{Groups{{"player-0"}, {"player-1"}}, Time{1000}, {}}}));
  CHECK_FALSE(for_good.cut(0, 1, 999));
  CHECK(for_good.cut(0, 1, std::int64_t{1} << 62));
  Mesh endless(with({{Groups{{"player-0"}, {"player-1"}}, Time{1000}, Duration::max()}}));
  CHECK(endless.cut(0, 1, std::int64_t{1} << 62));
}

TEST_CASE("a message that left before a partition begins arrives") {
  Mesh mesh(with({{Groups{{"player-0"}, {"player-1"}}, Time{1000}, {}}}));
  const auto fate = mesh.send(0, 1, 999);
  CHECK(fate.cause == DropCause::none);
  CHECK(fate.arrival == Time{1999});
}

TEST_CASE("partitions that overlap hold independently of each other") {
  Mesh mesh(with({{Groups{{"player-0"}, {"player-1"}}, Time{0}, Duration{100}},
                  {Groups{{"player-0"}, {"player-1", "player-2"}}, Time{50}, Duration{100}},
                  {Groups{{"guest"}, {"player-0"}}, Time{120}, {}}}));
  CHECK(mesh.all_cut(49) == between({{0}, {1}}));
  CHECK(mesh.all_cut(50) == between({{0}, {1, 2}}));
  CHECK(mesh.all_cut(100) == between({{0}, {1, 2}}));
  CHECK(mesh.all_cut(120) == between({{0}, {1, 2, 5, 6, 7}}));
  CHECK(mesh.all_cut(150) == between({{0}, {5, 6, 7}}));
}

TEST_CASE(
    "restoring links ends cuts between the same groups, but no scheduled partition and no other") {
  const Groups both{{"player-0"}, {"player-1"}};
  Mesh mesh(with({{both, Time{0}, Duration{100}}}));
  mesh.network.cut(both, Time{10});
  mesh.network.cut(Groups{{"player-0"}, {"player-2"}}, Time{10});
  mesh.network.restore(both, Time{40});
  CHECK(mesh.all_cut(50) == between({{0}, {1, 2}}));  // the scheduled one still holds
  CHECK(mesh.all_cut(100) == between({{0}, {2}}));    // of those from outside only the other
  mesh.network.cut(both, Time{200});                  // again
  mesh.network.cut(both, Time{210});                  // and once more
  CHECK(mesh.cut(0, 1, 250));
  mesh.network.restore(both, Time{300});  // both of them
  CHECK(mesh.cut(1, 0, 299));
  CHECK_FALSE(mesh.cut(0, 1, 300));
}

TEST_CASE("a cut that is undone the moment it is made never holds") {
  const Groups both{{"player-0"}, {"player-1"}};
  Mesh mesh(with({}));
  mesh.network.cut(both, Time{10});
  mesh.network.restore(both, Time{10});
  CHECK_FALSE(mesh.cut(0, 1, 10));
  CHECK_FALSE(mesh.cut(0, 1, 11));
}

TEST_CASE("a partition doesn't change the fates of later transmissions") {
  DrawEngine draws(stream_key(Seed{4}, "test", std::uint64_t{0}), 0);
  for (const LossModel& loss :
       std::vector<LossModel>{BernoulliLoss{0.4}, GilbertElliottLoss{0.2, 0.3, 0.05, 0.9}}) {
    auto config = with({});
    config.links = {{.latency = UniformDuration{Duration{1000}, Duration{9000}}, .loss = loss}};
    auto cut = config;
    cut.link_faults = {{Groups{{"player-0"}, {"player-1"}}, Time{3000}, Duration{4000}}};
    Mesh one(config), other(cut);
    std::size_t stopped = 0, lost = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
      const auto a = one.send(0, 1, 10 * i), b = other.send(0, 1, 10 * i);
      if (10 * i >= 3000 && 10 * i < 7000) {
        REQUIRE(b.cause == DropCause::partition);
        ++stopped;
        continue;
      }
      REQUIRE(a.cause == b.cause);
      if (a.cause == DropCause::none) REQUIRE(a.arrival == b.arrival);
      lost += a.cause == DropCause::loss;
    }
    CHECK(stopped == 400);
    CHECK(lost > 50);
  }
}

TEST_CASE("a one-way partition cuts from its first group to the others, not back") {
  Mesh mesh(with({{.groups = Groups{{"guest"}, {"player-0"}, {"player-1"}}, .one_way = true}}));
  CHECK(mesh.all_cut() == std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                              {5, 0}, {5, 1}, {6, 0}, {6, 1}, {7, 0}, {7, 1}});
}

TEST_CASE("groups of a fault take ranges of numbered nodes") {
  Mesh mesh(with({{Groups{{"player-1..3"}, {"guest-2..2"}}, Time{}, {}}}));
  CHECK(mesh.all_cut() == between({{1, 2, 3}, {7}}));
}

TEST_CASE("a share of nodes is drawn from the seed: as many as stated, others for another seed") {
  std::set<std::vector<std::uint32_t>> seen;
  const Nodes nodes({{"server", 1, false}, {"client", 50, true}});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto members = nodes.members({"client", 0.2}, stream_key(Seed{seed}, "fault-share", 0));
    std::vector<std::uint32_t> chosen;
    for (const auto range : members)
      for (auto node = range.first; node < range.last; ++node) {
        REQUIRE(node >= 1);
        REQUIRE(node <= 50);
        chosen.push_back(node);
      }
    CHECK(chosen.size() == 10);
    CHECK(std::is_sorted(chosen.begin(), chosen.end()));
    seen.insert(chosen);
  }
  CHECK(seen.size() == 20);
  CHECK(nodes.members({"client", 0.01}, {}).size() == 1);  // at least one
  CHECK(nodes.members({"client", 1.0}, {}).size() == 1);   // one range, all of them
  CHECK(nodes.members({"client", 1.0}, {})[0].last == 51);
}

TEST_CASE("a repeated partition holds in each of its intervals until its end") {
  Mesh mesh(with({{.groups = Groups{{"player-0"}, {"player-1"}},
                   .when = {.at = Time{1000},
                            .lasting = Duration{100},
                            .every = Duration{400},
                            .until = Time{2200}}}}));
  for (std::int64_t at = 0; at < 4000; at += 10) {
    const bool holds = at >= 1000 && at < 2200 && (at - 1000) % 400 < 100;  // three times
    INFO(at);
    CHECK(mesh.cut(0, 1, at) == holds);
  }
}

TEST_CASE("random occurrences are disjoint, have the stated means and end in time") {
  const Duration gap = ms(300), length = ms(100);
  const Time until = at_ms(400'000);
  const Occurrences times({.lasting = length, .mean_gap = gap, .until = until},
                          stream_key(Seed{1}, "fault-times", 0));
  double gaps = 0, lengths = 0;
  std::uint64_t n = 0;
  Time free;
  for (; const auto each = times.number(n); ++n) {
    REQUIRE(each->begin >= free);
    REQUIRE(each->begin < until);
    REQUIRE(each->begin < each->end);
    CHECK(times.covering(each->begin) == each);
    CHECK(times.covering(Time{each->end.ns - 1}) == each);
    CHECK_FALSE(times.covering(each->end));
    gaps += (each->begin - free).to_seconds();
    lengths += (each->end - each->begin).to_seconds();
    free = each->end;
  }
  CHECK_FALSE(times.number(n + 1));
  // About 1000 of each; 5 standard errors of an exponential's mean.
  CHECK(static_cast<double>(n) == Approx(1000).margin(5 * 32));
  CHECK(gaps / static_cast<double>(n) == Approx(0.3).margin(5 * 0.3 / 31));
  CHECK(lengths / static_cast<double>(n) == Approx(0.1).margin(5 * 0.1 / 31));
  const Occurrences other({.lasting = length, .mean_gap = gap, .until = until},
                          stream_key(Seed{2}, "fault-times", 0));
  CHECK(other.number(0) != times.number(0));
}

TEST_CASE("a clogged link holds messages until it is free, and drops none") {
  Mesh mesh(with({{.groups = Groups{{"player-0"}, {"player-1"}},
                   .when = {.at = Time{1000}, .lasting = Duration{500}},
                   .kind = LinkFaultKind::clog},
                  {.groups = Groups{{"player-0"}, {"player-1"}},
                   .when = {.at = Time{1400}, .lasting = Duration{300}},
                   .kind = LinkFaultKind::clog}}));
  CHECK(mesh.send(0, 1, 999).arrival == Time{1999});
  const auto held = mesh.send(0, 1, 1000);
  CHECK(held.cause == DropCause::none);
  CHECK(held.arrival == Time{1700 + 1000});  // through both
  CHECK(held.queueing == Duration{700});
  CHECK(held.propagation == Duration{1000});
  CHECK(mesh.send(1, 0, 1600).arrival == Time{2700});
  CHECK(mesh.send(0, 1, 1700).arrival == Time{2700});
  CHECK(mesh.send(0, 2, 1200).arrival == Time{2200});
}

TEST_CASE("a message that a partition drops has occupied its sender's lines") {
  auto config = with({{Groups{{"player-0"}, {"player-1"}}, Time{0}, Duration{1}}});
  config.nodes = {{.nodes = "player-0", .rate_up = Rate{8000}}};  // 100 bytes take 0.1 s
  Mesh mesh(config);
  CHECK(mesh.cut(0, 1, 0));
  CHECK(mesh.send(0, 2, 0).arrival == Time{200'000'000 + 1000});
}

namespace {

/// Four partitions that heal, one from the start, at moments at which a perfect network is busy.
std::vector<LinkFault> healing(std::uint64_t number,
                               const std::string& hub,
                               const std::string& leaf) {
  DrawEngine draws(stream_key(Seed{number}, "healing", std::uint64_t{0}), 0);
  std::vector<LinkFault> partitions;
  for (int i = 0; i < 4; ++i) {
    Groups groups{{hub}, {leaf + "-" + std::to_string(draws() % 3)}};
    if (i == 3) groups = {{leaf + "-1"}, {"*"}};
    const double at = draws.uniform() * 600;
    partitions.push_back({groups, at_ms(i == 0 ? 0 : at), ms(1 + draws.uniform() * 900)});
  }
  return partitions;
}

struct Case {
  const AlgorithmSpec* algorithm;
  std::uint32_t clients;
  std::string hub, leaf;
};

std::vector<Case> cases() {
  return {{&fed_pne_algorithm(), 4, "server", "client"},
          {&pf_pne_algorithm(), 4, "server", "client"},
          {&blin_algorithm(), 4, "server", "client"},
          {&parallel_algorithm(), 4, "player-3", "player"},
          {&hct_central_algorithm(), 3, "*", "*"},
          {&pct_algorithm(), 1, "*", "*"}};
}

bool balanced(const RunOutcome& out) {
  return std::all_of(out.accounts.begin(), out.accounts.end(), [](const TypeAccount& a) {
    return a.sent + a.repeated + a.duplicated == a.delivered + a.discarded + a.dropped_loss +
                                                     a.dropped_queue + a.dropped_partition +
                                                     a.dropped_crash + a.in_flight;
  });
}

}  // namespace

TEST_CASE("reliable transport: partitions that end don't change decisions") {
  for (const auto& each : cases()) {
    for (std::uint64_t number = 0; number < 5; ++number) {
      const auto problem = test::make_problem(
          "garland", each.clients, 400, Seed{number}, each.clients > 1 ? 0.02 : 0.0);
      test::Run run(*each.algorithm,
                    default_parameters(each.algorithm->parameters),
                    each.clients,
                    Seed{number},
                    &problem);
      run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
      run.spec.compute.evaluation = ConstantDuration{ms(1)};
      const auto ideal = run_serial(run.spec).outcome;
      REQUIRE(ideal.status == RunStatus::finished);
      const Nodes nodes(run.protocol->groups());
      auto hub = each.hub, leaf = each.leaf;
      if (hub == "*") {  // by name, whatever they are called
        hub = nodes.name({0});
        leaf = nodes.name({1}).substr(0, nodes.name({1}).find('-'));
      }
      run.spec.network.link_faults = healing(number, hub, leaf);
      run.spec.network.transport = Transport::reliable;
      run.spec.network.retransmission.timeout = ms(130);
      if (number % 2) run.spec.network.links.front().loss = BernoulliLoss{0.1};
      INFO(each.algorithm->kind << ", number " << number);
      const auto faulty = run_serial(run.spec).outcome;
      INFO(faulty.report);
      REQUIRE(faulty.status == RunStatus::finished);
      test::check_same_decisions(ideal, faulty);
      CHECK(faulty.total(&TypeAccount::dropped_partition) > 0);
      CHECK_FALSE(faulty.lossless);
      CHECK(faulty.finished_at > ideal.finished_at);
      CHECK(balanced(faulty));
      for (const std::size_t threads : {1, 2, 3})
        CHECK(run_windows(run.spec, threads).outcome.fingerprint == faulty.fingerprint);
    }
  }
}

TEST_CASE("a partition changes the fingerprint if and only if it drops a message") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  test::Run run(echo_algorithm(), parameters, 3, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  const auto ideal = run_serial(run.spec).outcome;
  run.spec.network.link_faults = {{Groups{{"server"}, {"client-1"}}, at_ms(1), ms(48)}};
  CHECK(run_serial(run.spec).outcome.fingerprint == ideal.fingerprint);
  run.spec.network.link_faults[0].when.lasting = ms(50);  // holds when client-1 answers
  const auto cut = run_serial(run.spec).outcome;
  CHECK(cut.fingerprint != ideal.fingerprint);
  CHECK(cut.status == RunStatus::stalled);
  CHECK(cut.total(&TypeAccount::dropped_partition, "EchoReply") == 1);
}

TEST_CASE("a datagram that a partition drops stalls the run, and the report names it") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{5});
  test::Run run(echo_algorithm(), parameters, 4, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  run.spec.network.link_faults = {{Groups{{"server"}, {"client-2"}}, at_ms(100), ms(1)}};
  const auto serial = run_serial(run.spec).outcome;
  CHECK(serial.status == RunStatus::stalled);
  CHECK_THAT(serial.report, Catch::Contains("server has waited for"));
  CHECK_THAT(
      serial.report,
      Catch::Contains("EchoRequest of round 2 from server to client-2, sent at 0.1 s (partition)"));
  CHECK(serial.total(&TypeAccount::dropped_partition) == 1);
  CHECK(serial.total(&TypeAccount::dropped_partition, "EchoRequest") == 1);
  CHECK(serial.rounds.size() == 1);
  CHECK(balanced(serial));
  for (const std::size_t threads : {1, 2}) {
    const auto windows = run_windows(run.spec, threads).outcome;
    CHECK(windows.fingerprint == serial.fingerprint);
    CHECK(windows.report == serial.report);
  }
}

TEST_CASE(
    "reliable transport: a partition without end stalls the run, and the report counts the tries") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  test::Run run(echo_algorithm(), parameters, 2, Seed{1});
  run.spec.network.links = {{.latency = ConstantDuration{ms(50)}}};
  run.spec.network.link_faults = {{Groups{{"server"}, {"client-1"}}, Time{}, std::nullopt}};
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission.max_tries = 4;
  const auto out = run_serial(run.spec).outcome;
  CHECK(out.status == RunStatus::stalled);
  CHECK_THAT(out.report, Catch::Contains("never acknowledged, 4 tries"));
  CHECK(out.total(&TypeAccount::dropped_partition, "EchoRequest") == 4);
  CHECK(out.total(&TypeAccount::repeated) == 3);
}

TEST_CASE("partitions in random networks: the ledger balances and all kernels agree") {
  std::size_t dropped = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    auto parameters = default_parameters(echo_algorithm().parameters);
    parameters.set("rounds", std::int64_t{20});
    // Enough clients for several shards.
    test::Run run(echo_algorithm(), parameters, number % 4 ? 5 : 150, Seed{number});
    run.spec.network = test::random_network(Seed{number});
    run.spec.network.link_faults = healing(number, "server", "client");
    run.spec.limits.virtual_time = at_ms(60'000);
    const auto serial = run_serial(run.spec).outcome;
    INFO("network " << number << ": " << serial.report);
    CHECK(serial.status != RunStatus::ledger_violated);
    CHECK(balanced(serial));
    dropped += serial.total(&TypeAccount::dropped_partition) > 0;
    for (const std::size_t threads : {1, 2, 3})
      CHECK(run_windows(run.spec, threads).outcome.fingerprint == serial.fingerprint);
  }
  CHECK(dropped > 20);
}

}  // namespace posse::test_partitions
