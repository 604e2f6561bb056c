// SPDX-License-Identifier: Apache-2.0
// Latencies and rates that change over virtual time, against times computed by hand.
#include <catch2/catch.hpp>
#include <memory>

#include "actors/echo/protocol.hpp"
#include "core/network/network.hpp"
#include "core/network/rate_trace.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/transmission_numbers.hpp"

namespace posse::test_traces {
namespace {

const std::vector<std::string_view> kTypes = {"Question", "Answer", "Ack"};

Time at_ms(double x) { return Time{} + Duration::seconds(x * 1e-3); }
Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// Steps of (milliseconds, bits per second).
RateTrace::Steps rates(std::vector<std::pair<double, std::uint64_t>> list, double period_ms = 0) {
  std::vector<RateTrace::Steps::Step> steps;
  for (const auto& [from, rate] : list) steps.push_back({at_ms(from), rate});
  return RateTrace::Steps(steps, period_ms > 0 ? std::optional(ms(period_ms)) : std::nullopt);
}

Rate changing(RateTrace::Steps steps, std::uint64_t queue_bytes = ~std::uint64_t{0}) {
  return {0, queue_bytes, std::make_shared<const RateTrace>(std::move(steps))};
}

TraceDuration latencies(std::vector<std::pair<double, double>> list, double period_ms = 0) {
  std::vector<StepTrace<Duration>::Step> steps;
  for (const auto& [from, latency] : list) steps.push_back({at_ms(from), ms(latency)});
  return {std::make_shared<const StepTrace<Duration>>(
      steps, period_ms > 0 ? std::optional(ms(period_ms)) : std::nullopt)};
}

std::shared_ptr<const LatencyFactor> factors(std::vector<std::pair<double, double>> list,
                                             double period_ms) {
  std::vector<StepTrace<double>::Step> steps;
  for (const auto& [from, factor] : list) steps.push_back({at_ms(from), factor});
  return std::make_shared<const LatencyFactor>(
      LatencyFactor{StepTrace<double>(steps, ms(period_ms)), {}});
}

/// A server and three clients.
struct Star {
  explicit Star(NetworkConfig c)
      : config(std::move(c)),
        nodes({{"server", 1, false}, {"client", 3, true}}),
        links(Topology::star, 4),
        network(config, {}, nodes, links, kTypes, Seed{5}) {}
  Fate send(std::uint32_t from, std::uint32_t to, Time at, std::uint64_t bytes = 100) {
    const auto link = links.link({from}, {to});
    return network.transmit({{from}, {to}, link, 0, Round{1}, bytes, at, at, true, false},
                            numbers.take(link));
  }
  NetworkConfig config;
  Nodes nodes;
  LinkMap links;
  Network network;
  test::TransmissionNumbers numbers;
};

}  // namespace

TEST_CASE("a transfer passes through the steps of its rate") {
  // 8 kbit/s, 1 B/ms, for 100 ms; nothing for 50 ms; then 2 B/ms.
  const RateTrace trace(rates({{0, 8000}, {100, 0}, {150, 16000}}));
  CHECK(trace.end_of_transfer(at_ms(0), 60) == at_ms(60));
  CHECK(trace.end_of_transfer(at_ms(0), 100) == at_ms(100));  // it ends where the rate becomes 0
  CHECK(trace.end_of_transfer(at_ms(0), 101) == at_ms(150.5));
  CHECK(trace.end_of_transfer(at_ms(90), 30) == at_ms(160));  // 10 ms, 50 ms, 10 ms
  CHECK(trace.end_of_transfer(at_ms(120), 30) == at_ms(165));
  CHECK(trace.end_of_transfer(at_ms(1000), 30) == at_ms(1015));
  CHECK(trace.end_of_transfer(at_ms(120), 0) == at_ms(120));
  CHECK(trace.passes_more_than(19, at_ms(90), at_ms(155)));
  CHECK_FALSE(trace.passes_more_than(20, at_ms(90), at_ms(155)));
}

TEST_CASE("a transfer passes through the periods of its rate") {
  // 1 B/ms in the first 10 ms of every 100 ms.
  const RateTrace trace(rates({{0, 8000}, {10, 0}}, 100));
  CHECK(trace.end_of_transfer(at_ms(0), 10) == at_ms(10));
  CHECK(trace.end_of_transfer(at_ms(0), 11) == at_ms(101));
  CHECK(trace.end_of_transfer(at_ms(5), 10) == at_ms(105));
  CHECK(trace.end_of_transfer(at_ms(50), 20) == at_ms(210));
  CHECK(trace.end_of_transfer(at_ms(5), 1'000'000) == at_ms(10'000'005));
  CHECK(trace.end_of_transfer(at_ms(5), ~std::uint64_t{0}) == Time::max());
  CHECK(trace.passes_more_than(99, at_ms(0), at_ms(1000)));
  CHECK_FALSE(trace.passes_more_than(100, at_ms(0), at_ms(1000)));
}

TEST_CASE("a transfer ends at the nanosecond nearest to its last bit") {
  // A byte takes 2.666… s at 3 bit/s: 1 bit by 1/3 s, then 7 bits at 7 Gbit/s.
  const RateTrace third(rates({{0, 3}}));
  CHECK(third.end_of_transfer(Time{0}, 1).ns == 2'666'666'667);
  const RateTrace both(RateTrace::Steps({{Time{0}, 3}, {Time{333'333'333}, 7'000'000'000}}));
  CHECK(both.end_of_transfer(Time{0}, 1).ns == 333'333'334);
  // Steps with equal rates give the times of a rate that does not change.
  const RateTrace steady(rates({{0, 123'457}, {7, 123'457}, {8, 123'457}}, 11));
  for (std::uint64_t bytes = 1; bytes < 2000; bytes += 37) {
    const Duration alone = Duration::seconds(static_cast<double>(bytes) * 8 / 123'457);
    CHECK(steady.end_of_transfer(Time{0}, bytes) == Time{} + alone);
  }
}

TEST_CASE("a line that stands still for ever is told apart from one that goes on") {
  CHECK(RateTrace::ends_still(rates({{0, 5}, {1, 0}})));
  CHECK(RateTrace::ends_still(rates({{0, 0}, {1, 0}}, 2)));
  CHECK(RateTrace::ends_still(rates({{0, 0}, {1, 5}}, 1)));  // its last step never holds
  CHECK_FALSE(RateTrace::ends_still(rates({{0, 0}, {1, 5}})));
  CHECK_FALSE(RateTrace::ends_still(rates({{0, 5}, {1, 0}}, 2)));
}

TEST_CASE("messages queue before a line whose rate changes, and its queue overflows") {
  NetworkConfig config;
  // 1 B/ms, from 100 ms on 10 B/ms; up to 60 bytes wait.
  config.links = {
      {.latency = ConstantDuration{ms(5)}, .rate = changing(rates({{0, 8000}, {100, 80000}}), 60)}};
  Star star(config);
  const auto first = star.send(0, 1, at_ms(80), 70);  // 20 B by 100 ms, 50 B in 5 ms
  CHECK(first.transfer == ms(25));
  CHECK(first.arrival == at_ms(110));
  const auto second = star.send(0, 1, at_ms(90), 100);  // 60 bytes wait
  CHECK(second.queueing == ms(15));
  CHECK(second.transfer == ms(10));
  CHECK(second.cleared == at_ms(115));
  CHECK(star.send(0, 1, at_ms(105), 1).cause == DropCause::queue);  // 100 bytes wait
  CHECK(star.send(0, 1, at_ms(109), 1).cause == DropCause::none);   // 60 do
  CHECK(star.send(0, 2, at_ms(105), 1).queueing == Duration{});     // another link
}

TEST_CASE("lines of nodes change their rates as lines of links do") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(10)}}};
  config.nodes = {{.nodes = "client-0",
                   .rate_up = changing(rates({{0, 8000}, {40, 0}, {50, 8000}})),
                   .rate_down = changing(rates({{0, 0}, {200, 8000}}))}};
  Star star(config);
  CHECK(star.send(1, 0, at_ms(0), 50).arrival == at_ms(70));
  const auto down = star.network.receive({1}, at_ms(30), 20);
  CHECK(down.arrival == at_ms(220));
  CHECK(down.transfer == ms(190));
  CHECK(star.network.receive({1}, at_ms(40), 10).queueing == ms(180));
}

TEST_CASE("a latency follows its trace at the time at which the message leaves") {
  NetworkConfig config;
  config.links = {{.latency = latencies({{0, 20}, {100, 50}, {200, 30}}, 300)},
                  {.to = "client-2", .latency = ConstantDuration{ms(25)}}};
  config.nodes = {{.nodes = "client-1", .rate_up = Rate{8000}}};  // 1 B/ms
  Star star(config);
  CHECK(star.send(0, 1, at_ms(99)).propagation == ms(20));
  CHECK(star.send(0, 1, at_ms(100)).propagation == ms(50));
  CHECK(star.send(0, 1, at_ms(299)).propagation == ms(30));
  CHECK(star.send(0, 1, at_ms(300)).propagation == ms(20));
  CHECK(star.send(0, 3, at_ms(100)).propagation == ms(25));
  // Sent at 60 ms, it leaves its sender's line at 120 ms.
  CHECK(star.send(2, 0, at_ms(60), 60).arrival == at_ms(170));
  CHECK(star.network.lookahead() == ms(20));
}

TEST_CASE("a factor multiplies what is drawn, on the links of its rule and of later ones") {
  NetworkConfig config;
  config.links = {{.latency = ConstantDuration{ms(40)},
                   .latency_factor = factors({{0, 1}, {100, 2.5}, {200, 0.5}}, 300)},
                  {.to = "client-2", .latency = ConstantDuration{ms(100)}},
                  {.to = "client-1", .latency_factor = factors({{0, 3}}, 10)}};
  Star star(config);
  CHECK(star.send(0, 1, at_ms(50)).propagation == ms(40));
  CHECK(star.send(0, 1, at_ms(150)).propagation == ms(100));
  CHECK(star.send(0, 1, at_ms(250)).propagation == ms(20));
  CHECK(star.send(0, 3, at_ms(150)).propagation == ms(250));
  CHECK(star.send(0, 2, at_ms(150)).propagation == ms(120));
  CHECK(star.network.lookahead() == ms(20));
}

TEST_CASE("a factor does not change the draws that it multiplies") {
  NetworkConfig plain;
  plain.links = {{.latency = ExponentialDuration{ms(40), ms(10)}}};
  NetworkConfig scaled = plain;
  scaled.links[0].latency_factor = factors({{0, 2}}, 10);
  Star a(plain), b(scaled);
  for (int i = 0; i < 20; ++i) {
    const auto one = a.send(0, 1, at_ms(i)).propagation.ns;
    CHECK(std::abs(b.send(0, 1, at_ms(i)).propagation.ns - 2 * one) <= 1);
  }
}

TEST_CASE("a held message takes the latency of the time at which it is released") {
  NetworkConfig config;
  config.links = {{.latency = latencies({{0, 20}, {100, 50}})}};
  config.link_faults = {{.groups = {{"server"}, {"client"}},
                         .when = {.at = at_ms(80), .lasting = ms(40)},
                         .kind = LinkFaultKind::clog}};
  Star star(config);
  CHECK(star.send(0, 1, at_ms(90)).arrival == at_ms(120 + 50));
}

TEST_CASE("kernels agree on links that change") {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{30});
  for (const bool reliable : {false, true}) {
    test::Run run(echo_algorithm(), parameters, 40, Seed{3});
    auto& network = run.spec.network;
    network.links = {{.latency = latencies({{0, 20}, {100, 5}, {250, 40}}, 400),
                      .latency_factor = factors({{0, 1}, {70, 1.7}}, 90),
                      .rate = changing(rates({{0, 100'000}, {30, 0}, {45, 900'000}}, 77), 5000)},
                     {.from = "client-3", .latency = ExponentialDuration{ms(10), ms(4)}}};
    network.nodes = {{.nodes = "server",
                      .rate_up = changing(rates({{0, 1'000'000}, {500, 100'000'000}})),
                      .rate_down = changing(rates({{0, 50'000'000}, {20, 0}}, 25))}};
    network.transport = reliable ? Transport::reliable : Transport::datagram;
    const auto serial = run_serial(run.spec).outcome;
    INFO(serial.report);
    REQUIRE(serial.status == RunStatus::finished);
    for (const std::size_t threads : {1, 2, 3})
      CHECK(run_windows(run.spec, threads).outcome.fingerprint == serial.fingerprint);
  }
}

}  // namespace posse::test_traces
