#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "actors/fed_pne/bounds.hpp"
#include "actors/parallel/bounds.hpp"
#include "core/objective/factories.hpp"
#include "core/theory/smoothness.hpp"

namespace posse::theory {
namespace test_theory {

namespace {

TEST_CASE("parallel: the pulls of the worked examples", "[theory]") {
  const ParallelParameters sine{
      .players = 4, .budget = 1600, .nu1 = 1, .rho = 0.5, .delta = 1.0 / 1600};
  const std::vector<std::uint64_t> sine_pulls{2, 6, 25, 108};
  for (std::uint32_t h = 0; h < 4; ++h)
    CHECK(parallel_pulls(sine, h, std::exp2(h)) == sine_pulls[h]);

  const ParallelParameters garland{
      .players = 16, .budget = 10000, .nu1 = 1.4, .rho = std::sqrt(0.5), .delta = 1e-4};
  const std::vector<double> cells{1, 2, 4, 8, 16, 32, 58, 86};
  const std::vector<std::uint64_t> pulls{1, 1, 1, 2, 5, 9, 19, 39};
  for (std::uint32_t h = 0; h < 8; ++h) CHECK(parallel_pulls(garland, h, cells[h]) == pulls[h]);

  // Bounds hold for these runs: 8 levels, 207 values, loss 0.0734.
  CHECK(parallel_rounds_ceiling(garland) >= 8);
  CHECK(parallel_rounds_ceiling(sine) >= 4);
  CHECK(parallel_values_bound(garland, pulls) >= 207);
  CHECK(parallel_values_bound(sine, sine_pulls) == 15);  // every cell was active
  CHECK(parallel_loss_bound(garland, 7) >= 0.0734057992);
}

TEST_CASE("parallel: the radius never exceeds nu1 rho^h", "[theory]") {
  for (const std::uint64_t m : {1, 4, 1000}) {
    for (std::uint32_t h = 0; h < 20; ++h) {
      const ParallelParameters p{
          .players = m, .budget = 1000, .nu1 = 1.4, .rho = 0.7, .delta = 0.01};
      CHECK(parallel_radius(p, h, std::exp2(h)) <= 1.4 * std::pow(0.7, h));
    }
  }
}

TEST_CASE("parallel: no schedule completes more rounds than the ceiling", "[theory]") {
  // The thinnest run that the rules allow: two cells in every level from 1 on.
  for (const std::uint64_t m : {1, 3, 16, 1000}) {
    for (const std::uint64_t n : {1, 2, 5, 40, 1600, 100000}) {
      for (const double delta : {1.0, 0.4, 1e-5}) {
        for (const double rho : {0.25, 0.5, 0.9}) {
          const ParallelParameters p{
              .players = m, .budget = n, .nu1 = 1, .rho = rho, .delta = delta};
          std::uint64_t rounds = 0;
          std::uint64_t steps = 0;
          for (std::uint32_t h = 0;; ++h, ++rounds) {
            const std::uint64_t cells = h == 0 ? 1 : 2;
            steps += cells * parallel_pulls(p, h, static_cast<double>(cells));
            if (steps > n) break;
          }
          CHECK(rounds <= parallel_rounds_ceiling(p));
          if (parallel_rounds_paper_applies(p) && rounds >= 2)
            CHECK(static_cast<double>(rounds) <= parallel_rounds_paper(p));
        }
      }
    }
  }
}

TEST_CASE("parallel: the paper's rounds form needs delta <= 0.4452", "[theory]") {
  CHECK(parallel_rounds_paper_applies({.delta = 0.4452}));
  CHECK_FALSE(parallel_rounds_paper_applies({.delta = 0.4453}));
}

TEST_CASE("parallel: the guaranteed depth is what full levels cost", "[theory]") {
  // Sine: levels 0 … 3 cost 978 of 1600 steps with every cell active; level 4 doesn't fit.
  const ParallelParameters p{
      .players = 4, .budget = 1600, .nu1 = 1, .rho = 0.5, .delta = 1.0 / 1600};
  const GuaranteedDepth depth = parallel_guaranteed_depth(p, 62);
  CHECK(depth.any);
  CHECK(depth.depth == 3);
  CHECK(depth.steps == 978);
  // If one cell per level is near-optimal, only two children per level need looking at.
  CHECK(parallel_guaranteed_depth(p, 62, [](std::uint32_t) { return 1.0; }).depth > 3);
  ParallelParameters tiny = p;
  tiny.budget = 1;
  CHECK_FALSE(parallel_guaranteed_depth(tiny, 62).any);
}

TEST_CASE("parallel: the paper's rate falls as (ln n / (m n))^{1/(d+2)}", "[theory]") {
  ParallelParameters p{.players = 1, .budget = 1000, .nu1 = 1, .rho = 0.5, .delta = 0.01};
  const double one = parallel_loss_rate(p, 0, 3);
  p.players = 16;
  CHECK(parallel_loss_rate(p, 0, 3) == Approx(one / 4));
  CHECK(parallel_loss_rate(p, 2, 3) > parallel_loss_rate(p, 0, 3));
}

TEST_CASE("fed-pne: the tau tables of the worked examples", "[theory]") {
  const FedPneParameters four{
      .clients = 4, .horizon = 2000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.25};
  const std::vector<std::uint64_t> tau{1, 1, 2, 6, 24, 93, 369, 1473};
  for (std::uint32_t h = 0; h < tau.size(); ++h) CHECK(fed_pne_tau(four, h) == tau[h]);
  const std::vector<std::uint64_t> pulls{1, 2, 6, 24, 93};  // depths 2 … 6
  for (std::uint32_t h = 2; h <= 6; ++h) CHECK(fed_pne_pulls(four, h) == pulls[h - 2]);

  const FedPneParameters hundred{
      .clients = 100, .horizon = 10000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.01};
  const std::vector<std::uint64_t> thresholds{1, 1, 3, 9, 36, 142, 566, 2264, 9055, 36217, 144867};
  for (std::uint32_t h = 0; h < thresholds.size(); ++h)
    CHECK(fed_pne_tau(hundred, h) == thresholds[h]);

  // "Fed-PNE's first phase is then at h = 4 with |K| = 16, t_h = 1."
  std::uint32_t h = 0;
  std::uint64_t cells = 1;
  while (fed_pne_expands(hundred, h, cells)) ++h, cells *= 2;
  CHECK(h == 4);
  CHECK(cells == 16);
  CHECK(fed_pne_pulls(hundred, h) == 1);
}

TEST_CASE("fed-pne: at equality the expansion goes on, and the root is never sampled", "[theory]") {
  FedPneParameters p{.clients = 8, .horizon = 100, .c = 1e-6};  // tau = 1 at small depths
  CHECK(fed_pne_expands(p, 3, 8));
  CHECK_FALSE(fed_pne_expands(p, 3, 9));
  p.clients = 1;
  CHECK(fed_pne_expands(p, 0, 1));
}

TEST_CASE("fed-pne: no schedule completes more phases than the ceiling", "[theory]") {
  for (const std::uint64_t m : {1, 4, 100}) {
    for (const std::uint64_t horizon : {10, 2000, 100000}) {
      for (const double c : {0.1, 2.0}) {
        const FedPneParameters p{.clients = m, .horizon = horizon, .c = c, .delta = 0.25};
        // The thinnest run: two cells in a phase, or as many as the criterion demands.
        std::uint64_t steps = 0;
        std::uint64_t deepest = 0;
        for (std::uint32_t h = 1; h < 60; ++h) {
          if (fed_pne_expands(p, h, std::uint64_t{1} << h)) continue;  // no cells suffice to sample
          const std::uint64_t cells = std::max<std::uint64_t>(2, m / fed_pne_tau(p, h) + 1);
          steps += cells * fed_pne_pulls(p, h);
          if (steps > horizon) break;
          deepest = h;
        }
        CHECK(deepest <= fed_pne_depth_ceiling(p));
      }
    }
  }
  // Worked example: 4 complete phases, the deepest at depth 5.
  CHECK(fed_pne_depth_ceiling({.clients = 4, .horizon = 2000, .c = 0.1, .c1 = 1, .delta = 0.25}) >=
        5);
}

TEST_CASE("fed-pne: radius, certificate and constants follow their formulas", "[theory]") {
  const FedPneParameters p{
      .clients = 4, .horizon = 2000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.25};
  CHECK(fed_pne_radius(p, 6, 4) == Approx(0.1 * std::sqrt(std::log(8000.0) / 24)));
  CHECK(fed_pne_radius(p, 6, 3) > fed_pne_radius(p, 6, 4));
  // 10 pulls at factor 1, 20 at min(1, 12/4) = 1, 30 at 12/32.
  const std::vector<FedPnePhase> phases{{2, 10}, {5, 20}, {6, 30}};
  CHECK(fed_pne_certificate(p, phases) == Approx(10 + 20 + 30 * 12.0 / 32));
  CHECK_FALSE(fed_pne_constants_apply(p));
  FedPneParameters theory = p;
  theory.c = 2;
  theory.c1 = 1.3;  // 8^{1/8} = 1.2968
  CHECK(fed_pne_constants_apply(theory));
}

TEST_CASE("fed-pne: the a-priori regret grows slower than the horizon", "[theory]") {
  FedPneParameters p{.clients = 10,
                     .horizon = 1000000,
                     .nu1 = 1.4,
                     .rho = std::sqrt(0.5),
                     .c = 2,
                     .c1 = 1.5,
                     .delta = 0.1};
  const double short_run = fed_pne_regret_bound(p, 0, 1);
  p.horizon *= 100;
  const double long_run = fed_pne_regret_bound(p, 0, 1);
  CHECK(long_run > short_run);
  CHECK(long_run < 20 * short_run);  // about sqrt: 10 times a log
}

TEST_CASE("parallel: twice the players never need more steps for levels of the same sizes",
          "[theory]") {
  std::uint64_t state = 1;
  const auto draw = [&state](std::uint64_t below) {  // a small LCG: any sizes will do
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
  };
  for (int trial = 0; trial < 200; ++trial) {
    ParallelParameters p{.players = 1 + draw(50),
                         .budget = 1000,
                         .nu1 = 0.1 + static_cast<double>(draw(300)) / 100,
                         .rho = 0.2 + static_cast<double>(draw(70)) / 100,
                         .delta = 0.01 + static_cast<double>(draw(99)) / 100};
    ParallelParameters twice = p;
    twice.players *= 2;
    std::uint64_t steps = 0;
    std::uint64_t steps_of_twice = 0;
    for (std::uint32_t h = 0; h < 8; ++h) {
      const std::uint64_t cells = 1 + draw(std::uint64_t{1} << h);
      steps += cells * parallel_pulls(p, h, static_cast<double>(cells));
      steps_of_twice += cells * parallel_pulls(twice, h, static_cast<double>(cells));
      CHECK(steps_of_twice <= steps);
    }
  }
}

TEST_CASE("fed-pne: thresholds stay right where their factors leave the doubles", "[theory]") {
  const FedPneParameters p{
      .clients = 1, .horizon = 100, .nu1 = 1e100, .rho = 1e-6, .c = 1e-100, .delta = 0.5};
  CHECK(fed_pne_tau(p, 10) == 1);                       // 10^-400 · 10^120
  CHECK(fed_pne_tau(p, 62) == std::uint64_t{1} << 63);  // 10^-400 · 10^744
  FedPneParameters none = p;                            // Lambda = 0
  none.horizon = 1;
  none.delta = 1;
  CHECK(fed_pne_tau(none, 62) == 1);
  CHECK(fed_pne_depth_ceiling(none) == std::uint64_t{1} << 63);
  // ln(10^400 · 100 / (2 ln 200)) / (2 ln 10^6) = 923.28 / 27.63
  CHECK(fed_pne_depth_ceiling(p) == 33);
}

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

TEST_CASE("smoothness: nu_rep by enumeration is what the table was built from", "[theory]") {
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

TEST_CASE("smoothness: recommended pairs cover nu_rep, the papers' pair doesn't", "[theory]") {
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

TEST_CASE("near-optimal cells: |I_h| by enumeration", "[theory]") {
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
}  // namespace test_theory

}  // namespace posse::theory
