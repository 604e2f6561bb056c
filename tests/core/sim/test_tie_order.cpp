// SPDX-License-Identifier: Apache-2.0
// The order of what is due at one node and instant.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "actors/echo/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/random/stream.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/describe.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_tie_order {
namespace {

constexpr std::uint32_t kClients = 10;
/// 9 degrees of freedom, p = 0.001.
constexpr double kChiSquare = 27.88;

Duration ms(double x) { return Duration::seconds(x * 1e-3); }

/// Clients 20 ms from their server.
test::Run echo(const Policy& policy,
               std::int64_t rounds,
               Seed seed = Seed{1},
               std::uint32_t clients = kClients) {
  auto parameters = default_parameters(echo_algorithm().parameters);
  parameters.set("rounds", rounds);
  test::Run run(echo_algorithm(), parameters, clients, seed, nullptr, policy);
  run.spec.network.links = {{.latency = ConstantDuration{ms(20)}}};
  return run;
}

const Policy kHalf{.kind = PolicyKind::quorum, .quorum = kClients / 2};

/// Of five clients in each round, how often each was one of them.
std::array<std::uint32_t, kClients> times_in(const std::vector<RoundRecord>& rounds) {
  std::array<std::uint32_t, kClients> in{};
  for (const RoundRecord& round : rounds)
    for (std::uint32_t client = 0; client < kClients; ++client)
      in[client] +=
          std::find(round.late.begin(), round.late.end(), NodeId{1 + client}) == round.late.end();
  return in;
}

double chi_square(const std::array<std::uint32_t, kClients>& in, double trials, double p) {
  double sum = 0;
  for (const double count : in) sum += std::pow(count - trials * p, 2) / (trials * p * (1 - p));
  return sum * (kClients - 1) / kClients;  // a fixed number are in at a time
}

}  // namespace

TEST_CASE(
    "of answers that come at one instant, each client's and each pair's count equally often") {
  constexpr std::uint32_t kRounds = 2000;
  const auto run = echo(kHalf, kRounds);
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.rounds.size() == kRounds);
  CHECK(chi_square(times_in(out.rounds), kRounds, 0.5) < kChiSquare);
  for (std::uint32_t a = 1; a <= kClients; ++a)
    for (std::uint32_t b = a + 1; b <= kClients; ++b) {
      const auto together =
          std::count_if(out.rounds.begin(), out.rounds.end(), [&](const RoundRecord& round) {
            return std::none_of(round.late.begin(), round.late.end(), [&](NodeId late) {
              return late == NodeId{a} || late == NodeId{b};
            });
          });
      CHECK(static_cast<double>(together) / kRounds == Approx(5.0 * 4 / (10 * 9)).margin(0.05));
    }
}

