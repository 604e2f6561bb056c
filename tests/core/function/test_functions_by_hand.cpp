// SPDX-License-Identifier: Apache-2.0
// Functions, sets, networks and Adam against numbers worked out by hand, or with mpmath at 40
// digits where roots and logarithms are needed.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/function/empirical_risk.hpp"
#include "core/function/feasible_set.hpp"
#include "core/function/neural_network.hpp"
#include "core/function/plane_minimum.hpp"
#include "core/function/risk_minimum.hpp"
#include "core/function/synthetic_functions.hpp"

namespace test_functions_by_hand {

using namespace posse;

namespace {

Vector vector_of(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

void check_equal(const Vector& found, std::initializer_list<double> expected) {
  const Vector wanted = vector_of(expected);
  REQUIRE(found.size() == wanted.size());
  for (Eigen::Index j = 0; j < wanted.size(); ++j) {
    INFO("entry " << j);
    CHECK(found[j] == Approx(wanted[j]).epsilon(1e-14).margin(1e-15));
  }
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Rows (1, 2), (0, -1), (3, 1), targets 1, -1, 2; signs: 1, -1, -1.
std::shared_ptr<RegressionData> small_data(bool signs) {
  auto data = std::make_shared<RegressionData>();
  data->rows.resize(3, 2);
  data->rows << 1, 2, 0, -1, 3, 1;
  data->targets = signs ? vector_of({1, -1, -1}) : vector_of({1, -1, 2});
  return data;
}

EmpiricalRisk risk_of(const std::shared_ptr<RegressionData>& data,
                      const RiskOptions& options,
                      const FeasibleSet& set) {
  return EmpiricalRisk(data, spectrum_of(*data), options, set);
}

}  // namespace

TEST_CASE("a smooth cone by hand: value, gradient, L, M, mu and minimum") {
  // x - x* = (1, 3, -2): 1 + (x - x*)' S (x - x*) = 1 + 0.5 + 36 + 1.
  const Vector diagonal = vector_of({0.5, 4, 0.25}), centre = vector_of({1, -2, 0.5});
  const Vector x = vector_of({2, 1, -1.5});
  const SmoothCone plain(0.75, diagonal, centre), strong(0.75, diagonal, centre, 0.3);
  Vector gradient(3);
  CHECK(plain.value(x) == Approx(-0.25 + std::sqrt(38.5)).epsilon(1e-15));
  CHECK(plain.value_and_subgradient(x, gradient) == Approx(5.9548368229954283).epsilon(1e-15));
  check_equal(gradient, {0.08058229640253803, 1.9339751136609127, -0.08058229640253803});
  CHECK(strong.value(x) == Approx(8.0548368229954283).epsilon(1e-15));  // + 0.15 · 14
  CHECK(strong.value_and_subgradient(x, gradient) == Approx(8.0548368229954283).epsilon(1e-15));
  check_equal(gradient, {0.38058229640253803, 2.8339751136609127, -0.68058229640253803});
  const SmoothCone unit(0.75, diagonal, centre, 1);
  CHECK(unit.value_and_subgradient(x, gradient) == Approx(12.9548368229954283).epsilon(1e-15));
  check_equal(gradient, {1.08058229640253803, 4.9339751136609127, -2.0805822964025380});
  CHECK(plain.smoothness() == 4.0);
  CHECK(strong.smoothness() == 4.3);
  CHECK(plain.lipschitz() == 2.0);
  CHECK(strong.lipschitz() == std::nullopt);
  CHECK(plain.strong_convexity() == 0);
  CHECK(strong.strong_convexity() == 0.3);
  CHECK(plain.minimum() == 0.75);
  CHECK(plain.value(centre) == 0.75);
  CHECK(strong.value(centre) == 0.75);
}

TEST_CASE("planes by hand: the largest one, the first of equal ones, the largest row") {
  PiecewiseLinear::Matrix slopes(3, 2);
  slopes << 1, 2, 3, -1, -2, 0.5;
  const PiecewiseLinear f(slopes, vector_of({0.5, -1, 2}), 0.25, -7.0);
  Vector gradient(2);
  // At (1, 1): 3.5, 1, 0.5. At (1.5, 0.5): 3, 3, -0.75. At (-1, -1): -2.5, -3, 3.5.
  CHECK(f.value(vector_of({1, 1})) == 3.75);
  CHECK(f.value_and_subgradient(vector_of({1, 1}), gradient) == 3.75);
  check_equal(gradient, {1, 2});
  CHECK(f.value(vector_of({1.5, 0.5})) == 3.25);
  CHECK(f.value_and_subgradient(vector_of({1.5, 0.5}), gradient) == 3.25);
  check_equal(gradient, {1, 2});
  CHECK(f.value_and_subgradient(vector_of({2, 0}), gradient) == 5.25);
  check_equal(gradient, {3, -1});
  CHECK(f.value_and_subgradient(vector_of({-1, -1}), gradient) == 3.75);
  check_equal(gradient, {-2, 0.5});
  CHECK(f.lipschitz() == std::sqrt(10.0));
  CHECK(f.smoothness() == std::nullopt);
  CHECK(f.minimum() == -7.0);
}

TEST_CASE("the minimum of three planes over a box by hand, in the inside and on the border") {
  // max(x + y, x - y, -2x): 0 at the origin, all three planes active.
  PiecewiseLinear::Matrix slopes(3, 2);
  slopes << 1, 1, 1, -1, -2, 0;
  const auto inside = minimise_planes(slopes, vector_of({0, 0, 1}), -1, 1);
  CHECK(inside.value == Approx(1.0 / 3).epsilon(1e-12));  // x = 1/3, y = 0
  check_equal(inside.point, {1.0 / 3, 0});
  CHECK(std::abs(inside.gap) <= 1e-15);
  // x >= 1/2: x + |y| is the largest.
  const auto border = minimise_planes(slopes, vector_of({0, 0, 1}), 0.5, 1);
  CHECK(border.value == Approx(1).epsilon(1e-15));  // y >= 1/2, too
  check_equal(border.point, {0.5, 0.5});
}

TEST_CASE("sets by hand: centre, diameter, the farthest point, least linear values") {
  const auto space = FeasibleSet::space(3), box = FeasibleSet::box(3, -1, 2);
  const auto ball = FeasibleSet::l1_ball(3, 2), simplex = FeasibleSet::simplex(3, 2);
  check_equal(space.centre(), {0, 0, 0});
  check_equal(box.centre(), {0.5, 0.5, 0.5});
  check_equal(ball.centre(), {0, 0, 0});
  check_equal(simplex.centre(), {2.0 / 3, 2.0 / 3, 2.0 / 3});
  CHECK(space.diameter() == kInfinity);
  CHECK(box.diameter() == Approx(3 * std::sqrt(3.0)).epsilon(1e-15));
  CHECK(ball.diameter() == 4);
  CHECK(simplex.diameter() == Approx(2 * std::sqrt(2.0)).epsilon(1e-15));
  CHECK(FeasibleSet::simplex(1, 2).diameter() == 0);
  CHECK(FeasibleSet::simplex(2, 2).diameter() == Approx(2 * std::sqrt(2.0)).epsilon(1e-15));
  CHECK(space.largest_half_square(vector_of({0, 1, -1})) == kInfinity);
  CHECK(box.largest_half_square(vector_of({0, 1, -1})) == (4 + 4 + 9) / 2.0);
  CHECK(ball.largest_half_square(vector_of({0, 1, -0.5})) == (0.25 + 9) / 2);  // from (0, -2, 0)
  CHECK(simplex.largest_half_square(vector_of({0.5, 1.25, 0.25})) ==
        (0.25 + 1.25 * 1.25 + 1.75 * 1.75) / 2);  // from (0, 0, 2)
  CHECK_FALSE(space.bounded());
  for (const auto& set : {box, ball, simplex}) {
    CHECK(set.bounded());
    CHECK(set.dimension() == 3);
  }
  CHECK(simplex.is_simplex());
  CHECK_FALSE(ball.is_simplex());

  const Vector slope = vector_of({1, -3});
  CHECK(FeasibleSet::box(2, -1, 2).least_linear(slope, 0.5) == -0.5 - 5);          // at (-1, 2)
  CHECK(FeasibleSet::box(2, -1, 2).least_linear(vector_of({0.25, 0}), 0.5) == 0);  // at 0
  CHECK(FeasibleSet::box(2, 0.5, 2).least_linear(vector_of({1, -0.25}), 0.5) == 0.75 + 0.125);
  CHECK(FeasibleSet::box(2, -2, -0.5).least_linear(vector_of({-1, 0.25}), 0.5) == 0.75 + 0.125);
  CHECK(FeasibleSet::l1_ball(2, 1.5).least_linear(slope, 0.5) == -3.75);
  CHECK(FeasibleSet::l1_ball(2, 1.5).least_linear(slope, 4) == 0);
  CHECK(FeasibleSet::simplex(2, 2).least_linear(slope, 0.5) == -5);
  CHECK(FeasibleSet::space(2).least_linear(slope, 0.5) == -kInfinity);
}

TEST_CASE("projections by hand, with thresholds that leave two coordinates") {
  Vector x = vector_of({1.5, -1.25, 0.25});
  FeasibleSet::l1_ball(3, 2).project(x);  // (2.75 - 2)/2 = 0.375 is above 0.25
  check_equal(x, {1.125, -0.875, 0});
  x = vector_of({0.875, 0.625, -0.25});
  FeasibleSet::simplex(3, 1).project(x);  // (1.5 - 1)/2 = 0.25
  check_equal(x, {0.625, 0.375, 0});
  x = vector_of({0.125, 0.25, 0.125});
  FeasibleSet::l1_ball(3, 2).project(x);  // inside
  check_equal(x, {0.125, 0.25, 0.125});
  FeasibleSet::simplex(3, 2).project(x);  // 0.5 more for each
  check_equal(x, {0.625, 0.75, 0.625});
  x = vector_of({-3, 0.5, 3});
  FeasibleSet::box(3, -1, 2).project(x);
  check_equal(x, {-1, 0.5, 2});
  x = vector_of({3, 4});
  FeasibleSet::space(2).project_near(x, vector_of({0, 0}), 2);
  check_equal(x, {1.2, 1.6});
  x = vector_of({4, 5});  // in the ball around (1, 1) of radius 5
  FeasibleSet::space(2).project_near(x, vector_of({1, 1}), 5);
  check_equal(x, {4, 5});
}

TEST_CASE("membership is exact up to a slack in proportion to the set's size") {
  const auto box = FeasibleSet::box(2, -1, 3);  // size 4
  CHECK(box.contains(vector_of({3.5, 3.5}), 0.125));
  CHECK(box.contains(vector_of({-1.5, 0}), 0.125));
  CHECK_FALSE(box.contains(vector_of({3.5 + 1e-9, 0}), 0.125));
  CHECK_FALSE(box.contains(vector_of({0, -1.5 - 1e-9}), 0.125));
  const auto ball = FeasibleSet::l1_ball(2, 2);
  CHECK(ball.contains(vector_of({1.5, -0.75}), 0.125));
  CHECK_FALSE(ball.contains(vector_of({1.5, -0.75 - 1e-9}), 0.125));
  const auto simplex = FeasibleSet::simplex(2, 2);
  CHECK(simplex.contains(vector_of({1.5, 0.75}), 0.125));
  CHECK(simplex.contains(vector_of({2, -0.25}), 0.125));
  CHECK_FALSE(simplex.contains(vector_of({1.5, 0.75 + 1e-9}), 0.125));
  CHECK_FALSE(simplex.contains(vector_of({1.5, 0.25 - 1e-9}), 0.125));
  CHECK_FALSE(simplex.contains(vector_of({2.25, -0.25 - 1e-9}), 0.125));
  for (const auto& set : {box, ball, simplex, FeasibleSet::space(2)}) {
    CHECK_FALSE(set.contains(vector_of({1, std::nan("")})));
    CHECK_FALSE(set.contains(vector_of({1, 1, 0})));
    CHECK(set.contains(vector_of({1, 1})));
  }
}

TEST_CASE("empirical risks by hand: value and subgradient of each loss, with l1 and l2") {
  const Vector x = vector_of({0.5, -0.25});  // predictions 0, 0.25, 1.25
  const auto set = FeasibleSet::box(2, -1, 2);
  const auto check = [&](RiskOptions options,
                         double value,
                         std::initializer_list<double> gradient,
                         double with_both,
                         std::initializer_list<double> both) {
    const auto data = small_data(options.loss == Loss::logistic);
    Vector found(2);
    const auto plain = risk_of(data, options, set);
    CHECK(plain.value(x) == Approx(value).epsilon(1e-15));
    CHECK(plain.value_and_subgradient(x, found) == Approx(value).epsilon(1e-15));
    check_equal(found, gradient);
    options.l1 = 0.1;
    options.l2 = 0.2;  // + 0.2 · 0.3125/2 + 0.1 · 0.75
    const auto risk = risk_of(data, options, set);
    CHECK(risk.value(x) == Approx(with_both).epsilon(1e-15));
    CHECK(risk.value_and_subgradient(x, found) == Approx(with_both).epsilon(1e-15));
    check_equal(found, both);
    CHECK(risk.smooth_part(x, found) == Approx(with_both - 0.075).epsilon(1e-15));
    check_equal(found, {*both.begin() - 0.1, *(both.begin() + 1) + 0.1});
  };
  // Residuals -1, 1.25, -0.75.
  check({Loss::squares},
        3.125 / 6,
        {-13.0 / 12, -4.0 / 3},
        0.62708333333333333,
        {-0.88333333333333333, -1.4833333333333333});
  check({Loss::absolute},
        1,
        {-4.0 / 3, -4.0 / 3},
        1.10625,
        {-1.1333333333333333, -1.4833333333333333});
  check({Loss::huber, 0, 0, 0.8},
        0.48041666666666667,
        {-3.05 / 3, -3.15 / 3},
        0.58666666666666667,
        {-0.81666666666666667, -1.2});
  check({Loss::huber, 0, 0, 1},
        (0.5 + 0.75 + 0.28125) / 3,
        {-3.25 / 3, -3.75 / 3},
        (0.5 + 0.75 + 0.28125) / 3 + 0.10625,
        {-3.25 / 3 + 0.2, -1.4});
  check({Loss::logistic},
        1.0070052272613873,
        {0.61063319450802448, -0.26162554657036899},
        1.1132552272613873,
        {0.81063319450802448, -0.41162554657036899});
}

TEST_CASE("subgradients at kinks: 0 for a residual of 0 and for the l1 norm of a coordinate of 0") {
  auto data = std::make_shared<RegressionData>();
  data->rows.resize(2, 2);
  data->rows << 1, 1, 2, -1;
  data->targets = vector_of({1, 5});
  const auto set = FeasibleSet::box(2, -1, 2);
  Vector gradient(2);
  // Residuals 0 and -3.
  const auto risk = risk_of(data, {Loss::absolute, 0.25}, set);
  CHECK(risk.value_and_subgradient(vector_of({1, 0}), gradient) == 1.75);
  check_equal(gradient, {-1 + 0.25, 0.5});
}

TEST_CASE("constants of risks by hand: eigenvalues, L, mu and M on a box and without bounds") {
  const auto data = small_data(false);
  const Spectrum s = spectrum_of(*data);  // A'A = (10 5; 5 6), eigenvalues 8 ± sqrt 29
  CHECK(s.largest == Approx(4.461721602378168).epsilon(1e-14));
  CHECK(s.smallest == Approx(0.87161173095516532).epsilon(1e-10));
  CHECK(s.smallest <= 0.87161173095516532);  // a safe mu
  CHECK(s.mean_norm == Approx(2.132781879222723).epsilon(1e-14));
  CHECK(s.correlation == Approx(2.8674417556808756).epsilon(1e-14));
  const auto box = FeasibleSet::box(2, -1, 2);  // max |x| = 2 sqrt2
  const auto space = FeasibleSet::space(2);
  const auto m = [&](RiskOptions options, const FeasibleSet& set) {
    return risk_of(data, options, set).lipschitz();
  };
  CHECK(*m({Loss::squares, 0.1, 0.2}, box) == Approx(16.194202940099869).epsilon(1e-14));
  CHECK(*m({Loss::absolute, 0.1, 0.2}, box) == Approx(2.8193855512304468).epsilon(1e-14));
  CHECK(*m({Loss::logistic, 0.1, 0.2}, box) == Approx(2.8193855512304468).epsilon(1e-14));
  CHECK(*m({Loss::huber, 0.1, 0.2, 0.8}, box) == Approx(2.396929797221667).epsilon(1e-14));
  CHECK(*m({Loss::absolute, 0.1, 0}, space) ==
        Approx(std::sqrt(4.461721602378168) + 0.1 * std::sqrt(2.0)).epsilon(1e-14));
  CHECK_FALSE(m({Loss::squares}, space));
  CHECK_FALSE(m({Loss::absolute, 0, 0.2}, space));
  // One feature 1, 3: mean |a| = 2 is less than sqrt lambda = sqrt 5.
  auto one = std::make_shared<RegressionData>();
  one->rows.resize(2, 1);
  one->rows << 1, 3;
  one->targets = vector_of({1, -1});
  CHECK(*risk_of(one, {Loss::absolute}, FeasibleSet::space(1)).lipschitz() == 2);
  for (const Loss loss : {Loss::squares, Loss::huber, Loss::logistic, Loss::absolute}) {
    const auto risk = risk_of(data, {loss, 0, 0.2}, box);
    CHECK(risk.strong_convexity() ==
          Approx(loss == Loss::squares ? 1.07161173095516532 : 0.2).epsilon(1e-10));
    if (loss == Loss::absolute)
      CHECK_FALSE(risk.smoothness());
    else
      CHECK(*risk.smoothness() ==
            Approx(4.461721602378168 * (loss == Loss::logistic ? 0.25 : 1) + 0.2).epsilon(1e-14));
    CHECK_FALSE(risk_of(data, {loss, 0.1, 0.2}, box).smoothness());
    CHECK(risk.gradient_cost() == 12);
  }
}

TEST_CASE("certificates by hand: Frank and Wolfe's on sets, the shortest subgradient's elsewhere") {
  auto data = std::make_shared<RegressionData>();  // F = ((x - 1)^2 + (x - 3)^2)/4
  data->rows.resize(2, 1);
  data->rows << 1, 1;
  data->targets = vector_of({1, 3});
  const auto gap = [&](double l1, double l2, const FeasibleSet& set, double x) {
    return certified_gap(risk_of(data, {Loss::squares, l1, l2}, set), set, vector_of({x}));
  };
  const auto box = FeasibleSet::box(1, -1, 1), space = FeasibleSet::space(1);
  // At 1/2 the slope is -3/2; at the far end 1: -3/2 (1/2 - 1).
  CHECK(gap(0, 0, box, 0.5) == Approx(0.75).epsilon(1e-14));
  CHECK(gap(0.4, 0, box, 0.5) == Approx(0.55).epsilon(1e-14));
  CHECK(gap(0, 0, box, 1) == 0);
  CHECK(gap(0, 0, space, 0.5) == Approx(1.125).epsilon(1e-11));     // (3/2)^2/2, mu = 1
  CHECK(gap(0.4, 0, space, 0.5) == Approx(0.605).epsilon(1e-11));   // 1.1^2/2
  CHECK(gap(0.4, 0, space, -0.5) == Approx(4.205).epsilon(1e-11));  // 2.9^2/2
  CHECK(gap(0.4, 0, space, 0) == Approx(1.28).epsilon(1e-11));      // 1.6^2/2
  CHECK(gap(0, 1, space, 0.5) == Approx(0.25).epsilon(1e-11));      // 1^2/4, mu = 2
  // Logistic, mu = 0: |s| <= F(0)/l1 = log 2/0.2; the slope at 0 is -1/2 · (1 + 0)/1.
  auto signs = std::make_shared<RegressionData>();
  signs->rows.resize(1, 1);
  signs->rows << 1;
  signs->targets = vector_of({1});
  CHECK(certified_gap(risk_of(signs, {Loss::logistic, 0.2}, space), space, vector_of({0})) ==
        Approx(std::log(2.0) / 0.2 * 0.3).epsilon(1e-14));
  // The slope at 1: -1/(1 + e).
  CHECK(certified_gap(risk_of(signs, {Loss::logistic, 0.2}, space), space, vector_of({1})) ==
        Approx((std::log(2.0) / 0.2 - 1) * (1 / (1 + std::exp(1.0)) - 0.2)).epsilon(1e-13));
  CHECK(certified_gap(risk_of(signs, {Loss::logistic}, space), space, vector_of({0})) == kInfinity);
  CHECK(certified_gap(risk_of(signs, {Loss::absolute}, box), box, vector_of({0})) == kInfinity);
  // Minima: at 1 on the box, at 2 - 0.4 with l1, at 2/(1 + 1) with l2.
  const auto least = [&](double l1, double l2, const FeasibleSet& set) {
    const auto found = minimise_risk(risk_of(data, {Loss::squares, l1, l2}, set), set);
    REQUIRE(found);
    return std::pair{found->point[0], found->value};
  };
  CHECK(least(0, 0, box).first == Approx(1).epsilon(1e-9));
  CHECK(least(0, 0, box).second == Approx(1).epsilon(1e-9));
  CHECK(least(0, 0, space).first == Approx(2).epsilon(1e-14));
  CHECK(least(0, 0, space).second == Approx(0.5).epsilon(1e-14));
  CHECK(least(0.4, 0, space).first == Approx(1.6).epsilon(1e-5));
  CHECK(least(0.4, 0, space).second == Approx(0.58 + 0.64).epsilon(1e-9));
  CHECK(least(0, 1, space).first == Approx(1).epsilon(1e-14));
  CHECK(least(0, 1, space).second == Approx(1.5).epsilon(1e-14));
}

TEST_CASE("a small network by hand: loss, gradient and accuracy") {
  // Layer 1: (0.5 -1; 0.25 0.75), biases 0.1, -0.2; layer 2: (1 -0.5; -0.25 2), biases 0.3, -0.1.
  // The gradient comes from difference quotients with 40 digits.
  NeuralNetwork network({2, 2, 2}, StreamKey{1});
  network.weights() = vector_of({0.5, 0.25, -1, 0.75, 0.1, -0.2, 1, -0.25, -0.5, 2, 0.3, -0.1});
  Eigen::MatrixXd inputs(2, 2);
  inputs << 1, -1, 0.5, 2;  // columns (1, 0.5) and (-1, 2)
  const std::vector<std::uint16_t> labels{0, 1};
  CHECK(network.loss(inputs, labels) == Approx(0.55010068297903949).epsilon(1e-14));
  Vector gradient;
  CHECK(network.loss_and_gradient(inputs, labels, gradient) ==
        Approx(0.55010068297903949).epsilon(1e-14));
  check_equal(gradient,
              {-0.39451916413525033,
               0.91094812457149133,
               -0.19725958206762516,
               0.15069957153326898,
               -0.39451916413525033,
               0.66712853196950998,
               -0.031561533130820026,
               0.031561533130820026,
               -0.082934401359569029,
               0.082934401359569029,
               -0.26685141278780399,
               0.26685141278780399});
  // Outputs (0.1875, 0.7) and (-0.225, 2): class 1 both times.
  CHECK(network.accuracy(inputs, labels) == 0.5);
  CHECK(network.accuracy(inputs, std::vector<std::uint16_t>{1, 1}) == 1);
}

TEST_CASE("Adam by hand: three steps of two weights, with mpmath") {
  Adam adam(2, 0.1);
  Vector weights = vector_of({1, -2});
  adam.step(vector_of({3, -0.5}), weights);
  check_equal(weights, {0.90000000033333333, -1.900000002});
  adam.step(vector_of({-1, 0.25}), weights);
  check_equal(weights, {0.8599781433169096, -1.8733662987078462});
  adam.step(vector_of({0.5, 2}), weights);
  check_equal(weights, {0.8194356031863307, -1.9293561477010671});
}

}  // namespace test_functions_by_hand
