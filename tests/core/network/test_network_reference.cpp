// SPDX-License-Identifier: Apache-2.0
// The network's decisions one by one, against their definition in its header: draw `n` of the
// stream of a link decides on transmission n. Times are counted by hand.
#include <catch2/catch.hpp>

#include "core/network/network.hpp"
#include "tests/support/transmission_numbers.hpp"

namespace posse::test_network_reference {
namespace {

const std::vector<std::string_view> kTypes = {"Question", "Answer", "Ack"};
constexpr Seed kSeed{5};

struct Fixture {
  explicit Fixture(NetworkConfig c, ComputeConfig work = {}, std::uint32_t clients = 3)
      : config(std::move(c)),
        nodes({{"server", 1, false}, {"client", clients, true}}),
        links(Topology::star, clients + 1),
        network(config, work, nodes, links, kTypes, kSeed) {}

  Network::Attempt attempt(std::uint32_t from,
                           std::uint32_t to,
                           Time at = {},
                           std::uint64_t bytes = 100,
                           std::uint16_t type = 0,
                           std::uint32_t round = 1) const {
    return {{from}, {to}, links.link({from}, {to}), type, Round{round}, bytes, at, at, true, false};
  }
  Fate transmit(const Network::Attempt& attempt) {
    return network.transmit(attempt, numbers.take(attempt.link));
  }
  Fate send(std::uint32_t from,
            std::uint32_t to,
            Time at = {},
            std::uint64_t bytes = 100,
            std::uint16_t type = 0,
            std::uint32_t round = 1) {
    return transmit(attempt(from, to, at, bytes, type, round));
  }
  bool loses(std::uint16_t type = 0, std::uint32_t round = 1) {
    return send(1, 0, {}, 100, type, round).cause == DropCause::loss;
  }
  NetworkConfig config;
  Nodes nodes;
  LinkMap links;
  Network network;
  test::TransmissionNumbers numbers;
};

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ms(double x) { return Time{} + ms(x); }

/// Draw `number` of `purpose/client-0>server`.
DrawEngine draws(std::string_view purpose, std::uint64_t number) {
  return {
      link_stream_key(seed_and_purpose(kSeed, purpose), hash_name("client-0"), hash_name("server")),
      number};
}
double draw(std::string_view purpose, std::uint64_t number) {
  return draws(purpose, number).uniform();
}

}  // namespace

TEST_CASE("a message is lost if its draw is below the probability, of its type if that counts") {
  NetworkConfig config;
  config.links = {{.loss = BernoulliLoss{0.3}}};
  Fixture all(config);
  config.links = {{.loss = LossByType{{{"Answer", 0.3}, {"Ack", 0.6}}}}};
  Fixture by_type(config);
  for (std::uint64_t n = 0; n < 200; ++n) {
    CHECK(all.loses() == (draw("loss", n) < 0.3));
    const auto type = static_cast<std::uint16_t>(n % 3);
    CHECK(by_type.loses(type) == (type > 0 && draw("loss", n) < 0.3 * type));
  }
}

TEST_CASE("bursts of losses: the first draw moves the chain, the second decides in its state") {
  const double p = 0.2, r = 0.4, good = 0.1, bad = 0.7;
  NetworkConfig config;
  config.links = {{.loss = GilbertElliottLoss{p, r, good, bad}}};
  config.drops = {{.round = Round{2}}};
  Fixture f(config);
  bool is_bad = false;
  std::size_t listed = 0, lost_in_good = 0, kept_in_bad = 0;
  for (std::uint64_t n = 0; n < 400; ++n) {
    auto both = draws("loss", n);
    const double step = both.uniform(), loss = both.uniform();
    is_bad = is_bad ? step >= r : step < p;
    const bool is_listed = n % 7 == 0;
    const bool lost = loss < (is_bad ? bad : good);
    CHECK(f.loses(0, is_listed ? 2 : 1) == (is_listed || lost));
    listed += is_listed && !lost;
    lost_in_good += !is_bad && lost;
    kept_in_bad += is_bad && !lost;
  }
  CHECK(std::min({listed, lost_in_good, kept_in_bad}) > 10);
}

TEST_CASE("the network copies a transmission if its draw is below the probability") {
  NetworkConfig config;
  config.links = {{.duplication = 0.3}};
  Fixture f(config);
  for (std::uint32_t n = 0; n < 200; ++n)
    CHECK(f.network.duplicates(f.attempt(1, 0), n) == (draw("duplication", n) < 0.3));
  Fixture none({});
  for (std::uint32_t n = 0; n < 50; ++n)
    CHECK_FALSE(none.network.duplicates(none.attempt(1, 0), n));
}

TEST_CASE("a latency is drawn with the number of the transmission, and counts as propagation") {
  NetworkConfig config;
  const UniformDuration latency{ms(10), ms(90)};
  config.links = {{.latency = latency}};
  Fixture f(config);
  const auto key = link_stream_key(
      seed_and_purpose(kSeed, "latency"), hash_name("client-0"), hash_name("server"));
  for (std::uint64_t n = 0; n < 20; ++n) {
    const Fate fate = f.send(1, 0, at_ms(7));
    CHECK(fate.propagation == sample(latency, {key, n}));
    CHECK(fate.arrival == at_ms(7) + fate.propagation);
    CHECK(fate.cleared == at_ms(7));
  }
}

TEST_CASE("where only draws decide they are those of the transmission, in whatever order") {
  NetworkConfig config;
  const ExponentialDuration latency{.mean = ms(3000), .floor = ms(1)};
  config.links = {{.latency = latency, .loss = BernoulliLoss{0.3}}};
  Fixture f(config);
  const LinkId link = f.links.link({1}, {0});
  REQUIRE(f.network.only_draws(link));
  const auto key = link_stream_key(
      seed_and_purpose(kSeed, "latency"), hash_name("client-0"), hash_name("server"));
  std::size_t longest = 0;
  const auto check = [&](std::uint32_t n) {
    const bool lost = draw("loss", n) < 0.3;
    const Duration expected = sample(latency, {key, n});
    CHECK(f.network.draw({1}, {0}, link, n) ==
          (lost ? std::nullopt : std::optional<Duration>(expected)));
    longest += !lost && expected > Duration{std::int64_t{1} << 32};  // is not kept in 32 bits
  };
  for (std::uint32_t n = 0; n < 100; ++n) check(n);
  for (const std::uint32_t n : {50u, 3u, 7u, 8u, 9u, 0u, 99u}) check(n);
  CHECK(longest > 10);
}

TEST_CASE("more than draws decides where links fail, copy, queue or keep the order") {
  const auto only_draws = [](NetworkConfig config) {
    const Fixture f(std::move(config));
    return f.network.only_draws(f.links.link({1}, {0}));
  };
  CHECK(only_draws({}));
  CHECK_FALSE(only_draws({.links = {{.duplication = 0.1}}}));
  CHECK_FALSE(only_draws({.links = {{.fifo = true}}}));
  CHECK_FALSE(only_draws({.links = {{.rate = Rate{1e6}}}}));
  CHECK_FALSE(only_draws({.links = {{.loss = GilbertElliottLoss{0.2, 0.4, 0.1, 0.7}}}}));
  CHECK_FALSE(only_draws({.links = {{.loss = LossByType{{{"Answer", 0.3}}}}}}));
  CHECK_FALSE(only_draws({.nodes = {{.rate_up = Rate{1e6}}}}));
  CHECK_FALSE(only_draws({.drops = {{.round = Round{2}}}}));
  CHECK_FALSE(only_draws({.link_faults = {{.groups = {{{"server"}}, {{"client"}}}}}}));
}

TEST_CASE(
    "fields of a listed loss that are not given match everything, all given ones must match") {
  NetworkConfig config;
  config.drops = {
      {.type = "Answer", .transmission = 1u}, {.type = "Nobody knows"}, {.to = "client-1"}};
  Fixture f(config);
  CHECK_FALSE(f.loses(1));  // transmission 0
  CHECK(f.loses(1));
  CHECK_FALSE(f.loses(1));
  CHECK(f.send(0, 2).cause == DropCause::loss);
  CHECK(f.send(0, 1).cause == DropCause::none);
  CHECK(f.send(0, 3).cause == DropCause::none);
}

TEST_CASE("a message that finds a queue exactly as long as allowed still fits") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}, .rate = Rate{8000, 100}}};  // 1 byte a ms
  Fixture f(config);
  CHECK(f.send(1, 0).cause == DropCause::none);
  CHECK(f.send(1, 0).arrival == at_ms(201));                 // 100 bytes wait
  CHECK(f.send(1, 0, at_ms(99)).cause == DropCause::queue);  // 101 bytes
  CHECK(f.send(1, 0, at_ms(100)).arrival == at_ms(301));
}

