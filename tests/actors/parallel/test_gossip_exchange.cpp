// SPDX-License-Identifier: Apache-2.0
// Gossip among the players of the parallel bandit.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "actors/parallel/messages.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/exchange/gossip.hpp"
#include "core/sim/simulation.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_gossip_exchange {
namespace {

using namespace test;

constexpr auto kLatency = Duration{50'000'000};

Parameters gossip(std::int64_t steps = 0) {
  auto parameters = default_parameters(parallel_algorithm().parameters);
  parameters.set("exchange", std::string("gossip"));
  parameters.set("gossip_steps", steps);
  return parameters;
}

ProtocolContext context_of(const Problem& problem, std::uint32_t players) {
  ProtocolContext context;
  context.clients = players;
  context.problem = &problem;
  context.seed = Seed{2};
  return context;
}

/// The fewest steps with (m-1) r^K <= 1/16.
std::uint32_t default_steps(std::uint32_t m) {
  std::uint32_t steps = 0;
  for (double e = m - 1.0; e > 0.0625; e *= m % 2 == 0 ? (m - 2.0) / (2 * m - 2.0) : 0.5) ++steps;
  return steps;
}

auto decisions_of(const RunOutcome& out) {
  std::vector<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> levels;
  for (const auto& level : out.rounds)
    levels.emplace_back(level.active_cells, level.kept_cells, level.best->index);
  std::vector<double> means;
  for (const auto& cell : out.cells) means.push_back(cell.mean);
  return std::tuple(levels, means, out.regret.simple, out.regret.cumulative);
}

}  // namespace

TEST_CASE("gossip costs what its formula says, with the latencies of its steps and one more") {
  for (std::uint32_t m = 1; m <= 33; ++m)
    for (const std::uint32_t given : {0, 1, 6}) {
      const std::uint32_t steps = given > 0 ? given : default_steps(m);
      INFO(m << " players, " << steps << " steps");
      const auto problem = test::make_problem("garland", m, 400, Seed{7}, 0.1);
      test::Run run(parallel_algorithm(), gossip(given), m, Seed{7}, &problem);
      run.spec.network.links = {{.latency = ConstantDuration{kLatency}}};
      const auto out = run_serial(run.spec).outcome;
      REQUIRE(out.status == RunStatus::finished);
      REQUIRE(out.rounds.size() >= 3);
      CHECK(broken_measurements(*run.protocol, out).empty());
      std::uint64_t cells = 0;
      for (const auto& level : out.rounds) cells += level.active_cells;
      const std::uint64_t levels = out.rounds.size(), in_pairs = 2 * (m / 2) * steps;
      CHECK(out.total(&TypeAccount::sent, "GossipMeans") == levels * in_pairs);
      CHECK(out.total(&TypeAccount::sent, "Averages") == levels * (m - 1));
      CHECK(out.total(&TypeAccount::sent) == levels * (in_pairs + m - 1));
      CHECK(out.total(&TypeAccount::bytes) == (in_pairs + m - 1) * (12 * levels + 8 * cells));
      const auto forecast = run.protocol->forecast();
      CHECK(static_cast<double>(out.total(&TypeAccount::sent)) <= forecast.messages);
      CHECK(static_cast<double>(out.total(&TypeAccount::bytes)) <= forecast.bytes);
      const auto latencies = [](std::uint64_t count) {
        return Time{static_cast<std::int64_t>(count) * kLatency.ns};
      };
      CHECK(out.finished_at <= latencies(levels * (steps + 1)));
      if (m % 2 == 0) CHECK(out.rounds.front().ended == latencies(steps + 1));
      for (const auto& measurement : run.protocol->measurements(out)) {
        if (measurement.name != "expected squared error of gossip, over the means' variance")
          continue;
        const double factor = m % 2 == 0 ? (m - 2.0) / (2 * m - 2.0) : 0.5;
        CHECK(measurement.measured == Approx(m == 1 ? 0 : std::pow(factor, steps)));
      }
    }
}

TEST_CASE("every level is decided by what one player has after its steps, computed by hand") {
  for (const std::uint32_t m : {2, 5, 8}) {
    INFO(m << " players");
    const auto problem = test::make_problem("garland", m, 400, Seed{3}, 0.1);
    const auto protocol = parallel_algorithm().make(gossip(3), context_of(problem, m));
    RoleDriver driver(*protocol);
    driver.run();
    REQUIRE(driver.all_finished());
    // A mesh has the players' own means of level 0.
    const auto mesh_protocol = parallel_algorithm().make(
        default_parameters(parallel_algorithm().parameters), context_of(problem, m));
    RoleDriver mesh(*mesh_protocol);
    mesh.start();
    std::map<std::uint32_t, double> mean;
    for (const auto& sent : mesh.sent())
      mean[sent.message.from.value] = sent.message.get<LevelMeans>()->means.at(0);
    REQUIRE(mean.size() == m);
    const GossipPlan plan(problem.seed(), m, 3);
    for (std::uint32_t step = 0; step < 3; ++step) {
      const auto before = mean;
      for (std::uint32_t i = 0; i < m; ++i)
        if (const auto partner = plan.partner(0, step, NodeId{i}))
          mean[i] = (before.at(i) + before.at(partner->value)) / 2;
    }
    const double decided = mean.at(plan.decider(0).value);
    CHECK(driver.all<RoundEnded>(0).front().cells.at(0).mean == decided);
    for (const auto& sent : driver.sent())
      if (const auto* averages = sent.message.get<Averages>(); averages && averages->depth == 0) {
        CHECK(sent.message.from == plan.decider(0));
        CHECK(averages->means == std::vector<double>{decided});
      }
  }
}

