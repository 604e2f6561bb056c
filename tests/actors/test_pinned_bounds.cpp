// SPDX-License-Identifier: Apache-2.0
// Schedules and bounds of the systems at fixed parameters, beside values that were computed from
// the papers' formulas with 40 digits in another program (Python, mpmath; parameters are the
// doubles that the literals here stand for), never with the code under test. Numbers of looks are
// there the least ones at which the radius, solved for by bisection, is small enough.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "actors/blin/bounds.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/fed_pne/private_bounds.hpp"
#include "actors/fed_pne_variance/bounds.hpp"
#include "actors/fed_ucb/bounds.hpp"
#include "actors/fn_ucb/bounds.hpp"
#include "actors/parallel/bounds.hpp"
#include "actors/parallel_adaptive/bounds.hpp"
#include "actors/pf_pne/bounds.hpp"
#include "actors/pf_pne_reuse/bounds.hpp"

namespace posse::theory {
namespace test_pinned_bounds {

namespace {

Approx is(double value) { return Approx(value).epsilon(1e-12); }

using Counts = std::vector<std::uint64_t>;

template <class Formula>
Counts at(const std::vector<std::uint32_t>& depths, Formula formula) {
  Counts counts;
  for (const auto h : depths) counts.push_back(formula(h));
  return counts;
}

/// The papers' constants, the theory's, and many children.
const FedPneParameters kPapers{
    .clients = 4, .horizon = 2000, .nu1 = 1, .rho = 0.5, .c = 0.1, .c1 = 1, .delta = 0.25};
const FedPneParameters kTheory{.clients = 10,
                               .horizon = 50000,
                               .nu1 = 1.4,
                               .rho = 0.7,
                               .c = 2,
                               .c1 = 1.5,
                               .delta = 0.1,
                               .children_per_cell = 3};
const FedPneParameters kMany{.clients = 7,
                             .horizon = 12345,
                             .nu1 = 0.3,
                             .rho = 0.9,
                             .c = 0.5,
                             .c1 = 2.5,
                             .delta = 0.03,
                             .children_per_cell = 4};

TEST_CASE("fed-pne: logarithm, looks, radii and ceiling at fixed parameters", "[theory]") {
  struct Row {
    FedPneParameters p;
    double log_term;
    Counts tau, pulls;
    double radius_6_3, radius_1_all;
    std::uint64_t ceiling;
  };
  const Row rows[] = {
      {kPapers,
       8.987196820661973,
       {1, 1, 6, 1473, 1507802},
       {1, 1, 2, 369, 376951},
       0.070660364580081141,
       0.14989326886706733,
       7},  // 7.72
      {kTheory,
       13.527828485512493,
       {28, 57, 235, 4071, 144105},
       {3, 6, 24, 408, 14411},
       1.733835086705672,
       2.3261838693888747,
       12},  // 12.20
      {kMany,
       13.843855030973417,
       {39, 48, 73, 169, 483},
       {6, 7, 11, 25, 69},
       0.4384926046344171,
       0.70315246850404807,
       30},  // 30.05
  };
  const std::vector<std::uint32_t> depths{0, 1, 3, 7, 12};
  for (const Row& row : rows) {
    CHECK(fed_pne_log_term(row.p) == is(row.log_term));
    CHECK(at(depths, [&](auto h) { return fed_pne_tau(row.p, h); }) == row.tau);
    CHECK(at(depths, [&](auto h) { return fed_pne_pulls(row.p, h); }) == row.pulls);
    CHECK(fed_pne_radius(row.p, 6, 3) == is(row.radius_6_3));
    CHECK(fed_pne_radius(row.p, 1, row.p.clients) == is(row.radius_1_all));
    CHECK(fed_pne_depth_ceiling(row.p) == row.ceiling);
  }
}

TEST_CASE("fed-pne: cells are split without looks up to |K| tau_h = M, with equality", "[theory]") {
  FedPneParameters p = kPapers;  // tau_3 = 6, for any M
  p.clients = 12;
  CHECK(fed_pne_expands(p, 3, 2));
  CHECK_FALSE(fed_pne_expands(p, 3, 3));
  p.clients = 11;
  CHECK_FALSE(fed_pne_expands(p, 3, 2));
  CHECK(fed_pne_expands(p, 3, 1));
  CHECK(fed_pne_expands(p, 0, 1000));
}

TEST_CASE("fed-pne: the a-priori bound at fixed parameters", "[theory]") {
  // The minimum is at H = 7, 5, 4; 10, 7, 6; 19, 9, 5. h0 is 2 with the papers' constants, else 0.
  CHECK(fed_pne_regret_bound(kPapers, 0, 1) == is(2066.625));
  CHECK(fed_pne_regret_bound(kPapers, 0.5, 3) == is(5866.7636354360399));
  CHECK(fed_pne_regret_bound(kPapers, 2, 0.7) == is(9904.8));
  CHECK(fed_pne_regret_bound(kTheory, 0, 1) == is(465279.34490385572));
  CHECK(fed_pne_regret_bound(kTheory, 0.5, 3) == is(1112413.3989946577));
  CHECK(fed_pne_regret_bound(kTheory, 2, 0.7) == is(1312984.8469804245));
  CHECK(fed_pne_regret_bound(kMany, 0, 1) == is(81495.10238746845));
  CHECK(fed_pne_regret_bound(kMany, 0.5, 3) == is(189724.19750171833));
  CHECK(fed_pne_regret_bound(kMany, 2, 0.7) == is(239285.4369836397));
  // A horizon of 1 makes the failure term, 2 M delta T^-5, the larger part: H = 0 leaves
  // 12 M nu1 = 36, h0 = 0 with tau_1 = 4 > 3.
  const FedPneParameters one{.clients = 3, .horizon = 1, .nu1 = 1, .c = 1, .c1 = 2, .delta = 0.9};
  CHECK(fed_pne_tau(one, 1) == 4);
  CHECK(fed_pne_regret_bound(one, 0, 1e6) == is(36 + 2 * 3 * 0.9));
}

TEST_CASE("fed-pne: the certificate of four phases, and the constants at their limits",
          "[theory]") {
  // 10 + 20 (1 at depth 2) + 30 · 12 · 1.4 · 0.7^9 + 7 · 12 · 1.4 · 0.7^14
  const std::vector<FedPnePhase> phases{{2, 10}, {9, 20}, {14, 30}, {20, 7}};
  CHECK(fed_pne_certificate(kTheory, phases) == is(51.13580826167041));
  CHECK(fed_pne_certificate(kTheory, {}) == 0);
  FedPneParameters p{.clients = 4, .c = 2, .c1 = 1.29684};  // 8^{1/8} = 1.29683955
  CHECK(fed_pne_constants_apply(p));
  p.c1 = 1.29683;
  CHECK_FALSE(fed_pne_constants_apply(p));
  p = {.clients = 4, .c = 1.999, .c1 = 1.3};
  CHECK_FALSE(fed_pne_constants_apply(p));
}

TEST_CASE("dp-fed-pne: deviation, width, radius and looks at fixed parameters", "[theory]") {
  struct Row {
    FedPneParameters p;
    Privacy privacy;
    double sd, width, width_of_3, radius_5_3;
    Counts tau, pulls;  // depths 1, 3, 6
    std::uint32_t ceiling;
  };
  using enum PrivacyMechanism;
  const Row rows[] = {
      {kPapers,
       {laplace, 0.5, 1e-5, false},
       2.8284271247461901,
       0.42396218748048685,
       0.48954936613616334,
       0.17531442443133166,
       {5, 26, 565},
       {2, 7, 142},
       7},
      {kPapers,
       {laplace, 3, 1e-5, true},
       0.47140452079103168,
       0.19985769182275643,
       0.23077578434697139,
       0.12355970807349327,
       {3, 16, 465},
       {1, 4, 117},
       7},
      {kPapers,
       {gaussian, 0.5, 1e-5, false},
       9.6896105252107788,
       1.4524073956725847,
       1.6770956017291402,
       0.41282367154992703,
       {14, 66, 970},
       {4, 17, 243},
       7},
      {kPapers,
       {gaussian, 3, 1e-5, true},
       1.6149350875351298,
       0.48413579855752824,
       0.55903186724304672,
       0.18921092465270834,
       {6, 29, 590},
       {2, 8, 148},
       7},
      {kTheory,
       {laplace, 0.5, 1e-5, false},
       2.8284271247461901,
       6.5794415533265419,
       12.012361848479254,
       4.3017935456610951,
       {163, 469, 2736},
       {17, 47, 274},
       12},
      {kTheory,
       {laplace, 0.5, 1e-5, true},
       2.8284271247461901,
       86.578102307279956,
       288.59367435759985,
       59.618056047485215,
       {1137, 2582, 9642},
       {114, 259, 965},
       11},
      {kTheory,
       {gaussian, 0.5, 1e-5, true},
       9.6896105252107788,
       45.079631408811952,
       82.303770022082322,
       18.360075180381709,
       {652, 1540, 6275},
       {66, 154, 628},
       11},
      {kTheory,
       {gaussian, 3, 1e-5, false},
       1.6149350875351298,
       3.7566359507343293,
       6.8586475018401935,
       3.2710506763332829,
       {121, 375, 2430},
       {13, 38, 243},
       12},
  };
  const std::vector<std::uint32_t> depths{1, 3, 6};
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    CHECK(privacy_noise_sd(row.privacy) == is(row.sd));
    CHECK(dp_fed_pne_width(row.p, row.privacy, row.p.clients) == is(row.width));
    CHECK(dp_fed_pne_width(row.p, row.privacy, 3) == is(row.width_of_3));
    CHECK(dp_fed_pne_radius(row.p, row.privacy, 5, 3) == is(row.radius_5_3));
    CHECK(at(depths, [&](auto h) { return dp_fed_pne_tau(row.p, row.privacy, h); }) == row.tau);
    CHECK(at(depths, [&](auto h) { return dp_fed_pne_pulls(row.p, row.privacy, h); }) == row.pulls);
    CHECK(dp_fed_pne_depth_ceiling(row.p, row.privacy, 62) == row.ceiling);
  }
  CHECK(dp_fed_pne_depth_ceiling(kPapers, rows[0].privacy, 5) == 5);
  // tau'_1 = 5 > M = 4
  FedPneParameters p = kPapers;
  CHECK(dp_fed_pne_expands(p, rows[0].privacy, 0, 100));
  CHECK_FALSE(dp_fed_pne_expands(p, rows[0].privacy, 1, 1));
}

TEST_CASE("dp-fed-pne: quantiles of the noise at fixed parameters", "[theory]") {
  const Privacy laplace{PrivacyMechanism::laplace, 0.5, 1e-5, false};
  const Privacy gaussian{PrivacyMechanism::gaussian, 0.5, 1e-5, false};
  CHECK(privacy_noise_quantile(laplace, 0.1) == is(-3.2188758248682006));
  CHECK(privacy_noise_quantile(laplace, 0.5) == 0);
  CHECK(privacy_noise_quantile(laplace, 0.9) == is(3.2188758248682012));
  CHECK(privacy_noise_quantile(laplace, 0.999) == is(12.429216196844382));
  CHECK(privacy_noise_quantile(gaussian, 0.1) == is(-12.417735538101312));
  CHECK(privacy_noise_quantile(gaussian, 0.9) == is(12.417735538101313));
  CHECK(privacy_noise_quantile(gaussian, 0.999) == is(29.943147479190021));
}

TEST_CASE("pf-pne: depth of stage 1, rounds, regrets and constants at fixed parameters",
          "[theory]") {
  PfPneParameters p{.federation = kTheory, .max_difference = 0.05};
  CHECK(pf_pne_shared_depth(p, 62) == 9u);  // 1.4 · 0.7^9 = 0.0565
  CHECK(pf_pne_shared_depth(p, 4) == 4u);
  CHECK(pf_pne_rounds_ceiling(p, 62) == 10);
  CHECK(pf_pne_rounds_ceiling(p, 4) == 5);
  p.max_difference = 0;
  CHECK(pf_pne_shared_depth(p, 62) == 62u);
  CHECK(pf_pne_rounds_ceiling(p, 62) == 13);  // Fed-PNE's 12, and the root
  p.federation.horizon = 20;                  // 1 + 19 / 3
  p.federation.c = 1e-6;
  CHECK(pf_pne_rounds_ceiling(p, 62) == 7);
  p.max_difference = 1.4;  // with equality
  CHECK(pf_pne_shared_depth(p, 62) == 0u);
  p.max_difference = 1.41;
  CHECK_FALSE(pf_pne_shared_depth(p, 62));
  CHECK(pf_pne_rounds_ceiling(p, 62) == 0);

  const PfPneParameters regrets{.federation = kTheory, .max_difference = 0.05};
  CHECK(pf_pne_shared_regret(regrets, 0) == 1);
  CHECK(pf_pne_shared_regret(regrets, 8) == 1);
  CHECK(pf_pne_shared_regret(regrets, 15) == is(0.16394147623863189));
  CHECK(pf_pne_own_regret(regrets, 0, false) == 1);
  CHECK(pf_pne_own_regret(regrets, 8, false) == 1);
  CHECK(pf_pne_own_regret(regrets, 15, false) == is(0.22788295247726378));
  CHECK(pf_pne_own_regret(regrets, 15, true) == 1);
  PfPneParameters safe = regrets;
  safe.safe = true;
  CHECK(pf_pne_own_regret(safe, 15, false) == is(0.24687319851703577));
  // One level below the cap: 24 · 1.4 · 0.7^h <= 1 from h = 10 on, so from depth 11.
  CHECK(pf_pne_own_regret(regrets, 10, false) == 1);
  CHECK(pf_pne_own_regret(regrets, 11, false) == is(24 * 1.4 * 0.0282475249));  // 0.7^10

  PfPneParameters constants{.federation = {.clients = 4, .c = 2, .c1 = 1.5423}};
  CHECK(pf_pne_constants_apply(constants));  // 32^{1/8} = 1.54221
  constants.federation.c1 = 1.5422;
  CHECK_FALSE(pf_pne_constants_apply(constants));
  constants.federation = {.clients = 4, .c = 1.99, .c1 = 2};
  CHECK_FALSE(pf_pne_constants_apply(constants));
}

TEST_CASE("parallel: logarithm, pulls, radius and margin at fixed parameters", "[theory]") {
  const ParallelParameters sine{
      .players = 4, .budget = 1600, .nu1 = 1, .rho = 0.5, .delta = 1.0 / 1600};
  const ParallelParameters garland{
      .players = 16, .budget = 10000, .nu1 = 1.4, .rho = 0.7, .delta = 1e-4};
  const ParallelParameters narrow{.players = 3,
                                  .budget = 777,
                                  .nu1 = 0.6,
                                  .rho = 0.8,
                                  .delta = 0.3,
                                  .c_squared = 0.02,
                                  .children_per_cell = 3};
  struct Row {
    ParallelParameters p;
    std::uint32_t depth;
    double cells, log_term;
    std::uint64_t pulls;
    double radius, margin;
  };
  const Row rows[] = {
      {sine, 0, 1, 8.5686063912585632, 2, 0.73180455003618296, 3},
      {sine, 3, 5, 12.950633025932445, 104, 0.12476243302625331, 0.375},
      {sine, 8, 40, 16.651935000044938, 136413, 0.003906245010558263, 0.01171875},
      {garland, 1, 2, 12.480629396686709, 1, 0.62451554716152557, 2.94},
      {garland, 3, 5, 14.783214489680755, 3, 0.39241791192661071, 1.4406},
      {garland, 8, 40, 18.484516463793248, 89, 0.08056270776202769, 0.242121642},
      {narrow, 0, 1, 2.3948202873566267, 1, 0.12635453526635881, 1.8},
      {narrow, 3, 5, 6.7768469220305083, 1, 0.21255347440162767, 0.9216},
      {narrow, 8, 40, 10.478148896143002, 7, 0.099895892933083576, 0.301989888},
  };
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    CHECK(parallel_log_term(row.p, row.depth, row.cells) == is(row.log_term));
    CHECK(parallel_pulls(row.p, row.depth, row.cells) == row.pulls);
    CHECK(parallel_radius(row.p, row.depth, row.cells) == is(row.radius));
    CHECK(parallel_margin(row.p, row.depth) == is(row.margin));
    CHECK(parallel_loss_bound(row.p, row.depth) == is(row.margin));
  }