TEST_CASE("a full queue of the node drops before the link's line is used") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}, .rate = Rate{16000}}};
  config.nodes = {{.nodes = "client", .rate_up = Rate{8000, 0}}};
  Fixture f(config);
  const Fate first = f.send(1, 0);
  CHECK(first.transfer == ms(150));
  CHECK(first.cleared == at_ms(150));
  CHECK(f.send(1, 0).cause == DropCause::queue);
  CHECK(f.send(1, 0, at_ms(100)).arrival == at_ms(251));  // the link's line is free at 150 ms
  CHECK(f.send(2, 0).arrival == at_ms(151));              // each client has its own line
}

TEST_CASE("a lost message occupies its sender's line, a copy does not") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}, .rate = Rate{8000}}};
  config.drops = {{.transmission = 0u}};
  Fixture f(config);
  const Fate lost = f.send(1, 0);
  CHECK(lost.cause == DropCause::loss);
  CHECK(lost.cleared == at_ms(100));
  auto copy = f.attempt(1, 0);
  copy.copy = true;
  copy.leaves = at_ms(100);
  CHECK(f.transmit(copy).arrival == at_ms(101));
  CHECK(f.send(1, 0).arrival == at_ms(201));
}

TEST_CASE("an overtaking message waits for the one before it, as queueing, on fifo links only") {
  NetworkConfig config;
  config.links = {
      {.latency = TraceDuration{std::make_shared<const StepTrace<Duration>>(
           std::vector<StepTrace<Duration>::Step>{{Time{0}, ms(50)}, {at_ms(10), ms(5)}})},
       .fifo = true},
      {.from = "client-1", .fifo = false}};
  Fixture f(config);
  CHECK(f.send(1, 0).arrival == at_ms(50));
  const Fate held = f.send(1, 0, at_ms(10));
  CHECK(held.propagation == ms(5));
  CHECK(held.queueing == ms(35));
  CHECK(held.arrival == at_ms(50));
  const Fate later = f.send(1, 0, at_ms(45));
  CHECK(later.queueing == Duration{});
  CHECK(later.arrival == at_ms(50));
  CHECK(f.send(1, 0, at_ms(46)).arrival == at_ms(51));
  CHECK(f.send(2, 0).arrival == at_ms(50));
  CHECK(f.send(2, 0, at_ms(10)).arrival == at_ms(15));
}

