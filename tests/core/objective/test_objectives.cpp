// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>

#include "core/objective/ackley.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/rastrigin.hpp"
#include "core/objective/scaled.hpp"
#include "core/objective/shifted.hpp"
#include "core/objective/sine.hpp"

namespace posse::test_objectives {
namespace {

std::unique_ptr<Objective> make(std::string_view kind, std::int64_t dimension = 0) {
  Parameters p = default_parameters(find_objective(kind)->parameters);
  if (dimension > 0) p.set("dimension", dimension);
  return find_objective(kind)->make(p);
}

/// Those that need nothing from the user.
std::vector<ObjectiveSpec> ready_made() {
  std::vector<ObjectiveSpec> specs = objective_specs();
  std::erase_if(specs, [](const ObjectiveSpec& spec) {
    return spec.make == nullptr || std::any_of(spec.parameters.begin(),
                                               spec.parameters.end(),
                                               [](const auto& p) { return p.required; });
  });
  return specs;
}

double at(const Objective& f, double x) { return f.value(std::vector<double>{x}); }

std::vector<double> random_point(const Box& box, std::mt19937_64& random) {
  std::vector<double> x;
  for (std::size_t j = 0; j < box.dimension(); ++j)
    x.push_back(box.low[j] + box.width(j) * static_cast<double>(random() >> 11) * 0x1p-53);
  return x;
}

struct Extremes {
  double max = -1e9, min = 1e9;
};
Extremes search_line(const Objective& f, int points) {
  Extremes e;
  for (int i = 0; i <= points; ++i) {
    const double value = at(f, i / static_cast<double>(points));
    e.max = std::max(e.max, value);
    e.min = std::min(e.min, value);
  }
  return e;
}
Extremes search_square(const Objective& f, int points) {
  Extremes e;
  const Box& box = f.domain();
  for (int i = 0; i <= points; ++i) {
    for (int j = 0; j <= points; ++j) {
      const double value = f.value(std::vector<double>{box.low[0] + box.width(0) * i / points,
                                                       box.low[1] + box.width(1) * j / points});
      e.max = std::max(e.max, value);
      e.min = std::min(e.min, value);
    }
  }
  return e;
}

TEST_CASE("a dense search finds the stated maximum and nothing above it", "[objective][long]") {
  const auto sine = make("sine");
  const Extremes s = search_line(*sine, 1000000);
  CHECK(s.max == Approx(0.737799571905787390).margin(1e-9));
  CHECK(s.max <= *sine->maximum() + 1e-15);
  CHECK(s.min == Approx(0.271463171216821766).margin(1e-9));
  CHECK(*sine->maximum() == Approx(0.737799571905787390).epsilon(1e-15));
  const Sine classical(1);
  CHECK(*classical.maximum() == Approx(0.975599143811574781).epsilon(1e-15));
  CHECK(search_line(classical, 1000000).max == Approx(0.975599143811574781).margin(1e-9));

  const auto garland = make("garland");
  CHECK(*garland->maximum() == Approx(0.997772391161144535).margin(1e-15));
  const Extremes g = search_line(*garland, 1000000);
  CHECK(g.max <= *garland->maximum());
  CHECK(g.max == Approx(*garland->maximum()).margin(0.25 * std::sqrt(60e-6)));

  const auto doublesine = make("doublesine");
  const Extremes d = search_line(*doublesine, 1000000);
  CHECK(d.max == 1.0);
  CHECK(d.min >= 0.0);

  CHECK(search_square(*make("himmelblau"), 1000).max == 1.0);  // (3, 2) is on the grid
  CHECK(search_square(*make("himmelblau"), 1000).min >= 0.0);
  const Extremes a = search_square(*make("ackley"), 1000);
  CHECK(a.max == Approx(1.0).margin(1e-14));
  CHECK(a.min == Approx(0.0).margin(1e-5));
  CHECK(a.min >= -1e-15);
  const Extremes r = search_square(*make("rastrigin", 2), 1000);
  CHECK(r.max == 1.0);
  CHECK(r.min == Approx(0.0).margin(1e-4));
  CHECK(r.min >= -1e-15);
}

TEST_CASE("objectives are normalised by their exact ranges", "[objective]") {
  CHECK(Rastrigin(1).value(std::vector<double>{0.5025460365}) == Approx(0.0).margin(1e-12));
  CHECK(Ackley().value(std::vector<double>{0.5588001161, 1}) == Approx(0.0).margin(1e-12));
  CHECK(Ackley(Ackley::kPyxabRange).value(std::vector<double>{0.5588001161, 1}) > 0.06);
}

TEST_CASE("the stated maximisers attain the maximum", "[objective]") {
  for (const auto& spec : ready_made()) {
    const auto f = spec.make(default_parameters(spec.parameters));
    INFO(spec.kind);
    REQUIRE(f->maximum());
    REQUIRE_FALSE(f->maximisers().empty());
    for (const auto& x : f->maximisers()) {
      CHECK(f->domain().contains(x));
      // Garland's cusp: 1.7e-8 below at the nearest double.
      CHECK(f->value(x) == Approx(*f->maximum()).margin(spec.kind == "garland" ? 2e-8 : 1e-13));
    }
  }
  CHECK(make("himmelblau")->maximisers().size() == 4);
}

TEST_CASE("local maxima are at the points and values of the literature", "[objective]") {
  CHECK(at(*make("sine"), 0.398421) == Approx(0.716918).margin(1e-6));
  CHECK(at(*make("garland"), 3 * std::numbers::pi / 20) ==
        Approx(0.996691196055833674).margin(3e-8));
}

TEST_CASE("values of all built-in objectives lie in the unit interval", "[objective]") {
  std::mt19937_64 random(3);
  for (const auto& spec : ready_made()) {
    const auto f = spec.make(default_parameters(spec.parameters));
    for (int i = 0; i < 2000; ++i) {
      const double value = f->value(random_point(f->domain(), random));
      CHECK((value >= -1e-15 && value <= 1 + 1e-15));
    }
  }
}

TEST_CASE("an upper bound is above every value in its box, for every way to shift", "[objective]") {
  std::mt19937_64 random(4);
  for (const auto& spec : ready_made()) {
    INFO(spec.kind);
    const std::shared_ptr<const Objective> base = spec.make(default_parameters(spec.parameters));
    const std::size_t d = base->domain().dimension();
    std::vector<std::shared_ptr<const Objective>> versions{
        base, std::make_shared<Scaled>(base, 0.5, 0.25)};
    for (const Boundary b : {Boundary::reflect, Boundary::clip, Boundary::wrap, Boundary::open})
      versions.push_back(std::make_shared<Shifted>(
          base, std::vector<double>(d, 0.07 * base->domain().width(0)), b));
    int bounded = 0;
    for (const auto& f : versions) {
      for (int i = 0; i < 300; ++i) {
        const auto centre = random_point(f->domain(), random);
        std::vector<double> half(d);
        for (std::size_t j = 0; j < d; ++j)
          half[j] = std::min(centre[j] - f->domain().low[j], f->domain().high[j] - centre[j]) *
                    std::exp2(-static_cast<double>(random() % 12));
        UpperModel model(d);
        if (!f->upper_model(centre, half, model)) continue;  // `open`, outside the box
        ++bounded;
        CHECK(model.at_centre == f->value(centre));
        double excess = -1e9;
        for (int k = 0; k < 20; ++k) {
          auto x = centre;
          double bound = model.value;
          for (std::size_t j = 0; j < d; ++j) {
            const double h = half[j] * (2 * static_cast<double>(random() >> 11) * 0x1p-53 - 1);
            x[j] += h;
            bound += model.rise(j, h);
          }
          excess = std::max(excess, f->value(x) - bound);
          CHECK(bound <= model.largest(half) + 1e-12);
        }
        CHECK(excess <= 1e-12);
      }
    }
    CHECK(bounded >= 1500);
  }
}

TEST_CASE("reflection mirrors at the faces and keeps the base's values", "[objective]") {
  const std::shared_ptr<const Objective> garland = make("garland");
  const Shifted f(garland, {0.1}, Boundary::reflect);
  CHECK(at(f, 0.4) == at(*garland, 0.4 - 0.1));
  CHECK(at(f, 0.04) == Approx(at(*garland, 0.06)).epsilon(1e-12));  // -0.06 mirrored
  const Shifted far(garland, {-2.3}, Boundary::reflect);            // 2.5 -> 0.5
  CHECK(at(far, 0.2) == Approx(at(*garland, 0.5)).epsilon(1e-9));
  const Shifted upper(garland, {-0.1}, Boundary::reflect);  // 1.05 -> 0.95
  CHECK(at(upper, 0.95) == Approx(at(*garland, 0.95)).epsilon(1e-9));
}

TEST_CASE("clip, wrap and open treat the border as named", "[objective]") {
  const std::shared_ptr<const Objective> sine = make("sine");
  CHECK(at(Shifted(sine, {0.1}, Boundary::clip), 0.04) == at(*sine, 0));
  CHECK(at(Shifted(sine, {0.1}, Boundary::wrap), 0.04) == Approx(at(*sine, 0.94)).epsilon(1e-12));
  CHECK(at(Shifted(sine, {0.1}, Boundary::open), 0.04) == at(*sine, 0.04 - 0.1));
  CHECK_FALSE(Shifted(sine, {0.1}, Boundary::open).maximum());
}

TEST_CASE("a shifted maximum is the base's exactly when a maximiser is still reached",
          "[objective]") {
  const std::shared_ptr<const Objective> sine = make("sine");
  const Shifted inside(sine, {0.1}, Boundary::reflect);
  REQUIRE(inside.maximum());
  CHECK(at(inside, inside.maximisers().front()[0]) == Approx(*sine->maximum()).epsilon(1e-12));
  const Shifted lost(sine, {0.14}, Boundary::reflect);  // 0.8675 + 0.14 > 1
  CHECK_FALSE(lost.maximum());
  CHECK(search_line(lost, 100000).max < *sine->maximum() - 1e-4);
  // Every candidate of a shifted garland is one of its cusps: a local maximum.
  const Shifted garland(make("garland"), {0.03}, Boundary::reflect);
  CHECK(garland.candidate_maximisers().size() >= 18);
  for (const auto& x : garland.candidate_maximisers()) {
    if (x[0] < 0.2 || x[0] > 0.8) continue;
    CHECK(garland.value(x) > at(garland, x[0] + 1e-6));
    CHECK(garland.value(x) > at(garland, x[0] - 1e-6));
  }
}

TEST_CASE("the parameters low and high map [0, 1] onto [low, high]", "[objective]") {
  Parameters p = default_parameters(find_objective("garland")->parameters);
  p.set("squeeze_low", 0.25);
  p.set("squeeze_high", 0.75);
  const auto f = find_objective("garland")->make(p);
  CHECK(at(*f, 0.3) == Approx(0.25 + 0.5 * at(*make("garland"), 0.3)));
  CHECK(*f->maximum() == Approx(0.25 + 0.5 * 0.997772391161144535));
}

}  // namespace
}  // namespace posse::test_objectives
