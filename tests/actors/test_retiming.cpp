// SPDX-License-Identifier: Apache-2.0
// A recorded run, repeated on another network without its roles, is the run that happens there.
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "actors/blin/protocol.hpp"
#include "actors/echo/protocol.hpp"
#include "actors/fed_pne/private_protocol.hpp"
#include "actors/fed_pne/protocol.hpp"
#include "actors/fed_pne_variance/protocol.hpp"
#include "actors/fed_ucb/protocol.hpp"
#include "actors/fn_ucb/protocol.hpp"
#include "actors/hct_batched/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "actors/parallel/protocol.hpp"
#include "actors/pf_pne/protocol.hpp"
#include "actors/pf_pne_hct/protocol.hpp"
#include "actors/pf_pne_reuse/protocol.hpp"
#include "actors/random_exchange/protocol.hpp"
#include "core/sim/recording.hpp"
#include "tests/support/faults.hpp"

namespace posse::test_retiming {
namespace {

struct Recorded {
  const AlgorithmSpec* spec;
  std::map<std::string, ParameterValue> changes;
  std::string name{spec->kind};
};

/// All that wait for all messages of a round.
std::vector<Recorded> algorithms() {
  std::vector<Recorded> all{
      {&echo_algorithm(), {{"rounds", std::int64_t{5}}, {"work", Duration::seconds(0.002)}}},
      {&fed_pne_algorithm(), {}},
      {&fed_pne_algorithm(), {{"compact_plan", true}}},
      {&fed_pne_algorithm(), {{"means", std::string("u8")}}},
      {&dp_fed_pne_algorithm(), {}},
      {&parallel_algorithm(), {{"exchange", std::string("relay")}, {"means", std::string("u16")}}},
      {&fed_pne_algorithm(), {{"edges", std::int64_t{2}}}, "fed-pne, edges"},
      {&fed_pne_algorithm(),
       {{"edges", std::int64_t{1}}, {"sums", std::string("exact")}, {"compact_plan", true}},
       "fed-pne, an edge with exact sums"},
      {&fed_pne_variance_algorithm(), {}},
      {&pf_pne_algorithm(), {}},
      {&pf_pne_reuse_algorithm(), {}},
      {&blin_algorithm(), {{"share_pulls", true}}},
      {&fed1_ucb_algorithm(), {{"pulls_per_phase", std::int64_t{4}}, {"sigma", 0.1}}},
      {&hct_central_algorithm(), {}},
      {&hct_batched_algorithm(), {}},
      {&vhct_batched_algorithm(), {}},
      {&pf_pne_hct_algorithm(), {{"max_difference", 0.1}}},
      {&random_exchange_algorithm(), {}},
  };
  for (const char* way : {"ring", "doubling"})
    all.push_back({&parallel_algorithm(),
                   {{"exchange", std::string(way)}, {"means", std::string("u8")}},
                   std::string("parallel, u8, ") + way});
  all.push_back({&parallel_algorithm(), {{"exchange", std::string("gossip")}}, "parallel, gossip"});
  for (const char* way : {"mesh", "relay", "ring", "tree", "doubling"})
    for (const char* sums : {"gathered", "exact"})
      if (std::string(sums) == "gathered" || std::string(way) != "mesh")
        all.push_back({&parallel_algorithm(),
                       {{"exchange", std::string(way)}, {"sums", std::string(sums)}},
                       std::string("parallel, ") + way + ", " + sums});
  return all;
}

struct Experiment {
  Experiment(const Recorded& algorithm, std::uint64_t number)
      : clients(static_cast<std::uint32_t>(2 + number % 5)),
        problem(test::make_problem("garland", clients, 200, Seed{number}, 0.05)),
        run(*algorithm.spec,
            parameters_of(algorithm),
            clients,
            Seed{number},
            problem_of(algorithm)) {
    run.spec.compute.evaluation =
        ExponentialDuration{Duration::seconds(0.001), Duration::seconds(0.0001)};
  }

