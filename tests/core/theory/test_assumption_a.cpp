// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/theory/assumption_a.hpp"
#include "tests/support/role_driver.hpp"

namespace posse::theory::test_assumption_a {

TEST_CASE("the first depth whose cell at the maximiser is too low is named", "[theory]") {
  // f = 1 - |x - 0.3| at the centres of [0, 1], [0, 1/2], [1/4, 1/2], [1/4, 3/8]: 1 - f is
  // 0.2, 0.05, 0.075, 0.0125.
  const auto problem =
      test::make_problem(std::make_shared<test::FunctionObjective>(
                             Box::cube(1, 0, 1),
                             [](std::span<const double> x) { return 1 - std::abs(x[0] - 0.3); },
                             1.0,
                             std::vector<double>{0.3}),
                         3,
                         100);
  const Partition halves(Box::cube(1, 0, 1), PartitionKind::cyclic, 2);
  const auto fails_at = [&](double nu1, double rho, std::uint32_t deepest) {
    const auto mean = assumption_a_fails_at(problem, halves, nu1, rho, deepest);
    CHECK(local_assumption_a_fails_at(problem, halves, nu1, rho, deepest, 1) == mean);
    return mean;
  };
  CHECK(fails_at(0.19, 0.5, 0) == 0);
  CHECK(fails_at(0.19, 0.9, 3) == 0);
  CHECK(fails_at(0.21, 0.2, 0) == std::nullopt);
  CHECK(fails_at(0.21, 0.2, 1) == 1);  // 0.042
  CHECK(fails_at(0.24, 0.5, 1) == std::nullopt);
  CHECK(fails_at(0.24, 0.5, 3) == 2);  // 0.06
  CHECK(fails_at(0.5, 0.5, 20) == std::nullopt);
}

}  // namespace posse::theory::test_assumption_a
