// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "core/arm/base_optimizers.hpp"
#include "core/arm/smooth_arms.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/test_data.hpp"

namespace test_smooth_arms {

using namespace posse;

TEST_CASE(
    "smooth arms from the published instance reproduce the pulls and the regret of section 5.1") {
  const auto text = test::stored_data("functional/instance_5_1.csv");
  const auto set = test::arms("smooth", {{"file", test::input_text(text)}}, 1, 200);
  REQUIRE(set->size() == 3);
  CHECK(set->arms[2].name == "f3");
  FLcb agent(3, 200, {});
  double regret = 0;
  const auto pulls = test::play(agent, *set, [&](const Pull&, const Optimizer& optimizer) {
    regret += optimizer.value() - set->minimum().value();
  });
  CHECK(pulls == std::vector<std::uint64_t>{178, 14, 8});
  CHECK(std::round(regret * 100) / 100 == Approx(95.81));
}

TEST_CASE("drawn smooth arms have their minima, L = 1, and valid bounds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto set = test::arms("smooth", {}, seed, 200);
    REQUIRE(set->size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double minimum = 0.5 * static_cast<double>(i + 1);
      CHECK(set->arms[i].minimum == minimum);
      const auto optimizer = set->arms[i].start(0);
      const double offset = i == 0 ? 4.5 : 2;
      for (int k = 1; k <= 1500; ++k) {
        optimizer->step();
        REQUIRE(optimizer->value() - minimum <= optimizer->bound());
        REQUIRE(optimizer->value() >= minimum);
        if (k == 1)  // g(1) = 2 R^2/12, R = offset sqrt 20
          CHECK(optimizer->bound() == Approx(offset * offset * 20 / 6));
      }
      // It is the minimum, not a lower bound alone.
      CHECK(optimizer->value() == Approx(minimum).margin(1e-3));
    }
  }
}

TEST_CASE("curvatures are exp(-p xi) with xi uniform, minimisers are standard normal",
          "[statistical]") {
  double mean_xi = 0, mean = 0, square = 0;
  constexpr int kSeeds = 500;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto draw = draw_smooth({Seed{seed}, seed}, "f2", 20, 5);
    CHECK(draw.diagonal[0] == 1);
    CHECK((draw.diagonal.tail(19).array() < 1).all());
    CHECK((draw.diagonal.array() > std::exp(-5.0)).all());
    mean_xi += (draw.diagonal.tail(19).array().log() / -5).mean() / kSeeds;
    mean += draw.minimiser.mean() / kSeeds;
    square += draw.minimiser.squaredNorm() / 20 / kSeeds;
  }
  CHECK(mean_xi == Approx(0.5).margin(5 * std::sqrt(1.0 / 12 / 19 / kSeeds)));
  CHECK(mean == Approx(0).margin(5 / std::sqrt(20.0 * kSeeds)));
  CHECK(square == Approx(1).margin(5 * std::sqrt(2.0 / 20 / kSeeds)));
  // Arms and seeds differ, and the same ones are the same.
  const Repetition first{Seed{1}, 1};
  CHECK(draw_smooth(first, "f1", 20, 5).minimiser != draw_smooth(first, "f2", 20, 5).minimiser);
  CHECK(draw_smooth(first, "f1", 20, 5).minimiser == draw_smooth(first, "f1", 20, 1).minimiser);
}

TEST_CASE("the diameter in place of the distance makes bounds larger and stays a bound") {
  const auto set = test::arms("smooth", {{"radius", std::string("diameter")}}, 3, 200);
  const auto optimizer = set->arms[1].start(0);
  optimizer->step();
  CHECK(optimizer->bound() == Approx(2 * 14 * 14 * 20.0 / 12));
  CHECK(test::complaint([] {
          test::arms("smooth", {{"radius", std::string("diameter")}, {"diameter", 3.0}}, 3, 200);
        }).find("less than the distance") != std::string::npos);
}

TEST_CASE("invalid smooth instances are refused with the line") {
  const auto complain = [](const std::string& text) {
    return test::complaint([&] { test::family("smooth", {{"file", test::input_text(text)}}); });
  };
  const std::string header = "fstar,x0_minus_xstar_each_coord,sigma_0,xstar_0\n";
  CHECK(complain(header + "0.5,2,1,0\n").empty());
  CHECK(complain(header + "0.5,2,0,0\n").find("line 2: a sigma is 0") == 0);
  CHECK(complain(header + "0.5,2,nan,0\n").find("line 2: sigma_0 is 'nan'") == 0);
  CHECK(complain(header + "0.5,0,1,0\n").find("line 2: the start equals the minimiser") == 0);
  CHECK(complain(header).find("the file has no rows") != std::string::npos);
  CHECK(complain("fstar,sigma_0\n1,1\n").find("must be equally many") != std::string::npos);
  CHECK(test::complaint([] {
          test::family("smooth", {{"offsets", std::vector<double>{1, 2}}});
        }).find("2 offsets for 3 minima") == 0);
}

TEST_CASE("an optimizer that doesn't suit its problem is refused with the reason") {
  BaseProblem problem;
  problem.name = "f1";
  problem.function = std::make_shared<SmoothCone>(0, Vector::Ones(2), Vector::Zero(2));
  problem.set = FeasibleSet::box(2, -1, 1);
  problem.start = Vector::Zero(2);
  const auto complain = [&](std::string_view optimizer) {
    return test::complaint([&] { check_base_optimizer(optimizer, problem); });
  };
  CHECK(complain("pgd").empty());
  CHECK(complain("ac-sa").empty());
  CHECK(complain("agd") == "'agd' works only without constraints, on the set 'space'");
  CHECK(complain("pgd-strong").find("mu = 0") != std::string::npos);
  CHECK(complain("adam").find("is not a base optimizer; allowed: agd,") != std::string::npos);
  problem.noise = {GradientNoiseKind::heavy_tail, 1, 1.5, 1.6};
  CHECK(complain("pgd").find("exact gradients") != std::string::npos);
  CHECK(complain("ac-sa").find("finite variance") != std::string::npos);
  problem.noise = {};
  problem.start = Vector::Constant(2, 3.0);
  CHECK(complain("pgd") == "the start lies outside the feasible set");
}

TEST_CASE(
    "each instance of an arm has its own noise, and an instance started twice gives the same run") {
  auto problem = std::make_shared<BaseProblem>();
  problem->name = "f1";
  problem->function = std::make_shared<SmoothCone>(0, Vector::Ones(2), Vector::Zero(2));
  problem->set = FeasibleSet::box(2, -5, 5);
  problem->start = Vector::Constant(2, 3.0);
  problem->radius = problem->start.norm();
  problem->noise = {GradientNoiseKind::gaussian, 1};
  problem->delta = 1e-3;
  problem->seed = Seed{4};
  const Arm arm = make_arm("ac-sa", problem, 0.0);
  const auto first = arm.start(0), again = arm.start(0), copy = arm.start(1);
  for (int k = 0; k < 5; ++k) {
    first->step();
    again->step();
    copy->step();
    CHECK(first->value() == again->value());
    CHECK(first->value() != copy->value());
  }
}

}  // namespace test_smooth_arms
