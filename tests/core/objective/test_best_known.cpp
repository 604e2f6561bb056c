// SPDX-License-Identifier: Apache-2.0
// What maxima are where branch and bound finds no certificate: conventions, costly objectives,
// bounds that are loose, budgets that end.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/objective/heterogeneity.hpp"
#include "core/objective/maximum.hpp"

namespace posse::test_best_known {
namespace {

using Points = std::vector<std::vector<double>>;
using Function = std::function<double(std::span<const double>)>;

/// A function with the properties that a test gives it. Counts its evaluations.
struct Given final : Objective {
  Box box;
  Function f;
  std::function<double(std::span<const double>, std::span<const double>)> bound = {};  // of a box
  Points candidates = {};
  bool is_separable = false, is_expensive = false;
  std::optional<double> convention = {};
  mutable Points asked = {};

  Given(Box b, Function function) : box(std::move(b)), f(std::move(function)) {}
  const Box& domain() const override { return box; }
  double value(std::span<const double> x) const override {
    asked.emplace_back(x.begin(), x.end());
    return f(x);
  }
  bool upper_model(std::span<const double> centre,
                   std::span<const double> half_width,
                   UpperModel& model) const override {
    if (!bound) return false;
    model.at_centre = value(centre);
    model.set_constant(bound(centre, half_width));
    model.peak.clear();
    return true;
  }
  bool separable() const override { return is_separable; }
  bool expensive() const override { return is_expensive; }
  std::optional<double> conventional_maximum() const override { return convention; }
  Points candidate_maximisers() const override { return candidates; }
};

std::shared_ptr<Given> given(Box box, Function f) {
  return std::make_shared<Given>(std::move(box), std::move(f));
}

TEST_CASE("a conventional maximum is the conventions' mean, at the centre, without a search",
          "[maximum]") {
  const auto a = given(Box{{-1, 0}, {3, 1}}, [](auto) { return 0.1; });
  const auto b = given(Box{{-1, 0}, {3, 1}}, [](auto) { return 0.2; });
  a->convention = 1;
  b->convention = 0.5;
  const auto maximum = maximise_mean(Clients{a, b});
  CHECK(maximum.value == 0.75);
  CHECK(maximum.upper == 0.75);
  CHECK(maximum.point == std::vector{1, 0.5});
  CHECK(maximum.conventional);
  CHECK_FALSE(maximum.exact);
  CHECK_FALSE(maximum.certified);
  CHECK(a->asked.empty());
  b->convention = std::nullopt;
  CHECK_FALSE(maximise_mean(Clients{a, b}).conventional);
}

// Centre, then 40 evaluations with steps from 1/32 of the width, downwards first, a step halved
// where neither side is better. Numbers: the same walk in Python.
TEST_CASE("a costly function's maximum is the best of 40 steps from the centre", "[maximum]") {
  const auto f = given(Box::cube(1, 0, 1), [](auto x) { return -std::abs(x[0] - 0.6); });
  f->is_expensive = true;
  const auto maximum = maximise_mean(Clients{f});
  CHECK(f->asked.size() == 41);
  CHECK(f->asked[0] == std::vector{0.5});
  CHECK(f->asked[1] == std::vector{0.46875});
  CHECK(f->asked[2] == std::vector{0.53125});
  CHECK(maximum.point == std::vector{0.5999984741210938});
  CHECK(maximum.value == Approx(-1.5258789062277955e-06).epsilon(1e-9));
  CHECK(maximum.upper == std::numeric_limits<double>::infinity());
  CHECK_FALSE(maximum.exact);
  CHECK_FALSE(maximum.certified);
}

TEST_CASE("costly functions: candidates inside the box count, those that clients share once",
          "[maximum]") {
  // Plateaus: no step from the best candidate is better. f is largest at 0.9, which is outside the
  // list; the candidate 0.25 has 0.5, the centre 0.25.
  const auto f = given(Box::cube(1, 0, 1), [](auto x) {
    if (x[0] == 0.25) return 0.5;
    return x[0] == 0.5 ? 0.25 : x[0] > 1 ? 2.0 : 0.0;
  });
  f->is_expensive = true;
  f->candidates = {{0.25}, {0.75}, {1.5}, {0.75}};
  f->bound = [](auto centre, auto half_width) {
    CHECK(centre[0] == 0.5);
    CHECK(half_width[0] == 0.5);
    return 0.875;
  };
  const auto maximum = maximise_mean(Clients{f, f, f});
  CHECK(maximum.value == 0.5);
  CHECK(maximum.point == std::vector{0.25});
  CHECK(maximum.upper == 0.875);
  // Three clients: the centre, two candidates, 40 steps; and the bound's value at the centre.
  CHECK(f->asked.size() == 3 * (1 + 2 + 40) + 3);
}

TEST_CASE("the candidates of at most 20 costly objectives are tried, evenly spaced", "[maximum]") {
  std::vector<std::shared_ptr<const Objective>> clients;
  for (int i = 0; i < 50; ++i) {
    const auto f = given(Box::cube(1, 0, 1), [](auto) { return 0.0; });
    f->is_expensive = true;
    f->candidates = {{0.001 * (i + 1)}};
    clients.push_back(f);
  }
  maximise_mean(clients);
  const auto& asked = static_cast<const Given&>(*clients[0]).asked;
  REQUIRE(asked.size() >= 21);
  // Sorted by coordinate: candidates of the objectives 0, 2, 5, 7, 10 … 47, and the centre.
  for (std::size_t i = 0; i < 20; ++i)
    CHECK(asked[i][0] == Approx(0.001 * static_cast<double>(i * 50 / 20 + 1)));
  CHECK(asked[20] == std::vector{0.5});
}

// f is 0 but for spikes that no search meets: sum of w_j at x_j = 1/3. A bound is the sum of the
// weights of the spikes in the box.
TEST_CASE("separable: the bound is the value plus the gaps of all coordinates", "[maximum]") {
  const std::vector<double> weights{0.5, 0.25, 0.125};
  const auto f = given(Box::cube(3, 0, 1), [](auto) { return 0.0; });
  f->is_separable = true;
  f->bound = [&](auto centre, auto half_width) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j)
      if (std::abs(centre[j] - 1.0 / 3) <= half_width[j]) sum += weights[j];
    return sum;
  };
  const auto maximum = maximise_mean(Clients{f}, {.tolerance = 1e-3, .evaluations = 300});
  CHECK(maximum.value == 0);
  CHECK(maximum.upper == 0.875);
  CHECK_FALSE(maximum.exact);
  CHECK_FALSE(maximum.certified);
}