  // Rounds: 1 + floor(4.77), 1 + floor(14.46), 1 + floor(20.34); and 1 + (n-1) / k.
  CHECK(parallel_rounds_ceiling(sine) == 5);
  CHECK(parallel_rounds_ceiling(garland) == 15);
  CHECK(parallel_rounds_ceiling(narrow) == 21);
  ParallelParameters few = narrow;
  few.budget = 10;
  few.c_squared = 1e-9;
  CHECK(parallel_rounds_ceiling(few) == 4);
  few.budget = 9;
  CHECK(parallel_rounds_ceiling(few) == 3);
  CHECK(parallel_rounds_paper(sine) == is(7.3219280948873623));
  CHECK(parallel_rounds_paper(garland) == is(18.741467101249958));
  CHECK(parallel_rounds_paper(narrow) == is(16.08535951824089));

  const auto check_guaranteed =
      [](const GuaranteedDepth& found, std::uint32_t depth, double steps) {
        CHECK(found.any);
        CHECK(found.depth == depth);
        CHECK(found.steps == steps);
      };
  const auto one = [](std::uint32_t) { return 1.0; };
  const auto more = [](std::uint32_t h) { return 2.0 + h; };
  check_guaranteed(parallel_guaranteed_depth(sine, 62), 3, 978);
  check_guaranteed(parallel_guaranteed_depth(sine, 62, one), 4, 1054);
  check_guaranteed(parallel_guaranteed_depth(garland, 62), 7, 7727);
  check_guaranteed(parallel_guaranteed_depth(garland, 62, one), 12, 5251);
  check_guaranteed(parallel_guaranteed_depth(garland, 62, more), 9, 6207);
  check_guaranteed(parallel_guaranteed_depth(narrow, 62), 5, 688);
  check_guaranteed(parallel_guaranteed_depth(narrow, 62, one), 14, 712);
  check_guaranteed(parallel_guaranteed_depth(narrow, 62, more), 8, 448);
  check_guaranteed(parallel_guaranteed_depth(sine, 2), 2, 114);

