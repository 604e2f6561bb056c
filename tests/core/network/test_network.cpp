// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/network/network.hpp"
#include "tests/support/transmission_numbers.hpp"

namespace posse::test_network {
namespace {

const std::vector<std::string_view> kTypes = {"Question", "Answer", "Ack"};

struct Fixture {
  explicit Fixture(NetworkConfig c, ComputeConfig work = {}, std::uint32_t clients = 3)
      : config(std::move(c)),
        nodes({{"server", 1, false}, {"client", clients, true}}),
        links(Topology::star, clients + 1),
        network(config, work, nodes, links, kTypes, Seed{5}) {}

  Fate send(std::uint32_t from,
            std::uint32_t to,
            Time at = {},
            std::uint64_t bytes = 100,
            std::uint16_t type = 0,
            std::uint32_t round = 1,
            bool first = true) {
    const auto link = links.link({from}, {to});
    return network.transmit({{from}, {to}, link, type, Round{round}, bytes, at, at, first, false},
                            numbers.take(link));
  }
  NetworkConfig config;
  Nodes nodes;
  LinkMap links;
  Network network;
  test::TransmissionNumbers numbers;
};

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
LinkRule latency(Duration d) { return {.latency = ConstantDuration{d}}; }

}  // namespace

TEST_CASE("later link rules win, property by property") {
  NetworkConfig config;
  config.links = {latency(ms(10)),
                  {.from = "client", .to = "server", .latency = ConstantDuration{ms(20)}},
                  {.from = "client-1", .latency = ConstantDuration{ms(30)}},
                  {.from = "client-1", .to = "server", .duplication = 1.0}};
  Fixture f(config);
  CHECK(f.send(0, 1).arrival == Time{} + ms(10));
  CHECK(f.send(1, 0).arrival == Time{} + ms(20));
  CHECK(f.send(2, 0).arrival == Time{} + ms(30));  // the later rules only add duplication
  CHECK(f.network.lookahead() == ms(10));
}

TEST_CASE("a listed message is lost once, on its first transmission") {
  NetworkConfig config;
  config.links = {latency(ms(1))};
  config.drops = {{.type = "Answer", .round = Round{2}, .from = "client-0", .to = "server"}};
  Fixture f(config);
  CHECK(f.send(1, 0, {}, 10, 1, 2).cause == DropCause::loss);
  CHECK(f.send(1, 0, {}, 10, 1, 2, false).cause == DropCause::none);
  CHECK(f.send(1, 0, {}, 10, 1, 3).cause == DropCause::none);
  CHECK(f.send(1, 0, {}, 10, 0, 2).cause == DropCause::none);
  CHECK(f.send(2, 0, {}, 10, 1, 2).cause == DropCause::none);
}

TEST_CASE("a link's rate makes messages queue, and its queue overflows") {
  NetworkConfig config;
  // 8000 bit/s: 100 bytes take 0.1 s
  config.links = {{.latency = ConstantDuration{ms(10)}, .rate = Rate{8000, 150}}};
  Fixture f(config);
  const auto a = f.send(1, 0), b = f.send(1, 0), c = f.send(1, 0);
  CHECK(a.arrival == Time{} + ms(110));
  CHECK(a.queueing == Duration{});
  CHECK(a.transfer == ms(100));
  CHECK(b.arrival == Time{} + ms(210));  // found 100 bytes waiting: fits
  CHECK(b.queueing == ms(100));
  CHECK(c.cause == DropCause::queue);                                 // found 200 bytes waiting
  CHECK(f.send(2, 0).arrival == Time{} + ms(110));                    // another link
  CHECK(f.send(1, 0, Time{} + ms(150)).arrival == Time{} + ms(310));  // 50 bytes waiting
}

TEST_CASE("a busy line is free when exact arithmetic says so, to 1 ns after a million messages") {
  // A message takes 266 666.67 ns, 14.86 ns, 0.1 ns.
  for (const double bits_per_second : {3e6, 7e9, 8e12}) {
    for (const bool traced : {false, true}) {
      const std::uint64_t bytes = bits_per_second == 7e9 ? 13 : 100;
      Rate rate{bits_per_second};
      if (traced) {
        rate.trace = std::make_shared<const RateTrace>(
            RateTrace::Steps({{Time{}, static_cast<std::uint64_t>(bits_per_second)}}));
        rate.bits_per_second = 0;
      }
      NetworkConfig config;
      config.links = {{.latency = ConstantDuration{ms(10)}, .rate = rate}};
      Fixture f(config);
      constexpr std::int64_t kMessages = 1'000'000;
      Fate last;
      for (std::int64_t i = 0; i < kMessages; ++i) last = f.send(1, 0, {}, bytes);
      const double exact =
          static_cast<double>(bytes) * 8 * kMessages / bits_per_second * 1e9 + 10e6;
      CHECK(std::abs(static_cast<double>(last.arrival.ns) - exact) <= 1);
    }
  }
}

TEST_CASE("a node's upload rate is shared by its links and applies before theirs") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(10)}, .rate = Rate{16000}}};
  config.nodes = {{.nodes = "server", .rate_up = Rate{8000}}};
  Fixture f(config);
  CHECK(f.send(0, 1).arrival == Time{} + ms(100 + 50 + 10));
  CHECK(f.send(0, 2).arrival == Time{} + ms(200 + 50 + 10));
  CHECK(f.send(1, 0).arrival == Time{} + ms(50 + 10));
}

