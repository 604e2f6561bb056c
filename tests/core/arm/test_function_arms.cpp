// SPDX-License-Identifier: Apache-2.0
#include <Eigen/LU>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/arm/function_arms.hpp"
#include "core/function/empirical_risk.hpp"
#include "core/function/risk_minimum.hpp"
#include "core/random/stream.hpp"
#include "tests/support/arms.hpp"

namespace test_function_arms {

using namespace posse;

namespace {

std::string text(std::string_view s) { return std::string(s); }

/// n rows of d features, uniform on [-2, 2]; targets near a linear function, or signs.
std::shared_ptr<RegressionData> some_data(std::uint64_t trial,
                                          Eigen::Index n,
                                          Eigen::Index d,
                                          bool signs = false) {
  DrawEngine draws(stream_key(Seed{trial}, "test", "data"), 0);
  auto data = std::make_shared<RegressionData>();
  data->rows.resize(n, d);
  data->targets.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    double y = 0;
    for (Eigen::Index j = 0; j < d; ++j) {
      data->rows(i, j) = 4 * draws.uniform() - 2;
      y += data->rows(i, j) / static_cast<double>(j + 1);
    }
    y += 2 * draws.uniform() - 1;
    data->targets[i] = signs ? (y > 0 ? 1 : -1) : y;
  }
  return data;
}

EmpiricalRisk make_risk(const std::shared_ptr<RegressionData>& data,
                        const RiskOptions& options,
                        const FeasibleSet& set) {
  return EmpiricalRisk(data, spectrum_of(*data), options, set);
}

std::string csv_of(const RegressionData& data) {
  std::string csv;
  for (Eigen::Index j = 0; j < data.rows.cols(); ++j) csv += fmt::format("x{},", j + 1);
  csv += "y\n";
  for (Eigen::Index i = 0; i < data.rows.rows(); ++i) {
    for (Eigen::Index j = 0; j < data.rows.cols(); ++j) csv += fmt::format("{},", data.rows(i, j));
    csv += fmt::format("{}\n", data.targets[i]);
  }
  return csv;
}

constexpr Loss kLosses[] = {Loss::squares, Loss::logistic, Loss::huber, Loss::absolute};

/// The smallest value on a grid of a set in the plane, refined around its best point.
double grid_minimum(const EmpiricalRisk& risk, const FeasibleSet& set) {
  Vector best = set.centre();
  double least = risk.value(best);
  for (double width = 8; width > 1e-9; width /= 4) {
    const Vector middle = best;
    for (int i = -12; i <= 12; ++i)
      for (int j = -12; j <= 12; ++j) {
        Vector x(2);
        x << middle[0] + width * i / 12, middle[1] + width * j / 12;
        set.project(x);
        const double value = risk.value(x);
        if (value < least) {
          least = value;
          best = x;
        }
      }
  }
  return least;
}

}  // namespace

TEST_CASE("values and gradients of the losses equal their formulas and difference quotients") {
  for (std::uint64_t trial = 0; trial < 40; ++trial)
    for (const Loss loss : kLosses) {
      const auto data = some_data(trial, 7, 3, loss == Loss::logistic);
      const auto set = FeasibleSet::box(3, -3, 3);
      const RiskOptions options{loss, trial % 2 == 0 ? 0 : 0.3, trial % 3 == 0 ? 0 : 0.4, 0.8};
      const auto risk = make_risk(data, options, set);
      DrawEngine draws(stream_key(Seed{trial}, "test", "x"), 0);
      Vector x(3), gradient(3);
      for (auto& v : x) v = 6 * draws.uniform() - 3;
      double value = 0;
      for (Eigen::Index i = 0; i < 7; ++i) {
        const double z = data->rows.row(i).dot(x), y = data->targets[i], r = z - y;
        value += loss == Loss::squares    ? r * r / 2
                 : loss == Loss::absolute ? std::abs(r)
                 : loss == Loss::logistic ? std::log(1 + std::exp(-y * z))
                 : std::abs(r) <= 0.8     ? r * r / 2
                                          : 0.8 * std::abs(r) - 0.32;
      }
      value = value / 7 + options.l2 / 2 * x.squaredNorm() + options.l1 * x.lpNorm<1>();
      CHECK(risk.value(x) == Approx(value).epsilon(1e-12));
      CHECK(risk.value_and_subgradient(x, gradient) == Approx(value).epsilon(1e-12));
      for (Eigen::Index j = 0; j < 3; ++j) {
        Vector up = x, down = x;
        up[j] += 1e-6;
        down[j] -= 1e-6;
        CHECK(gradient[j] == Approx((risk.value(up) - risk.value(down)) / 2e-6).margin(1e-7));
      }
      CHECK(gradient.norm() <= *risk.lipschitz());
    }
}

