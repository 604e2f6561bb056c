// SPDX-License-Identifier: Apache-2.0
// Values, slopes and curvatures of the objectives' upper models at fixed points, beside values that
// were computed with 40 digits in another program (Python, mpmath: the formula in the objective's
// header, its derivatives, and what the header adds for a box), never with the code under test.
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "core/objective/ackley.hpp"
#include "core/objective/doublesine.hpp"
#include "core/objective/expression.hpp"
#include "core/objective/garland.hpp"
#include "core/objective/himmelblau.hpp"
#include "core/objective/rastrigin.hpp"
#include "core/objective/scaled.hpp"
#include "core/objective/shifted.hpp"
#include "core/objective/sine.hpp"

namespace posse::test_upper_models {
namespace {

using Points = std::vector<std::vector<double>>;

Approx is(double value) { return Approx(value).epsilon(1e-12).margin(1e-14); }

UpperModel model_of(const Objective& f,
                    const std::vector<double>& centre,
                    const std::vector<double>& half_width) {
  UpperModel model(centre.size());
  REQUIRE(f.upper_model(centre, half_width, model));
  return model;
}

/// One dimension.
struct Line {
  double x, half_width, value, gradient, curvature;
};
void check_lines(const Objective& f, const std::vector<Line>& lines) {
  for (const auto& line : lines) {
    INFO(f.kind() << " at " << line.x);
    CHECK(f.value(std::vector{line.x}) == is(line.value));
    const auto model = model_of(f, {line.x}, {line.half_width});
    CHECK(model.at_centre == is(line.value));
    CHECK(model.value == is(line.value));
    CHECK(model.gradient[0] == is(line.gradient));
    CHECK(model.curvature[0] == is(line.curvature));
    CHECK(model.peak.empty());
  }
}

/// Two dimensions.
struct Square {
  double x, y, half_x, half_y, value, slope_x, slope_y, curvature_x, curvature_y;
};
void check_squares(const Objective& f, const std::vector<Square>& squares) {
  for (const auto& s : squares) {
    INFO(f.kind() << " at " << s.x << ", " << s.y);
    CHECK(f.value(std::vector{s.x, s.y}) == is(s.value));
    const auto model = model_of(f, {s.x, s.y}, {s.half_x, s.half_y});
    CHECK(model.at_centre == is(s.value));
    CHECK(model.value == is(s.value));
    CHECK(model.gradient[0] == is(s.slope_x));
    CHECK(model.gradient[1] == is(s.slope_y));
    CHECK(model.curvature[0] == is(s.curvature_x));
    CHECK(model.curvature[1] == is(s.curvature_y));
    CHECK(model.peak.empty());
  }
}

/// The model of a box on which nothing but the bound `value` is known.
void check_constant(const UpperModel& model, double value) {
  CHECK(model.value == value);
  CHECK(model.gradient == std::vector<double>(model.gradient.size(), 0.0));
  CHECK(model.curvature == std::vector<double>(model.gradient.size(), 0.0));
}

TEST_CASE("sine: value, slope, and second derivative plus A (14^3 + 40^3) r / 4", "[objective]") {
  check_lines(Sine(),
              {{0.1, 1e-3, 0.60295134547048157608, -5.5085495040194473218, -126.54991917377825027},
               {0.37, 2e-4, 0.63326344235572738149, 5.5033937758759944157, -132.44539546027593827},
               {0.81, 1e-3, 0.47300265500546118606, 5.8110190857612112153, 110.79741045426102868}});
  check_lines(Sine(1),
              {{0.1, 1e-3, 0.70590269094096315216, -11.017099008038894644, -253.09983834755650053},
               {0.37, 2e-4, 0.76652688471145476298, 11.006787551751988831, -264.89079092055187655},
               {0.81, 1e-3, 0.44600531001092237211, 11.622038171522422431, 221.59482090852205735}});
  check_constant(model_of(Sine(), {0.4}, {0.3}), 0.75);  // (A + 1) / 2
  check_constant(model_of(Sine(1), {0.4}, {0.3}), 1);
}

TEST_CASE("garland: value, slope and bound of the second derivative between cusps", "[objective]") {
  check_lines(
      Garland(),
      {{0.1, 1e-3, 0.31242620957490043013, 7.681531992313812797, 919.53209055987992921},
       {0.37, 1e-3, 0.82625975839067996527, -14.10234597407755614, 3793.1740209074975354},
       {0.81, 5e-4, 0.46204507542698888625, -2.2988840441048068724, 318.88030653698204883}});
}

TEST_CASE("garland: around a cusp the bound is the parabola 4 x (1 - x)", "[objective]") {
  // The cusp nearest to 0.37 is 7 pi / 60 = 0.366519.
  const auto model = model_of(Garland(), {0.37}, {0.01});
  CHECK(model.at_centre == is(0.82625975839067996527));
  CHECK(model.value == is(0.9324));      // 4 x 0.37 x 0.63
  CHECK(model.gradient[0] == is(1.04));  // 4 (1 - 2 x 0.37)
  CHECK(model.curvature[0] == -8);
  REQUIRE(model.peak.size() == 1);
  CHECK(model.peak[0] == is(7 * std::numbers::pi / 60));
  // At the cusp itself, the value there is the parabola's.
  const double cusp = std::numbers::pi / 6;
  CHECK(model_of(Garland(), {cusp}, {0.0}).at_centre == is(0.997772391161144535));
  CHECK(Garland().candidate_maximisers().size() == 19);
  for (std::size_t j = 1; j <= 19; ++j)
    CHECK(Garland().candidate_maximisers()[j - 1][0] ==
          is(static_cast<double>(j) * std::numbers::pi / 60));
}

TEST_CASE("garland: outside [0, 1] the parabola plus |p| sqrt|sin 60 x| bounds it", "[objective]") {
  // Box [-0.03, 0.01], with the cusp 0: p is lowest at -0.03, where it is -0.0309, and
  // |sin 60 x| <= min(1, 60 x 0.03) = 1.
  const auto wide = model_of(Garland(), {-0.01}, {0.02});
  CHECK(wide.value == is(-4 * 0.0101 + 0.0309));
  CHECK(wide.gradient[0] == is(4.08));
  // Box [-0.003, 0.001]: p >= -0.003009, |sin 60 x| <= 60 x 0.003.
  const auto narrow = model_of(Garland(), {-0.001}, {0.002});
  CHECK(narrow.value == is(-4 * 0.001001 + 0.003009 * std::sqrt(0.18)));
  // Around the cusp pi / 3.
  const auto above = model_of(Garland(), {1.0471975511965976}, {0.001});
  CHECK(above.peak.size() == 1);
  CHECK(above.at_centre == is(4 * 1.0471975511965976 * -0.0471975511965976));
}

TEST_CASE("doublesine: value, slope and bound of the second derivative beside the spike",
          "[objective]") {
  // A and B, which the code has to 9 digits (rounded up), have here 40.
  const auto check = [](const Line& line) {
    INFO(line.x);
    CHECK(DoubleSine().value(std::vector{line.x}) == is(line.value));
    const auto model = model_of(DoubleSine(), {line.x}, {line.half_width});
    CHECK(model.at_centre == is(line.value));
    CHECK(model.value == is(line.value));
    CHECK(model.gradient[0] == is(line.gradient));
    CHECK(model.curvature[0] >= line.curvature * (1 - 1e-12));
    CHECK(model.curvature[0] <= line.curvature * (1 + 1e-8));
    CHECK(model.peak.empty());
  };
  check({0.1, 1e-3, 0.088523922700408280057, 0.15891070167542989709, 106.03970480843750847});
  check({0.37, 1e-3, 0.67654713922224414852, -8.0492011134505000133, 468.74808299976527171});
  check({0.81, 5e-4, 0.17894913565672586543, -2.7531193115863010363, 141.78221727900949621});
  check({0.52, 1e-4, 0.66283854287806981737, -22.811522633231120009, 9508.4198686030503637});

  // With the spike: 1. Far from it: 1 - u^b at the nearest end, u = 0.5, 0.5^b = 0.3.
  const auto with = model_of(DoubleSine(), {0.45}, {0.0625});
  check_constant(with, 1);
  CHECK(with.peak == std::vector{0.5});
  CHECK(with.at_centre == DoubleSine().value(std::vector{0.45}));
  const auto without = model_of(DoubleSine(), {0.125}, {0.125});
  CHECK(without.value == is(0.7));
  CHECK(without.gradient[0] == 0);
  CHECK(without.curvature[0] == 0);
  CHECK(without.peak.empty());
  CHECK(model_of(DoubleSine(), {0.5 + 2 * 0x1p-53}, {0.0}).at_centre == 1);  // the spike's double
  CHECK(model_of(DoubleSine(), {1.5}, {0.25}).value == 0);                   // outside, u >= 1.5
}

TEST_CASE("himmelblau: value, slopes, and curvatures with the mixed derivative", "[objective]") {
  check_squares(Himmelblau(),
                {{1.5,
                  -2.5,
                  0.01,
                  0.02,
                  0.85716292134831460674,
                  0.074157303370786516854,
                  0.033707865168539325843,
                  0.03321213483146067417,
                  -0.055780674157303370755},
                 {-4,
                  0.75,
                  0.02,
                  0.01,
                  0.84044504915730337079,
                  0.12682584269662921348,
                  0.022261235955056179775,
                  -0.15497168539325842692,
                  0.054639101123595505627},
                 {0.5,
                  3.25,
                  1,
                  0.5,
                  0.91825403792134831461,
                  0.0077247191011235955056,
                  -0.042485955056179775281,
                  0.058426966292134831461,
                  -0.046910112359550561798}});
  check_constant(model_of(Himmelblau(), {0, 0}, {5, 5}), 1);
  const Points maximisers{{3, 2},
                          {-2.805118086952744853, 3.131312518250572966},
                          {-3.779310253377746892, -3.283185991286169412},
                          {3.584428340330491745, -1.848126526964403554}};  // the known zeros
  CHECK(Himmelblau().maximisers() == maximisers);
}

TEST_CASE("rastrigin: value, slopes, and second derivatives plus 80 pi^3 r / (C d)",
          "[objective]") {
  check_squares(Rastrigin(2),
                {{0.3,
                  -0.6,
                  0.01,
                  0.002,
                  0.21905304665115530679,
                  -1.4901938095862930673,
                  -0.88220717348747167675,
                  3.5750849074139072528,
                  7.9587123224753535398},
                 {0.9,
                  0.1,
                  0.001,
                  0.01,
                  0.88544769223729151139,
                  0.86739328992896789965,
                  -0.91677290179064736957,
                  -7.8737421972688270303,
                  -7.3225541504791710045}});
  check_constant(model_of(Rastrigin(2), {0.5, 0.5}, {0.5, 0.5}), 1);
  // A flat coordinate adds nothing; the other one keeps its share 1 / d of the slope.
  const auto flat = model_of(Rastrigin(2), {0.3, -0.6}, {0.01, 0});
  CHECK(flat.gradient[0] == is(-1.4901938095862930673));
  CHECK(flat.curvature[0] == is(3.5750849074139072528));
  CHECK(flat.gradient[1] == 0);
  CHECK(flat.curvature[1] == 0);
  CHECK(Rastrigin(3).maximisers() == Points{{0, 0, 0}});
}

TEST_CASE("ackley: value, slopes, and curvatures of cone and waves", "[objective]") {
  check_squares(Ackley(),
                {{0.3,
                  -0.6,
                  0.001,
                  0.002,
                  0.15369333831819655478,
                  -0.61147746008718118858,
                  0.26630553698400358164,
                  2.8058140172895751074,
                  3.3988861834257219258},
                 {0.9,
                  0.25,
                  0.003,
                  0.001,
                  0.2097413237114026427,
                  0.081112957201173958754,
                  -1.1488731453146242824,
                  -1.7024132756919880365,
                  5.3653136677939788483},
                 {-0.45,
                  0.05,
                  0.002,
                  0.004,
                  0.36713625470399914293,
                  0.77163990767438574534,
                  -0.27031538140173321843,
                  4.9196619987359726602,
                  -2.9896818505134341499}});
  check_constant(model_of(Ackley(), {0.5, 0.5}, {0.4, 0.4}), 1);
}

TEST_CASE("ackley: a box with the apex names it, at the apex the waves are flat", "[objective]") {
  // Around 0 the bound is limited to 1 as soon as it exceeds 1.
  const auto apex = model_of(Ackley(), {0, 0}, {0, 0});
  CHECK(apex.at_centre == is(1));
  CHECK(apex.gradient == std::vector<double>{0, 0});
  CHECK(apex.peak == std::vector<double>{0, 0});
  // W_xx = -2 pi^2 e, plus the cone's 0.4, over C.
  CHECK(apex.curvature[0] == is((0.4 - 2 * std::numbers::pi * std::numbers::pi * std::numbers::e) /
                                4.675205304060035345));
  CHECK(model_of(Ackley(), {0.1, -0.2}, {0.1, 0.2}).peak == std::vector<double>{0, 0});
  CHECK(model_of(Ackley(), {0.1, -0.2}, {0.09, 0.2}).peak.empty());
  CHECK(model_of(Ackley(), {0.1, -0.2}, {0.1, 0.19}).peak.empty());
}

TEST_CASE("a scaled objective's model is scaled but for the offset of slopes", "[objective]") {
  const auto base = std::make_shared<Sine>();
  const Scaled f(base, 0.5, 0.25);
  const auto model = model_of(f, {0.1}, {1e-3});
  CHECK(model.at_centre == is(0.5 * 0.60295134547048157608 + 0.25));
  CHECK(model.value == is(0.5 * 0.60295134547048157608 + 0.25));
  CHECK(model.gradient[0] == is(0.5 * -5.5085495040194473218));
  CHECK(model.curvature[0] == is(0.5 * -126.54991917377825027));
  CHECK(f.value_range().low == 0.25);
  CHECK(f.value_range().high == 0.75);
}

TEST_CASE("a shifted objective's model is the base's, mirrored where it is reflected",
          "[objective]") {
  const auto base = std::make_shared<Sine>();
  // 0.1 = R(x - s) for x = 0.35 with s = 0.25, and, mirrored at 0, for x = 0.15.
  for (const Boundary b : {Boundary::reflect, Boundary::clip, Boundary::wrap, Boundary::open}) {
    const auto model = model_of(Shifted(base, {0.25}, b), {0.35}, {1e-3});
    CHECK(model.gradient[0] == is(-5.5085495040194473218));
    CHECK(model.curvature[0] == is(-126.54991917377825027));
  }
  const auto mirrored = model_of(Shifted(base, {0.25}, Boundary::reflect), {0.15}, {1e-3});
  CHECK(mirrored.value == is(0.60295134547048157608));
  CHECK(mirrored.gradient[0] == is(5.5085495040194473218));
  CHECK(mirrored.curvature[0] == is(-126.54991917377825027));
  // Wrapped: x - s = -0.19 is 0.81. Clipped, it is 0, and f is flat.
  const auto wrapped = model_of(Shifted(base, {0.25}, Boundary::wrap), {0.06}, {1e-3});
  CHECK(wrapped.value == is(0.47300265500546118606));
  CHECK(wrapped.gradient[0] == is(5.8110190857612112153));
  CHECK(wrapped.curvature[0] == is(110.79741045426102868));
  const auto clipped = model_of(Shifted(base, {0.25}, Boundary::clip), {0.06}, {1e-3});
  CHECK(clipped.value == 0.5);
  CHECK(clipped.gradient[0] == 0);
  CHECK(clipped.curvature[0] == 0);
  // Garland's cusp 7 pi / 60, moved by 0.25, and its mirror image.
  const auto garland = std::make_shared<Garland>();
  const double cusp = 7 * std::numbers::pi / 60;
  CHECK(model_of(Shifted(garland, {0.25}, Boundary::reflect), {0.62}, {0.01}).peak[0] ==
        is(cusp + 0.25));
  CHECK(model_of(Shifted(garland, {0.75}, Boundary::reflect), {0.38}, {0.01}).peak[0] ==
        is(0.75 - cusp));
}

TEST_CASE("the bound of a box across a face is the larger one of its parts", "[objective]") {
  // f(x) = |x - 0.25|, bounded by f(centre) + 1 r on a box. The face 0.25 divides [0.15, 0.45] into
  // [0.15, 0.25] with the bound 0.05 + 0.05 and [0.25, 0.45] with 0.1 + 0.1.
  const auto base = std::make_shared<Expression>("x", Box::cube(1, 0, 1), 1.0);
  const auto model = model_of(Shifted(base, {0.25}, Boundary::reflect), {0.3}, {0.15});
  CHECK(model.at_centre == is(0.05));
  CHECK(model.value == is(0.2));
  CHECK(model.gradient[0] == 0);
  CHECK(model.peak.empty());
}

TEST_CASE("outside its box an open shift of a function without formula has no bound",
          "[objective]") {
  const auto base = std::make_shared<Expression>("x", Box::cube(1, 0, 1), 1.0);
  UpperModel model(1);
  const auto has_bound = [&](double shift, double centre, double half_width) {
    return Shifted(base, {shift}, Boundary::open)
        .upper_model(std::vector{centre}, std::vector{half_width}, model);
  };
  CHECK(has_bound(0.25, 0.5, 0.125));
  CHECK(model.value == 0.375);  // 0.25 + 0.125
  CHECK(has_bound(0.25, 0.375, 0.125));
  CHECK_FALSE(has_bound(0.25, 0.25, 0.125));
  CHECK_FALSE(has_bound(-0.25, 0.75, 0.125));
  CHECK(has_bound(-0.25, 0.625, 0.125));
}

TEST_CASE("an expression's bound is f + L times the half diagonal", "[objective]") {
  const Expression f("0.5*x1 - 0.25*x2", Box::cube(2, -1, 1), 2.0);
  const auto model = model_of(f, {0.5, -0.5}, {0.3, 0.4});
  CHECK(model.at_centre == 0.375);
  check_constant(model, 1.375);
  UpperModel none(2);
  CHECK_FALSE(Expression("x1", Box::cube(2, 0, 1), std::nullopt)
                  .upper_model(std::vector{0.5, 0.5}, std::vector{0.1, 0.1}, none));
}

TEST_CASE("a bound is largest where its parabola is, or else at the end that it rises to",
          "[objective]") {
  UpperModel model(2);
  model.value = 3;
  model.gradient = {2, -1};
  model.curvature = {-8, 4};
  CHECK(model.best_step(0, 1) == 0.25);
  CHECK(model.best_step(0, 0.25) == 0.25);
  CHECK(model.best_step(0, 0.125) == 0.125);
  CHECK(model.best_step(1, 0.5) == -0.5);
  CHECK(model.rise(0, 0.25) == 0.25);  // 0.25 (2 - 4 x 0.25)
  CHECK(model.rise(1, -0.5) == 1);     // -0.5 (-1 + 2 x -0.5)
  const std::vector<double> half_width{1, 0.5};
  CHECK(model.largest(half_width) == 4.25);
  model.limit(4.25, half_width);
  CHECK(model.value == 3);
  model.limit(4, half_width);
  check_constant(model, 4);
}

TEST_CASE("a shift has the base's maximisers and their mirror images", "[objective]") {
  const auto at = [](double x, double y) { return std::vector{x, y}; };
  const auto base = std::make_shared<Rastrigin>(2);
  CHECK(Shifted(base, {0.25, -0.5}, Boundary::reflect).maximisers() == Points{at(0.25, -0.5)});
  CHECK(Shifted(base, {0.25, -0.5}, Boundary::wrap).maximisers() == Points{at(0.25, -0.5)});
  CHECK(Shifted(base, {1.25, 0.5}, Boundary::wrap).maximisers() == Points{at(-0.75, 0.5)});
  CHECK(Shifted(base, {1.25, 0.5}, Boundary::clip).maximisers().empty());
  CHECK(Shifted(base, {0.25, 0.5}, Boundary::open).maximisers().empty());
  // Reflected at -1 (2 low - 0 + s = -0.75) and at 1 (2.25 + 1.25: outside).
  CHECK(Shifted(base, {1.25, 0.5}, Boundary::reflect).maximisers() == Points{at(-0.75, 0.5)});
  CHECK(Shifted(base, {-1.5, 1.5}, Boundary::reflect).maximisers() == Points{at(0.5, -0.5)});
  // An image at either end: both are maximisers, in two dimensions; in three, one of them is.
  CHECK(Shifted(base, {1, 0}, Boundary::reflect).maximisers() == Points{at(1, 0), at(-1, 0)});
  CHECK(Shifted(std::make_shared<Rastrigin>(3), {1, 0.25, -1}, Boundary::reflect).maximisers() ==
        Points{{1, 0.25, -1}});
  const auto both = Shifted(std::make_shared<Sine>(), {-0.5}, Boundary::reflect).maximisers();
  REQUIRE(both.size() == 2);
  CHECK(both[0][0] == is(0.367526208251331985));
  CHECK(both[1][0] == is(0.632473791748668015));  // 2 - 0.8675… - 0.5
  const auto low = Shifted(std::make_shared<Sine>(), {1.25}, Boundary::reflect).maximisers();
  REQUIRE(low.size() == 1);
  CHECK(low[0][0] == is(0.382473791748668015));  // 1.25 - 0.8675…
  // 1.1175… and the mirror images -0.6175… and 1.3825… are outside.
  CHECK_FALSE(Shifted(std::make_shared<Sine>(), {0.25}, Boundary::reflect).maximum());
  CHECK(*Shifted(std::make_shared<Sine>(), {-0.25}, Boundary::reflect).maximum() ==
        is(0.737799571905787390));
}

}  // namespace
}  // namespace posse::test_upper_models
