// SPDX-License-Identifier: Apache-2.0
// Single learners and their instances on all kernels: one fingerprint.
#include <catch2/catch.hpp>

#include "actors/host/run.hpp"
#include "actors/instances/protocol.hpp"
#include "actors/learners/hct.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_network.hpp"

namespace posse::test_learners_agree {

TEST_CASE("learners: serial kernel, windows and actors on any number of threads agree") {
  for (const auto* spec :
       {&hct_central_algorithm(), &hct_local_algorithm(), &poo_algorithm(), &pct_algorithm()})
    for (std::uint64_t number = 0; number < 6; ++number) {
      const bool instances = spec == &poo_algorithm() || spec == &pct_algorithm();
      const std::uint32_t clients = instances ? 1 : spec == &hct_local_algorithm() ? 150 : 5;
      const auto problem =
          test::make_problem("garland", clients, 300, Seed{number}, instances ? 0.0 : 0.05);
      test::Run run(*spec, default_parameters(spec->parameters), clients, Seed{number}, &problem);
      run.spec.network = test::random_network(Seed{number}, {.zero_latency = true});
      run.spec.network.transport = Transport::reliable;
      run.spec.network.retransmission.max_tries = 1000;
      run.spec.compute.evaluation = ExponentialDuration{Duration::seconds(0.001), Duration{}};
      const auto serial = run_serial(run.spec);
      INFO(spec->kind << ", network " << number << " " << serial.outcome.report);
      REQUIRE(serial.outcome.status == RunStatus::finished);
      for (const std::size_t threads : {1, 2, 4})
        for (const auto& other :
             {run_windows(run.spec, threads), run_actors(run.spec, {.threads = threads})}) {
          CHECK(other.outcome.fingerprint == serial.outcome.fingerprint);
          CHECK(other.outcome.counts == serial.outcome.counts);
          REQUIRE(other.regret_curve.size() == serial.regret_curve.size());
          for (std::size_t i = 0; i < serial.regret_curve.size(); ++i) {
            CHECK(other.regret_curve[i].value == serial.regret_curve[i].value);
            CHECK(other.regret_curve[i].virtual_s == serial.regret_curve[i].virtual_s);
          }
        }
    }
}

TEST_CASE("taking observations early in a long window does not change results") {
  // 40 clients of 5000 evaluations each: three times as many as a worker may keep.
  const auto problem = test::make_problem("garland", 40, 5000, Seed{1}, 0.05);
  const auto& spec = hct_local_algorithm();
  test::Run run(spec, default_parameters(spec.parameters), 40, Seed{1}, &problem);
  run.spec.compute.evaluation = ConstantDuration{Duration::seconds(0.001)};
  const auto serial = run_serial(run.spec);
  for (const std::size_t threads : {1, 2})
    CHECK(run_actors(run.spec, {.threads = threads}).outcome.fingerprint ==
          serial.outcome.fingerprint);
  CHECK(serial.outcome.regret.evaluations == 200'000);
}

}  // namespace posse::test_learners_agree