TEST_CASE(
    "L and mu of two features equal the quadratic formula's, with more features than rows mu is "
    "0") {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const auto data = some_data(trial, 9, 2);
    const auto& a = data->rows;
    const double p = a.col(0).squaredNorm() / 9, q = a.col(1).squaredNorm() / 9,
                 r = a.col(0).dot(a.col(1)) / 9;
    const double middle = (p + q) / 2, root = std::sqrt((p - q) * (p - q) / 4 + r * r);
    const auto s = spectrum_of(*data);
    CHECK(s.largest == Approx(middle + root).epsilon(1e-12));
    CHECK(s.smallest == Approx(middle - root).epsilon(1e-10));
    const auto set = FeasibleSet::space(2);
    CHECK(*make_risk(data, {Loss::squares, 0, 0.5}, set).smoothness() ==
          Approx(middle + root + 0.5));
    CHECK(make_risk(data, {Loss::squares, 0, 0.5}, set).strong_convexity() ==
          Approx(middle - root + 0.5));
    CHECK(*make_risk(data, {Loss::huber, 0, 0}, set).smoothness() == Approx(middle + root));
  }
  const auto wide = some_data(1, 2, 5);
  CHECK(spectrum_of(*wide).smallest == 0);
  // By power iteration.
  const Eigen::MatrixXd square = wide->rows.transpose() * wide->rows / 2;
  Vector v = Vector::Ones(5);
  for (int k = 0; k < 2000; ++k) v = (square * v).normalized();
  CHECK(spectrum_of(*wide).largest == Approx(v.dot(square * v)));
}

TEST_CASE("changes of gradients are at most L and at least mu times the distance") {
  for (std::uint64_t trial = 0; trial < 60; ++trial)
    for (const Loss loss : {Loss::squares, Loss::logistic, Loss::huber}) {
      const auto data = some_data(trial, 8, 3, loss == Loss::logistic);
      const auto risk = make_risk(data, {loss, 0, 0.1, 0.5}, FeasibleSet::space(3));
      DrawEngine draws(stream_key(Seed{trial}, "test", "xy"), 0);
      Vector x(3), y(3), gx(3), gy(3);
      for (auto& v : x) v = 4 * draws.uniform() - 2;
      for (auto& v : y) v = 4 * draws.uniform() - 2;
      risk.value_and_subgradient(x, gx);
      risk.value_and_subgradient(y, gy);
      CHECK((gx - gy).norm() <= *risk.smoothness() * (x - y).norm() * (1 + 1e-12));
      CHECK((gx - gy).dot(x - y) >= risk.strong_convexity() * (x - y).squaredNorm() * (1 - 1e-12));
    }
}