  CHECK(parallel_loss_rate(sine, 0, 3) == is(1.6622784003995228));
  CHECK(parallel_loss_rate(sine, 1, 0.5) == is(0.9242294998516823));
  CHECK(parallel_loss_rate(garland, 2.5, 7) == is(0.80327127047481053));
  CHECK(parallel_loss_rate(narrow, 0, 3) == is(2.1205400875062742));
  CHECK(parallel_loss_rate(narrow, 2.5, 7) == is(1.6831932464119377));

  // 1 + 3 + min(9, 777/50) + min(27, 777/400)
  const Counts pulls{1, 2, 50, 400};
  CHECK(parallel_values_bound(narrow, pulls) == is(14.9425));
}

TEST_CASE("parallel-adaptive: instances, grid, allowances and error at fixed parameters",
          "[theory]") {
  const AdaptiveParameters p{.players = 4, .budget = 1600};
  CHECK(adaptive_instances(p) == 20);  // ceil(19.68)
  const auto grid = adaptive_grid(p, 20);
  REQUIRE(grid.size() == 20);
  CHECK(grid[0] == is(0.24541444743434464));
  CHECK(grid[1] == is(0.43046721));
  CHECK(grid[19] == is(0.90231576602422907));
  CHECK(adaptive_exploration(p, 20) == 800);
  CHECK(adaptive_exploration(p, 1) == 1600);
  CHECK(adaptive_allowance(p, 20) == 40);
  CHECK(adaptive_allowance(p, 900) == 1);
  CHECK(adaptive_allowances(p, 20) == 6);  // 40 80 160 320 640 1280
  CHECK(adaptive_allowances(p, 1) == 1);
  CHECK(adaptive_choice_error(p, 20, 0.05, 17) == is(0.44340300775293665));
  CHECK(adaptive_choice_error(p, 1, 0.05, 17) == 0);

  const AdaptiveParameters other{.players = 16,
                                 .budget = 10000,
                                 .nu_max = 2,
                                 .rho_max = 0.95,
                                 .explore = 0.3,
                                 .children_per_cell = 3};
  CHECK(adaptive_instances(other) == 95);  // ceil(94.95)
  CHECK(adaptive_grid(other, 95)[94] == is(0.95025515797550703));
  CHECK(adaptive_exploration({.budget = 1001, .explore = 0.25}, 2) == 250);
  CHECK(adaptive_allowance({.budget = 1001, .explore = 0.25}, 95) == 2);
  CHECK(adaptive_choice_error(other, 95, 0.05, 17) == is(0.24618794150408385));
}

TEST_CASE("fed-pne-variance: radius, looks, ceiling and exchanges at fixed parameters",
          "[theory]") {
  const VarianceParameters wide{.range = 1, .floor = 1e-3};
  const VarianceParameters narrow{.range = 0.5, .floor = 0.01};
  CHECK(usable_variance(wide, 0) == 1e-3);
  CHECK(usable_variance(wide, 0.1) == 0.1);
  CHECK(usable_variance(wide, 0.3) == 0.25);
  CHECK(usable_variance(narrow, 0.3) == 0.0625);
  CHECK(usable_variance({.range = 0.1, .floor = 0.01}, 0) == Approx(0.0025));  // at most b^2 / 4
  struct Row {
    FedPneParameters p;
    VarianceParameters v;
    double variance, radius_7;
    Counts tau, pulls;  // depths 1, 4, 8
  };
  const Row rows[] = {
      {kPapers, wide, 1e-3, 0.022841413367349941, {2, 10, 209}, {3, 3, 53}},
      {kPapers, wide, 0.02, 0.035282543378108656, {2, 14, 721}, {3, 4, 181}},
      {kPapers, wide, 0.0625, 0.04758544408890427, {2, 20, 1738}, {3, 5, 435}},
      {kTheory, narrow, 1e-3, 2.3746627420274569, {172, 515, 2288}, {18, 52, 229}},
      {kTheory, narrow, 0.02, 2.5677358277419495, {196, 640, 3547}, {20, 64, 355}},
      {kTheory, narrow, 0.0625, 2.7586637419602072, {222, 791, 5343}, {23, 80, 535}},
  };
  const std::vector<std::uint32_t> depths{1, 4, 8};
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    CHECK(fed_pne_variance_radius(row.p, row.v, row.variance, 7) == is(row.radius_7));
    CHECK(at(depths, [&](auto h) { return fed_pne_variance_tau(row.p, row.v, row.variance, h); }) ==
          row.tau);
    CHECK(at(depths, [&](auto h) {
            return fed_pne_variance_pulls(row.p, row.v, row.variance, h);
          }) == row.pulls);
  }
  CHECK(fed_pne_variance_depth_ceiling(kPapers, wide, 62) == 11);
  CHECK(fed_pne_variance_depth_ceiling(kTheory, narrow, 62) == 16);
  CHECK(fed_pne_variance_depth_ceiling(kTheory, narrow, 7) == 7);
  const auto exchanges = [&](const FedPneParameters& p, const VarianceParameters& v) {
    return at(depths, [&](auto h) { return fed_pne_variance_exchanges(p, v, h); });
  };
  // 3, 4, 5, 7, 9, 12 … looks, up to 3, 10 and 1541; and up to 23, 80 and 535.
  CHECK(exchanges(kPapers, wide) == Counts{1, 6, 28});
  CHECK(exchanges(kTheory, narrow) == Counts{9, 15, 23});
}