TEST_CASE(
    "answers of one instant are handed over in the order of the first words of their blocks") {
  auto run = echo({.kind = PolicyKind::deadline, .deadline = ms(100)}, 2, Seed{3}, 10'000);
  // Some of neighbours are missing.
  run.spec.network.links.front().loss = BernoulliLoss{0.1};
  run.spec.trace_messages = true;
  std::map<Time, std::vector<std::pair<std::uint32_t, std::uint32_t>>> handed;  // place, source
  for (const MessageRecord& message : run_serial(run.spec).messages)
    if (message.to == NodeId{0} && message.outcome == MessageOutcome::delivered)
      handed[message.delivered].push_back({message.order, message.from.value});
  REQUIRE(handed.size() == 2);
  const StreamKey stream = stream_key(Seed{3}, "tie", "server");
  for (auto& [instant, messages] : handed) {
    CHECK(messages.size() > 7500);
    std::sort(messages.begin(), messages.end());
    const auto word = [&, t = static_cast<std::uint64_t>(instant.ns)](const auto& message) {
      return philox_block(stream, t, message.second).first;
    };
    CHECK(std::is_sorted(messages.begin(), messages.end(), [&](const auto& a, const auto& b) {
      return word(a) < word(b);
    }));
  }
}

TEST_CASE("ties are counted where they decided who counted") {
  CHECK(run_serial(echo(kHalf, 7).spec).outcome.tied_rounds == 7);
  CHECK(run_serial(echo({}, 7).spec).outcome.tied_rounds == 0);
  auto jitter = echo(kHalf, 7);
  jitter.spec.network.links.front().latency = UniformDuration{ms(20), ms(21)};
  CHECK(run_serial(jitter.spec).outcome.tied_rounds == 0);
}

TEST_CASE("by source the same clients are always in, reversed the others") {
  auto run = echo(kHalf, 20);
  run.spec.network.ties = {Ties::Rule::source};
  const auto lower = times_in(run_serial(run.spec).outcome.rounds);
  run.spec.network.ties = {Ties::Rule::reversed};
  const auto upper = times_in(run_serial(run.spec).outcome.rounds);
  for (std::uint32_t client = 0; client < kClients; ++client) {
    CHECK(lower[client] == (client < kClients / 2 ? 20 : 0));
    CHECK(upper[client] == (client < kClients / 2 ? 0 : 20));
  }
}

TEST_CASE("each key of ties has its own order, which differs from the fair one") {
  std::set<std::uint64_t> fingerprints;
  auto run = echo(kHalf, 20);
  fingerprints.insert(run_serial(run.spec).outcome.fingerprint);
  for (std::uint64_t key = 0; key < 5; ++key) {
    run.spec.network.ties = {Ties::Rule::keyed, key};
    fingerprints.insert(run_serial(run.spec).outcome.fingerprint);
  }
  CHECK(fingerprints.size() == 6);
}

TEST_CASE("an answer that comes exactly at the deadline counts") {
  const auto out =
      run_serial(echo({.kind = PolicyKind::deadline, .deadline = ms(40)}, 20).spec).outcome;
  REQUIRE(out.rounds.size() == 20);
  for (const RoundRecord& round : out.rounds) CHECK(round.arrived == kClients);
  CHECK(out.tied_rounds == 0);
  const auto before =
      run_serial(echo({.kind = PolicyKind::deadline, .deadline = ms(40) - Duration{1}}, 20).spec)
          .outcome;
  CHECK(before.rounds.front().arrived == 1);  // it waits for one
}

TEST_CASE("a run that waits for all answers does not depend on the order of ties") {
  for (const bool reliable : {false, true}) {
    auto run = echo({}, 10);
    run.spec.network.links.front().loss = BernoulliLoss{reliable ? 0.1 : 0};
    if (reliable) run.spec.network.transport = Transport::reliable;
    const auto usual = run_serial(run.spec).outcome;
    for (const Ties& ties :
         {Ties{Ties::Rule::source}, Ties{Ties::Rule::reversed}, Ties{Ties::Rule::keyed, 3}}) {
      run.spec.network.ties = ties;
      CHECK(run_serial(run.spec).outcome.fingerprint == usual.fingerprint);
      run.spec.order_matters_everywhere = true;
      const auto forced = run_serial(run.spec).outcome;
      CHECK(forced.finished_at == usual.finished_at);
      CHECK(forced.ingredients.accounts == usual.ingredients.accounts);
      CHECK(forced.ingredients.numbers == usual.ingredients.numbers);
      CHECK((forced.ingredients.deliveries == usual.ingredients.deliveries) ==
            (ties.rule == Ties::Rule::source));
      run.spec.order_matters_everywhere = false;
    }
  }
}

TEST_CASE("without latency, what a node sends within a tie comes to earlier nodes after it") {
  const auto problem = test::make_problem("garland", 2, 2, Seed{1}, 0.05);
  test::Run run(parallel_algorithm(),
                default_parameters(parallel_algorithm().parameters),
                2,
                Seed{1},
                &problem);
  const auto usual = run_serial(run.spec).outcome;
  REQUIRE(usual.status == RunStatus::finished);
  run.spec.order_matters_everywhere = true;
  for (const Ties& ties : {Ties{}, Ties{Ties::Rule::source}, Ties{Ties::Rule::reversed}}) {
    run.spec.network.ties = ties;
    const auto forced = run_serial(run.spec).outcome;
    CHECK(forced.report.empty());
    CHECK(test::describe(forced.regret) == test::describe(usual.regret));
    CHECK(forced.ingredients.accounts == usual.ingredients.accounts);
  }
}

TEST_CASE(
    "of messages that find a full queue at one instant, each client's is dropped equally often") {
  constexpr std::uint32_t kRounds = 1000;
  auto run = echo({.kind = PolicyKind::deadline, .deadline = ms(200)}, kRounds);
  // Five replies fit: one on the line and four in the queue.
  const auto reply = run_serial(echo({}, 1).spec).outcome.accounts.at(1);
  const std::uint64_t bytes = reply.bytes / reply.sent;
  run.spec.network.nodes = {
      {.nodes = "server", .rate_down = Rate{8.0 * 1000 * static_cast<double>(bytes), 4 * bytes}}};
  const auto out = run_serial(run.spec).outcome;
  REQUIRE(out.rounds.size() == kRounds);
  CHECK(out.total(&TypeAccount::dropped_queue) == 5 * kRounds);
  CHECK(chi_square(times_in(out.rounds), kRounds, 0.5) < kChiSquare);
}

TEST_CASE("what a node that stands still gets at one instant comes in fair order when it goes on") {
  constexpr std::uint32_t kRuns = 300;
  std::array<std::uint32_t, kClients> in{};
  for (std::uint32_t seed = 0; seed < kRuns; ++seed) {
    auto run = echo(kHalf, 1, Seed{seed});
    run.spec.network.node_faults = {
        {.nodes = {"server"}, .when = {.at = Time{} + ms(30), .lasting = ms(50)}}};
    const auto out = run_serial(run.spec).outcome;
    REQUIRE(out.rounds.front().ended == Time{} + ms(80));
    const auto once = times_in(out.rounds);
    for (std::uint32_t client = 0; client < kClients; ++client) in[client] += once[client];
  }
  CHECK(chi_square(in, kRuns, 0.5) < kChiSquare);
}

TEST_CASE("nodes that tie for last share the round") {
  const auto out = run_serial(echo({}, 30).spec).outcome;
  REQUIRE(out.paths.rounds == 30);
  REQUIRE(out.paths.waited_for.size() == kClients);
  for (const auto& [node, rounds] : out.paths.waited_for)
    CHECK(static_cast<double>(rounds) / CriticalPaths::kWholeRound == Approx(3));
}

TEST_CASE("ties are the same on every kernel and number of threads") {
  for (const Ties& ties :
       {Ties{}, Ties{Ties::Rule::source}, Ties{Ties::Rule::reversed}, Ties{Ties::Rule::keyed, 7}})
    for (const Policy& policy :
         {kHalf, Policy{.kind = PolicyKind::deadline, .deadline = ms(40)}, Policy{}})
      for (const bool everywhere : {false, true}) {
        auto run = echo(policy, 20);
        run.spec.network.transport = Transport::reliable;
        run.spec.network.links.front().loss = BernoulliLoss{0.05};
        run.spec.network.retransmission.timeout = ms(40);
        run.spec.network.node_faults = {
            {.nodes = {"client-2", "server"}, .when = {.at = Time{} + ms(40), .lasting = ms(20)}}};
        run.spec.network.ties = ties;
        run.spec.order_matters_everywhere = everywhere;
        const auto serial = run_serial(run.spec).outcome;
        for (const std::size_t threads : {1, 2, 8}) {
          const auto windows = run_windows(run.spec, threads).outcome;
          CHECK(windows.fingerprint == serial.fingerprint);
          CHECK(windows.tied_rounds == serial.tied_rounds);
        }
      }
}

}  // namespace posse::test_tie_order