TEST_CASE("certified minima equal closed forms, and those of grids in the plane", "[long]") {
  for (std::uint64_t trial = 0; trial < 30; ++trial) {
    // One feature: the lasso is a soft threshold, ridge a ratio.
    const auto one = some_data(trial, 6, 1);
    const double aa = one->rows.squaredNorm() / 6, ay = one->rows.col(0).dot(one->targets) / 6;
    const auto line = FeasibleSet::space(1);
    const auto lasso = make_risk(one, {Loss::squares, 0.4, 0}, line);
    const double x = std::copysign(std::max(std::abs(ay) - 0.4, 0.0), ay) / aa;
    const auto found = minimise_risk(lasso, line);
    REQUIRE(found);
    CHECK(found->point[0] == Approx(x).margin(1e-6));
    CHECK(found->value == Approx(lasso.value(Vector::Constant(1, x))).epsilon(1e-9));
    const auto ridge = minimise_risk(make_risk(one, {Loss::squares, 0, 0.7}, line), line);
    REQUIRE(ridge);
    CHECK(ridge->point[0] == Approx(ay / (aa + 0.7)).epsilon(1e-6));

    for (const Loss loss : {Loss::squares, Loss::logistic, Loss::huber}) {
      const auto data = some_data(trial, 12, 2, loss == Loss::logistic);
      for (const auto& set : {FeasibleSet::box(2, -0.3, 0.6),
                              FeasibleSet::l1_ball(2, 0.7),
                              FeasibleSet::simplex(2, 1),
                              FeasibleSet::space(2)}) {
        const double l1 = trial % 2 == 0 ? 0.1 : 0, l2 = trial % 2 == 0 ? 0 : 0.2;
        const auto risk = make_risk(data, {loss, l1, l2, 0.5}, set);
        const auto least = minimise_risk(risk, set);
        REQUIRE(least);
        CHECK(least->gap <= 1e-9 * (1 + std::abs(least->value)));
        CHECK(set.contains(least->point, 1e-9));
        const double grid = grid_minimum(risk, set);
        CHECK(least->value - least->gap <= grid + 1e-12);
        CHECK(grid <= least->value + 1e-3);  // a simplex has little grid
      }
    }
  }
}

TEST_CASE("least squares has its minimum without l2 too, with columns that depend on each other") {
  for (std::uint64_t trial = 0; trial < 20; ++trial) {
    const auto space = FeasibleSet::space(3);
    auto data = some_data(trial, 8, 3);
    data->rows.col(2) = 1e5 * (data->rows.col(0) - 2 * data->rows.col(1));
    const auto least = minimise_risk(make_risk(data, {}, space), space);
    REQUIRE(least);
    // The third column adds nothing: the normal equations of the first two.
    const Eigen::MatrixXd a = data->rows.leftCols(2);
    const Eigen::Matrix2d gram = a.transpose() * a;
    const Vector x = gram.inverse() * (a.transpose() * data->targets);
    CHECK(least->value == Approx((a * x - data->targets).squaredNorm() / 16).epsilon(1e-9));
    // Fewer rows than features: the fit is perfect.
    const auto wide = some_data(trial, 2, 3);
    const auto perfect = minimise_risk(make_risk(wide, {}, space), space);
    REQUIRE(perfect);
    CHECK(perfect->value == Approx(0).margin(1e-12));
  }
}

TEST_CASE("a certificate is at least the gain of any better point") {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    const auto data = some_data(trial, 10, 3);
    for (const auto& set :
         {FeasibleSet::box(3, -1, 1), FeasibleSet::l1_ball(3, 1), FeasibleSet::space(3)}) {
      const auto risk = make_risk(data, {Loss::squares, 0.2, 0.1}, set);
      const auto least = minimise_risk(risk, set);
      REQUIRE(least);
      DrawEngine draws(stream_key(Seed{trial}, "test", "x"), 0);
      Vector x(3);
      for (auto& v : x) v = 4 * draws.uniform() - 2;
      set.project(x);
      CHECK(certified_gap(risk, set, x) >= risk.value(x) - least->value);
    }
  }
}

TEST_CASE("no minimum is claimed without a certificate") {
  const auto data = some_data(1, 5, 2, true);
  const auto space = FeasibleSet::space(2);
  CHECK_FALSE(minimise_risk(make_risk(data, {Loss::absolute, 0, 0}, space), space));
  CHECK_FALSE(minimise_risk(make_risk(data, {Loss::logistic, 0, 0}, space), space));
}

