// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "core/arm/base_optimizers.hpp"
#include "core/arm/piecewise_linear_arms.hpp"
#include "core/base/csv.hpp"
#include "core/function/plane_minimum.hpp"
#include "core/random/stream.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/test_data.hpp"

namespace test_piecewise_linear_arms {

using namespace posse;

namespace {

// Of the published planes: |x*| of each arm, the largest norm of a row, the largest entry.
constexpr double kNorms[] = {4.34342630763, 3.90706122538, 3.63078897721};
constexpr double kRowNorms[] = {9.23707348883, 9.62770822699, 12.3215376284};
constexpr double kEntries[] = {4.86346500569, 5.13902302598, 5.84227901532};

Planes random_planes(std::uint64_t trial, Eigen::Index planes, Eigen::Index d) {
  return draw_planes({Seed{trial}, trial}, "f1", planes, d, 2);
}

double value(const Planes& p, const Vector& x) { return (p.slopes * x + p.offsets).maxCoeff(); }

/// The minimum over [-h, h]^2 by looking at every vertex of the epigraph: every point where three
/// of the planes and the box's sides hold with equality.
double minimum_by_vertices(const Planes& p, double h) {
  struct Line {  // c'x = d, of two planes meeting or a side of the box
    double c0, c1, d;
  };
  std::vector<Line> lines{{1, 0, h}, {1, 0, -h}, {0, 1, h}, {0, 1, -h}};
  for (Eigen::Index k = 0; k < p.slopes.rows(); ++k)
    for (Eigen::Index l = k + 1; l < p.slopes.rows(); ++l)
      lines.push_back({p.slopes(k, 0) - p.slopes(l, 0),
                       p.slopes(k, 1) - p.slopes(l, 1),
                       p.offsets[l] - p.offsets[k]});
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      const double det = lines[a].c0 * lines[b].c1 - lines[a].c1 * lines[b].c0;
      if (std::abs(det) < 1e-12) continue;
      Vector x(2);
      x << (lines[a].d * lines[b].c1 - lines[a].c1 * lines[b].d) / det,
          (lines[a].c0 * lines[b].d - lines[a].d * lines[b].c0) / det;
      if (x.cwiseAbs().maxCoeff() <= h * (1 + 1e-12)) best = std::min(best, value(p, x));
    }
  return best;
}

}  // namespace

TEST_CASE("the minimum of planes over a square is the best vertex") {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Planes p = random_planes(trial, 1 + static_cast<Eigen::Index>(trial % 7), 2);
    const double h = trial % 2 == 0 ? 1 : 4;
    const auto least = minimise_planes(p.slopes, p.offsets, -h, h);
    CHECK(least.value == Approx(minimum_by_vertices(p, h)).margin(1e-9));
    CHECK(std::abs(least.gap) <= 1e-9);
    CHECK(least.point.cwiseAbs().maxCoeff() <= h);
  }
}

TEST_CASE("the minima of a plane, of |x| and of constants equal those by hand") {
  PiecewiseLinear::Matrix one(1, 2);
  one << 1, -2;
  CHECK(minimise_planes(one, Vector::Constant(1, 0.5), -1, 3).value == 0.5 - 1 - 6);
  PiecewiseLinear::Matrix absolute(2, 1);
  absolute << 1, -1;
  CHECK(minimise_planes(absolute, Vector::Zero(2), -1, 3).value == Approx(0).margin(1e-12));
  CHECK(minimise_planes(PiecewiseLinear::Matrix::Zero(2, 3), Vector::LinSpaced(2, 4, 7), -1, 1)
            .value == 7);
}

// The values in the file are those of GLPK 5.0's simplex method.
TEST_CASE("the minima of planes are those that another solver found") {
  const std::string text = test::stored_data("functional/plane_minima.csv");
  CsvReader csv(text);
  std::size_t compared = 0;
  while (csv.next()) {
    INFO("trial " << csv.cell(0));
    const auto trial = parse_number<std::uint64_t>(csv.cell(0)).value();
    const Planes p = random_planes(trial,
                                   parse_number<Eigen::Index>(csv.cell(1)).value(),
                                   parse_number<Eigen::Index>(csv.cell(2)).value());
    const double box = parse_number<double>(csv.cell(3)).value();
    const auto least = minimise_planes(p.slopes, p.offsets, -box, box);
    CHECK(least.value == Approx(parse_number<double>(csv.cell(4)).value()).epsilon(1e-11));
    CHECK(std::abs(least.gap) <= 1e-10);
    ++compared;
  }
  CHECK(compared == 22);
}

TEST_CASE("the published planes have the published minima, M and |x*|") {
  const auto planes = parse_planes(test::stored_data("functional/instance_5_2.csv"));
  REQUIRE(planes.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& p = planes[i];
    CHECK(p.slopes.rows() == std::vector<int>{5, 10, 12}[i]);
    const auto least = minimise_planes(p.slopes, p.offsets, -1, 1);
    CHECK(least.value + *p.shift == Approx(0.5 * static_cast<double>(i + 1)).epsilon(1e-7));
    CHECK(least.point.norm() == Approx(kNorms[i]).epsilon(1e-9));
    CHECK(p.slopes.rowwise().norm().maxCoeff() == Approx(kRowNorms[i]));
    CHECK(p.slopes.cwiseAbs().maxCoeff() == Approx(kEntries[i]));
  }
}