TEST_CASE("fn-ucb: the ceiling on synchronisations at fixed parameters", "[theory]") {
  FnUcbParameters p{.agents = 10,
                    .steps = 2000,
                    .features = 30,
                    .lambda = 0.5,
                    .largest_square = 1,
                    .sync_threshold = 5};
  CHECK(fn_ucb_syncs_ceiling(p) == 293);  // floor(293.79)
  p.sync_threshold = 0;
  CHECK(fn_ucb_syncs_ceiling(p) == 1999);
  CHECK(fn_ucb_syncs_ceiling({.agents = 3,
                              .steps = 500,
                              .features = 81,
                              .lambda = 0.1,
                              .largest_square = 2.5,
                              .sync_threshold = 0.7}) == 499);  // 595.4 are too many
}

TEST_CASE("blin: pulls, batches, threshold and certificate at fixed parameters", "[theory]") {
  const BlinParameters one{.horizon = 10000};
  const BlinParameters two{.horizon = 100000, .dimension = 2, .lipschitz = 0.5, .sharing = 4};
  CHECK(at({1, 2, 5}, [&](auto m) { return blin_pulls(one, m); }) == Counts{148, 590, 37726});
  CHECK(at({1, 2, 5}, [&](auto m) { return blin_pulls(two, m); }) == Counts{185, 737, 47157});
  CHECK(blin_edge(1) == 1);
  CHECK(blin_edge(4) == 0.125);
  CHECK(blin_threshold(one, 3) == 1);
  CHECK(blin_threshold(two, 3) == 0.5);
  CHECK(blin_batches_ceiling(one) == 3);
  CHECK(blin_batches_ceiling(two) == 4);
  // 5 + 11 + 100 · 8/16 + 31 · 8/64, and with L = 1/2: 5 + 11 + 100 / 4 + 31 / 16
  const std::vector<BlinBatch> batches{{1, 5}, {3, 11}, {6, 100}, {8, 31}};
  CHECK(blin_certificate(one, batches) == 69.875);
  CHECK(blin_certificate(two, batches) == 42.9375);
}

