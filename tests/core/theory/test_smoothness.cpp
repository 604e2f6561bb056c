// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/objective/factories.hpp"
#include "core/theory/smoothness.hpp"

namespace posse::theory {
namespace test_smoothness {

namespace {

// nu_rep: the least nu1 for which (A) holds at centres, by enumeration along the maximiser's cells.
double least_nu1(const char* kind,
                 std::int64_t dimension,
                 PartitionKind partition_kind,
                 double rho,
                 std::uint32_t depths) {
  const ObjectiveSpec& spec = *find_objective(kind);
  Parameters parameters = default_parameters(spec.parameters);
  if (dimension > 0) parameters.set("dimension", dimension);
  const auto f = spec.make(parameters);
  const Partition partition(f->domain(), partition_kind, 2);
  const auto maximiser = f->maximisers().front();
  double nu = 0;
  for (std::uint32_t h = 0; h <= depths; ++h) {
    const double loss = *f->maximum() - f->value(partition.point(partition.locate(h, maximiser)));
    nu = std::max(nu, loss / std::pow(rho, h));
  }
  return nu;
}

TEST_CASE("smoothness: nu_rep by enumeration equals the values behind the table", "[theory]") {
  const double root = std::sqrt(0.5);
  const auto close = [](double x, double margin) { return Approx(x).margin(margin); };
  CHECK(least_nu1("sine", 0, PartitionKind::cyclic, 0.5, 20) == close(2.00, 0.006));
  CHECK(least_nu1("sine", 0, PartitionKind::cyclic, 0.25, 20) == close(22.8, 0.06));
  CHECK(least_nu1("garland", 0, PartitionKind::cyclic, root, 20) == close(1.34, 0.006));
  CHECK(least_nu1("doublesine", 0, PartitionKind::cyclic, 0.8, 20) == close(0.688, 0.0006));
  CHECK(least_nu1("himmelblau", 0, PartitionKind::cyclic, 0.5, 20) == close(0.39, 0.006));
  CHECK(least_nu1("himmelblau", 0, PartitionKind::dimwise, 0.25, 12) == close(0.39, 0.006));
  CHECK(least_nu1("ackley", 0, PartitionKind::cyclic, root, 20) == close(2.50, 0.006));
  CHECK(least_nu1("rastrigin", 10, PartitionKind::cyclic, std::pow(2, -0.1), 40) ==
        close(2.12, 0.006));
  CHECK(least_nu1("rastrigin", 10, PartitionKind::cyclic, std::pow(4, -0.1), 62) ==
        close(12.3, 0.06));
  CHECK(least_nu1("rastrigin", 3, PartitionKind::dimwise, 0.5, 15) == close(2.00, 0.006));
}

TEST_CASE("smoothness: recommended pairs are at least nu_rep, the papers' pair isn't", "[theory]") {
  for (const char* kind : {"sine", "garland", "doublesine", "himmelblau", "ackley"}) {
    const std::size_t d =
        std::string_view(kind) == "himmelblau" || std::string_view(kind) == "ackley" ? 2 : 1;
    const auto valid = valid_smoothness(kind, PartitionKind::cyclic, 2, d);
    REQUIRE(valid);
    INFO(kind);
    CHECK(least_nu1(kind, 0, PartitionKind::cyclic, valid->rho, 16) <= valid->nu1);
  }
  CHECK(least_nu1("garland", 0, PartitionKind::cyclic, 0.5, 16) > 1);
  CHECK_FALSE(valid_smoothness("garland", PartitionKind::cyclic, 3, 1));
  CHECK(valid_smoothness("rastrigin", PartitionKind::cyclic, 2, 10)->rho ==
        Approx(std::pow(2, -0.1)));
  CHECK(valid_smoothness("rastrigin", PartitionKind::dimwise, 1024, 10)->nu1 == 2);
}

std::vector<int> near_optimal_counts(const char* kind, Smoothness s, std::uint32_t depths) {
  const auto f = find_objective(kind)->make(default_parameters(find_objective(kind)->parameters));
  const Partition partition(f->domain(), PartitionKind::cyclic, 2);
  std::vector<int> counts;
  for (std::uint32_t h = 0; h <= depths; ++h) {
    const double level = *f->maximum() - 6 * s.nu1 * std::pow(s.rho, h);
    int count = 0;
    for (std::uint64_t i = 1; i <= std::uint64_t{1} << h; ++i)
      count += f->value(partition.point({h, i})) >= level;
    counts.push_back(count);
  }
  return counts;
}

TEST_CASE("near-optimal cells: the table's max |I_h| agrees with enumeration", "[theory]") {
  const double root = std::sqrt(0.5);
  using Counts = std::vector<int>;
  CHECK(near_optimal_counts("sine", {2, 0.5}, 12) ==
        Counts{1, 2, 4, 8, 16, 27, 23, 23, 19, 21, 21, 30, 43});
  CHECK(near_optimal_counts("sine", {28, 0.25}, 12) ==
        Counts{1, 2, 4, 8, 16, 9, 4, 2, 2, 2, 3, 3, 3});
  CHECK(near_optimal_counts("garland", {1.4, root}, 16) ==
        Counts{1, 2, 4, 8, 16, 32, 64, 104, 160, 237, 285, 186, 151, 128, 108, 95, 82});
  CHECK(near_optimal_counts("doublesine", {1, 0.8}, 12) ==
        Counts{1, 2, 4, 8, 16, 32, 64, 128, 256, 312, 546, 886, 1468});
  CHECK(near_optimal_counts("himmelblau", {8, 0.5}, 12) ==
        Counts{1, 2, 4, 8, 16, 32, 64, 121, 184, 198, 190, 198, 185});
  CHECK(near_optimality("garland", PartitionKind::cyclic, 2, 1)->constant == 285);
  CHECK_FALSE(near_optimality("doublesine", PartitionKind::cyclic, 2, 1));
}

}  // namespace
}  // namespace test_smoothness

}  // namespace posse::theory
