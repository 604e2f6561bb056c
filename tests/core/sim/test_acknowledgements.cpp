// SPDX-License-Identifier: Apache-2.0
// Acknowledgements that are no events: a run with them is the run in which all are events, as they
// are while messages are recorded.
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "actors/echo/protocol.hpp"
#include "core/sim/ack_forecast.hpp"
#include "tests/support/describe.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_acknowledgements {
namespace {

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

struct Case {
  std::string name;
  DurationDistribution latency;
  double loss = 0;
  Duration timeout = ms(200);
  std::uint32_t max_tries = 20;
  std::function<void(SimulationSpec&)> more = [](SimulationSpec&) {};
};

const std::vector<Case>& cases() {
  const DurationDistribution random = ExponentialDuration{ms(50), ms(5)};
  const DurationDistribution constant = ConstantDuration{ms(50)};
  static const std::vector<Case> all = {
      {"all in time", constant},
      {"random latencies", random, 0.1},
      {"acknowledgements come at the time of the check", constant, 0.05, ms(100)},
      {"acknowledgements come after the check", random, 0.05, ms(60)},
      {"messages come after the check", constant, 0.05, ms(30)},
      {"messages come at the time of the check", constant, 0.05, ms(50)},
      {.name = "acknowledgements come at the time of the second check",
       .latency = constant,
       .loss = 0.05,
       .timeout = ms(50),
       .more =
           [](SimulationSpec& spec) {
             spec.network.links.front().latency = ConstantDuration{ms(90)};
             spec.network.links.push_back(
                 {.from = NodeSelector{"server"}, .latency = ConstantDuration{ms(10)}});
             spec.network.retransmission.backoff = 1;
           }},
      {"messages are given up", random, 0.4, ms(150), 2},
      {"messages are sent once", random, 0.3, ms(100), 1},
      {"most is lost", random, 0.6, ms(100)},
      {"no lookahead", ExponentialDuration{ms(50), {}}, 0.1, ms(120)},
      {"nothing takes time", ConstantDuration{}, 0.1, ms(1)},
      {.name = "a limit of virtual time, with acknowledgements in flight",
       .latency = random,
       .loss = 0.1,
       .more = [](SimulationSpec& spec) { spec.limits.virtual_time = Time{} + ms(1234); }},
      {.name = "links with a rate",
       .latency = random,
       .loss = 0.1,
       .more = [](SimulationSpec& spec) { spec.network.links.front().rate = Rate{20'000}; }},
      {.name = "a time-out of each link",
       .latency = random,
       .loss = 0.1,
       .more =
           [](SimulationSpec& spec) {
             spec.network.retransmission.timeout = TimeOut::Rule::derived;
             spec.network.links.push_back({.to = NodeSelector{"client-3"}, .timeout = ms(20)});
             spec.network.links.push_back(
                 {.from = NodeSelector{"client-1"}, .timeout = TimeOut::Rule::measured});
           }},
      {.name = "a time-out of each link with rates",
       .latency = random,
       .loss = 0.1,
       .more =
           [](SimulationSpec& spec) {
             spec.network.retransmission.timeout = TimeOut::Rule::derived;
             spec.network.links.front().rate = Rate{20'000};
             spec.network.nodes = {{.nodes = "client-4..9", .rate_up = Rate{5'000}}};
           }},
      {.name = "measured round trips",
       .latency = random,
       .loss = 0.1,
       .more =
           [](SimulationSpec& spec) {
             spec.network.retransmission.timeout = TimeOut::Rule::measured;
             spec.network.retransmission.min_timeout = ms(10);
           }},
      {.name = "in order",
       .latency = random,
       .loss = 0.1,
       .more = [](SimulationSpec& spec) { spec.network.links.front().fifo = true; }},
      {.name = "a partition", .latency = random, .loss = 0.05, .more = [](SimulationSpec& spec) {
         spec.network.link_faults = {{.groups = {{{"server"}}, {{"client-1"}, {"client-2"}}},
                                      .when = {.at = Time{} + ms(300), .lasting = ms(700)}}};
       }}};
  return all;
}

test::Run run_of(const Case& c) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", std::int64_t{12});
  test::Run run(echo_algorithm(), parameters, 40, Seed{7});
  run.spec.network.transport = Transport::reliable;
  run.spec.network.links = {{.latency = c.latency, .loss = BernoulliLoss{c.loss}}};
  run.spec.network.retransmission.timeout = c.timeout;
  run.spec.network.retransmission.max_tries = c.max_tries;
  c.more(run.spec);
  return run;
}

}  // namespace

TEST_CASE("a check finds the acknowledgements that its sender handles before it") {
  const Time first{100}, second{300};
  AckChecks checks{first, second};
  CHECK(checks.first_finds(Time{99}));
  CHECK_FALSE(checks.first_finds(first));
  CHECK_FALSE(checks.first_finds(std::nullopt));
  CHECK(checks.at_first(first) == AckForecast::before_next_check);
  CHECK(checks.at_first(Time{299}) == AckForecast::before_next_check);
  CHECK(checks.at_first(second) == AckForecast::after_next_check);
  CHECK(checks.at_first(std::nullopt) == AckForecast::nothing_in_flight);
  checks.acknowledgement_first = true;
  CHECK(checks.first_finds(first));
  CHECK_FALSE(checks.first_finds(Time{101}));
  CHECK(checks.at_first(second) == AckForecast::before_next_check);
  CHECK(checks.at_first(Time{301}) == AckForecast::after_next_check);
}

TEST_CASE("nothing is foreseen unless stated, and never what arrives when virtual time ends") {
  CHECK_FALSE(ForeseenUntil{}.covers(Time{}));
  CHECK(ForeseenUntil(Time{}).covers(Time{}));
  CHECK_FALSE(ForeseenUntil(Time{5}).covers(Time{6}));
  CHECK(ForeseenUntil::always().covers(Time::max() - Duration{1}));
  CHECK_FALSE(ForeseenUntil::always().covers(Time::max()));
}

TEST_CASE("whether acknowledgements are events changes nothing, on any kernel") {
  for (const Case& c : cases()) {
    INFO(c.name);
    auto with_events = run_of(c);
    with_events.spec.trace_messages = true;
    const auto expected = run_serial(with_events.spec);
    CHECK_FALSE(expected.messages.empty());
    const auto run = run_of(c);
    const auto text = test::describe(expected.outcome);
    CHECK(test::describe(run_serial(run.spec).outcome) == text);
    for (const std::size_t threads : {1, 2})
      CHECK(test::describe(run_windows(run.spec, threads).outcome) == text);
    CHECK(test::describe(run_windows(with_events.spec, 2).outcome) == text);
  }
}

TEST_CASE("nor does it in random networks, until they end, stall or reach a limit of time") {
  std::mt19937 random(19);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  std::map<RunStatus, int> ends;
  for (int i = 0; i < 150; ++i) {
    const double mean = 1 + static_cast<double>(below(80));
    Case c{.latency = ExponentialDuration{ms(mean), ms(1 + static_cast<double>(below(20)))}};
    if (below(3) == 0) c.latency = UniformDuration{ms(1), ms(2 + static_cast<double>(below(9)))};
    c.loss = static_cast<double>(below(60)) / 100;
    c.timeout = ms(1 + static_cast<double>(below(300)));
    c.max_tries = 1 + static_cast<std::uint32_t>(below(5));
    const double backoff = 1 + static_cast<double>(below(3));
    const Time limit = below(2) == 0 ? Time::max() : Time{} + ms(static_cast<double>(below(3000)));
    const bool lines = below(4) == 0, fifo = below(4) == 0;
    const std::uint64_t rule = below(3);
    const double shortest = static_cast<double>(below(100));
    const Seed seed{below(1000)};
    c.more = [=](SimulationSpec& spec) {
      Retransmission& retransmission = spec.network.retransmission;
      retransmission.backoff = backoff;
      if (rule > 0) {
        retransmission.timeout = rule == 1 ? TimeOut::Rule::derived : TimeOut::Rule::measured;
        retransmission.min_timeout = ms(shortest);
      }
      spec.limits.virtual_time = limit;
      if (lines) spec.network.links.front().rate = Rate{50'000};
      spec.network.links.front().fifo = fifo;
      spec.seed = seed;
    };
    INFO("case " << i);
    auto with_events = run_of(c);
    with_events.spec.trace_messages = true;
    const auto run = run_of(c);
    const auto expected = run_serial(with_events.spec).outcome;
    ++ends[expected.status];
    CHECK(test::describe(run_serial(run.spec).outcome) == test::describe(expected));
    CHECK(test::describe(run_windows(run.spec, 1).outcome) == test::describe(expected));
  }
  CHECK(ends[RunStatus::finished] > 10);
  CHECK(ends[RunStatus::stalled] > 10);
  CHECK(ends[RunStatus::limit_reached] > 10);
}

TEST_CASE("the cases are of every kind") {
  std::uint64_t repeated = 0, needless = 0, discarded = 0, in_flight = 0;
  std::size_t failed = 0;
  for (const Case& c : cases()) {
    const auto outcome = run_serial(run_of(c).spec).outcome;
    repeated += outcome.total(&TypeAccount::repeated);
    needless += outcome.total(&TypeAccount::needless);
    CHECK(outcome.total(&TypeAccount::needless) <= outcome.total(&TypeAccount::repeated));
    discarded += outcome.total(&TypeAccount::discarded);
    in_flight += outcome.total(&TypeAccount::in_flight);
    failed += outcome.status != RunStatus::finished;
  }
  CHECK(repeated > 1000);
  CHECK(needless > 1000);
  CHECK(discarded > 1000);
  CHECK(in_flight > 100);
  CHECK(failed >= 2);
}

TEST_CASE("acknowledgements that have not arrived when a run ends are in flight") {
  // Constant latencies: at 60 ms the requests have arrived, and their acknowledgements have not.
  auto run = run_of(cases().front());
  run.spec.limits.virtual_time = Time{} + ms(60);
  const auto outcome = run_serial(run.spec).outcome;
  for (const TypeAccount& account : outcome.accounts) {
    INFO(account.type << " " << to_string(account.direction));
    const bool is_request = account.type == "EchoRequest";
    CHECK(account.delivered == (is_request ? 40u : 0u));
    CHECK(account.in_flight == (is_request ? 0u : 40u));
  }
}

}  // namespace posse::test_acknowledgements
