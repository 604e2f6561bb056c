// SPDX-License-Identifier: Apache-2.0
// The arms of each family against the documented draws and rules, written out literally: the
// function, its start, R, the first optimizer steps and bounds. The numbers of the hand-made
// instances are worked out in the comments.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/arm/base_optimizers.hpp"
#include "core/arm/noisy_arms.hpp"
#include "core/arm/piecewise_linear_arms.hpp"
#include "core/arm/smooth_arms.hpp"
#include "core/random/distributions.hpp"
#include "tests/support/arms.hpp"

namespace test_arms_by_hand {

using namespace posse;

namespace {

using Numbers = std::vector<double>;

std::string text(std::string_view s) { return std::string(s); }

/// Equation 20 on lists, literally: S_1 = 1, the others exp(-p xi); x* ~ N(0, I).
struct Cone {
  Numbers s, centre;
  double minimum = 0, mu = 0;

  Cone(std::uint64_t seed, const std::string& name, std::size_t d, double p, double least)
      : minimum(least) {
    UniformStream curvature(stream_key(Seed{seed}, "arm-curvature", name));
    DrawEngine normals(stream_key(Seed{seed}, "arm-minimiser", name), 0);
    for (std::size_t j = 0; j < d; ++j) {
      s.push_back(j == 0 ? 1 : std::exp(-p * curvature.at(j - 1)));
      centre.push_back(draw_normal(normals));
    }
  }
  double square(const Numbers& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += s[j] * std::pow(x[j] - centre[j], 2);
    return sum;
  }
  double value(const Numbers& x) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += std::pow(x[j] - centre[j], 2);
    return minimum - 1 + std::sqrt(1 + square(x)) + mu / 2 * sum;
  }
  Numbers gradient(const Numbers& x) const {
    Numbers g;
    for (std::size_t j = 0; j < x.size(); ++j)
      g.push_back((s[j] / std::sqrt(1 + square(x)) + mu) * (x[j] - centre[j]));
    return g;
  }
  Numbers moved(double by) const {
    Numbers x = centre;
    for (double& v : x) v += by;
    return x;
  }
};

double distance(const Numbers& x, const Numbers& y) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += (x[j] - y[j]) * (x[j] - y[j]);
  return std::sqrt(sum);
}

Numbers numbers(const Vector& x) { return {x.begin(), x.end()}; }

SmoothCone cone_of(double minimum, const Numbers& diagonal, const Numbers& centre) {
  const auto d = static_cast<Eigen::Index>(centre.size());
  return {minimum,
          Eigen::Map<const Vector>(diagonal.data(), d),
          Eigen::Map<const Vector>(centre.data(), d)};
}

