// SPDX-License-Identifier: Apache-2.0
// Losses that come in bursts of virtual time.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <thread>
#include <vector>

#include "core/network/burst_chain.hpp"
#include "core/network/network.hpp"
#include "tests/support/transmission_numbers.hpp"

namespace posse::test_burst_chain {
namespace {

constexpr StreamKey kStream{77};

Duration ms(double x) { return Duration::seconds(x * 1e-3); }
Time at_ns(std::uint64_t ns) { return {static_cast<std::int64_t>(ns)}; }

BurstLoss bursts(double good_ms, double bad_ms, double good = 0, double bad = 1) {
  return {.mean_good = ms(good_ms), .mean_bad = ms(bad_ms), .loss_good = good, .loss_bad = bad};
}

/// The state as it is defined, found anew at every level.
bool is_bad_by_definition(const BurstLoss& loss, StreamKey stream, std::uint64_t t) {
  const double good = static_cast<double>(loss.mean_good.ns);
  const double bad = static_cast<double>(loss.mean_bad.ns);
  const double theta = 1 / good + 1 / bad, beta = bad / (good + bad);
  int g = 0, h = 0;
  while (std::exp2(g + 1) <= std::min(good, bad) / 1024) ++g;
  while (theta * std::exp2(h) < 40) ++h;
  const auto draw = [&](std::uint64_t instant, int level) {
    return to_unit_open(philox_block(stream, instant, static_cast<std::uint64_t>(level)).first);
  };
  const std::uint64_t block = std::uint64_t{1} << h;
  std::uint64_t begin = t / block * block, length = block;
  double left = draw(begin, h) < beta, right = draw(begin + block, h) < beta;
  for (int level = h - 1; level >= g; --level) {
    length /= 2;
    const double kept = std::exp(-theta * static_cast<double>(length));
    const auto bad_after = [&](double from) { return beta + (from - beta) * kept; };
    const double to_right_if_bad = right == 1 ? bad_after(1) : 1 - bad_after(1);
    const double to_right_if_good = right == 1 ? bad_after(0) : 1 - bad_after(0);
    const double p = bad_after(left) * to_right_if_bad;
    const double q = (1 - bad_after(left)) * to_right_if_good;
    const double middle = draw(begin + length, level) < p / (p + q);
    if (t >= begin + length) {
      begin += length;
      left = middle;
    } else {
      right = middle;
    }
  }
  return left == 1;
}

std::vector<std::uint64_t> random_times(std::size_t count, std::uint64_t below) {
  std::vector<std::uint64_t> times(count);
  DrawEngine draws(kStream, 0);
  for (auto& t : times) t = draws() % below;
  return times;
}

}  // namespace

TEST_CASE("the state of a burst chain is the one that its definition gives") {
  for (const BurstLoss& loss : {bursts(7425, 75),
                                bursts(1, 1),
                                bursts(3, 500),
                                BurstLoss{{900}, {700}},
                                BurstLoss{{1}, {1}}}) {
    const BurstChain chain(loss);
    BurstChain::Path path;
    const auto horizon = static_cast<std::uint64_t>(200 * loss.mean_bad.ns);
    std::size_t bad = 0;
    for (const std::uint64_t t : random_times(2000, horizon)) {
      const bool now = chain.is_bad(kStream, at_ns(t), path);
      REQUIRE(now == is_bad_by_definition(loss, kStream, t));
      bad += now;
    }
    CHECK(bad > 0);
    CHECK(bad < 2000);
  }
}

TEST_CASE("the burst around an instant ends where its neighbours are good") {
  const BurstChain chain(bursts(30, 4));
  const Time last = at_ns(2'000'000'000);
  constexpr std::uint64_t kCell = 2048;  // ns: the largest power of two below 4 ms / 1024
  std::vector<bool> bad;
  BurstChain::Path path;
  for (std::uint64_t t = 0; t <= 2'000'000'000; t += kCell)
    bad.push_back(chain.is_bad(kStream, at_ns(t), path));
  std::size_t bursts_seen = 0;
  for (std::size_t cell = 0; cell < bad.size(); ++cell) {
    if (!bad[cell] || (cell > 0 && bad[cell - 1])) continue;
    ++bursts_seen;
    std::size_t end = cell;
    while (end < bad.size() && bad[end]) ++end;
    for (const std::size_t within : {cell, (cell + end) / 2, end - 1}) {
      std::uint64_t steps = 1'000'000;
      const auto burst = chain.burst_around(kStream, at_ns(within * kCell + 1), last, steps);
      REQUIRE(burst);
      REQUIRE(burst->begin == at_ns(cell * kCell));
      REQUIRE(burst->end == (end == bad.size() ? Time::max() : at_ns(end * kCell)));
      REQUIRE(1'000'000 - steps == end - cell - 1);
    }
    if (end > cell + 1) {
      std::uint64_t too_few = end - cell - 2;
      CHECK_FALSE(chain.burst_around(kStream, at_ns(cell * kCell), last, too_few));
    }
  }
  CHECK(bursts_seen > 30);
}

TEST_CASE("looked up in any order, on any thread, near or far, a state is the same") {
  const BurstChain chain(bursts(300, 40));
  constexpr std::size_t kTimes = 1'000'000;
  constexpr std::uint64_t kTenYears = 315'360'000'000'000'000;
  auto times = random_times(kTimes / 2, 60'000'000'000);
  for (const std::uint64_t t : random_times(kTimes / 2, kTenYears)) times.push_back(t);
  std::sort(times.begin(), times.end());
  std::vector<std::uint8_t> in_order(kTimes);
  BurstChain::Path path;
  for (std::size_t i = 0; i < kTimes; ++i)
    in_order[i] = chain.is_bad(kStream, at_ns(times[i]), path);
  std::vector<std::size_t> shuffled(kTimes);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  DrawEngine draws(kStream, 1);
  std::shuffle(shuffled.begin(), shuffled.end(), draws);
  for (const std::size_t threads : {1, 4}) {
    std::vector<std::uint8_t> states(kTimes);
    std::vector<std::thread> all;
    for (std::size_t w = 0; w < threads; ++w)
      all.emplace_back([&, w] {
        BurstChain::Path own;
        for (std::size_t i = w; i < kTimes; i += threads)
          states[shuffled[i]] = chain.is_bad(kStream, at_ns(times[shuffled[i]]), own);
      });
    for (auto& thread : all) thread.join();
    CHECK(states == in_order);
  }
}

TEST_CASE("a burst chain has the stationary and conditional probabilities of its two rates",
          "[long]") {
  const double good_ms = 300, bad_ms = 100, g = 0.05, b = 0.8;
  const BurstChain chain(bursts(good_ms, bad_ms, g, b));
  const double theta = 1 / good_ms + 1 / bad_ms, beta = bad_ms / (good_ms + bad_ms);
  const double rate = (1 - beta) * g + beta * b;
  constexpr std::size_t kPairs = 350'000;  // for each distance
  std::uint64_t draw = 0;
  for (const double apart_ms : {bad_ms / 10, bad_ms / 1.5, 3 * bad_ms}) {
    const auto apart = static_cast<std::uint64_t>(ms(apart_ms).ns);
    std::size_t bad = 0, bad_bad = 0, good_bad = 0, lost = 0, lost_lost = 0;
    // Far enough apart to be independent.
    for (std::size_t i = 0; i < kPairs; ++i) {
      BurstChain::Path path;
      const std::uint64_t t =
          i * 8'000'000'000 + philox_block(kStream, i, 99).first % 1'000'000'000;
      const bool first = chain.is_bad(kStream, at_ns(t), path);
      const bool second = chain.is_bad(kStream, at_ns(t + apart), path);
      const auto loses = [&](bool state) {
        return chain.loses(state, philox_block(kStream, draw++, 100).first);
      };
      const bool first_lost = loses(first), second_lost = loses(second);
      bad += first;
      bad_bad += first && second;
      good_bad += !first && second;
      lost += first_lost;
      lost_lost += first_lost && second_lost;
    }
    const double kept = std::exp(-theta * apart_ms);
    const auto check = [](std::size_t hits, std::size_t of, double p) {
      const auto n = static_cast<double>(of);
      CHECK(std::abs(static_cast<double>(hits) - n * p) < 4 * std::sqrt(n * p * (1 - p)));
    };
    check(bad, kPairs, beta);
    check(bad_bad, bad, beta + (1 - beta) * kept);
    check(good_bad, kPairs - bad, beta * (1 - kept));
    check(lost, kPairs, rate);
    check(lost_lost, lost, rate + beta * (1 - beta) * (b - g) * (b - g) * kept / rate);
  }
}

namespace {

struct Fixture {
  explicit Fixture(LossModel loss)
      : config{.links = {{.latency = ConstantDuration{ms(1)}, .loss = std::move(loss)}}},
        nodes({{"server", 1, false}, {"client", 12, true}}),
        links(Topology::star, 13),
        network(config, {}, nodes, links, {"Question"}, Seed{5}) {}

  bool loses(std::uint32_t from, std::uint32_t to, Time at) {
    const auto link = links.link({from}, {to});
    const auto number = numbers.take(link);
    return network.transmit({{from}, {to}, link, 0, Round{1}, 10, at, at, true, false}, number)
               .cause == DropCause::loss;
  }
  NetworkConfig config;
  Nodes nodes;
  LinkMap links;
  Network network;
  test::TransmissionNumbers numbers;
};

/// `state` for every 5 ms of 20 s.
template <class State>
std::vector<bool> over_time(State state) {
  std::vector<bool> states;
  for (int i = 0; i < 4000; ++i) states.push_back(state(Time{} + ms(5.0 * i)));
  return states;
}

}  // namespace

TEST_CASE("both directions of a pair are bad at the same time, or each direction has its bursts") {
  for (const bool per_pair : {true, false}) {
    BurstLoss loss = bursts(200, 50);
    loss.per_pair = per_pair;
    Fixture f(loss);
    // client-10 comes before client-2 in byte order, and after it in the order of nodes.
    for (const std::uint32_t client : {1, 3, 11}) {
      const auto up = over_time([&](Time t) { return f.loses(client, 0, t); });
      const auto down = over_time([&](Time t) { return f.loses(0, client, t); });
      CHECK((up == down) == per_pair);
      CHECK(std::count(up.begin(), up.end(), true) > 400);
    }
  }
}

TEST_CASE("bursts in which something was lost are recorded with their times") {
  for (const bool per_pair : {true, false}) {
    BurstLoss loss = bursts(200, 50);
    loss.per_pair = per_pair;
    Fixture f(loss);
    const auto lost = over_time([&](Time t) { return f.loses(3, 0, t); });
    f.loses(0, 3, Time{});
    std::vector<FaultRecord> records;
    const Time end = Time{} + ms(20'000);
    f.network.record_faults(end, records);
    std::sort(records.begin(), records.end());
    REQUIRE(records.size() > 50);
    std::size_t covered = 0, at_once = 0;
    bool other_direction = false;
    for (std::size_t i = 0; i < lost.size(); ++i) {
      const Time t = Time{} + ms(5.0 * static_cast<double>(i));
      at_once = 0;
      for (const auto& record : records) {
        REQUIRE(record.of == FaultOf::bursts);
        REQUIRE(record.fault == (per_pair ? 1 : 0));
        if (!per_pair && record.node.value == 0) {
          other_direction = true;
          continue;
        }
        REQUIRE(record.node.value == (per_pair ? 0U : 3U));
        REQUIRE(record.to.value == (per_pair ? 3U : 0U));
        if (record.at <= t) at_once += record.begins ? 1 : -1;
      }
      REQUIRE(at_once == (lost[i] ? 1 : 0));  // every loss is in one burst, no other look-up is
      covered += lost[i];
    }
    CHECK(covered > 400);
    if (per_pair) CHECK_FALSE(other_direction);
  }
}

TEST_CASE("of very many losses the first 1000 of a link are looked at, which is recorded") {
  Fixture f(bursts(200, 50));
  for (int i = 0; i < 100'000; ++i) f.loses(1, 0, Time{} + ms(0.5 * i));
  std::vector<FaultRecord> records;
  f.network.record_faults(Time{} + ms(50'000), records);
  CHECK(records.size() > 2);
  CHECK(records.size() <= 401);
  CHECK(records.back().fault == FaultRecord::kUnrecorded);
  CHECK(records.back().at > Time{});
  CHECK(std::ranges::all_of(records,
                            [](const FaultRecord& r) { return r.at < Time{} + ms(10'000); }));
}

TEST_CASE("the state of a pair comes from stream loss-state with the names in byte order") {
  const BurstLoss loss = bursts(200, 50);
  Fixture f(loss);
  const BurstChain chain(loss);
  BurstChain::Path path;
  const StreamKey stream = link_stream_key(
      seed_and_purpose(Seed{5}, "loss-state"), hash_name("client-3"), hash_name("server"));
  for (int i = 0; i < 2000; ++i) {
    const Time t = Time{} + ms(3.0 * i);
    CHECK(f.loses(0, 4, t) == chain.is_bad(stream, t, path));
  }
}

TEST_CASE("an extra message changes no later state of a link, only later draws in it") {
  BurstLoss loss = bursts(200, 50);
  Fixture usual(loss), more(loss);
  const auto expected = over_time([&](Time t) { return usual.loses(1, 0, t); });
  CHECK(over_time([&](Time t) {
          more.loses(1, 0, t - Duration{t.ns / 2});
          return more.loses(1, 0, t);
        }) == expected);
}

TEST_CASE("bursts in time delay repeated messages little, bursts of transmissions much", "[long]") {
  // One lossy direction; time-out 100 ms, back-off 2, at most 60 s. The mean delay is the sum of
  // the waits, each times the chance that all transmissions before it are lost.
  constexpr double kRate = 0.01, kTimeOut = 0.1, kBackOff = 2, kLongest = 60;
  const auto wait = [&](int k) { return std::min(kLongest, kTimeOut * std::pow(kBackOff, k)); };
  const double r = 1.0 / 3, p = kRate * r / (1 - kRate);
  double of_transmissions = 0;
  for (int k = 0; k < 200; ++k) of_transmissions += wait(k) * kRate * std::pow(1 - r, k);
  CHECK(of_transmissions == Approx(0.0815).epsilon(0.01));
  const double bad = 0.075, good = bad * (1 - kRate) / kRate, theta = 1 / good + 1 / bad;
  double in_time = 0, all_lost = kRate;
  for (int k = 0; k < 30; ++k) {
    in_time += wait(k) * all_lost;
    all_lost *= kRate + (1 - kRate) * std::exp(-theta * wait(k));
  }
  CHECK(in_time == Approx(1.62e-3).epsilon(0.01));

  const auto mean_delay = [&](LossModel loss, int between) {
    constexpr int kMessages = 1'000'000;
    Fixture f(std::move(loss));
    double sum = 0;
    for (int i = 0; i < kMessages; ++i) {
      Time t = Time{} + Duration::seconds(20.0 * i);
      for (int k = 0; k < between; ++k) f.loses(1, 0, t);  // a chain forgets the last message
      for (int k = 0; f.loses(1, 0, t); ++k) {
        sum += wait(k);
        t = t + Duration::seconds(wait(k));
      }
    }
    return sum / kMessages;
  };
  CHECK(mean_delay(bursts(good * 1e3, bad * 1e3), 0) == Approx(in_time).epsilon(0.05));
  CHECK(mean_delay(GilbertElliottLoss{p, r}, 20) == Approx(of_transmissions).epsilon(0.1));
}

}  // namespace posse::test_burst_chain