TEST_CASE("pf-pne-reuse: logarithms, radii, looks and spread at fixed parameters", "[theory]") {
  const ReuseParameters papers{.clients = 4, .horizon = 2000};
  const ReuseParameters theory{.clients = 10, .horizon = 50000, .nu1 = 1.4, .rho = 0.7, .c = 2};
  struct Row {
    ReuseParameters p;
    Stake stake;
    double log_0, log_3, log_20, radius_3_7;
    Counts tau;  // depths 0, 3, 9
  };
  const Row rows[] = {
      {papers,
       Stake::together,
       8.987196820661973,
       4.8283137373023011,
       1,
       0.083051737208134318,
       {1, 4, 2622}},
      {papers,
       Stake::alone,
       7.6009024595420824,
       3.4420193761824105,
       1,
       0.07012253943920916,
       {1, 3, 2622}},
      {theory,
       Stake::together,
       13.795307850646755,
       11.65525818701436,
       1,
       2.5807261643647466,
       {29, 203, 9243}},
      {theory,
       Stake::alone,
       11.492722757652709,
       9.3526730940203142,
       1,
       2.3117925134307502,
       {24, 163, 6358}},
  };
  for (const Row& row : rows) {
    INFO("row " << &row - rows);
    CHECK(reuse_log_term(row.p, row.stake, 0) == is(row.log_0));
    CHECK(reuse_log_term(row.p, row.stake, 3) == is(row.log_3));
    CHECK(reuse_log_term(row.p, row.stake, 20) == row.log_20);
    CHECK(reuse_radius(row.p, row.stake, 3, 7) == is(row.radius_3_7));
    CHECK(at({0, 3, 9}, [&](auto h) { return reuse_tau(row.p, row.stake, h); }) == row.tau);
  }
  const ReuseParameters horizon{
      .clients = 4, .horizon = 2000, .confidence = Confidence::horizon, .c1 = 1.5, .delta = 0.25};
  for (const Stake stake : {Stake::together, Stake::alone}) {
    CHECK(reuse_log_term(horizon, stake, 0) == is(9.3926619287701374));
    CHECK(reuse_log_term(horizon, stake, 20) == is(9.3926619287701374));
  }
  CHECK(clients_spread(10, 30, 0.04, 0.01) == is(0.15203518103849858));
  CHECK(clients_spread(2, 3, 0.04, 0) == 0);  // 1 - 2 sqrt(2/3) < 0
  CHECK(clients_spread(10, 30, 0.01, 0.01) == 0);
}

