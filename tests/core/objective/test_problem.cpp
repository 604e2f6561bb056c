// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "core/objective/factories.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/problem.hpp"

namespace posse::test_problem {
namespace {

std::shared_ptr<const Objective> make(std::string_view kind, std::int64_t dimension = 0) {
  Parameters p = default_parameters(find_objective(kind)->parameters);
  if (dimension > 0) p.set("dimension", dimension);
  return find_objective(kind)->make(p);
}

Problem shifted(std::string_view kind, std::uint32_t clients, Seed seed, double scale = 0.05) {
  return Problem(shifted_clients(make(kind), clients, seed, scale, Boundary::reflect),
                 make_no_noise(),
                 1000,
                 seed);
}

TEST_CASE("the maximum of the mean equals that of the worked example", "[problem]") {
  const Problem problem(
      given_shifts(make("garland"), {-0.03, -0.01, 0.02, 0.04}, Boundary::reflect),
      make_no_noise(),
      2000,
      Seed{1});
  const CertifiedMaximum& maximum = problem.mean_maximum();
  // At the cusp itself (30 digits, mpmath); at the double next to it f̄ is 0.85523565405.
  CHECK(std::abs(maximum.value - 0.85523565713638248) < 1e-14);
  CHECK(std::abs(maximum.point[0] - 0.5112389) < 0.5e-7);
  CHECK(maximum.upper - maximum.value <= 1e-3);
  CHECK(problem.local_maximum(2).exact);
  CHECK(problem.local_maximum(2).value == Approx(0.997772391161144535).margin(1e-15));
}

TEST_CASE("the maximum of a dense search is within the certified bounds", "[problem][long]") {
  for (const char* kind : {"sine", "garland", "doublesine"}) {
    for (const std::uint32_t clients : {2, 5}) {
      for (const std::uint64_t seed : {1, 2, 3}) {
        INFO(kind << " M = " << clients << " seed " << seed);
        const Problem problem = shifted(kind, clients, Seed{seed});
        const CertifiedMaximum& maximum = problem.mean_maximum();
        double best = 0;
        for (int i = 0; i <= 100000; ++i)
          best = std::max(best, problem.mean(std::vector<double>{i / 100000.0}));
        CHECK(best <= maximum.upper);
        CHECK(best <= maximum.value + 1e-8);
        CHECK(maximum.upper - maximum.value <= 1e-3);
        // At a cusp or spike the double next to it is lower.
        CHECK(problem.mean(maximum.point) == Approx(maximum.value).margin(2e-5));
      }
    }
  }
  for (const char* kind : {"himmelblau", "ackley", "rastrigin"}) {
    INFO(kind);
    const auto base = make(kind, std::string_view(kind) == "rastrigin" ? 2 : 0);
    const Problem problem(
        shifted_clients(base, 3, Seed{4}, 0.05, Boundary::reflect), make_no_noise(), 10, Seed{4});
    const CertifiedMaximum& maximum = problem.mean_maximum();
    double best = 0;
    const Box& box = problem.domain();
    for (int i = 0; i <= 400; ++i)
      for (int j = 0; j <= 400; ++j)
        best = std::max(best,
                        problem.mean(std::vector<double>{box.low[0] + box.width(0) * i / 400,
                                                         box.low[1] + box.width(1) * j / 400}));
    CHECK(best <= maximum.value + 1e-8);
    CHECK(maximum.upper - maximum.value <= 2e-3);
    CHECK(maximum.upper >= maximum.value);
  }
}

TEST_CASE("a separable mean in ten dimensions is certified", "[problem]") {
  const Problem problem = shifted("rastrigin", 3, Seed{9});
  const CertifiedMaximum& maximum = problem.mean_maximum();
  CHECK(maximum.upper - maximum.value <= 1e-3 + 1e-12);
  CHECK(problem.mean(maximum.point) == maximum.value);
  // Coordinates are independent: no single one can be improved.
  for (std::size_t j = 0; j < 10; ++j) {
    for (int i = 0; i <= 2000; ++i) {
      auto x = maximum.point;
      x[j] = -1 + i / 1000.0;
      REQUIRE(problem.mean(x) <= maximum.value + 1e-8);
    }
  }
}

TEST_CASE("a maximiser that was shifted out of the box is searched for", "[problem]") {
  const Problem problem(
      given_shifts(make("sine"), {0.14}, Boundary::reflect), make_no_noise(), 10, Seed{1});
  const CertifiedMaximum& maximum = problem.local_maximum(0);
  CHECK_FALSE(maximum.exact);
  double best = 0;
  for (int i = 0; i <= 200000; ++i)
    best = std::max(best, problem.local(0, std::vector<double>{i / 200000.0}));
  CHECK(best <= maximum.value + 1e-8);
  CHECK(maximum.upper - maximum.value <= 1e-3);
}

TEST_CASE("clients that share an objective have its values bit for bit", "[problem]") {
  const auto garland = make("garland");
  const Problem problem(Clients(7, garland), make_no_noise(), 10, Seed{1});
  CHECK(problem.homogeneous());
  CHECK(problem.mean_maximum().exact);
  CHECK(problem.local_maximum(6).value == *garland->maximum());
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> x{i / 100.0};
    CHECK(problem.mean(x) == garland->value(x));
  }
  const auto common = commonly_shifted_clients(garland, 5, Seed{1}, 0.05, Boundary::reflect);
  CHECK(Problem(common, make_no_noise(), 10, Seed{1}).homogeneous());
  CHECK_FALSE(shifted("garland", 3, Seed{1}).homogeneous());
}

TEST_CASE("the mean is summed in client order", "[problem]") {
  const Problem problem = shifted("garland", 5, Seed{2});
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> x{(i + 0.5) / 100};
    double sum = 0;
    for (std::size_t m = 0; m < 5; ++m) sum += problem.local(m, x);
    CHECK(problem.mean(x) == sum / 5.0);
  }
}

