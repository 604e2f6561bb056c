// SPDX-License-Identifier: Apache-2.0
// Runs over networks that lose, duplicate and reorder messages, compared with runs without faults.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test {

/// All that an algorithm decides, without times and counts of the network.
inline void check_same_decisions(const RunOutcome& a, const RunOutcome& b) {
  REQUIRE(a.rounds.size() == b.rounds.size());
  for (std::size_t i = 0; i < a.rounds.size(); ++i) {
    CHECK(a.rounds[i].best == b.rounds[i].best);
    CHECK(a.rounds[i].active_cells == b.rounds[i].active_cells);
    CHECK(a.rounds[i].kept_cells == b.rounds[i].kept_cells);
    CHECK(a.rounds[i].pulls_per_cell == b.rounds[i].pulls_per_cell);
    CHECK(a.rounds[i].steps == b.rounds[i].steps);
  }
  CHECK(a.regret.evaluations == b.regret.evaluations);
  CHECK(a.regret.cumulative == b.regret.cumulative);
  CHECK(a.regret.local_cumulative == b.regret.local_cumulative);
  CHECK(a.regret.recommendation == b.regret.recommendation);
}

/// The third of four clients' first answer is lost: server and client say what they wait for, and
/// from whom; the others went on.
inline void check_report_of_lost_answer(const Protocol& protocol,
                                        const std::string& answer,
                                        const std::string& plan) {
  RoleDriver driver(protocol);
  driver.start();
  driver.pending().erase(driver.pending().begin() + 2);
  while (driver.deliver_one()) {
  }
  const auto server = driver.role(0).waiting();
  REQUIRE(server);
  CHECK(server->for_what == answer);
  CHECK(server->from == std::vector<NodeId>{NodeId{3}});
  const auto client = driver.role(3).waiting();
  REQUIRE(client);
  CHECK(client->for_what == plan);
  CHECK(client->from == std::vector<NodeId>{NodeId{0}});
  CHECK(driver.role(1).waiting()->round == Round{2});
}

/// A reliable transport over links that lose and duplicate a fifth of the copies; `node` crashes
/// once and keeps its state.
inline void lose_and_crash(const std::string& node, SimulationSpec& spec) {
  spec.network.links = {
      {.latency = ExponentialDuration{Duration::seconds(0.03), Duration::seconds(0.002)},
       .loss = BernoulliLoss{0.2},
       .duplication = 0.2}};
  spec.network.transport = Transport::reliable;
  spec.network.retransmission.timeout = Duration::seconds(0.1);
  spec.network.node_faults = {
      {.nodes = {node},
       .when = {.at = Time{} + Duration::seconds(0.04), .lasting = Duration::seconds(0.07)},
       .kind = NodeFaultKind::crash}};
  spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
}

/// Runs on a perfect network, then on random network `number` with the reliable transport and
/// losses, copies and reordering: decisions and messages must be the same. For one in eight of the
/// numbers the window engine must agree with the serial kernel, too. Returns the faulty run.
inline RunOutcome check_faults_change_no_decision(Run& run, std::uint64_t number) {
  run.spec.network = {};
  run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
  const auto ideal = run_serial(run.spec).outcome;
  REQUIRE(ideal.status == RunStatus::finished);

  run.spec.network = random_network(Seed{number});
  run.spec.network.transport = Transport::reliable;
  run.spec.network.retransmission.max_tries = 1000;
  auto& all = run.spec.network.links.front();
  all.loss = BernoulliLoss{0.2};
  all.duplication = 0.2;
  all.fifo = false;
  run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
  const auto faulty = run_serial(run.spec).outcome;
  INFO("network " << number << " " << faulty.report);
  REQUIRE(faulty.status == RunStatus::finished);
  check_same_decisions(ideal, faulty);
  CHECK(ideal.total(&TypeAccount::sent) - ideal.total(&TypeAccount::sent, "Ack") ==
        faulty.total(&TypeAccount::sent) - faulty.total(&TypeAccount::sent, "Ack"));
  if (number % 8 == 0) CHECK(run_windows(run.spec, 2).outcome.fingerprint == faulty.fingerprint);
  return faulty;
}

}  // namespace posse::test
