// SPDX-License-Identifier: Apache-2.0
// The formulas of core/theory at fixed parameters, beside values that were computed from the
// papers' formulas with 40 digits in another program (Python, mpmath; parameters are the doubles
// that the literals here stand for), never with the code under test.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/theory/all_to_all_cost.hpp"
#include "core/theory/confidence.hpp"
#include "core/theory/integers.hpp"
#include "core/theory/smoothness.hpp"
#include "core/theory/tree_learners.hpp"

namespace posse::theory {
namespace test_pinned_values {

namespace {

Approx is(double value) { return Approx(value).epsilon(1e-12); }

constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 63;

const HctParameters kPyXab{.nu = 1, .rho = 0.5, .c = 0.1, .delta = 0.01};
const HctParameters kMiddle{.nu = 0.7, .rho = 0.6, .c = 1, .delta = 0.05};
const HctParameters kWide{.nu = 2.5, .rho = 0.8, .c = 4.5, .delta = 0.3};

TEST_CASE("counts of the theory round up to at least 1, bounds down to at least 0", "[theory]") {
  for (const double x : {-3.0, 0.0, 0.3, 1.0}) CHECK(ceil_to_count(x) == 1);
  CHECK(ceil_to_count(1.0000001) == 2);
  CHECK(ceil_to_count(7.0) == 7);
  CHECK(ceil_to_count(0x1.8p62) == std::uint64_t{3} << 61);
  for (const double x : {0x1p63, 1e30, std::numeric_limits<double>::infinity()}) {
    CHECK(ceil_to_count(x) == kNoLimit);
    CHECK(floor_to_count(x) == kNoLimit);
  }
  CHECK(ceil_to_count(std::nan("")) == 1);
  CHECK(floor_to_count(std::nan("")) == kNoLimit);
  for (const double x : {-std::numeric_limits<double>::infinity(), -3.0, 0.0, 0.9}) {
    CHECK(floor_to_count(x) == 0);
  }
  // A logarithm that is 5 but for its rounding is 5; 1e-8 below is no rounding error.
  CHECK(floor_to_count(5 - 1e-12) == 5);
  CHECK(floor_to_count(5 - 1e-8) == 4);
  CHECK(floor_to_count(5.999) == 5);
}

TEST_CASE("confident pulls are ceil(c^2 L nu^-2 rho^-2h)", "[theory]") {
  CHECK(confident_pulls(1, 3, 1, 0.5, 0) == 3);
  CHECK(confident_pulls(1, 3, 1, 0.5, 1) == 12);
  CHECK(confident_pulls(1, 3, 1, 0.5, 4) == 768);
  CHECK(confident_pulls(3, 2, 1, 0.5, 0) == 18);
  CHECK(confident_pulls(3, 2, 2, 0.5, 0) == 5);  // 4.5
  CHECK(confident_pulls(0.5, 2, 2, 0.25, 2) == 32);
  CHECK(confident_pulls(1, 0, 1, 0.5, 3) == 1);
  // c^2 is 0 and rho^-2h infinite in double: 1e-400 · 2^2000 = 1.1e202.
  CHECK(confident_pulls(1e-200, 1, 1, 0.5, 1000) == kNoLimit);
  // 1e-400 · 2^1330 = 2.34
  CHECK(confident_pulls(1e-200, 1, 1, 0.5, 665) == 3);
}

TEST_CASE("t-hoo and hoo: depth and rate at fixed parameters", "[theory]") {
  CHECK(t_hoo_depth(10000, 1, 0.5) == 7);
  CHECK(t_hoo_depth(1000, 0.3, 0.7) == 7);
  CHECK(t_hoo_depth(500, 2, 0.9) == 37);
  CHECK(hoo_regret_rate(10000, 0) == is(303.48542587702927));
  CHECK(hoo_regret_rate(12345, 1.5) == is(1587.8415153966262));
}

TEST_CASE("hct: logarithms, thresholds and radii at fixed parameters", "[theory]") {
  CHECK(hct_theory_c(0.5) == is(2.8284271247461901));
  CHECK(hct_theory_c(0.8) == is(4.4721359549995799));
  struct Row {
    HctParameters p;
    double log_1, log_5, log_1000;
    std::uint64_t tau_0, tau_2, tau_6;
    double radius;
  };
  const Row rows[] = {
      {kPyXab,
       4.8291401196415982,
       6.9085816613214342,
       11.760611925241051,
       1,
       2,
       482,
       0.095113745367731854},
      {kMiddle,
       3.1523276446159119,
       5.2317691862957479,
       10.083799450215365,
       21,
       159,
       9454,
       0.88072520162976903},
      {kWide,
       1.4837286258079953,
       3.5631701674878313,
       8.4152004314074484,
       28,
       67,
       397,
       3.6205376644488},
  };
  for (const Row& row : rows) {
    CHECK(hct_log_term(row.p, 1) == is(row.log_1));
    CHECK(hct_log_term(row.p, 5) == is(row.log_5));
    CHECK(hct_log_term(row.p, 1000) == is(row.log_1000));
    CHECK(hct_log_term(row.p, 1024) == hct_log_term(row.p, 1000));
    CHECK(hct_log_term(row.p, 1025) == is(row.log_1000 + 0.69314718055994531));
    const double L = row.log_1000;
    CHECK(hct_pulls(row.p, L, 0) == row.tau_0);
    CHECK(hct_pulls(row.p, L, 2) == row.tau_2);
    CHECK(hct_pulls(row.p, L, 6) == row.tau_6);
    CHECK(hct_radius(row.p, L, 13) == is(row.radius));
  }
}

TEST_CASE("vhct: thresholds and radii at fixed parameters", "[theory]") {
  const double V = 0.04, b = 0.8;
  CHECK(vhct_pulls(kPyXab, b, V, 11.760611925241051, 0) == 1);
  CHECK(vhct_pulls(kPyXab, b, V, 11.760611925241051, 2) == 2);
  CHECK(vhct_pulls(kPyXab, b, V, 11.760611925241051, 6) == 71);
  CHECK(vhct_pulls(kMiddle, b, V, 10.083799450215365, 0) == 43);
  CHECK(vhct_pulls(kMiddle, b, V, 10.083799450215365, 2) == 138);
  CHECK(vhct_pulls(kMiddle, b, V, 10.083799450215365, 6) == 1958);
  CHECK(vhct_pulls(kWide, b, V, 8.4152004314074484, 6) == 782);
  CHECK(vhct_pulls_of(kMiddle, b, V, 10.083799450215365, 0.7 * 0.36) == 138);
  CHECK(vhct_radius(kPyXab, b, V, 11.760611925241051, 13) == is(0.048614128672336067));
  CHECK(vhct_radius(kMiddle, b, V, 10.083799450215365, 13) == is(2.1107312188596333));
  CHECK(vhct_radius(kWide, b, V, 8.4152004314074484, 13) == is(32.483945844890914));
}

TEST_CASE("hct and vhct: depths and sizes of trees at fixed parameters", "[theory]") {
  const std::uint64_t n = 10000;
  CHECK(hct_depth_bound(kPyXab, n) == 9);   // 1 + floor(8.83)
  CHECK(hct_depth_bound(kMiddle, n) == 8);  // 1 + floor(7.19)
  CHECK(hct_depth_bound(kWide, n) == 18);   // 1 + floor(17.12)
  CHECK(hct_depth_bound(kWide, 1) == 1);
  CHECK(vhct_depth_bound(kPyXab, 0.8, n) == 14);
  CHECK(vhct_depth_bound(kMiddle, 0.8, n) == 12);
  CHECK(vhct_depth_bound(kWide, 0.8, n) == 25);
  // Lemma 4 of Shang, Kaufmann & Valko 2018.
  CHECK(hct_depth_paper(kPyXab, n) == 16);
  CHECK(hct_depth_paper(kMiddle, n) == 12);
  CHECK(hct_depth_paper(kWide, n) == 22);
  CHECK(hct_cells_bound(kPyXab, std::nullopt, n, 3, 40) == 1159);
  CHECK(hct_cells_bound(kMiddle, std::nullopt, n, 3, 40) == 238);
  CHECK(hct_cells_bound(kWide, std::nullopt, n, 3, 40) == 2194);
  CHECK(hct_cells_bound(kMiddle, std::nullopt, n, 3, 5) == 199);
  CHECK(hct_cells_bound(kWide, std::nullopt, n, 3, 5) == 364);  // 1 + 3 + 9 + … + 243
  CHECK(hct_cells_bound(kPyXab, 0.8, n, 2, 40) == 1213);
  CHECK(hct_cells_bound(kMiddle, 0.8, n, 2, 40) == 283);
  CHECK(hct_cells_bound(kWide, 0.8, n, 2, 40) == 905);
}

TEST_CASE("hct: the regret bound at fixed parameters, and when its constants apply", "[theory]") {
  CHECK(hct_regret_bound(kPyXab, 10000, 0, 2) == is(52909.37547066984));
  CHECK(hct_regret_bound(kPyXab, 10000, 1.5, 0.6) == is(53617.055358678507));
  CHECK(hct_regret_bound(kMiddle, 10000, 0, 2) == is(62094.76641367292));
  CHECK(hct_regret_bound(kMiddle, 10000, 1.5, 0.6) == is(54567.197970990005));
  CHECK(hct_regret_bound(kWide, 10000, 0, 2) == is(115282.39961868364));
  CHECK(hct_regret_bound(kWide, 10000, 1.5, 0.6) == is(150800.92373027409));
  CHECK_FALSE(hct_constants_apply(kMiddle));
  CHECK(hct_constants_apply(kWide));                  // 4.5 >= 4.472
  CHECK(hct_constants_apply({.rho = 0.75, .c = 4}));  // with equality
}

TEST_CASE("poo, gpo and stosoo: schedules and rates at fixed parameters", "[theory]") {
  CHECK(poo_depth_constant(2, 0.9) == is(6.5788134789605853));
  CHECK(poo_depth_constant(3, 0.8) == is(4.9233432120166784));
  // 1/2 D_max ln(n / ln n) is 3.304 for n = 3 and 16.37 for n = 1000.
  const double D = 6.5788134789605853;
  CHECK(poo_doubles(3, 3, D));
  CHECK_FALSE(poo_doubles(3, 4, D));
  CHECK_FALSE(poo_doubles(2, 1, D));
  CHECK(poo_doubles(1000, 16, D));
  CHECK_FALSE(poo_doubles(1000, 17, D));
  CHECK(poo_rho(0.9, 4, 1) == is(0.75505749894678775));  // 0.9^{8/3}
  CHECK(poo_rho(0.9, 4, 4) == is(0.91059796425181182));  // 0.9^{8/9}
  CHECK(poo_loss_rate(10000, 0) == is(0.092103403719761827));
  CHECK(poo_loss_rate(12345, 1.5) == is(0.24413473392138892));
  CHECK(gpo_instances(1000, D) == 15);
  CHECK(gpo_instances(1000, 4.9233432120166784) == 11);
  CHECK(gpo_instances(7, 4.9233432120166784) == 3);
  CHECK(gpo_instances(7, D) == 3);  // 4, but n/2 = 3
  CHECK(gpo_instances(6, D) == 3);
  CHECK(gpo_instances(5, D) == 1);
  CHECK(stosoo_pulls(10000) == 13);
  CHECK(stosoo_pulls(12345) == 15);
  CHECK(stosoo_pulls(1) == kNoLimit);
  CHECK(stosoo_delta(10000) == is(0.01));
  CHECK(stosoo_delta(12345) == is(0.009000247510209843));
  CHECK(stosoo_depth(10000, 13) == 27);
  CHECK(stosoo_depth(12345, 15) == 28);
  CHECK(stosoo_depth(99, 11) == 3);  // exactly
  CHECK(stosoo_loss_rate(10000) == is(0.84830369767654368));
  CHECK(stosoo_loss_rate(12345) == is(0.79882022245947541));
}

TEST_CASE("gossip: the factor per step, the error and the steps, by hand", "[theory]") {
  CHECK(gossip_shrinkage(1) == 0);
  CHECK(gossip_shrinkage(2) == 0);
  CHECK(gossip_shrinkage(4) == is(1.0 / 3));
  CHECK(gossip_shrinkage(10) == is(4.0 / 9));
  CHECK(gossip_shrinkage(7) == 0.5);
  CHECK(gossip_error(1, 0) == 0);
  CHECK(gossip_error(4, 0) == 1);
  CHECK(gossip_error(4, 3) == is(1.0 / 27));
  CHECK(gossip_error(7, 5) == is(1.0 / 32));
  CHECK(gossip_steps(1) == 0);
  CHECK(gossip_steps(2) == 1);
  CHECK(gossip_steps(4) == 4);   // 3 / 3^3 = 1/9, 3 / 3^4 = 1/27
  CHECK(gossip_steps(5) == 6);   // 4 / 2^6 = 1/16, with equality
  CHECK(gossip_steps(7) == 7);   // 6 / 2^6 = 3/32, 6 / 2^7 = 3/64
  CHECK(gossip_steps(10) == 7);  // 9 (4/9)^6 = 0.069, 9 (4/9)^7 = 0.031
  const auto odd = gossip_cost(5, 3, 6);
  CHECK(odd.vectors.messages == 24);
  CHECK(odd.vectors.numbers == 72);
  CHECK(odd.sums.messages == 0);
  CHECK(odd.results.messages == 4);
  CHECK(odd.results.numbers == 12);
  CHECK(gossip_cost(4, 3, 6).vectors.messages == 24);
}

TEST_CASE("exchanges among 6 players of 4 numbers each: messages and steps, counted by hand",
          "[theory]") {
  struct Row {
    AllToAll way;
    SumsBy sums;
    AllToAllCost::Messages vectors, partial, results;
    std::uint32_t steps;
  };
  // The tree's players 1 … 6 have the depths 0 1 1 2 2 2, so 8 vectors travel one edge up each.
  // Doubling, gathered: 6 · 3 messages that carry each of the 30 vectors once; over the distance 4
  // go two vectors, which are there after one step. Exact: players 5 and 6 hand their vectors to
  // two of the 4 that exchange, 2 · 4 messages, and 2 results back; the first stage waits one step
  // for them at one end of each pair only.
  const Row rows[] = {
      {AllToAll::mesh, SumsBy::gathered, {30, 120}, {0, 0}, {0, 0}, 1},
      {AllToAll::relay, SumsBy::gathered, {5, 20}, {0, 0}, {5, 20}, 2},
      {AllToAll::ring, SumsBy::gathered, {30, 120}, {0, 0}, {0, 0}, 5},
      {AllToAll::ring, SumsBy::exact, {0, 0}, {20, 20}, {20, 20}, 10},
      {AllToAll::tree, SumsBy::gathered, {5, 32}, {0, 0}, {5, 20}, 4},
      {AllToAll::tree, SumsBy::exact, {0, 0}, {5, 20}, {5, 20}, 4},
      {AllToAll::doubling, SumsBy::gathered, {18, 120}, {0, 0}, {0, 0}, 2},
      {AllToAll::doubling, SumsBy::exact, {0, 0}, {10, 40}, {2, 8}, 3},
  };
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    const auto cost = all_to_all_cost(row.way, row.sums, 6, 4);
    CHECK(cost.vectors.messages == row.vectors.messages);
    CHECK(cost.vectors.numbers == row.vectors.numbers);
    CHECK(cost.sums.messages == row.partial.messages);
    CHECK(cost.sums.numbers == row.partial.numbers);
    CHECK(cost.results.messages == row.results.messages);
    CHECK(cost.results.numbers == row.results.numbers);
    CHECK(all_to_all_steps(row.way, row.sums, 6) == row.steps);
  }
}

TEST_CASE("the recommended smoothness constants are those of the table", "[theory]") {
  const double root = 0.70710678118654752;
  struct Row {
    const char* kind;
    PartitionKind partition;
    std::uint32_t k;
    std::size_t dimension;
    double nu1, rho;
  };
  // Found by enumeration and over 2000 random shifts in another program.
  const Row rows[] = {
      {"sine", PartitionKind::cyclic, 2, 1, 2.4, 0.5},
      {"garland", PartitionKind::cyclic, 2, 1, 1.4, root},
      {"garland", PartitionKind::dimwise, 2, 1, 1.4, root},  // the same partition
      {"doublesine", PartitionKind::cyclic, 2, 1, 1, 0.8},
      {"himmelblau", PartitionKind::cyclic, 2, 2, 2, 0.5},
      {"himmelblau", PartitionKind::dimwise, 4, 2, 1.5, 0.25},
      {"ackley", PartitionKind::cyclic, 2, 2, 2.6, root},
      {"rastrigin", PartitionKind::cyclic, 2, 1, 2.2, 0.5},
      {"rastrigin", PartitionKind::cyclic, 2, 2, 2.2, root},
      {"rastrigin", PartitionKind::cyclic, 2, 10, 2.2, 0.93303299153680741},
      {"rastrigin", PartitionKind::dimwise, 8, 3, 2, 0.5},
  };
  for (const Row& row : rows) {
    INFO(row.kind << " row " << &row - rows);
    const auto pair = valid_smoothness(row.kind, row.partition, row.k, row.dimension);
    REQUIRE(pair);
    CHECK(pair->nu1 == is(row.nu1));
    CHECK(pair->rho == is(row.rho));
  }
  CHECK_FALSE(valid_smoothness("garland", PartitionKind::cyclic, 3, 1));
  CHECK_FALSE(valid_smoothness("rastrigin", PartitionKind::cyclic, 3, 2));
  CHECK_FALSE(valid_smoothness("himmelblau", PartitionKind::random_dim, 2, 2));
  CHECK_FALSE(valid_smoothness("landmine", PartitionKind::cyclic, 2, 2));
  const auto garland = near_optimality("garland", PartitionKind::cyclic, 2, 1);
  REQUIRE(garland);
  CHECK(garland->dimension == 0);
  CHECK(garland->constant == 285);
  CHECK_FALSE(near_optimality("garland", PartitionKind::cyclic, 3, 1));
  CHECK_FALSE(near_optimality("sine", PartitionKind::cyclic, 2, 1));
}

}  // namespace
}  // namespace test_pinned_values

}  // namespace posse::theory
