// simulation.md, "Faults that a run must survive": the reliable transport makes loss, duplication
// and reordering invisible to every decision.
#include <catch2/catch.hpp>

#include "core/algorithm/fed_pne.hpp"
#include "core/algorithm/parallel.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse {
namespace {

/// All that an algorithm decides, without times and counts of the network.
void check_same_decisions(const RunOutcome& a, const RunOutcome& b) {
  REQUIRE(a.rounds.size() == b.rounds.size());
  for (std::size_t i = 0; i < a.rounds.size(); ++i) {
    CHECK(a.rounds[i].best == b.rounds[i].best);
    CHECK(a.rounds[i].active_cells == b.rounds[i].active_cells);
    CHECK(a.rounds[i].kept_cells == b.rounds[i].kept_cells);
    CHECK(a.rounds[i].pulls_per_cell == b.rounds[i].pulls_per_cell);
    CHECK(a.rounds[i].steps == b.rounds[i].steps);
  }
  CHECK(a.regret.evaluations == b.regret.evaluations);
  CHECK(a.regret.cumulative_global == b.regret.cumulative_global);
  CHECK(a.regret.cumulative_local == b.regret.cumulative_local);
  CHECK(a.regret.recommendation == b.regret.recommendation);
  CHECK(a.total(&TypeAccount::sent) - a.total(&TypeAccount::sent, "Ack") ==
        b.total(&TypeAccount::sent) - b.total(&TypeAccount::sent, "Ack"));
}

}  // namespace

TEST_CASE("1000 lossy, duplicating, reordering networks: the decisions of the fault-free run") {
  std::size_t repeated = 0, discarded = 0, dropped = 0;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const auto clients = static_cast<std::uint32_t>(1 + number % 5);
    const bool federated = number % 2 == 0;
    const auto& algorithm = federated ? fed_pne_algorithm() : parallel_algorithm();
    const Seed seed{number};
    const auto problem = test::make_problem("garland", clients, 200, seed, federated ? 0.05 : 0.0);
    test::Run run(algorithm, default_parameters(algorithm.parameters), clients, seed, &problem);
    run.spec.network.links = {{.latency = ConstantDuration{Duration::seconds(0.05)}}};
    const auto ideal = run_serial(run.spec).outcome;
    REQUIRE(ideal.status == RunStatus::finished);

    run.spec.network = test::random_network(seed);
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

}  // namespace posse
