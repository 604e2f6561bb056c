// SPDX-License-Identifier: Apache-2.0
// HCT and VHCT behind the hosts.
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/learners/hct.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::test_hct {
namespace {

using namespace test;

TEST_CASE("HCT with one client reproduces the worked example, centrally and locally") {
  struct Row {
    std::uint64_t n;
    double sum;
    double depth;
    double cells;
  };
  const std::vector<double> first{0.598799,
                                  0.577042,
                                  0.33157,
                                  0.773911,
                                  0.833263,
                                  0.340427,
                                  0.833263,
                                  0.773911,
                                  0.775185,
                                  0.723842};
  for (const auto* spec : {&hct_central_algorithm(), &hct_local_algorithm()})
    for (const auto& row : {Row{64, 50.18224782, 4, 19},
                            Row{1000, 896.87665530, 7, 31},
                            Row{10000, 9009.27205670, 8, 33}}) {
      INFO(spec->kind << ", n = " << row.n);
      const auto problem = make_problem(garland(), 1, row.n);
      const auto protocol = make_protocol(*spec, &problem, 1);
      RoleDriver driver(*protocol);
      driver.run();
      double sum = 0;
      const auto pulls = driver.all<PullsObserved>();
      for (std::size_t t = 0; t < pulls.size(); ++t) {
        const double value = garland_at(pulls[t].point[0]);
        sum += value;
        if (t < first.size()) CHECK(value == Approx(first[t]).epsilon(0).margin(5e-7));
      }
      CHECK(sum == Approx(row.sum).epsilon(0).margin(6e-9 * static_cast<double>(row.n)));
      const auto outcome = driver.outcome(&problem);
      CHECK(figure_named(*protocol, outcome, "tree depth").measured == row.depth);
      CHECK(figure_named(*protocol, outcome, "tree cells").measured == row.cells);
      CHECK(figure_named(*protocol, outcome, "cumulative regret").measured ==
            Approx(static_cast<double>(row.n) * kGarlandMaximum - row.sum).epsilon(1e-9));
      CHECK(broken_measurements(*protocol, outcome).empty());
    }
}

TEST_CASE("tree measurements stay below their ceilings for any constants", "[long]") {
  for (const auto* spec : {&hct_algorithm(), &vhct_algorithm()})
    for (const double c : {0.01, 0.1, 1.0})
      for (const double nu1 : {0.1, 1.0, 10.0})
        for (const std::int64_t arity : {2, 3}) {
          const auto problem = make_problem(bowl(0.31, 0.77), 2, 3000, true);
          const auto protocol = make_protocol(
              *spec, &problem, 2, {{"c", c}, {"nu1", nu1}, {"rho", 0.7}, {"arity", arity}});
          RoleDriver driver(*protocol);
          driver.run();
          const auto outcome = driver.outcome(&problem);
          INFO(spec->kind << ", c = " << c << ", nu1 = " << nu1 << ", k = " << arity);
          CHECK(figure_named(*protocol, outcome, "tree depth").bound);
          CHECK(figure_named(*protocol, outcome, "tree cells").bound);
          CHECK(broken_measurements(*protocol, outcome).empty());
        }
}

TEST_CASE("a tree that reaches the partition's depth limit says so") {
  const auto problem = make_problem(cliff(), 1, 5000);
  const auto protocol = make_protocol(hct_algorithm(), &problem, 1, {{"nu1", 1e6}, {"rho", 0.999}});
  RoleDriver driver(*protocol);
  driver.run();
  const auto measurement = figure_named(*protocol, driver.outcome(&problem), "tree depth");
  CHECK(measurement.measured == 62);
  CHECK(measurement.bound->value == 62);
  CHECK_THAT(measurement.bound->note, Catch::Contains("depth limit 62"));
}

TEST_CASE("HCT's regret bound applies with the theory's constants only, and then it holds") {
  const auto regret = [](const Problem& problem, const std::map<std::string, ParameterValue>& c) {
    const auto protocol = make_protocol(hct_central_algorithm(), &problem, 2, c);
    RoleDriver driver(*protocol);
    driver.run();
    return figure_named(*protocol, driver.outcome(&problem), "cumulative regret");
  };
  const auto problem = make_problem("garland", 2, 5000, Seed{1});
  const auto practical = regret(problem, {});
  REQUIRE(practical.bound);
  CHECK(practical.bound->kind == BoundKind::does_not_apply);
  CHECK_THAT(practical.bound->note,
             Catch::Contains("the constants are not the theory's (c = 0.1") &&
                 Catch::Contains("smoothness assumption fails"));
  const auto theory = regret(
      problem, {{"constants", std::string("theory")}, {"nu1", 1.4}, {"rho", std::sqrt(0.5)}});
  REQUIRE(theory.bound);
  CHECK(theory.bound->kind == BoundKind::derived);
  CHECK(theory.bound->strength == BoundStrength::with_probability);
  CHECK(theory.measured <= theory.bound->value);
  // With d = 0 the bound is of the order sqrt(n ln n).
  const double n = 5000;
  const double delta = 1 / n;
  const double nu = 1.4;
  const double rho = std::sqrt(0.5);
  const double log_n = std::log(2 * n / delta * std::pow(3 * nu / rho, 0.125));
  CHECK(theory.bound->value ==
        Approx(std::sqrt(n) + std::sqrt(2 * n * std::log(4 * n * n / delta)) +
               24 * nu * std::sqrt(4 * 285 * log_n / std::pow((1 - rho) * nu, 2)) * std::sqrt(n)));
  // Clients that differ: nothing is known of their mean's near-optimality.
  CHECK_FALSE(regret(make_problem("garland", 2, 100, Seed{1}, 0.05), {}).bound);
}

}  // namespace
}  // namespace posse::test_hct
