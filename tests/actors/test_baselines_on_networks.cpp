// SPDX-License-Identifier: Apache-2.0
// The reliable transport makes loss, duplication and reordering invisible to every baseline that is
// a federation of its own, and to single learners at a server, and the kernels agree on it.
#include <algorithm>
#include <catch2/catch.hpp>

#include "actors/blin/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/learners/doo.hpp"
#include "actors/learners/sequool.hpp"
#include "actors/learners/soo.hpp"
#include "actors/learners/stroquool.hpp"
#include "actors/learners/vroom.hpp"
#include "actors/learners/zooming.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "tests/support/faults.hpp"

namespace posse::test_baselines_on_networks {
namespace {

struct Baseline {
  const AlgorithmSpec* spec;
  std::map<std::string, ParameterValue> changes;
};

std::vector<Baseline> baselines() {
  return {
      {&fed_pne_algorithm(), {{"edges", std::int64_t{3}}}},
      {&dp_fed_pne_algorithm(), {{"edges", std::int64_t{2}}, {"sums", std::string("exact")}}},
      {&fed1_ucb_algorithm(), {{"pulls_per_phase", std::int64_t{4}}, {"sigma", 0.1}}},
      {&fed2_ucb_algorithm(), {{"pulls_per_phase", std::int64_t{4}}, {"sigma", 0.1}}},
      {&blin_algorithm(), {{"share_pulls", true}}},
      {&hct_batched_algorithm(), {}},
      {&vhct_batched_algorithm(), {{"growth", 1.5}}},
      {&pf_pne_hct_algorithm(), {}},
      {&pf_pne_vhct_algorithm(), {{"max_difference", 0.1}}},
      {&soo_algorithm(), {}},
      {&doo_algorithm(), {}},
      {&sequool_algorithm(), {}},
      {&stroquool_algorithm(), {}},
      {&zooming_algorithm(), {{"nu1", 4.0}, {"rho", 0.5}}},
      {&vroom_algorithm(), {}},
      {&fn_ucb_algorithm(),
       {{"width", std::int64_t{4}}, {"sync_threshold", 2.0}, {"ramp", std::int64_t{20}}}},
      {&fn_ucb_algorithm(), {{"width", std::int64_t{4}}, {"ramp", std::int64_t{20}}}},
  };
}

bool is_single_learner(const AlgorithmSpec& spec) {
  return spec.messages == soo_algorithm().messages;
}

struct Federation {
  Federation(const Baseline& baseline, std::uint64_t number, std::uint64_t budget)
      : clients(static_cast<std::uint32_t>(1 + number % 5)),
        problem(test::make_problem("garland", clients, budget, Seed{number}, 0.05)) {
    parameters = default_parameters(baseline.spec->parameters);
    for (const auto& [name, value] : baseline.changes) parameters.set(name, value);
    if (baseline.changes.contains("edges"))  // every edge needs a client
      parameters.set("edges", std::min(parameters.integer("edges"), std::int64_t{clients}));
  }
  std::uint32_t clients;
  Problem problem;
  Parameters parameters;
};

}  // namespace

TEST_CASE("lossy, duplicating, reordering networks change no decision of a baseline", "[long]") {
  for (const auto& baseline : baselines()) {
    std::size_t dropped = 0;
    std::size_t rounds = 0;
    // FN-UCB and single learners send ten times as many messages as the others.
    const bool chatty = baseline.spec == &fn_ucb_algorithm() || is_single_learner(*baseline.spec);
    for (std::uint64_t number = 0; number < 64; ++number) {
      Federation federation(baseline, number, chatty ? 30 : 400);
      test::Run run(*baseline.spec,
                    federation.parameters,
                    federation.clients,
                    Seed{number},
                    &federation.problem);
      INFO(baseline.spec->kind << ", network " << number);
      const auto faulty = test::check_faults_change_no_decision(run, number);
      for (const auto& measurement : run.protocol->measurements(faulty)) {
        INFO(measurement.name << ": " << measurement.measured);
        CHECK_FALSE(violated(measurement));
      }
      dropped += faulty.total(&TypeAccount::dropped_loss) > 0;
      rounds += faulty.rounds.size();
    }
    CHECK(dropped > 32);
    CHECK(rounds > 64);
  }
}

TEST_CASE("a baseline whose message is lost says what it waits for") {
  for (const auto& baseline : baselines()) {
    std::size_t stalled = 0;
    for (std::uint64_t number = 0; number < 20; ++number) {
      Federation federation(baseline, number, 200);
      test::Run run(*baseline.spec,
                    federation.parameters,
                    federation.clients,
                    Seed{number},
                    &federation.problem);
      run.spec.network.transport = Transport::datagram;
      run.spec.network.links = {
          {.latency = ConstantDuration{Duration::seconds(0.01)}, .loss = BernoulliLoss{0.3}}};
      const auto outcome = run_serial(run.spec).outcome;
      INFO(baseline.spec->kind << ", network " << number << ": " << outcome.report);
      CHECK(outcome.regret.max_evaluations <= 200);
      if (outcome.status == RunStatus::finished) continue;
      ++stalled;
      CHECK(outcome.status == RunStatus::stalled);
      CHECK(outcome.report.find("has waited for") != std::string::npos);
      CHECK(outcome.report.find("lost: ") != std::string::npos);
    }
    CHECK(stalled > 5);
  }
}

TEST_CASE("a client that lost its state may answer a copy again, and no count is then expected") {
  const auto ms = [](double x) { return Duration::seconds(x * 1e-3); };
  std::size_t answered_twice = 0;
  for (const auto& baseline : baselines())
    for (std::uint64_t number = 0; number < 30; ++number) {
      Federation federation(baseline, 0, 100);  // one client
      test::Run run(*baseline.spec,
                    federation.parameters,
                    federation.clients,
                    Seed{number},
                    &federation.problem);
      if (baseline.changes.contains("edges") || !run.protocol->can_lose_state(NodeId{1})) break;
      run.spec.network.links = {{.latency = UniformDuration{ms(1), ms(20)}, .duplication = 1.0}};
      run.spec.network.node_faults = {{.nodes = {"client-0"},
                                       .when = {.at = Time{} + ms(10),
                                                .lasting = ms(0.3),
                                                .every = ms(2),
                                                .until = Time{} + ms(60)},
                                       .kind = NodeFaultKind::crash,
                                       .loses_state = true}};
      const auto outcome = run_serial(run.spec).outcome;
      INFO(baseline.spec->kind << ", seed " << number << ": " << outcome.report);
      for (const auto& measurement : run.protocol->measurements(outcome)) {
        INFO(measurement.name << ": " << measurement.measured);
        CHECK_FALSE(violated(measurement));
      }
      if (outcome.status == RunStatus::finished)
        answered_twice += outcome.total(&TypeAccount::sent) > 2 * outcome.complete_rounds;
    }
  CHECK(answered_twice > 5);
}

}  // namespace posse::test_baselines_on_networks
