// SPDX-License-Identifier: Apache-2.0
// Time-outs of the reliable transport that follow from the network.
#include <catch2/catch.hpp>

#include "actors/echo/protocol.hpp"
#include "core/network/time_outs.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_time_outs {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
constexpr std::uint64_t kAck = 8;

/// The time-outs of a star with clients, in seconds.
struct Star {
  explicit Star(const NetworkConfig& config,
                std::uint32_t clients = 4,
                std::vector<Duration> handling = {})
      : rule(config.retransmission),
        nodes({{"server", 1}, {"client", clients}}),
        network(config, {}, nodes, LinkMap(Topology::star, clients + 1), {"Message"}, Seed{1}),
        timeouts(rule, network, kAck, std::move(handling)) {}
  double to(std::uint32_t client, std::uint64_t bytes = 100, std::uint32_t tries = 0) const {
    return timeouts.wait(network.links().link({0}, {client + 1}), bytes, tries).to_seconds();
  }
  double from(std::uint32_t client, std::uint64_t bytes = 100, std::uint32_t tries = 0) const {
    return timeouts.wait(network.links().link({client + 1}, {0}), bytes, tries).to_seconds();
  }

  Retransmission rule;
  Nodes nodes;
  Network network;
  TimeOuts timeouts;
};

NetworkConfig derived(DurationDistribution latency) {
  NetworkConfig config;
  config.links = {{.latency = std::move(latency)}};
  config.retransmission.timeout = TimeOut::Rule::derived;
  return config;
}

Rate changing(std::vector<RateTrace::Steps::Step> steps, std::optional<Duration> period = {}) {
  return Rate{.trace = std::make_shared<const RateTrace>(RateTrace::Steps(steps, period))};
}

}  // namespace

