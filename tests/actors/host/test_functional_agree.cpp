// SPDX-License-Identifier: Apache-2.0
// Functional bandits on actors: bit for bit what the serial kernel does.
#include <catch2/catch.hpp>

#include "actors/f_lcb/protocol.hpp"
#include "actors/host/run.hpp"
#include "actors/reward_bandit/protocol.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/curve_arms.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test_functional_agree {

TEST_CASE("an agent and its arms as actors do what the serial kernel does") {
  for (const auto* spec : {&f_lcb_algorithm(), &hyperband_algorithm(), &asha_algorithm()}) {
    for (std::uint64_t number = 0; number < 20; ++number) {
      INFO(spec->kind << ", network " << number);
      const ArmSet arms = test::random_arms(number, 60);
      Parameters parameters = default_parameters(spec->parameters);
      if (spec == &f_lcb_algorithm() && number % 2 == 0)
        parameters.set("order", std::string("asynchronous"));
      test::Run run(*spec, parameters, Seed{number}, arms);
      run.spec.network = test::random_network(Seed{number});
      run.spec.network.transport = Transport::reliable;
      run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.01), Duration{}};
      const auto serial = run_serial(run.spec).outcome;
      CHECK(run_actors(run.spec, {.threads = 2}).outcome.fingerprint == serial.fingerprint);
    }
  }
}

TEST_CASE("an agent and arms with rewards as actors do what the serial kernel does") {
  for (const auto* spec :
       {&sgd_ucb_smom_algorithm(), &sgd_ucb_smom_f_algorithm(), &rucb_median_algorithm()}) {
    for (std::uint64_t number = 0; number < 10; ++number) {
      INFO(spec->kind << ", network " << number);
      const auto arms = test::arms("rewards", {}, number, 100);
      test::Run run(*spec, default_parameters(spec->parameters), Seed{number}, *arms);
      run.spec.network = test::random_network(Seed{number});
      run.spec.network.transport = Transport::reliable;
      run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.01), Duration{}};
      const auto serial = run_serial(run.spec).outcome;
      CHECK(run_actors(run.spec, {.threads = 2}).outcome.fingerprint == serial.fingerprint);
    }
  }
}

}  // namespace posse::test_functional_agree