TEST_CASE("fed1-ucb and fed2-ucb: schedules and radii at fixed parameters", "[theory]") {
  CHECK(fed1_ucb_pulls(1) == 1);
  CHECK(fed1_ucb_pulls(2) == 6);
  CHECK(fed1_ucb_pulls(1000) == 69);
  CHECK(fed1_ucb_pulls(20000) == 99);
  CHECK(fed1_ucb_radius(0.5, 1000, 10, 69) == is(0.10005618189175879));
  CHECK(fed1_ucb_radius(0.3, 20000, 7, 198) == is(0.050718186375600645));
  CHECK(at({1, 2, 3, 4, 70}, [](auto p) { return fed2_ucb_joined(20, p); }) ==
        Counts{2, 6, 14, 20, 20});
  CHECK(fed2_ucb_radius(0.5, 0.02, 1000, std::vector<std::uint64_t>{2, 4, 8}, 3, 100) ==
        is(0.044705302881668572));
  CHECK(fed2_ucb_radius(0.3, 0.1, 20000, std::vector<std::uint64_t>{2, 4, 8, 6}, 4, 50) ==
        is(0.09333296344157428));
  CHECK(fed_ucb_phases_ceiling(1000, 20, 50) == 1);  // exactly all arms once
  CHECK(fed_ucb_phases_ceiling(999, 20, 50) == 0);
  CHECK(fed_ucb_phases_ceiling(1099, 20, 50) == 1);
  CHECK(fed_ucb_phases_ceiling(1100, 20, 50) == 2);
  CHECK(fed_ucb_phases_ceiling(1000, 1, 50) == 0);
  CHECK(fed_ucb_phases_ceiling(1000, 2, 50) == 10);  // 2 arms of 50 pulls, ten times
}

}  // namespace
}  // namespace test_pinned_bounds

}  // namespace posse::theory