TEST_CASE("optimizers on a user's function: bounds are valid, and values are above the minimum") {
  const auto data = some_data(5, 30, 4);
  const auto signs = some_data(5, 30, 4, true);
  struct Case {
    const char *functions, *set, *optimizers;
    double l1, l2;
  };
  const std::vector<Case> cases{
      {"least-squares", "space", "agd, agd-strong, ac-sa, clipped-sstm-theory", 0, 0.1},
      {"logistic", "space", "agd, agd-strong, ac-sa-strong, r-clipped-sstm-theory", 0, 0.1},
      {"least-squares", "box", "pgd, pgd-horizon, pgd-strong, triple-averaging, ac-sa", 0, 0},
      {"least-squares", "l1-ball", "pgd, triple-averaging, ac-sa", 0.1, 0},
      {"huber", "simplex", "pgd, triple-averaging, ac-sa", 0, 0},
      {"logistic", "box", "pgd, pgd-strong, ac-sa", 0.05, 0.1},
      {"huber", "space", "pgd, agd", 0, 0}};
  for (const auto& c : cases) {
    const bool logistic = text(c.functions) == "logistic";
    test::Given given{{"file", test::input_text(csv_of(logistic ? *signs : *data))},
                      {"functions", text(c.functions)},
                      {"optimizers", text(c.optimizers)},
                      {"set", text(c.set)},
                      {"l1", std::vector<double>{c.l1}},
                      {"l2", std::vector<double>{c.l2}}};
    const bool unknown = text(c.functions) == "huber" && text(c.set) == "space";
    if (unknown) {
      CHECK(test::complaint([&] {
              test::family("functions", given);
            }).find("the minimiser is not known") == 0);
      given.emplace_back("radius", text("given"));
      given.emplace_back("given_radius", 5.0);
    }
    const auto set = test::arms("functions", given, 1, 400);
    for (const auto& arm : set->arms) {
      INFO(c.functions << " on " << c.set << ": " << arm.name);
      CHECK(arm.minimum.has_value() == !unknown);
      const auto run = arm.start(0);
      for (int k = 0; k < 400; ++k) {
        run->step();
        if (unknown) continue;
        REQUIRE(run->value() >= *arm.minimum - 1e-12);
        REQUIRE(run->value() - *arm.minimum <= run->bound() + 1e-8);
      }
    }
  }
}

TEST_CASE(
    "lists of arms: an option has one entry for all arms or one per arm, and names are distinct") {
  const auto data = csv_of(*some_data(2, 20, 3));
  const auto set = test::arms("functions",
                              {{"file", test::input_text(data)},
                               {"functions", text("least-squares")},
                               {"optimizers", text("agd")},
                               {"l2", std::vector<double>{0.1, 1, 10}}},
                              1,
                              10);
  REQUIRE(set->size() == 3);
  CHECK(set->arms[0].name == "least-squares-agd");
  CHECK(set->arms[2].name == "least-squares-agd.3");
  CHECK(*set->arms[0].minimum < *set->arms[1].minimum);
}