/// 1, 2, … steps: value and bound.
void check_steps(Optimizer& run, const std::vector<std::pair<double, double>>& expected) {
  for (const auto& [value, bound] : expected) {
    run.step();
    INFO("k = " << run.steps());
    CHECK(run.value() == Approx(value).epsilon(1e-12));
    CHECK(run.bound() == Approx(bound).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("smooth arms: drawn functions, starts, R and two steps of AGD, literally") {
  const std::size_t d = 4;
  const auto check = [&](const test::Given& more, const Numbers& offsets, const Numbers& radii) {
    test::Given given{{"dimension", std::int64_t{4}}, {"p", 2.5}};
    given.insert(given.end(), more.begin(), more.end());
    const auto set = test::arms("smooth", given, 6, 90);
    REQUIRE(set->size() == 3);
    CHECK(set->budget == 90);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& arm = set->arms[i];
      const std::string name = "f" + std::to_string(i + 1);
      CHECK(arm.name == name);
      CHECK(arm.minimum == 0.5 * static_cast<double>(i + 1));
      CHECK(arm.certificate == Certificate::valid);
      const Cone f(6, name, d, 2.5, *arm.minimum);
      const Numbers x0 = f.moved(offsets[i]);
      const auto run = arm.start(0);
      CHECK(distance(numbers(run->point()), x0) <= 1e-14);
      // x_1 = x_0 - grad f(x_0); y_1 = x_1; x_2 = y_1 - grad f(y_1). g = 2 R^2/(k^2 + 5k + 6).
      Numbers x1 = x0, x2;
      for (std::size_t j = 0; j < d; ++j) x1[j] -= f.gradient(x0)[j];
      x2 = x1;
      for (std::size_t j = 0; j < d; ++j) x2[j] -= f.gradient(x1)[j];
      const double r = radii[i];
      check_steps(*run, {{f.value(x1), r * r / 6}, {f.value(x2), r * r / 10}});
    }
  };
  check({}, {4.5, 2, 2}, {9, 4, 4});  // R = offset sqrt 4
  check({{"offsets", Numbers{-3}}}, {-3, -3, -3}, {6, 6, 6});
  check({{"offsets", Numbers{1, 2, 3}}}, {1, 2, 3}, {2, 4, 6});
  check({{"radius", text("diameter")}}, {4.5, 2, 2}, {28, 28, 28});  // 14 sqrt 4
  check({{"radius", text("diameter")}, {"diameter", 9.0}}, {4.5, 2, 2}, {9, 9, 9});
}

TEST_CASE("the start of noisy arms by hand: kappa of functions of one coordinate") {
  // f* = 1/2: f must lie in [6, 8], that is S kappa^2 in [41.25, 71.25]. S = 1: 1.2^10 = 6.19 is
  // too small, 1.2^11 = 7.43 is not. S = 100: 1 and 1/1.1 are too large.
  CHECK(start_offset(cone_of(0.5, {1}, {0.3})) == Approx(std::pow(1.2, 11)).epsilon(1e-14));
  CHECK(start_offset(cone_of(0.5, {100}, {0.3})) == Approx(1 / 1.21).epsilon(1e-14));
  // f* = 3/2: f in [2, 4]: S kappa^2 in [1.25, 11.25].
  CHECK(start_offset(cone_of(1.5, {1}, {-2})) == Approx(1.2).epsilon(1e-14));
  CHECK(start_offset(cone_of(1.5, {2}, {-2})) == 1);
  CHECK(start_offset(cone_of(1.5, {12}, {-2})) == Approx(1 / 1.1).epsilon(1e-14));
}

TEST_CASE("the largest value over a box by hand: at the corner farthest from the minimiser") {
  // x* = (1, -2), corner (-3, 3): 16 + 25/2.
  CHECK(largest_over_box(cone_of(0.5, {1, 0.5}, {1, -2}), 3) ==
        Approx(-0.5 + std::sqrt(29.5)).epsilon(1e-15));
}

TEST_CASE("noisy arms: drawn functions, starts, R, noise and the first step of AC-SA, literally") {
  const std::size_t d = 3;
  for (const double box : {7.0, 1.5})
    for (const bool known : {true, false}) {
      const auto set = test::arms("noisy",
                                  {{"dimension", std::int64_t{3}},
                                   {"p", 1.5},
                                   {"box", box},
                                   {"sigma", 0.7},
                                   {"radius", text(known ? "known" : "diameter")}},
                                  8,
                                  40);
      for (std::size_t i = 0; i < 3; ++i) {
        INFO("box " << box << ", known radius " << known << ", arm " << i + 1);
        const auto& arm = set->arms[i];
        const std::string name = "f" + std::to_string(i + 1);
        Cone f(8, name, d, 1.5, 0.5 * static_cast<double>(i + 1));
        CHECK(arm.minimum == f.minimum);
        for (double& v : f.centre) v = std::clamp(v, -box, box);
        double kappa = 1;
        while (f.value(f.moved(kappa)) > 10 - 4 * f.minimum) kappa /= 1.1;
        while (f.value(f.moved(kappa)) < 8 - 4 * f.minimum) kappa *= 1.2;
        Numbers x0 = f.moved(kappa);
        for (double& v : x0) v = std::clamp(v, -box, box);
        const auto run = arm.start(0);
        CHECK(distance(numbers(run->point()), x0) <= 1e-13);
        const double r = known ? distance(x0, f.centre) : 2 * box * std::sqrt(3.0);
        double farthest = 0;  // max |x - x0|^2/2 over the box
        for (const double v : x0) farthest += std::pow(box + std::abs(v), 2) / 2;
        const double largest = std::min(farthest, r * r / 2);
        const double gam = std::sqrt(2 * std::sqrt(2.0) / 3 * 0.49 / largest);
        DrawEngine draws(stream_key(Seed{8}, "oracle", name), 0);
        Numbers x1 = x0;
        for (std::size_t j = 0; j < d; ++j)
          x1[j] -= (f.gradient(x0)[j] + 0.7 / std::sqrt(3.0) * draw_normal(draws)) / (2 + gam);
        for (double& v : x1) v = std::clamp(v, -box, box);
        REQUIRE(distance(x1, x0) <= r);  // the ball has no part in this step
        check_steps(
            *run,
            {{f.value(x1), r * r + 2 * gam * largest + 4 * std::sqrt(2.0) * 0.49 / (3 * gam)}});
      }
    }
}

TEST_CASE("noisy arms take their failure probability from K, T and the largest value of all arms") {
  // g of the shorthand at k = 1: max(L R^2, sigma R) ln(1/delta).
  const std::size_t d = 3;
  const auto log_term = [&](const test::Given& more, double mu) {
    test::Given given{
        {"dimension", std::int64_t{3}}, {"optimizer", text("clipped-sstm-shorthand")}, {"mu", mu}};
    given.insert(given.end(), more.begin(), more.end());
    const auto set = test::arms("noisy", given, 8, 40);
    const auto run = set->arms[1].start(0);
    Cone f(8, "f2", d, 1, 1);
    f.mu = mu;
    double kappa = 1;
    while (f.value(f.moved(kappa)) > 6) kappa /= 1.1;
    while (f.value(f.moved(kappa)) < 4) kappa *= 1.2;
    const double r = kappa * std::sqrt(3.0);
    run->step();
    return run->bound() / std::max((1 + mu) * r * r, 2 * r);
  };
  for (const double mu : {0.0, 0.25}) {
    double largest = 0;
    for (std::size_t i = 1; i <= 3; ++i) {
      Cone f(8, "f" + std::to_string(i), d, 1, 0.5 * static_cast<double>(i));
      f.mu = mu;
      Numbers corner;
      for (const double c : f.centre) corner.push_back(c > 0 ? -7 : 7);
      largest = std::max(largest, f.value(corner));
    }
    CHECK(log_term({}, mu) == Approx(std::log(3 * 1600 * largest)).epsilon(1e-12));
  }
  CHECK(log_term({{"delta", 0.125}}, 0) == Approx(std::log(8)).epsilon(1e-12));
  // The horizon is T: g(1) = 6 a L R^2/4 with a = 0.2 s (T + 1) sqrt T/(L R).
  const auto set =
      test::arms("noisy",
                 {{"dimension", std::int64_t{3}}, {"optimizer", text("clipped-sstm-practical")}},
                 8,
                 49);
  const auto run = set->arms[1].start(0);
  const Vector start = run->point();
  const double r = distance(numbers(start), Cone(8, "f2", d, 1, 1).centre);
  run->step();
  CHECK(run->bound() == Approx(1.5 * 0.2 * 2 * 50 * 7 * r).epsilon(1e-12));
}

TEST_CASE("piecewise linear arms of one coordinate by hand: minimum, shift, M, R and bounds") {
  // max(3 x - 1.5, -2 x + 1): 0 at x* = 1/2; M = 3, R = 1/2; the start is 0.
  const std::string file = "arm,b_k,a_0,shift_c\na,-1.5,3,0.75\na,1,-2,0.75\n";
  const auto check = [&](std::string_view optimizer,
                         std::string_view radius,
                         double box,
                         const std::vector<std::pair<double, double>>& expected) {
    INFO(optimizer << ", radius " << radius);
    const auto set = test::arms("piecewise-linear",
                                {{"file", test::input_text(file)},
                                 {"optimizer", text(optimizer)},
                                 {"radius", text(radius)},
                                 {"box", box}},
                                1,
                                16);
    REQUIRE(set->size() == 1);
    CHECK(set->arms[0].name == "f1");
    CHECK(*set->arms[0].minimum == Approx(0.75).epsilon(1e-12));
    check_steps(*set->arms[0].start(0), expected);
  };
  // gam = sqrt2 3/(1/2) = 6 sqrt2. t = 0: f(0) = 1.75, S = -2, x+ = 2/gam = 1/(3 sqrt2), xhat =
  // x+/sqrt2 = 1/6, x_1 = 1/12: f = 1 - 1/6 + 0.75.
  const double root2 = std::sqrt(2.0);
  check("triple-averaging", "known", 2, {{1.75, root2 * 1.5}, {1.75 - 1.0 / 6, 1.5}});
  // R = half the diameter, 2: gam = 3/sqrt2; x+ = 2 sqrt2/3, xhat = 2/3, x_1 = 1/3.
  check("triple-averaging", "diameter", 2, {{1.75, root2 * 6}, {1.75 - 2.0 / 3, 6}});
  // gam = 3: x+ = 2 · 2/3, cut to 1; xhat = 1/sqrt2; x_1 = 1/(2 sqrt2): f = 1.75 - 1/sqrt2.
  check("triple-averaging-coded", "known", 1, {{1.75, 3}, {1.75 - 1 / root2, 3 / root2}});
  // eta_1 = 1/6, g(1) = (R^2 + M^2 eta^2)/(2 eta) = M R; x_2 = 1/3, eta_2 = 1/(6 sqrt2), mean =
  // (1/3) eta_2/(eta_1 + eta_2).
  const double share = 1 / (1 + root2);
  check("pgd",
        "known",
        2,
        {{1.75, 1.5}, {1.75 - 2.0 / 3 * share, 0.625 / (1.0 / 3 * (1 + 1 / root2))}});
  // T = 16: eta = 1/24; g(k) = (1/4)/(k/12) + 9/48; x_2 = 1/12, mean 1/24.
  check("pgd-horizon", "known", 2, {{1.75, 3 + 0.1875}, {1.75 - 1.0 / 12, 1.5 + 0.1875}});
}

TEST_CASE("piecewise linear arms: drawn planes, with the exact shift and the norms of their rows") {
  const auto set = test::arms("piecewise-linear",
                              {{"dimension", std::int64_t{3}},
                               {"planes", Numbers{4, 2}},
                               {"minima", Numbers{-1, 2}},
                               {"spread", 1.5},
                               {"radius", text("diameter")},
                               {"box", 2.0}},
                              5,
                              30);
  const auto coded = test::arms("piecewise-linear",
                                {{"dimension", std::int64_t{3}},
                                 {"planes", Numbers{4, 2}},
                                 {"minima", Numbers{-1, 2}},
                                 {"spread", 1.5},
                                 {"radius", text("diameter")},
                                 {"optimizer", text("triple-averaging-coded")},
                                 {"box", 2.0}},
                                5,
                                30);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string name = "f" + std::to_string(i + 1);
    double row = 0, entry = 0, largest = -INFINITY;
    for (std::uint64_t k = 0; k < (i == 0 ? 4U : 2U); ++k) {
      DrawEngine b(stream_key(Seed{5}, "plane-offset", name), k);
      DrawEngine a(stream_key(Seed{5}, "plane-slope", name), k);
      largest = std::max(largest, 1.5 * draw_normal(b));  // the start is 0
      double square = 0;
      for (int j = 0; j < 3; ++j) {
        const double slope = 1.5 * draw_normal(a);
        square += slope * slope;
        entry = std::max(entry, std::abs(slope));
      }
      row = std::max(row, std::sqrt(square));
    }
    const auto run = set->arms[i].start(0), as_coded = coded->arms[i].start(0);
    CHECK(set->arms[i].minimum == (i == 0 ? -1 : 2));
    run->step();
    as_coded->step();
    CHECK(run->bound() == Approx(std::sqrt(2.0) * row * 2 * std::sqrt(3.0)).epsilon(1e-12));
    CHECK(as_coded->bound() == Approx(2 * entry * 2 * std::sqrt(3.0)).epsilon(1e-12));
    // f(0) is the largest offset, moved as the minimum is.
    const auto planes = draw_planes({Seed{5}, 5}, name, i == 0 ? 4 : 2, 3, 1.5);
    CHECK(planes.offsets.maxCoeff() == largest);
    CHECK(run->value() == as_coded->value());
    CHECK(run->value() > *set->arms[i].minimum);
    // Long enough, the value comes down to the minimum and not below: the shift is exact.
    while (run->steps() < 20000) run->step();
    CHECK(run->value() == Approx(*set->arms[i].minimum).margin(run->bound()));
    CHECK(run->value() >= *set->arms[i].minimum - 1e-9);
    CHECK(run->value() <= *set->arms[i].minimum + 0.1);
  }
}

TEST_CASE("arms on a user's data by hand: minimum, start, R and g") {
  // F = ((x - 1)^2 + (x - 3)^2)/4: L = mu = 1, f* = 1/2 at 2; on [-1, 1]: f* = 1 at 1, M = 1 + 2.
  const std::string file = "a,y\n1,1\n1,3\n";
  const auto arm_of = [&](test::Given given) {
    given.emplace_back("file", test::input_text(file));
    return test::arms("functions", given, 3, 20)->arms[0];
  };
  const auto first = [](const Arm& arm) {
    const auto run = arm.start(0);
    run->step();
    return std::pair{run->value(), run->bound()};
  };
  const auto free = arm_of({{"optimizers", text("agd")}});
  CHECK(free.name == "least-squares-agd");
  CHECK(*free.minimum == Approx(0.5).epsilon(1e-14));
  CHECK(first(free).first == Approx(0.5).epsilon(1e-14));  // one step of 1/L
  CHECK(first(free).second == Approx(2 * 4.0 / 12).epsilon(1e-12));
  const auto given =
      arm_of({{"optimizers", text("agd")}, {"radius", text("given")}, {"given_radius", 7.0}});
  CHECK(first(given).second == Approx(2 * 49.0 / 12).epsilon(1e-12));
  CHECK(given.certificate == Certificate::guess);
  CHECK(free.certificate == Certificate::valid);

  test::Given boxed{{"optimizers", text("pgd")}, {"set", text("box")}, {"start", Numbers{-0.5}}};
  const auto near = arm_of(boxed);  // g(1) = M R
  CHECK(*near.minimum == Approx(1).epsilon(1e-9));
  CHECK(first(near).first == Approx((2.25 + 12.25) / 4).epsilon(1e-14));
  CHECK(first(near).second == Approx(3 * 1.5).epsilon(1e-9));
  boxed.back().second = Numbers{0.75};
  CHECK(first(arm_of(boxed)).second == Approx(3 * 0.25).epsilon(1e-8));
  boxed.emplace_back("radius", text("diameter"));  // the farthest point is -1
  CHECK(first(arm_of(boxed)).second == Approx(3 * 1.75).epsilon(1e-9));

  // delta = 1/(K T^2 A), A = F(0.75) + M D = (0.0625 + 5.0625)/4 + 3 · 2; g(1) = L R^2 + 2 s^2/mu
  // + (2 s R/sqrt 3 + 4 s^2/mu) ln(2/delta), R = 1/4, s = 1/2.
  const auto noisy = arm_of({{"optimizers", text("ac-sa-strong")},
                             {"set", text("box")},
                             {"start", Numbers{0.75}},
                             {"noise", text("gaussian")},
                             {"sigma", 0.5}});
  const double log_term = std::log(2 * 400 * 7.28125);
  CHECK(first(noisy).second ==
        Approx(0.0625 + 0.5 + (0.25 / std::sqrt(3.0) + 1) * log_term).epsilon(1e-8));
  CHECK(noisy.certificate == Certificate::likely);
  // Without a bounded set: A = F(start) = 2.5 and R = 2.
  const auto unbounded = arm_of({{"optimizers", text("clipped-sstm-shorthand")},
                                 {"noise", text("gaussian")},
                                 {"sigma", 0.5}});
  CHECK(first(unbounded).second == Approx(4 * std::log(400 * 2.5)).epsilon(1e-12));
  const auto chosen = arm_of({{"optimizers", text("clipped-sstm-shorthand")},
                              {"noise", text("gaussian")},
                              {"sigma", 0.5},
                              {"delta", 0.25}});
  CHECK(first(chosen).second == Approx(4 * std::log(4)).epsilon(1e-12));
}

TEST_CASE("an intercept is one more feature, targets 0 and 1 are signs, lists go by arm") {
  // Features (a, 1), least squares through (1, 1), (1, 3): the fit is 2 in both rows.
  const auto with_intercept = test::arms("functions",
                                         {{"file", test::input_text("a,y\n1,1\n1,3\n")},
                                          {"optimizers", text("agd")},
                                          {"intercept", true}},
                                         1,
                                         10);
  CHECK(with_intercept->arms[0].start(0)->point().size() == 2);
  CHECK(*with_intercept->arms[0].minimum == Approx(0.5).epsilon(1e-12));
  // L = 2, and the minimiser closest to 0 is (1, 1): g(1) = 2 L R^2/12.
  const auto fitted = with_intercept->arms[0].start(0);
  check_steps(*fitted, {{0.5, 2.0 / 3}});
  CHECK(distance(numbers(fitted->point()), {1, 1}) <= 1e-14);
  // Logistic with a = 1, target 0 (sign -1), l2 = 1: the slope at 0 is 1/2, L = 1/4 + 1. The
  // second arm is Huber's with c = 2 on target 0: minimum 0 at 0.
  const auto set = test::arms("functions",
                              {{"file", test::input_text("a,y\n1,0\n")},
                               {"functions", text("logistic, huber")},
                               {"optimizers", text("ac-sa")},
                               {"l2", Numbers{1, 0.5}},
                               {"huber", Numbers{2}},
                               {"start", Numbers{3}}},
                              1,
                              10);
  REQUIRE(set->size() == 2);
  CHECK(set->arms[0].name == "logistic-ac-sa");
  CHECK(set->arms[1].name == "huber-ac-sa");
  // x_1 = x_0 - F'(x_0)/(2 L): logistic: F' = 1/(1 + e^-3) + 3, L = 5/4.
  const auto logistic = set->arms[0].start(0), huber = set->arms[1].start(0);
  const double x = 3 - (1 / (1 + std::exp(-3)) + 3) / 2.5;
  logistic->step();
  CHECK(logistic->value() == Approx(std::log(1 + std::exp(x)) + x * x / 2).epsilon(1e-12));
  // Huber: F' = 2 + 1.5, L = 1.5: x_1 = 3 - 3.5/3 = 11/6, inside c. R = 3: g = 2 L R^2/2.
  huber->step();
  CHECK(huber->value() == Approx(121.0 / 36 * 0.75).epsilon(1e-12));
  CHECK(huber->bound() == Approx(1.5 * 9).epsilon(1e-5));
  CHECK(*set->arms[1].minimum == Approx(0).margin(1e-9));
}

TEST_CASE("rewards are mean + scale · noise of the documented streams, the minimum is -mean") {
  struct Case {
    const char* noise;
    double (*draw)(DrawEngine&);
  };
  const Case cases[] = {
      {"cauchy",
       [](DrawEngine& draws) { return std::tan(std::numbers::pi * (draws.uniform() - 0.5)); }},
      {"student-t", [](DrawEngine& draws) { return draw_student_t(draws, 2.5); }},
      {"normal", [](DrawEngine& draws) { return draw_normal(draws); }}};
  for (const auto& c : cases) {
    INFO(c.noise);
    const auto set = test::arms(
        "rewards",
        {{"means", Numbers{0.25, -1}}, {"noise", text(c.noise)}, {"scale", 3.0}, {"degrees", 2.5}},
        4,
        20);
    CHECK(set->budget == 20);
    CHECK(set->arms[0].minimum == -0.25);
    CHECK(set->arms[1].minimum == 1.0);
    for (std::uint64_t k = 0; k < 5; ++k) {
      DrawEngine first(stream_key(Seed{4}, "reward", "mu1"), k);
      DrawEngine second(stream_key(Seed{4}, "reward", "mu2"), k);
      CHECK(set->arms[0].reward(k) == Approx(0.25 + 3 * c.draw(first)).epsilon(1e-12));
      CHECK(set->arms[1].reward(k) == Approx(-1 + 3 * c.draw(second)).epsilon(1e-12));
    }
  }
  // The paper's arms: i/10, standard Cauchy.
  const auto paper = test::arms("rewards", {}, 4, 20);
  REQUIRE(paper->size() == 10);
  for (std::size_t i = 0; i < 10; ++i)
    CHECK(*paper->arms[i].minimum == Approx(-0.1 * static_cast<double>(i)).epsilon(1e-15));
}

TEST_CASE("recorded curves by hand: values, bounds, the end of a curve and the longest budget") {
  const std::string file = "arm,loss\nb,9\nb,8\nb,6\na,4\na,1\n";
  const test::Given given{{"file", test::input_text(file)}};
  auto common = given;
  common.emplace_back("scale", text("common"));
  common.emplace_back("factor", 0.5);
  common.emplace_back("past_end", text("hold"));
  const auto own = test::arms("curves", given, 1, 3), all = test::arms("curves", common, 1, 50);
  CHECK(own->arms[0].minimum == 6.0);
  CHECK(own->arms[1].minimum == 1.0);
  CHECK(own->arms[0].certificate == Certificate::guess);
  const double root2 = std::sqrt(2.0), root3 = std::sqrt(3.0);
  check_steps(*own->arms[1].start(0), {{4, 8}, {1, 8 / root2}});
  check_steps(*own->arms[0].start(0), {{9, 18}, {8, 18 / root2}, {6, 18 / root3}});
  check_steps(*all->arms[1].start(0), {{4, 4.5}, {1, 4.5 / root2}, {1, 4.5 / root3}, {1, 2.25}});
  // T pulls of 2 arms can include T - 1 of arm a, which has 2.
  CHECK(test::complaint([&] { test::arms("curves", given, 1, 3); }).empty());
  CHECK(test::complaint([&] { test::arms("curves", given, 1, 4); })
            .find("arm a has 2 recorded pulls, but 4 pulls of 2 arms can include 3 of it; allowed: "
                  "at most 3 pulls") == 0);
}

TEST_CASE(
    "digit arms: split, batches, He's weights and Adam by the documented streams, literally") {
  // Softmax regression on 7 images of 2 pixels: 2 for validation, 5 for training in batches of 2,
  // the fifth of each pass left out, or of 1.
  const std::vector<Numbers> pixels{{9, 1}, {1, 9}, {8, 2}, {2, 8}, {9, 0}, {0, 7}, {5, 4}};
  const std::vector<std::size_t> labels{0, 1, 0, 1, 0, 1, 0};
  std::string file;
  for (std::size_t i = 0; i < 7; ++i)
    file += fmt::format("{},{},{}\n", pixels[i][0], pixels[i][1], labels[i]);
  for (const std::size_t batch : {2U, 1U}) {
    const auto set = test::arms("digits",
                                {{"file", test::input_text(file)},
                                 {"models", text("softmax@0.05")},
                                 {"updates", std::int64_t{3}},
                                 {"batch", static_cast<std::int64_t>(batch)},
                                 {"validation", 0.3},
                                 {"factor", 1.5}},
                                2,
                                10);
    REQUIRE(set->size() == 1);
    CHECK(set->arms[0].certificate == Certificate::guess);
    CHECK_FALSE(set->arms[0].minimum);
    for (const std::uint32_t instance : {0U, 2U}) {
      const std::string name = instance == 0 ? "softmax@0.05" : "softmax@0.05/copy-2";
      const auto shuffle = [](std::vector<std::size_t>& items,
                              UniformStream& stream,
                              std::uint64_t first) {
        for (std::size_t i = items.size(); i > 1; --i)
          std::swap(items[i - 1],
                    items[static_cast<std::size_t>(stream.at(first++) * static_cast<double>(i))]);
      };
      std::vector<std::size_t> order(7);
      std::iota(order.begin(), order.end(), std::size_t{0});
      UniformStream split(stream_key(Seed{2}, "image-split", "arms"));
      shuffle(order, split, 0);
      const std::vector<std::size_t> validation(order.begin(), order.begin() + 2);
      std::vector<std::size_t> training(order.begin() + 2, order.end());
      // Weights by column: w[c + 2 p] for class c and pixel p, then the biases of both classes.
      Numbers w(6), m(6), v(6);
      DrawEngine normals(stream_key(Seed{2}, "network", name), 0);
      for (std::size_t j = 0; j < 4; ++j) w[j] = draw_normal(normals);  // sd sqrt(2/2)
      const auto shares = [&](std::size_t image) {
        const double x = pixels[image][0] / 9, y = pixels[image][1] / 9;
        const double up = std::exp(w[0] * x + w[2] * y + w[4]);
        const double down = std::exp(w[1] * x + w[3] * y + w[5]);
        return std::pair{up / (up + down), down / (up + down)};
      };
      UniformStream batches(stream_key(Seed{2}, "batches", name));
      std::uint64_t passes = 0;
      std::size_t next = 5;
      const auto run = set->arms[0].start(instance);
      double scale = 0;
      int updates = 0;
      for (int k = 1; k <= 4; ++k) {
        for (int update = 0; update < 3; ++update) {
          if (5 - next < batch) {
            shuffle(training, batches, 5 * passes++);
            next = 0;
          }
          Numbers g(6);
          for (std::size_t i = 0; i < batch; ++i) {
            const std::size_t image = training[next++];
            const auto [up, down] = shares(image);
            const double first = (up - (labels[image] == 0 ? 1 : 0)) / static_cast<double>(batch);
            const double second =
                (down - (labels[image] == 1 ? 1 : 0)) / static_cast<double>(batch);
            const double x = pixels[image][0] / 9, y = pixels[image][1] / 9;
            const double slopes[] = {first * x, second * x, first * y, second * y, first, second};
            for (std::size_t j = 0; j < 6; ++j) g[j] += slopes[j];
          }
          ++updates;
          for (std::size_t j = 0; j < 6; ++j) {
            m[j] = 0.9 * m[j] + 0.1 * g[j];
            v[j] = 0.999 * v[j] + 0.001 * g[j] * g[j];
            w[j] -= 0.05 * m[j] / (1 - std::pow(0.9, updates)) /
                    (std::sqrt(v[j] / (1 - std::pow(0.999, updates))) + 1e-8);
          }
        }
        double loss = 0;
        for (const std::size_t image : validation) {
          const auto [up, down] = shares(image);
          loss -= std::log(labels[image] == 0 ? up : down) / 2;
        }
        if (k == 1) scale = 1.5 * loss;
        run->step();
        CHECK(run->value() == Approx(loss).epsilon(1e-10));
        CHECK(run->bound() == Approx(scale / std::sqrt(k)).epsilon(1e-10));
      }
    }
  }
}

TEST_CASE("a training that diverges has a large finite value, which ranks it last") {
  const auto set = test::arms("digits",
                              {{"file", test::input_text("9,1,0\n1,9,1\n8,2,0\n2,8,1\n")},
                               {"models", text("softmax@1e308")},
                               {"batch", std::int64_t{2}}},
                              2,
                              10);
  check_steps(*set->arms[0].start(0), {{1e300, 2e300}, {1e300, 2e300 / std::sqrt(2.0)}});
}

}  // namespace test_arms_by_hand