TEST_CASE("a derived time-out is twice the mean round trip, in whole microseconds, at least 1 ms") {
  CHECK(Star(derived(ConstantDuration{ms(50)})).to(0) == 0.2);
  CHECK(Star(derived(ExponentialDuration{ms(50), ms(5)})).to(0) == 0.22);
  CHECK(Star(derived(ParetoDuration{ms(50), 1})).to(0) == Approx(4 * 4 * 0.05 * 2));  // no mean
  CHECK(Star(derived(ConstantDuration{{12'300'100}})).to(0) == 0.049'201);
  CHECK(Star(derived(ConstantDuration{ms(0.1)})).to(0) == 1e-3);
  NetworkConfig longer = derived(ConstantDuration{ms(0.1)});
  longer.retransmission.min_timeout = ms(7);
  CHECK(Star(longer).to(0) == 7e-3);
  NetworkConfig measured = derived(ConstantDuration{ms(0.1)});
  measured.retransmission.timeout = TimeOut::Rule::measured;
  CHECK(Star(measured).to(0) == 0.2);
}

TEST_CASE("a slow link has its own time-out, and so has its way back") {
  NetworkConfig config = derived(ConstantDuration{ms(20)});
  config.links.push_back({.from = "client-2", .to = "*", .latency = ConstantDuration{ms(300)}});
  const Star star(config);
  CHECK(star.to(0) == 0.08);
  CHECK(star.from(2) == 0.64);
  CHECK(star.to(2) == 0.64);
}

TEST_CASE("of a trace, and of a matrix with several moments, the largest latency counts") {
  using Step = StepTrace<Duration>::Step;
  const auto trace = std::make_shared<const StepTrace<Duration>>(
      std::vector<Step>{{Time{}, ms(10)}, {Time{} + ms(5), ms(40)}, {Time{} + ms(9), ms(20)}});
  CHECK(Star(derived(TraceDuration{trace})).to(0) == 0.16);
  NetworkConfig config = derived(ConstantDuration{ms(10)});
  config.matrix = std::make_shared<const LatencyMatrix>(
      LatencyMatrix{{{"server", "client-1"}, {ms(30), ms(50)}}});
  const Star star(config);
  CHECK(star.to(0) == 0.04);
  CHECK(star.to(1) == 0.12);
  NetworkConfig slower = derived(ConstantDuration{ms(10)});
  slower.links.front().latency_factor = std::make_shared<const LatencyFactor>(
      LatencyFactor{StepTrace<double>({{Time{}, 0.5}, {Time{} + ms(5), 3}})});
  CHECK(Star(slower).to(0) == 0.12);
}

TEST_CASE("lines behind the link count as often as messages may share them") {
  NetworkConfig config = derived(ConstantDuration{ms(10)});
  // 108 bytes, message and acknowledgement, take 8.64 ms at 100 kbit/s.
  config.nodes = {{.nodes = "server", .rate_up = Rate{100e3}, .rate_down = Rate{50e3}},
                  {.nodes = "client", .rate_up = Rate{100e3}, .rate_down = Rate{200e3}}};
  const Star star(config, 4);
  // To a client: its own line down and up, and the server's line down, shared by four.
  CHECK(star.to(0) == Approx(0.04 + 0.00432 + 0.00864 + 4 * 0.01728).epsilon(1e-9));
  // To the server: its two lines, shared by four, and the client's line down.
  CHECK(star.from(0) == Approx(0.04 + 4 * 0.01728 + 4 * 0.00864 + 0.00432).epsilon(1e-9));
  // Of the link itself only the way back counts.
  NetworkConfig links = derived(ConstantDuration{ms(10)});
  links.links.push_back({.from = "client-1", .to = "*", .rate = Rate{100e3}});
  CHECK(Star(links).to(1) == Approx(0.04864));
  CHECK(Star(links).from(1) == Approx(0.04));
}

TEST_CASE("a queue holds no more than it can, and a line that changes is slow, or stands still") {
  NetworkConfig config = derived(ConstantDuration{ms(10)});
  config.nodes = {{.nodes = "server", .rate_down = Rate{100e3, 200}}};
  // 200 bytes that wait and 100 of the message, instead of 100 times 108 bytes.
  CHECK(Star(config, 100).from(0) == Approx(0.04 + 0.024));
  CHECK(Star(config, 2).from(0) == Approx(0.04 + 2 * 0.00864));
  // At 50 kbit/s, its lowest rate, after 3 ms without any: the last step and the first one.
  config.nodes = {
      {.nodes = "server",
       .rate_down = changing(
           {{Time{}, 0}, {Time{} + ms(2), 100'000}, {Time{} + ms(5), 50'000}, {Time{} + ms(9), 0}},
           ms(10))}};
  CHECK(Star(config, 1).from(0) == Approx(0.04 + 0.01728 + 0.003));
}

TEST_CASE("a receiver that is busy in wall time is waited for") {
  const Star star(derived(ConstantDuration{ms(10)}), 2, {ms(5), ms(6), ms(7)});
  CHECK(star.from(0) == 0.045);
  CHECK(star.to(0) == 0.046);
  CHECK(star.to(1) == 0.047);
}

TEST_CASE("waits grow up to max_timeout, below which no derived time-out falls") {
  NetworkConfig config = derived(ConstantDuration{ms(50)});
  config.retransmission.max_timeout = ms(1000);
  config.links.push_back({.to = "client-1", .latency = ConstantDuration{ms(1000)}});
  config.links.push_back({.to = "client-2", .timeout = ms(30)});
  const Star star(config);
  CHECK(star.to(0, 100, 1) == 0.4);
  CHECK(star.to(0, 100, 2) == 0.8);
  CHECK(star.to(0, 100, 3) == 1.0);
  CHECK(star.to(1) == 2.1);
  CHECK(star.to(1, 100, 9) == 2.1);
  CHECK(star.to(2) == 0.03);
  CHECK(star.to(2, 100, 2) == 0.12);
}

}  // namespace posse::test_time_outs