TEST_CASE("a download rate delays what arrives at a node, in order of arrival") {
  NetworkConfig config;
  config.links = {latency(ms(10))};
  config.nodes = {{.nodes = "server", .rate_down = Rate{8000, 120}}};
  Fixture f(config);
  REQUIRE(f.network.has_receive_rate({0}));
  CHECK_FALSE(f.network.has_receive_rate({1}));
  CHECK(f.network.receive({0}, Time{} + ms(10), 100).arrival == Time{} + ms(110));
  CHECK(f.network.receive({0}, Time{} + ms(10), 100).arrival == Time{} + ms(210));
  CHECK(f.network.receive({0}, Time{} + ms(10), 100).cause == DropCause::queue);
}

TEST_CASE("links with fifo keep the order of messages, links without don't") {
  for (const bool fifo : {true, false}) {
    NetworkConfig config;
    config.links = {{.latency = UniformDuration{ms(1), ms(100)}, .fifo = fifo}};
    Fixture f(config);
    bool reordered = false;
    Time last;
    for (int i = 0; i < 200; ++i) {
      const auto arrival = f.send(1, 0, Time{} + ms(i)).arrival;
      reordered = reordered || arrival < last;
      last = arrival;
    }
    CHECK(reordered == !fifo);
  }
}

TEST_CASE("Bernoulli loss and duplication have the stated frequencies") {
  NetworkConfig config;
  config.links = {
      {.latency = ConstantDuration{ms(1)}, .loss = BernoulliLoss{0.2}, .duplication = 0.1}};
  Fixture f(config);
  const int n = 20000;
  int lost = 0, copies = 0;
  const auto link = f.links.link({1}, {0});
  for (int i = 0; i < n; ++i) {
    const auto number = f.numbers.take(link);
    const Network::Attempt attempt{{1}, {0}, link, 0, Round{1}, 10, {}, {}, true, false};
    lost += f.network.transmit(attempt, number).cause == DropCause::loss;
    copies += f.network.duplicates(attempt, number);
  }
  // five standard deviations: wrong with probability < 1e-6, and the seed is fixed
  CHECK(std::abs(lost - 0.2 * n) < 5 * std::sqrt(n * 0.2 * 0.8));
  CHECK(std::abs(copies - 0.1 * n) < 5 * std::sqrt(n * 0.1 * 0.9));
}

TEST_CASE("Gilbert-Elliott losses come in bursts of mean length 1/r and share p/(p+r)") {
  const double p = 0.02, r = 0.25;
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}, .loss = GilbertElliottLoss{p, r, 0, 1}}};
  Fixture f(config);
  const int n = 100000;
  int lost = 0, bursts = 0;
  bool before = false;
  for (int i = 0; i < n; ++i) {
    const bool now = f.send(1, 0).cause == DropCause::loss;
    lost += now;
    bursts += now && !before;
    before = now;
  }
  CHECK(lost / double(n) == Approx(p / (p + r)).epsilon(0.1));
  CHECK(lost / double(bursts) == Approx(1 / r).epsilon(0.1));
}

TEST_CASE("loss by type hits the named types only") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(1)}, .loss = LossByType{{{"Answer", 1.0}}}}};
  Fixture f(config);
  CHECK(f.send(1, 0, {}, 10, 1).cause == DropCause::loss);
  CHECK(f.send(1, 0, {}, 10, 0).cause == DropCause::none);
}

TEST_CASE("a latency matrix overrides single pairs and shortens the lookahead") {
  NetworkConfig config;
  config.links = {latency(ms(10))};
  LatencyMatrix matrix;
  matrix[{"client-0", "server"}] = {ms(3)};
  matrix[{"client-0", "client-1"}] = {ms(1)};  // no such link in a star
  config.matrix = std::make_shared<const LatencyMatrix>(matrix);
  Fixture f(config);
  CHECK(f.send(1, 0).arrival == Time{} + ms(3));
  CHECK(f.send(0, 1).arrival == Time{} + ms(10));
  CHECK(f.network.lookahead() == ms(3));
}