TEST_CASE("branch and bound ends at the tolerance, or reports the gap where evaluations end",
          "[maximum]") {
  const auto tent = [](double tolerance, std::uint64_t evaluations) {
    const auto f = given(Box::cube(1, 0, 1), [](auto x) { return -std::abs(x[0] - 1.0 / 3); });
    // Loose by 2 r at worst.
    f->bound = [](auto centre, auto half_width) {
      return -std::abs(centre[0] - 1.0 / 3) + 2 * half_width[0];
    };
    return maximise_mean(Clients{f}, {.tolerance = tolerance, .evaluations = evaluations});
  };
  for (const double tolerance : {0.1, 1e-2, 1e-3, 1e-6}) {
    const auto maximum = tent(tolerance, 100'000);
    CHECK(maximum.value <= 0);
    CHECK(maximum.value >= -1e-9);  // the local search
    CHECK(maximum.upper >= 0);
    CHECK(maximum.upper <= tolerance);
    CHECK(maximum.upper >= tolerance / 8);  // no more work than was asked for
    CHECK_FALSE(maximum.certified);         // only closed forms
  }
}

TEST_CASE("however many clients, 200 evaluations of the mean are allowed", "[maximum]") {
  // A bound that never falls: the search goes on until its budget ends.
  const auto cells = [](std::size_t clients, std::uint64_t evaluations) {
    std::vector<std::shared_ptr<const Objective>> all;
    for (std::size_t i = 0; i < clients; ++i) {
      const auto f = given(Box::cube(1, 0, 1), [](auto) { return 0.0; });
      f->bound = [](auto, auto) { return 1.0; };
      all.push_back(f);
    }
    const auto maximum = maximise_mean(all, {.evaluations = evaluations});
    CHECK(maximum.upper == 1);
    CHECK(maximum.value == 0);
    return static_cast<const Given&>(*all[0]).asked.size();
  };
  // A cell costs two evaluations in all, its own and that of a refinement: the bound's share are
  // 100 of 200, the local searches' at most 200, the centre's 1.
  CHECK(cells(1, 1) >= 100);
  CHECK(cells(1, 1) <= 1 + 101 + 200);
  CHECK(cells(1000, 2000) <= 1 + 101 + 200);
  CHECK(cells(1, 4000) >= 2000);
  CHECK(cells(2, 8000) >= 2000);
  CHECK(cells(2, 8000) <= 1 + 2001 + 4000);
}

TEST_CASE("of two equal candidates the first one given is the point", "[maximum]") {
  const auto f =
      given(Box::cube(1, 0, 1), [](auto x) { return x[0] == 0.3 || x[0] == 0.7 ? 1.0 : 0.0; });
  f->candidates = {{0.7}, {0.3}, {-0.5}};
  const auto maximum = maximise_mean(Clients{f});
  CHECK(maximum.point == std::vector{0.7});
  CHECK(maximum.value == 1);
  CHECK(maximum.upper == std::numeric_limits<double>::infinity());
}

TEST_CASE("one objective's stated maximum is taken as it is", "[maximum]") {
  struct Stated final : Objective {
    Box box = Box::cube(1, 0, 1);
    Points points;
    explicit Stated(Points p) : points(std::move(p)) {}
    const Box& domain() const override { return box; }
    double value(std::span<const double>) const override { return 0; }
    std::optional<double> maximum() const override { return 0.625; }
    Points maximisers() const override { return points; }
  };
  const auto maximum = maximise_mean(Clients{std::make_shared<Stated>(Points{{0.25}, {0.75}})});
  CHECK(maximum.value == 0.625);
  CHECK(maximum.upper == 0.625);
  CHECK(maximum.point == std::vector{0.25});
  CHECK(maximum.exact);
  CHECK_FALSE(maximum.conventional);
  CHECK(maximise_mean(Clients{std::make_shared<Stated>(Points{})}).point.empty());
}

TEST_CASE("the mean is the sum over clients divided by their number", "[maximum]") {
  const auto a = given(Box::cube(1, 0, 1), [](auto x) { return x[0]; });
  const auto b = given(Box::cube(1, 0, 1), [](auto x) { return 3 * x[0]; });
  CHECK(mean_value(Clients{a, b}, std::vector{0.5}) == 1);
  CHECK(mean_value(Clients{a, a, b, b}, std::vector{0.25}) == 0.5);
}

}  // namespace
}  // namespace posse::test_best_known