TEST_CASE("a clogged link holds a message, as queueing, until the last of its faults is over") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}}};
  const auto clog = [](double from, double lasting) {
    return LinkFault{.groups = {{"client-0"}, {"server"}},
                     .when = {.at = at_ms(from), .lasting = ms(lasting)},
                     .kind = LinkFaultKind::clog};
  };
  config.link_faults = {clog(10, 30), clog(20, 5), clog(38, 12)};
  Fixture f(config);
  CHECK(f.send(1, 0, at_ms(9)).arrival == at_ms(10));
  const Fate held = f.send(1, 0, at_ms(22));  // to 40 ms, where the third holds until 50 ms
  CHECK(held.queueing == ms(28));
  CHECK(held.propagation == ms(1));
  CHECK(held.arrival == at_ms(51));
  CHECK(f.send(1, 0, at_ms(50)).queueing == Duration{});
  CHECK(f.send(2, 0, at_ms(22)).queueing == Duration{});
}

TEST_CASE("a matrix and a factor: the smallest latency is the smallest of any link, scaled") {
  NetworkConfig config;
  const auto factor = std::make_shared<const LatencyFactor>(
      LatencyFactor{StepTrace<double>({{Time{0}, 2.0}, {at_ms(100), 0.5}}), {}});
  config.links = {{.latency = ConstantDuration{ms(10)}},
                  {.from = "client-0", .latency_factor = factor}};
  CHECK(Fixture(config).network.lookahead() == ms(5));
  config.matrix = std::make_shared<const LatencyMatrix>(
      LatencyMatrix{{{"client-0", "server"}, {ms(6)}}, {{"server", "client-2"}, {ms(4)}}});
  Fixture f(config);
  CHECK(f.network.lookahead() == ms(3));
  CHECK(f.send(1, 0).propagation == ms(12));
  CHECK(f.send(1, 0, at_ms(100)).propagation == ms(3));
  CHECK(f.send(0, 3).propagation == ms(4));
  CHECK(f.send(0, 1).propagation == ms(10));  // the matrix is one way
  // Names of groups are no pairs.
  config.matrix = std::make_shared<const LatencyMatrix>(
      LatencyMatrix{{{"client", "server"}, {ms(1)}}, {{"server", "client"}, {ms(1)}}});
  CHECK(Fixture(config).send(2, 0).propagation == ms(10));
  CHECK_FALSE(Fixture({}, {}, 0).network.lookahead());
}

