// SPDX-License-Identifier: Apache-2.0
// The base optimizers by name: the constants that each one gets from its problem, seen in its bound
// g(k), and what each one requires. The numbers are the formulas of the optimizers' headers,
// evaluated with mpmath at 40 digits.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "core/arm/base_optimizers.hpp"
#include "core/function/synthetic_functions.hpp"
#include "tests/support/arms.hpp"

namespace test_base_optimizers {

using namespace posse;

namespace {

/// S = diag(1, 1/2): L = 1 + mu, f is 1-Lipschitz if mu = 0. R = 3, T = 50, delta = 0.01.
BaseProblem smooth_problem(double mu) {
  Vector diagonal(2);
  diagonal << 0.5, 1;
  BaseProblem p;
  p.name = "f1";
  p.function = std::make_shared<SmoothCone>(0.5, diagonal, Vector::Zero(2), mu);
  p.set = FeasibleSet::space(2);
  p.start = Vector::Constant(2, 1.5);
  p.radius = 3;
  p.horizon = 50;
  p.delta = 0.01;
  p.accuracy = 0.01;
  return p;
}

/// L = 1.2, mu = 0.2.
BaseProblem strong_problem() { return smooth_problem(0.2); }

GradientNoise gaussian() { return {GradientNoiseKind::gaussian, 2}; }
GradientNoise heavy(double alpha) { return {GradientNoiseKind::heavy_tail, 2, alpha, alpha + 0.5}; }

/// M = 2.5: the row (1.5, 2), whose largest entry is 2.
BaseProblem planes() {
  PiecewiseLinear::Matrix slopes(2, 2);
  slopes << 1.5, 2, -1, 0.5;
  BaseProblem p;
  p.name = "f1";
  p.function = std::make_shared<PiecewiseLinear>(slopes, Vector::Zero(2), 0, std::nullopt);
  p.set = FeasibleSet::space(2);
  p.start = Vector::Zero(2);
  p.radius = 3;
  p.horizon = 50;
  return p;
}

/// g must have these values at k = 1, 2, 10, 50, or at as many of them as there are.
void check_bounds(std::string_view optimizer,
                  const BaseProblem& problem,
                  const std::vector<double>& expected) {
  INFO(optimizer);
  REQUIRE_NOTHROW(check_base_optimizer(optimizer, problem));
  const auto run = make_base_optimizer(optimizer, problem, 0);
  const std::uint64_t at[] = {1, 2, 10, 50};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    while (run->steps() < at[i]) run->step();
    INFO("k = " << at[i]);
    CHECK(run->bound() == Approx(expected[i]).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("base optimizers for exact gradients take L, mu, M, R and T from their problem") {
  check_bounds("agd", strong_problem(), {1.8, 1.08, 0.13846153846153846, 0.0078374455732946299});
  check_bounds(
      "agd-strong",
      strong_problem(),
      {4.1883268858438389, 2.7844574766162459, 0.10625289003255386, 8.5968937585731807e-9});
  check_bounds("pgd", planes(), {7.5, 5.4917478527522339, 2.9344029310302149, 1.6171122418390439});
  check_bounds("pgd-horizon",
               planes(),
               {27.046834380385443, 13.788582233137677, 3.1819805153394639, 1.0606601717798213});
  check_bounds("triple-averaging", planes(), {10.606601717798213, 7.5, 3.3541019662496845, 1.5});
  check_bounds("triple-averaging-coded",
               planes(),
               {15, 10.606601717798213, 4.743416490252569, 2.1213203435596426});
  auto given = strong_problem();
  given.lipschitz = 2.5;  // replaces the function's own, which has none
  check_bounds(
      "pgd-strong", given, {31.25, 20.833333333333333, 5.6818181818181818, 1.2254901960784314});
}

TEST_CASE("AC-SA takes its constants from the problem: M doubled for kinks, none for smooth f") {
  auto noisy = strong_problem();
  noisy.noise = gaussian();
  check_bounds("ac-sa",
               noisy,
               {27.278137151256942, 15.251802520975762, 5.407208135824681, 2.3388310924304465});
  check_bounds("ac-sa", strong_problem(), {10.8, 3.6, 0.19636363636363636, 0.0084705882352941176});
  check_bounds("ac-sa",
               planes(),
               {41.195342878142355, 29.129506302439405, 13.027111248652612, 5.825901260487881});
  check_bounds("ac-sa-coded",
               noisy,
               {26.235563278166725, 15.860175877697317, 6.1504827412359104, 2.6976822343629929});
  // Its bound fails with probability 2 delta; each side gets half of the problem's.
  check_bounds("ac-sa-strong",
               noisy,
               {511.37320881778587, 268.15570941532693, 61.463661595394112, 15.245675443040303});
  auto quiet = noisy;
  quiet.noise.kind = GradientNoiseKind::none;  // its sigma is not used
  check_bounds("ac-sa", quiet, {10.8, 3.6, 0.19636363636363636, 0.0084705882352941176});
}

TEST_CASE("clipped-SSTM takes sigma, alpha, beta and T from the problem, c_a from alpha") {
  const std::map<double, std::vector<double>> practical{
      {2, {649.12402512925063, 259.64961005170025, 19.973046927053865, 0.97980984925169906}},
      {1.75, {536.49132148388497, 214.59652859355399, 16.50742527642723, 0.80979822110775091}},
      {1.5, {311.47942150426553, 124.59176860170621, 9.583982200131247, 0.4701576173649291}},
      {1.2, {597.84833877509829, 239.13933551003932, 18.395333500772255, 0.90241258683033704}}};
  const std::map<double, std::vector<double>> shorthand{
      {2, {49.735838008671387, 19.538082402181762, 8.7376960802541611, 3.9076164804363524}},
      {1.75, {49.735838008671387, 20.529769790646127, 10.299722079762477, 5.1673387476892852}},
      {1.5, {49.735838008671387, 21.930755993190255, 12.825183907301285, 7.5002130481582305}},
      {1.2, {49.735838008671387, 24.616441293089391, 18.824795546255179, 14.395782198533808}}};
  auto p = strong_problem();
  for (const double alpha : {2.0, 1.75, 1.5, 1.2}) {
    INFO("alpha = " << alpha);
    p.noise = heavy(alpha);
    check_bounds("clipped-sstm-practical", p, practical.at(alpha));
    check_bounds("clipped-sstm-shorthand", p, shorthand.at(alpha));
    check_bounds("clipped-sstm-theory",
                 p,
                 {77219610.009473364, 30887844.003789346, 2375988.0002914881, 116557.90190109187});
  }
  p.noise = heavy(2);
  p.practical_a = 0.7;
  check_bounds("clipped-sstm-practical",
               p,
               {2271.9340879523772, 908.77363518095088, 69.905664244688529, 3.4293344723809467});
  // Without noise a = 1: g = 6 L R^2/(k (k+3)).
  check_bounds("clipped-sstm-practical", strong_problem(), {16.2, 6.48, 0.49846153846153846});
}

TEST_CASE("restarted SSTM takes mu, eps and c_K from the problem, very long stages are endless") {
  // N = 7. K_1 = 18 (c_K = 0.1), 712 (c_K = 4), 1256859451835 (theory).
  auto p = strong_problem();
  p.noise = heavy(2);
  check_bounds(
      "r-clipped-sstm-practical", p, {145.09831149947955, 58.039324599791821, 4.464563430753217});
  check_bounds("r-clipped-sstm-theory",
               p,
               {1.9314500171184277e+23,
                7.7258000684737108e+22,
                5.9429231295951622e+21,
                2.9153962522542305e+20});
  check_bounds("r-clipped-sstm-shorthand",
               p,
               {92.10340371976184, 46.05170185988092, 9.210340371976184, 1.842068074395237});
  auto quiet = p;
  quiet.noise.kind = GradientNoiseKind::none;
  check_bounds("r-clipped-sstm-shorthand",
               quiet,
               {3.061580651406412, 2.0353810405499635, 0.07766867323063305, 6.284152195093394e-09});
  p.practical_k = 4;
  check_bounds("r-clipped-sstm-practical",
               p,
               {34245.383319799473, 13698.153327919789, 1053.7041021476761, 51.691144633659582});
  // With alpha = 1.5 the formula says 2.5e17 steps; 2^53 are taken.
  p.noise = heavy(1.5);
  check_bounds("r-clipped-sstm-shorthand",
               p,
               {92.10340371976184, 58.02150855674685, 19.843076804386655, 6.786236808711897});
  check_bounds("r-clipped-sstm-theory",
               p,
               {3.1697996315780726e+31, 1.267919852631229e+31, 9.7532296356248388e+29});
}

TEST_CASE("each base optimizer requires what its method requires") {
  struct Needs {
    std::string_view name;
    bool smooth, lipschitz, strong, everywhere, exact;
  };
  const std::vector<Needs> table{{"agd", true, false, false, true, true},
                                 {"agd-strong", true, false, true, true, true},
                                 {"pgd", false, true, false, false, true},
                                 {"pgd-horizon", false, true, false, false, true},
                                 {"pgd-strong", false, true, true, false, true},
                                 {"triple-averaging", false, true, false, false, true},
                                 {"triple-averaging-coded", false, true, false, false, true},
                                 {"ac-sa", false, false, false, false, false},
                                 {"ac-sa-coded", true, false, false, false, false},
                                 {"ac-sa-strong", true, false, true, false, false},
                                 {"clipped-sstm-theory", true, false, false, true, false},
                                 {"clipped-sstm-practical", true, false, false, true, false},
                                 {"clipped-sstm-shorthand", true, false, false, true, false},
                                 {"r-clipped-sstm-theory", true, false, true, true, false},
                                 {"r-clipped-sstm-practical", true, false, true, true, false},
                                 {"r-clipped-sstm-shorthand", true, false, true, true, false}};
  REQUIRE(base_optimizers().size() == table.size());
  // A problem that suits every optimizer, and others that lack one property.
  auto all = strong_problem();
  all.lipschitz = 2.5;
  auto flat = smooth_problem(0);
  flat.lipschitz = 2.5;
  auto boxed = all;
  boxed.set = FeasibleSet::box(2, -2, 2);
  auto noisy = all;
  noisy.noise = gaussian();
  auto silent = noisy;  // noise of size 0 is none
  silent.noise.sigma = 0;
  auto kinks = planes();
  auto unbounded = strong_problem();  // no Lipschitz constant
  const auto allowed = [](std::string_view name, const BaseProblem& p) {
    return test::complaint([&] { check_base_optimizer(name, p); }).empty();
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto& needs = table[i];
    INFO(needs.name);
    CHECK(base_optimizers()[i].name == needs.name);
    CHECK(allowed(needs.name, all));
    CHECK(allowed(needs.name, silent));
    CHECK(allowed(needs.name, flat) == !needs.strong);
    CHECK(allowed(needs.name, boxed) == !needs.everywhere);
    CHECK(allowed(needs.name, noisy) == !needs.exact);
    CHECK(allowed(needs.name, kinks) == (!needs.smooth && !needs.strong));
    CHECK(allowed(needs.name, unbounded) == !needs.lipschitz);
  }
  // AC-SA alone needs noise of finite variance.
  noisy.noise = heavy(1.9);
  CHECK_FALSE(allowed("ac-sa", noisy));
  CHECK_FALSE(allowed("ac-sa-strong", noisy));
  CHECK(allowed("clipped-sstm-theory", noisy));
  noisy.noise = heavy(2);
  CHECK(allowed("ac-sa", noisy));
  boxed.start << 2.1, 0;
  CHECK_FALSE(allowed("pgd", boxed));
}

TEST_CASE("bounds are certain, likely or guesses as the optimizer, its noise and delta say") {
  using enum Certificate;
  const auto kind = [](std::string_view optimizer, const BaseProblem& p) {
    return make_arm(optimizer, std::make_shared<BaseProblem>(p), 0.5).certificate;
  };
  const auto quiet = strong_problem();
  for (const auto* name : {"agd",
                           "agd-strong",
                           "ac-sa",
                           "ac-sa-strong",
                           "clipped-sstm-theory",
                           "r-clipped-sstm-theory"})
    CHECK(kind(name, quiet) == valid);
  for (const auto* name : {"pgd", "pgd-horizon", "triple-averaging", "ac-sa"})
    CHECK(kind(name, planes()) == valid);
  CHECK(kind("triple-averaging-coded", planes()) == guess);
  for (const auto* name : {"ac-sa-coded",
                           "clipped-sstm-practical",
                           "clipped-sstm-shorthand",
                           "r-clipped-sstm-practical",
                           "r-clipped-sstm-shorthand"})
    CHECK(kind(name, quiet) == guess);
  auto given = planes();
  given.lipschitz = 2.5;
  CHECK(kind("pgd", given) == guess);

  auto noisy = quiet;
  noisy.noise = gaussian();
  CHECK(kind("ac-sa", noisy) == guess);  // in expectation only
  CHECK(kind("clipped-sstm-theory", noisy) == likely);
  CHECK(kind("r-clipped-sstm-theory", noisy) == likely);
  CHECK(kind("ac-sa-strong", noisy) == guess);  // its tail bound needs a bounded set
  noisy.set = FeasibleSet::box(2, -2, 2);
  CHECK(kind("ac-sa-strong", noisy) == likely);
  noisy.noise = heavy(2);
  CHECK(kind("ac-sa-strong", noisy) == guess);  // and light tails
  noisy.noise = gaussian();
  noisy.delta = 0;
  CHECK(kind("ac-sa-strong", noisy) == guess);
  noisy.noise.sigma = 0;
  CHECK(kind("ac-sa-strong", noisy) == valid);
}

TEST_CASE("the clean event's delta is 1/(K T^2 A) with A >= 1, and at most 1/2") {
  CHECK(clean_event_delta(3, 100, 5) == Approx(1.0 / 150000).epsilon(1e-15));
  CHECK(clean_event_delta(4, 10, 0.2) == 1.0 / 400);
  CHECK(clean_event_delta(1, 1, 1.5) == 0.5);
  CHECK(clean_event_delta(1, 1, 4) == 0.25);
}

TEST_CASE("an instance of an arm draws from the stream oracle/NAME, a fresh one from its own") {
  auto p = smooth_problem(0);
  p.noise = gaussian();
  p.seed = Seed{9};
  for (const std::uint32_t instance : {0U, 1U, 3U}) {
    const auto run = make_base_optimizer("ac-sa", p, instance);
    GradientOracle oracle(
        *p.function, p.noise, p.seed, instance == 0 ? "f1" : "f1/copy-" + std::to_string(instance));
    // The first step: q = a = 1, so x_1 = u_1 = x_0 - gamma_1 G(x_0), inside the ball.
    Vector gradient(2);
    oracle.call(p.start, gradient);
    const double gam = std::sqrt(2 * std::sqrt(2.0) / 3 * 4 / 4.5);
    const Vector x = p.start - gradient / (2 + gam);
    REQUIRE((x - p.start).norm() < p.radius);
    run->step();
    CHECK((run->point() - x).norm() <= 1e-14 * x.norm());
  }
}

TEST_CASE("a set's minimum is the least of its arms', and ranks count smaller minima") {
  ArmSet set;
  for (const double minimum : {2.0, 1.0, 3.0, 1.0}) set.arms.push_back({"arm", minimum, nullptr});
  CHECK(set.minimum() == 1.0);
  CHECK(set.rank_of(0) == 3.0);
  CHECK(set.rank_of(1) == 1.0);
  CHECK(set.rank_of(2) == 4.0);
  CHECK(set.rank_of(3) == 1.0);
  set.arms[0].rank = 7;
  CHECK(set.rank_of(0) == 7.0);
  set.arms[2].minimum.reset();
  CHECK_FALSE(set.minimum());
  CHECK_FALSE(set.rank_of(1));
  CHECK(set.rank_of(0) == 7.0);
  ArmSet equal;
  for (int i = 0; i < 2; ++i) equal.arms.push_back({"arm", 1.0, nullptr});
  CHECK_FALSE(equal.rank_of(0));
  CHECK(equal.first_with_rewards(true) == nullptr);
  equal.arms[1].reward = [](std::uint64_t) { return 0.0; };
  CHECK(equal.first_with_rewards(true) == &equal.arms[1]);
  CHECK(equal.first_with_rewards(false) == &equal.arms[0]);
}

}  // namespace test_base_optimizers