TEST_CASE("rewards depend on client and pull number alone", "[problem]") {
  const Problem problem(Clients(2, make("garland")), make_uniform_noise(0.1), 100, Seed{5});
  const std::vector<double> x{0.3};
  RewardSource one(problem, 0), parts(problem, 0), other(problem, 1);
  const double together = one.pull(x, 10);
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += parts.pull(x, 1);
  CHECK(together == sum);
  CHECK(parts.pulls() == 10);
  CHECK(other.pull(x, 10) != together);
  // What the pulls before were spent on doesn't matter.
  RewardSource elsewhere(problem, 0);
  elsewhere.pull(std::vector<double>{0.9}, 10);
  CHECK(elsewhere.pull(x, 3) == one.pull(x, 3));
}

TEST_CASE("shifts are within three sds, follow the seed and have the stated standard deviation",
          "[heterogeneity]") {
  const auto spread = [](Seed seed) {
    std::vector<double> s;
    for (const auto& f : shifted_clients(make("himmelblau"), 5000, seed, 0.05, Boundary::reflect))
      for (const double x : dynamic_cast<const Shifted&>(*f).shift()) s.push_back(x / 10);
    return s;
  };
  const auto s = spread(Seed{1});
  CHECK(s == spread(Seed{1}));
  CHECK(s != spread(Seed{2}));
  double sum = 0, squares = 0;
  for (const double z : s) {
    REQUIRE(std::abs(z) <= 0.15);
    sum += z;
    squares += z * z;
  }
  const auto n = static_cast<double>(s.size());
  // 5 sds of the mean and of the variance (relative sd sqrt(2/n)); cutting at 3 keeps 0.9733 of
  // the variance. Error probability about 1e-6.
  CHECK(std::abs(sum / n) < 5 * 0.05 / std::sqrt(n));
  CHECK(squares / n == Approx(0.9733 * 0.0025).epsilon(5 * std::sqrt(2 / n)));
  // A client keeps its shift when others join.
  const auto few = shifted_clients(make("garland"), 2, Seed{1}, 0.05, Boundary::reflect);
  const auto many = shifted_clients(make("garland"), 9, Seed{1}, 0.05, Boundary::reflect);
  CHECK(dynamic_cast<const Shifted&>(*few[1]).shift() ==
        dynamic_cast<const Shifted&>(*many[1]).shift());
}

TEST_CASE("scaled clients stay in the unit interval", "[heterogeneity]") {
  const auto garland = make("garland");
  for (const auto& f : scaled_clients(garland, 200, Seed{3}, 0.4)) {
    const double low = f->value(std::vector<double>{0.0});  // f = 0 there
    CHECK(low >= 0);
    CHECK(*f->maximum() <= 1);
    const double a = (*f->maximum() - low) / *garland->maximum();
    CHECK((a >= 0.4 - 1e-12 && a <= 1));
  }
}

TEST_CASE("given shifts are checked against the population", "[heterogeneity]") {
  const HeterogeneitySpec& spec = *find_heterogeneity("shifts");
  Parameters p = default_parameters(spec.parameters);
  p.set("values", std::string("0.1, -0.2;3e-1"));
  CHECK(spec.validate(p, 3, 1).empty());
  CHECK(spec.validate(p, 4, 1).size() == 1);
  CHECK(spec.validate(p, 3, 2).size() == 1);
  p.set("values", std::string("0.1 x"));
  CHECK(spec.validate(p, 2, 1).size() == 1);
  CHECK(parse_numbers("0.1, -0.2;3e-1") == std::vector<double>{0.1, -0.2, 0.3});
  CHECK(parse_numbers("inf") == std::nullopt);
}

TEST_CASE("objectives, noise models and heterogeneities are found by name and can be made",
          "[heterogeneity]") {
  CHECK(find_objective("nothing") == nullptr);
  for (const auto& spec : objective_specs()) CHECK(find_objective(spec.kind) == &spec);
  for (const auto& spec : noise_specs()) {
    CHECK(find_noise(spec.kind) == &spec);
    CHECK(spec.make(default_parameters(spec.parameters)) != nullptr);
  }
  for (const auto& spec : heterogeneity_specs()) {
    CHECK(find_heterogeneity(spec.kind) == &spec);
    Parameters p = default_parameters(spec.parameters);
    if (spec.make == nullptr) continue;  // those have tests of their own
    if (spec.kind == "shifts") p.set("values", std::string("0.1,0.2,0.3"));
    CHECK(spec.make(make("garland"), p, 3, Seed{1}).size() == 3);
  }
}

}  // namespace
}  // namespace posse::test_problem