TEST_CASE("bounds of piecewise linear arms are valid, in both boxes, with both radii") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const double box : {1.0, 4.0})
      for (const auto* radius : {"known", "diameter"})
        for (const auto* optimizer : {"triple-averaging", "pgd", "pgd-horizon"}) {
          const auto set = test::arms("piecewise-linear",
                                      {{"box", box},
                                       {"radius", std::string(radius)},
                                       {"optimizer", std::string(optimizer)}},
                                      seed,
                                      300);
          for (std::size_t i = 0; i < 3; ++i) {
            CHECK(set->arms[i].minimum == 0.5 * static_cast<double>(i + 1));
            const auto run = set->arms[i].start(0);
            double best = 1e300;
            for (int k = 0; k < 300; ++k) {
              run->step();
              best = std::min(best, run->value());
              REQUIRE(run->value() - *set->arms[i].minimum <= run->bound());
              REQUIRE(run->value() >= *set->arms[i].minimum - 1e-9);
            }
          }
        }
}

TEST_CASE("section 5.2: F-LCB pulls the first arm most and returns it") {
  constexpr int kSeeds = 20;
  int most = 0;
  std::vector<double> mean(3);
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto set = test::arms("piecewise-linear", {}, seed, 1000);
    FLcb agent(3, 1000, {});
    const auto pulls = test::play(agent, *set, [](const Pull&, const Optimizer&) {});
    CHECK(agent.answer() == 0);
    most += pulls[0] > pulls[1] && pulls[0] > pulls[2];
    for (std::size_t i = 0; i < 3; ++i) mean[i] += static_cast<double>(pulls[i]) / kSeeds;
  }
  CHECK(most >= 16);  // 19 were seen
  CHECK(mean[0] > 450);
  CHECK(mean[0] > mean[1] + 100);
  CHECK(mean[1] > mean[2]);
}

TEST_CASE("triple averaging as coded has the published second values and g = 2 M |x*|/sqrt k") {
  const auto text = test::stored_data("functional/instance_5_2.csv");
  const auto set = test::arms(
      "piecewise-linear",
      {{"file", test::input_text(text)}, {"optimizer", std::string("triple-averaging-coded")}},
      1,
      1000);
  // Values 1 to 5 of each arm, computed independently; the published ones are the second.
  const double values[3][5] = {
      {14.49300531815766,
       12.893967225974624,
       13.427406750404206,
       11.53718727990724,
       9.416339451609554},
      {10.026137565288817, 9.93132051042244, 9.89689376142156, 7.01132271911872, 6.866429273575823},
      {9.590324409234205,
       10.515508956278442,
       13.206425538068476,
       11.112792151517628,
       11.000037074406354}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto run = set->arms[i].start(0);
    for (int k = 1; k <= 5; ++k) {
      run->step();
      CHECK(run->value() == Approx(values[i][k - 1]).epsilon(1e-12));
      CHECK(run->bound() == Approx(2 * kEntries[i] * kNorms[i] / std::sqrt(k)));
    }
  }
}

TEST_CASE("AC-SA takes twice the Lipschitz constant of planes for Lan's M, and needs no box") {
  PiecewiseLinear::Matrix absolute(2, 1);
  absolute << 3, -3;
  auto problem = std::make_shared<BaseProblem>();
  problem->function = std::make_shared<PiecewiseLinear>(absolute, Vector::Zero(2), 0, 0);
  problem->start = Vector::Constant(1, 2);
  problem->radius = 2;
  const auto run = make_arm("ac-sa", problem, 0).start(0);
  for (int k = 0; k < 50; ++k) {
    run->step();
    REQUIRE(run->value() <= run->bound());
  }
  // 4 (sqrt2/3)^{1/2} M R/sqrt t with M = 2 3.
  CHECK(run->bound() == Approx(4 * std::sqrt(std::sqrt(2.0) / 3) * 6 * 2 / std::sqrt(50.0)));
}

TEST_CASE("invalid planes are refused with the line") {
  const auto complain = [](const std::string& text) {
    return test::complaint([&] {
      test::family("piecewise-linear", {{"file", test::input_text(text)}});
    });
  };
  const std::string header = "arm,b_k,a_0,shift_c\n";
  CHECK(complain(header + "1,0,1,0\n1,0,-1,0\n2,1,1,3\n").empty());
  CHECK(complain(header + "1,0,1,0\n2,0,-1,0\n1,1,1,0\n")
            .find("line 4: the rows of arm 1 must be consecutive") == 0);
  CHECK(complain(header + "1,0,1,0\n1,0,-1,2\n").find("line 3: shift_c is 2") == 0);
  CHECK(complain(header + "1,0,inf,0\n").find("line 2: a_0 is 'inf'") == 0);
  CHECK(complain(header + "1,0,0,0\n").find("arm 1: all slopes are 0") == 0);
  CHECK(complain(header).find("the file has no rows") != std::string::npos);
  CHECK(complain("arm,b_k,shift_c\n1,1,1\n").find("no column 'a_0'") != std::string::npos);
  CHECK(test::complaint([] {
          test::family("piecewise-linear", {{"planes", std::vector<double>{2.5, 3, 4}}});
        }) == "2.5 is not a whole number");
  CHECK(test::complaint([] {
          test::family("piecewise-linear", {{"planes", std::vector<double>{2}}});
        }).find("1 arms' planes for 3 minima") == 0);
}

}  // namespace test_piecewise_linear_arms
