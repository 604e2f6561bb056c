// SPDX-License-Identifier: Apache-2.0
// The reliable transport makes loss, duplication and reordering invisible to every decision.
#include <catch2/catch.hpp>

#include "actors/fed_pne/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test_decisions {

TEST_CASE("under the reliable transport 1000 faulty networks leave the decisions unchanged") {
  std::size_t repeated = 0, discarded = 0, dropped = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const bool federated = number % 2 == 0;
    const auto& algorithm = federated ? fed_pne_algorithm() : parallel_algorithm();
    const Seed seed{number};
    const auto problem = test::make_problem("garland", clients, 200, seed, federated ? 0.05 : 0.0);
    test::Run run(algorithm, default_parameters(algorithm.parameters), clients, seed, &problem);
    const auto faulty = test::check_faults_change_no_decision(run, number);
    repeated += faulty.total(&TypeAccount::repeated) > 0;
    discarded += faulty.total(&TypeAccount::discarded) > 0;
    dropped += faulty.total(&TypeAccount::dropped_loss) > 0;
  }
  CHECK(repeated > 500);
  CHECK(discarded > 500);
  CHECK(dropped > 500);
}

TEST_CASE("with datagrams and a tolerant policy a run ends, and no sample counts twice") {
  for (std::uint64_t number = 0; number < 200; ++number) {
    const std::uint32_t clients = 5;
    const auto problem = test::make_problem("garland", clients, 500, Seed{number}, 0.05);
    const auto& algorithm = fed_pne_algorithm();
    const Policy policy{
        .kind = PolicyKind::deadline, .quorum = 1, .deadline = Duration::seconds(0.3)};
    test::Run run(algorithm,
                  default_parameters(algorithm.parameters),
                  clients,
                  Seed{number},
                  &problem,
                  policy);
    run.spec.network = test::random_network(Seed{number});
    run.spec.network.transport = Transport::datagram;
    run.spec.limits.virtual_time = Time{} + Duration::seconds(3600);
    const auto out = run_serial(run.spec).outcome;
    INFO("network " << number << " " << out.report);
    // Either the server reached the end, or nobody at all answered a plan and it says so.
    if (out.status != RunStatus::finished) {
      CHECK(out.status == RunStatus::stalled);
      CHECK(out.report.find("server has waited for LocalMeans") != std::string::npos);
    }
    CHECK(out.regret.max_evaluations <= 500);
    for (const auto& row : out.rounds) CHECK(row.arrived <= clients);
  }
}

}  // namespace posse::test_decisions