TEST_CASE("a node is a straggler with the stated probability by its own draw") {
  NetworkConfig config;
  config.nodes = {{.nodes = "client", .straggler = 4.0, .share = 0.3},
                  {.nodes = "client-7", .straggler = 2.0}};
  Fixture f(config, {}, 50);
  for (std::uint32_t i = 1; i <= 50; ++i) {
    const auto key = stream_key(kSeed, "straggler", f.nodes.name({i}));
    const double expected = i == 8 ? 2 : DrawEngine(key, 0).uniform() < 0.3 ? 4 : 1;
    CHECK(f.network.straggler_factor({i}) == expected);
  }
  CHECK(f.network.straggler_factor({0}) == 1);
  CHECK(Fixture({}).network.straggler_factor({1}) == 1);
}

TEST_CASE("evaluations take the draws of the node's stream, or a constant each") {
  const UniformDuration each{ms(1), ms(9)};
  Fixture f({}, {each});
  const auto key = stream_key(kSeed, "compute", "client-1");
  CHECK(f.network.evaluation_time({2}, 5, 3) ==
        sample(each, {key, 5}) + sample(each, {key, 6}) + sample(each, {key, 7}));
  CHECK(f.network.evaluation_time({2}, 5, 0) == Duration{});
  CHECK(Fixture({}, {ConstantDuration{ms(3)}}).network.evaluation_time({2}, 5, 7) == ms(21));
}

TEST_CASE("a link is cut for good only by a partition without end that has begun") {
  const auto cut = [](std::optional<Duration> lasting, LinkFaultKind kind) {
    NetworkConfig config;
    config.link_faults = {{.groups = {{"client-0"}, {"server"}},
                           .when = {.at = at_ms(10), .lasting = lasting},
                           .one_way = true,
                           .kind = kind}};
    return config;
  };
  const Fixture forever(cut({}, LinkFaultKind::partition));
  CHECK_FALSE(forever.network.cut_for_good({1}, {0}, at_ms(9)));
  CHECK(forever.network.cut_for_good({1}, {0}, at_ms(10)));
  CHECK_FALSE(forever.network.cut_for_good({0}, {1}, at_ms(10)));
  CHECK_FALSE(forever.network.cut_for_good({2}, {0}, at_ms(10)));
  CHECK_FALSE(
      Fixture(cut(ms(5), LinkFaultKind::partition)).network.cut_for_good({1}, {0}, at_ms(10)));
  CHECK_FALSE(Fixture(cut({}, LinkFaultKind::clog)).network.cut_for_good({1}, {0}, at_ms(10)));
  CHECK_FALSE(Fixture({}).network.cut_for_good({1}, {0}, at_ms(10)));
}