  /// What happens on network `number`.
  SimulationResult really(std::uint64_t number) {
    use(number);
    return run_serial(run.spec);
  }
  /// What a recording says would happen on network `number`.
  SimulationResult repeated(std::uint64_t number, const RecordedRun& recorded) {
    use(number);
    const auto protocol = make_recorded_protocol(*run.spec.algorithm, recorded);
    SimulationSpec spec = run.spec;
    spec.protocol = protocol.get();
    spec.problem = nullptr;
    spec.record = false;
    return run_serial(spec);
  }

  std::uint32_t clients;
  Problem problem;
  test::Run run;

 private:
  Parameters parameters_of(const Recorded& algorithm) const {
    auto parameters = default_parameters(algorithm.spec->parameters);
    for (const auto& [name, value] : algorithm.changes) parameters.set(name, value);
    return parameters;
  }
  const Problem* problem_of(const Recorded& algorithm) const {
    return algorithm.spec->needs_problem ? &problem : nullptr;
  }
  void use(std::uint64_t number) {
    run.spec.network = test::random_network(Seed{number});
    run.spec.network.transport = Transport::reliable;
    run.spec.network.retransmission.max_tries = 1000;
    if (number % 3 == 0) run.spec.network.node_faults = test::random_node_faults(Seed{number});
  }
};

void check_equal(const RunOutcome& real, const RunOutcome& repeated) {
  CHECK(repeated.status == real.status);
  CHECK(repeated.finished_at == real.finished_at);
  CHECK(repeated.last_event == real.last_event);
  CHECK(repeated.events == real.events);
  CHECK(repeated.ingredients.deliveries == real.ingredients.deliveries);
  CHECK(repeated.ingredients.accounts == real.ingredients.accounts);
  REQUIRE(repeated.rounds.size() == real.rounds.size());
  for (std::size_t i = 0; i < real.rounds.size(); ++i) {
    const RoundRecord& a = real.rounds[i];
    const RoundRecord& b = repeated.rounds[i];
    INFO("round " << a.round.value);
    CHECK(b.began == a.began);
    CHECK(b.ended == a.ended);
    CHECK(b.path == a.path);
    CHECK(b.waiting == a.waiting);
    CHECK(b.compute == a.compute);
    CHECK(b.propagation == a.propagation);
    CHECK(b.bytes == a.bytes);
    CHECK(b.steps == a.steps);
    CHECK(b.arrived == a.arrived);
  }
}

}  // namespace

TEST_CASE("a recorded run on another network is the run that happens there, to the nanosecond") {
  std::size_t rounds = 0, repetitions = 0;
  for (const Recorded& algorithm : algorithms()) {
    for (std::uint64_t number = 0; number < 8; ++number) {
      INFO(algorithm.name << ", experiment " << number);
      Experiment experiment(algorithm, number);
      experiment.run.spec.record = true;
      const auto recorded = experiment.really(2 * number).recorded;
      REQUIRE(recorded);
      CHECK(recorded->obstacle == "");
      const auto real = experiment.really(2 * number + 1).outcome;
      REQUIRE(real.status == RunStatus::finished);
      check_equal(real, experiment.repeated(2 * number + 1, *recorded).outcome);
      rounds += real.rounds.size();
      repetitions += real.total(&TypeAccount::repeated);
    }
  }
  CHECK(rounds > 500);
  CHECK(repetitions > 100);
}

TEST_CASE("where the order of messages decides, a recording says that it cannot be repeated") {
  Experiment experiment({&fn_ucb_algorithm(), {{"width", std::int64_t{4}}}}, 1);
  experiment.run.spec.record = true;
  const auto recorded = experiment.really(1).recorded;
  REQUIRE(recorded);
  CHECK(recorded->obstacle == "in fn-ucb the order in which messages arrive decides");
}

}  // namespace posse::test_retiming