TEST_CASE("a matrix with moments takes transmission n of every link from the same one") {
  NetworkConfig config;
  config.links = {latency(ms(10))};
  LatencyMatrix matrix;
  for (int moment = 0; moment < 5; ++moment) {
    matrix[{"client-0", "server"}].push_back(ms(1 + moment));
    matrix[{"server", "client-0"}].push_back(ms(101 + moment));
  }
  config.matrix = std::make_shared<const LatencyMatrix>(matrix);
  Fixture f(config);
  std::set<std::int64_t> moments;
  for (int n = 0; n < 100; ++n) {
    const auto up = f.send(1, 0).arrival - Time{}, down = f.send(0, 1).arrival - Time{};
    CHECK(down - up == ms(100));
    moments.insert(up.ns);
  }
  CHECK(moments.size() == 5);
  CHECK(f.send(0, 2).arrival == Time{} + ms(10));
  CHECK(f.network.lookahead() == ms(1));
}

TEST_CASE("a transmission's loss and latency are the draws of its number, in any order") {
  const DurationDistribution constant = ConstantDuration{ms(10)},
                             random = ExponentialDuration{.mean = ms(50), .floor = ms(5)};
  const bool has_drops = GENERATE(false, true);  // that hit nothing here
  const double p = GENERATE(0.0, 0.4);
  const auto latency = GENERATE_COPY(constant, random);
  NetworkConfig config;
  config.links = {{.latency = latency, .loss = BernoulliLoss{p}}};
  if (has_drops) config.drops = {{.type = "Answer"}};
  Fixture f(config);
  const auto draws = [&](std::string_view purpose, std::uint32_t number) {
    const auto key = link_stream_key(
        seed_and_purpose(Seed{5}, purpose), f.nodes.name_hash({1}), f.nodes.name_hash({0}));
    return DrawEngine(key, number);
  };
  const auto link = f.links.link({1}, {0});
  const Time now = Time{} + ms(7);
  for (const std::uint32_t number : {7u, 0u, 5u, 6u, 8u, 9u, 10u, 11u, 1u, 7u, ~0u}) {
    const Fate fate =
        f.network.transmit({{1}, {0}, link, 0, Round{1}, 100, now, now, true, false}, number);
    const bool is_lost = draws("loss", number).uniform() < p;
    CHECK(fate.cause == (is_lost ? DropCause::loss : DropCause::none));
    if (!is_lost) CHECK(fate.propagation == sample(latency, draws("latency", number)));
    if (!is_lost) CHECK(fate.arrival == now + fate.propagation);
  }
}

TEST_CASE("draws of a link depend on its names, not on other links or on the number of nodes") {
  NetworkConfig config;
  config.links = {{.latency = ExponentialDuration{ms(50), ms(5)}}};
  Fixture small(config, {}, 3), large(config, {}, 30);
  std::vector<Time> a, b;
  for (int i = 0; i < 10; ++i) {
    a.push_back(small.send(1, 0).arrival);
    large.send(2, 0);
    b.push_back(large.send(1, 0).arrival);
  }
  CHECK(a == b);
  CHECK(small.send(2, 0).arrival != a.front());
}

TEST_CASE(
    "straggler factors follow the rules, and each evaluation draws its own time by its number") {
  NetworkConfig config;
  config.links = {latency(ms(1))};
  config.nodes = {{.nodes = "client", .straggler = 4.0, .share = 0.5},
                  {.nodes = "client-2", .straggler = 10.0}};
  Fixture f(config, {ExponentialDuration{ms(5), ms(1)}}, 200);
  int slow = 0;
  for (std::uint32_t i = 1; i <= 200; ++i)
    if (i != 3) slow += f.network.straggler_factor({i}) == 4.0;
  CHECK(std::abs(slow - 100) < 5 * std::sqrt(50.0));
  CHECK(f.network.straggler_factor({3}) == 10.0);
  CHECK(f.network.straggler_factor({0}) == 1.0);
  const auto all = f.network.evaluation_time({1}, 0, 10);
  CHECK(all == f.network.evaluation_time({1}, 0, 4) + f.network.evaluation_time({1}, 4, 6));
  CHECK(f.network.evaluation_time({1}, 0, 10000).to_seconds() == Approx(60.0).epsilon(0.05));
}

}  // namespace posse::test_network