TEST_CASE("the record of link faults has each beginning and each end up to the run's end") {
  NetworkConfig config;
  config.link_faults = {{.groups = {{"client-0"}, {"server"}},
                         .when = {.at = at_ms(10), .lasting = ms(5), .every = ms(20)}},
                        {.groups = {{"client-1"}, {"server"}}, .when = {.at = at_ms(30)}}};
  Fixture f(config);
  f.network.cut({{"client-2"}, {"server"}}, at_ms(1));  // not the scenario's
  std::vector<FaultRecord> records;
  f.network.record_faults(at_ms(50), records);
  std::vector<std::tuple<std::uint16_t, double, bool>> found;
  for (const auto& record : records) {
    CHECK(record.of == FaultOf::links);
    found.emplace_back(record.fault, record.at.to_seconds() * 1e3, record.begins);
  }
  CHECK(found == std::vector<std::tuple<std::uint16_t, double, bool>>{{0, 10, true},
                                                                      {0, 15, false},
                                                                      {0, 30, true},
                                                                      {0, 35, false},
                                                                      {0, 50, true},
                                                                      {1, 30, true}});
}

TEST_CASE("faults of links are counted by kind when they begin and when they end") {
  NetworkConfig config;
  const auto fault = [](FaultTimes when, LinkFaultKind kind) {
    return LinkFault{.groups = {{"client-0"}, {"server"}}, .when = when, .kind = kind};
  };
  config.link_faults = {
      fault({.at = at_ms(10), .lasting = ms(5), .every = ms(20)}, LinkFaultKind::partition),
      fault({.at = at_ms(30)}, LinkFaultKind::clog),
      fault({.at = at_ms(10), .lasting = ms(1), .every = ms(10), .until = at_ms(30)},
            LinkFaultKind::clog)};
  Fixture f(config);
  f.network.cut({{"client-2"}, {"server"}}, at_ms(41));  // an observer
  const auto at = [&](double time) {
    FaultCounts counts;
    f.network.count_faults(at_ms(time), counts);
    return std::vector{
        counts.partition.begun, counts.partition.active(), counts.clog.begun, counts.clog.active()};
  };
  using Counts = std::vector<std::uint64_t>;
  CHECK(at(9) == Counts{0, 0, 0, 0});
  CHECK(at(10) == Counts{1, 1, 1, 1});
  CHECK(at(14.9) == Counts{1, 1, 1, 0});
  CHECK(at(15) == Counts{1, 0, 1, 0});
  CHECK(at(30) == Counts{2, 1, 3, 1});  // the last one begins before its `until`
  CHECK(at(40) == Counts{2, 0, 3, 1});
  CHECK(at(41) == Counts{3, 1, 3, 1});
  f.network.restore({{"client-2"}, {"server"}}, at_ms(45));
  CHECK(at(46) == Counts{3, 0, 3, 1});
  CHECK(at(1e6) == Counts{2 + 49'999, 0, 3, 1});
}

TEST_CASE("random faults are counted as they are drawn") {
  const Occurrences when({.at = at_ms(5), .lasting = ms(3), .mean_gap = ms(7), .until = at_ms(500)},
                         stream_key(Seed{3}, "fault-times", 0));
  std::uint64_t begun = 0;
  for (double time = 0; time < 600; time += 0.25) {
    while (when.number(begun) && when.number(begun)->begin <= at_ms(time)) ++begun;
    CHECK(when.begun(at_ms(time)) == begun);
  }
  CHECK(begun > 20);
}

}  // namespace posse::test_network_reference