TEST_CASE("invalid data and settings are refused with the reason") {
  const std::string data = "a,b,y\n1,2,0\n2,1,1\n0,1,1\n";
  const auto complain = [&](test::Given given, std::string csv = "") {
    given.insert(given.begin(), {"file", test::input_text(csv.empty() ? data : csv)});
    return test::complaint([&] { test::family("functions", given); });
  };
  using List = std::vector<double>;
  CHECK(complain({}).empty());
  CHECK(complain({{"functions", text("logistic")}, {"l2", List{0.1}}}).empty());
  CHECK(complain({}, "a,y\n1,2\n1,x\n") == "line 3: y is 'x', not a finite number");
  CHECK(complain({}, "a,y\n1,nan\n").find("line 2: y is 'nan'") == 0);
  CHECK(complain({}, "a,y\n1,\n").find("line 2: y is missing") == 0);
  CHECK(complain({}, "a,y\n").find("the file has no rows") != std::string::npos);
  CHECK(complain({}, "y\n1\n").find("only one column") != std::string::npos);
  CHECK(complain({}, "a,y\n0,1\n0,2\n").find("positive, finite smoothness constant L") !=
        std::string::npos);
  CHECK(complain({}, "a,y\n1e300,1\n1,2\n").find("overflow") != std::string::npos);
  CHECK(complain({{"target", text("z")}}).find("no column 'z'; the columns are a, b, y") !=
        std::string::npos);
  CHECK(complain({{"l2", List{-1}}}).find("-1: the function would not be convex") == 0);
  CHECK(complain({{"l1", List{std::nan("")}}}).find("would not be convex") != std::string::npos);
  CHECK(complain({{"set", text("box")}, {"low", 1.0}, {"optimizers", text("pgd")}})
            .find("the box [1, 1] is empty or unbounded") == 0);
  CHECK(complain({{"set", text("simplex")}, {"start", List{2}}, {"optimizers", text("pgd")}}) ==
        "the start lies outside the feasible set");
  CHECK(complain({{"start", List{1, 2, 3}}}).find("3 numbers for 2 coordinates") == 0);
  CHECK(complain({{"optimizers", text("agd, adam")}}).find("'adam' is not a base optimizer") == 0);
  CHECK(complain({{"optimizers", text("agd,,pgd")}}).find("empty entry") != std::string::npos);
  CHECK(complain({{"optimizers", text("pgd")}}).find("bounded subgradients") != std::string::npos);
  CHECK(complain({{"functions", text("lasso")}}).find("'lasso' is not a function") == 0);
  CHECK(complain({{"l2", List{1, 2, 3}}}).find("2 entries for 3 arms") == 0);
  CHECK(complain({{"functions", text("logistic")}}, "a,y\n1,2\n2,1\n")
            .find("a target is 2; a logistic") == 0);
  CHECK(complain({{"radius", text("given")}}).find("is missing") == 0);
}

TEST_CASE("the distance is a small number above 0 where the feasible set is a single point") {
  // A simplex of one coordinate is its sum, 3: R = 1e-9 (1 + 3).
  const auto bound = [](test::Given more) {
    test::Given given{{"file", test::input_text("a,y\n1,2\n2,1\n0,1\n")},
                      {"set", text("simplex")},
                      {"size", 3.0},
                      {"optimizers", text("pgd")}};
    given.insert(given.end(), more.begin(), more.end());
    const auto set = test::arms("functions", given, 1, 5);
    const auto run = set->arms[0].start(0);
    run->step();
    return run->bound();
  };
  CHECK(bound({{"radius", text("given")}, {"given_radius", 4e-9}}) > 0);
  for (const auto* radius : {"diameter", "known"})
    CHECK(bound({{"radius", text(radius)}}) ==
          bound({{"radius", text("given")}, {"given_radius", 4e-9}}));
}

TEST_CASE("gradients have no noise unless asked for, and then noise of size 1") {
  const auto values = [](test::Given more) {
    test::Given given{{"file", test::input_text("a,b,y\n1,2,0\n2,1,1\n0,1,1\n")},
                      {"set", text("box")},
                      {"optimizers", text("ac-sa")}};
    given.insert(given.end(), more.begin(), more.end());
    const auto set = test::arms("functions", given, 1, 20);
    const auto run = set->arms[0].start(0);
    std::vector<double> all;
    for (int k = 0; k < 20; ++k) {
      run->step();
      all.push_back(run->value());
    }
    return all;
  };
  const auto noisy = values({{"noise", text("gaussian")}});
  CHECK(noisy == values({{"noise", text("gaussian")}, {"sigma", 1.0}}));
  CHECK(noisy != values({{"noise", text("gaussian")}, {"sigma", 1.5}}));
  CHECK(values({}) == values({{"noise", text("none")}}));
  CHECK(values({}) != noisy);
}

}  // namespace test_function_arms