TEST_CASE("gossip's messages may be repeated and come levels too early, and nothing changes") {
  bool far_ahead = false;
  for (const std::uint32_t m : {4, 6, 7}) {
    const auto problem = test::make_problem("sine", m, 400, Seed{2}, 0.1);
    const auto protocol = parallel_algorithm().make(gossip(1), context_of(problem, m));
    RoleDriver plain(*protocol);
    plain.run();
    REQUIRE(plain.all_finished());
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      RoleDriver shuffled(*protocol, {.shuffled = true, .duplicates = 0.4, .seed = seed});
      shuffled.start();
      do {
        std::uint32_t first = ~0u, last = 0;
        for (const auto& pending : shuffled.pending()) {
          first = std::min(first, pending.message.round.value);
          last = std::max(last, pending.message.round.value);
        }
        far_ahead = far_ahead || (last > 0 && last > first + 1);
      } while (shuffled.deliver_one());
      REQUIRE(shuffled.all_finished());
      CHECK(shuffled.sent().size() == plain.sent().size());
      CHECK(shuffled.all<RecommendationObserved>().back().point ==
            plain.all<RecommendationObserved>().back().point);
      CHECK(broken_measurements(*protocol, shuffled.outcome(&problem)).empty());
    }
  }
  CHECK(far_ahead);  // a player was two levels ahead of another
}

TEST_CASE("no fault changes a decision of gossip where messages are retransmitted") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const std::uint32_t m = 2 + static_cast<std::uint32_t>(random() % 9);
    INFO("trial " << trial << ", " << m << " players");
    const auto problem = test::make_problem("garland", m, 200, Seed{9}, 0.1);
    test::Run ideal(parallel_algorithm(), gossip(trial % 4), m, Seed{7}, &problem);
    ideal.spec.network.links = {{.latency = ConstantDuration{kLatency}}};
    test::Run run(parallel_algorithm(), gossip(trial % 4), m, Seed{7}, &problem);
    test::lose_and_crash("player-1", run.spec);
    const auto out = run_serial(run.spec).outcome;
    REQUIRE(out.status == RunStatus::finished);
    CHECK(decisions_of(out) == decisions_of(run_serial(ideal.spec).outcome));
    CHECK(broken_measurements(*run.protocol, out).empty());
    CHECK(run_windows(run.spec, 2).outcome.fingerprint == out.fingerprint);
  }
}

TEST_CASE("in gossip a player that waits names its partner, or who decides") {
  const auto problem = test::make_problem("sine", 6, 400, Seed{2}, 0.1);
  const auto protocol = parallel_algorithm().make(gossip(), context_of(problem, 6));
  for (const bool averages : {false, true}) {
    RoleDriver driver(*protocol);
    driver.start();
    bool dropped = false;
    Delivery lost;
    while (!driver.pending().empty()) {
      if (!dropped)
        std::erase_if(driver.pending(), [&](const Delivery& d) {
          if (dropped || (d.message.get<Averages>() != nullptr) != averages) return false;
          lost = d;
          return dropped = true;
        });
      if (!driver.deliver_one()) break;
    }
    REQUIRE(dropped);
    CHECK_FALSE(driver.all_finished());
    const auto waiting = driver.role(lost.to.value).waiting();
    REQUIRE(waiting);
    CHECK(waiting->message_type == lost.message.payload.type().name);
    CHECK(waiting->from == std::vector{lost.message.from});
    CHECK(waiting->round == lost.message.round);
  }
}

TEST_CASE("gossip says that the bound does not apply, and what it cannot be combined with") {
  const auto problem = test::make_problem("garland", 4, 400, Seed{1}, 0.1);
  const auto protocol = parallel_algorithm().make(gossip(), context_of(problem, 4));
  RoleDriver driver(*protocol);
  driver.run();
  for (const auto& measurement : protocol->measurements(driver.outcome(&problem)))
    if (measurement.name == "simple regret") {
      CHECK(measurement.bound->kind == BoundKind::does_not_apply);
      CHECK(measurement.bound->note.find("the averages of gossip are inexact") !=
            std::string::npos);
    }
  const auto errors = [&](const std::string& name, ParameterValue value, Parameters parameters) {
    parameters.set(name, std::move(value));
    return parallel_algorithm().validate(parameters, context_of(problem, 4));
  };
  const std::vector<std::string> alone{
      "parallel: exchange = \"gossip\" needs sums = \"gathered\" and means = \"f64\": its means "
      "are averaged and rounded anew in every step"};
  CHECK(errors("sums", std::string("exact"), gossip()) == alone);
  CHECK(errors("means", std::string("u8"), gossip()) == alone);
  CHECK(errors("exchange", std::string("ring"), gossip(2)) ==
        std::vector<std::string>{
            "parallel: gossip_steps does nothing with exchange = \"ring\"; use \"gossip\""});
}

}  // namespace posse::test_gossip_exchange
