// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <thread>

#include "actors/fed_pne/protocol.hpp"
#include "actors/parallel/protocol.hpp"
#include "core/objective/expression.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/maximum.hpp"
#include "core/objective/sample_points.hpp"
#include "core/objective/scaled.hpp"
#include "core/objective/sine.hpp"
#include "tests/support/problems.hpp"

namespace posse::test_expression {
namespace {

constexpr auto kSine = "0.5*(sin(13*x1)*sin(27*x1)/2+1)";

double at(std::string_view text, std::vector<double> x) {
  return Expression(text, Box::cube(x.size(), -10, 10)).value(x);
}

/// What is wrong with an expression on [0, 1]^d; empty if nothing is.
std::string complaint(std::string_view text, std::size_t d = 1, std::optional<double> l = {}) {
  try {
    const Expression f(text, Box::cube(d, 0, 1), l);
    return "";
  } catch (const InputError& error) {
    return error.parameter() + ": " + error.what();
  }
}
auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

std::unique_ptr<Objective> made(std::string_view text, std::vector<std::vector<double>> box) {
  const auto& spec = *find_objective("expression");
  auto p = default_parameters(spec.parameters);
  p.set("f", std::string(text));
  p.set("low", box[0]);
  p.set("high", box[1]);
  return spec.make(p);
}

TEST_CASE("expressions are evaluated with the usual precedence and functions", "[expression]") {
  CHECK(at("1+2*3", {0}) == 7);
  CHECK(at("-x1^2", {3}) == -9);
  CHECK(at("2^3^2", {0}) == 512);
  CHECK(at("x - x1", {3}) == 0);
  CHECK(at("x1 + 10*x2 + 100*x3", {1, 2, 3}) == 321);
  CHECK(at("pi", {0}) == std::numbers::pi);
  CHECK(at("ln(e)", {0}) == 1);
  CHECK(at("log(x1)^0", {1}) == 1);
  CHECK(at("x1 < 2 && x2 >= 3 ? 5 : 7", {1, 3}) == 5);
  CHECK(at("x1 != 1 || x2 == 4 ? 5 : 7", {1, 3}) == 7);
  CHECK(at("max(x1, 4, -3) + min(1, 2) + abs(-3) + sign(-7)", {2}) == 7);
  CHECK(at("sqrt(16) + exp(0) + cos(0) + 1e1 + .5", {0}) == 16.5);
  CHECK(at("atan2(1, 1)", {0}) == std::atan2(1.0, 1.0));
  CHECK(at(" 1\t+\n 1 ", {0}) == 2);
}

TEST_CASE("the sine objective written as an expression has the same values", "[expression]") {
  const Expression written(kSine, Box::cube(1, 0, 1));
  const Sine sine;
  for (int i = 0; i <= 100000; ++i) {
    const std::vector<double> x{i / 100000.0};
    CHECK(std::abs(written.value(x) - sine.value(x)) <= 1e-15);
  }
  CHECK(written.value_range().low == Approx(0.271463).margin(1e-5));
  CHECK(written.value_range().high == Approx(0.737800).margin(1e-5));
}

TEST_CASE("a run on the sine as an expression decides as on the built-in one", "[expression]") {
  const auto problem_of = [](std::unique_ptr<Objective> f) {
    return Problem(Clients(4, std::shared_ptr<const Objective>(std::move(f))),
                   make_uniform_noise(0.1),
                   1600,
                   Seed{7});
  };
  const Problem written = problem_of(made(kSine, {{0}, {1}}));
  const Problem built_in = problem_of(std::make_unique<Sine>());
  for (const auto* algorithm : {&fed_pne_algorithm(), &parallel_algorithm()}) {
    auto parameters = default_parameters(algorithm->parameters);
    parameters.set("nu1", 2.4);
    parameters.set("rho", 0.5);
    const test::Run a(*algorithm, parameters, 4, Seed{7}, &written);
    const test::Run b(*algorithm, parameters, 4, Seed{7}, &built_in);
    const auto x = run_serial(a.spec);
    const auto y = run_serial(b.spec);
    CHECK(x.outcome.status == RunStatus::finished);
    REQUIRE(x.outcome.rounds.size() == y.outcome.rounds.size());
    for (std::size_t i = 0; i < x.outcome.rounds.size(); ++i) {
      CHECK(x.outcome.rounds[i].best == y.outcome.rounds[i].best);
      CHECK(x.outcome.rounds[i].kept_cells == y.outcome.rounds[i].kept_cells);
      CHECK(x.outcome.rounds[i].steps == y.outcome.rounds[i].steps);
    }
    CHECK(x.outcome.regret.recommendation == y.outcome.regret.recommendation);
    CHECK(x.outcome.regret.cumulative == Approx(y.outcome.regret.cumulative).margin(1e-6));
  }
}

TEST_CASE("a malformed expression is refused with the place and what is allowed", "[expression]") {
  CHECK_THAT(complaint("sin(x2)"), has("f: at character 5: unexpected token \"x2\"; allowed: x1"));
  CHECK_THAT(complaint("x2 + y", 3),
             has("at character 6: unexpected token \"y\"; allowed: x1 … x3"));
  CHECK_THAT(complaint("x1 + x", 2), has("at character 6"));
  CHECK_THAT(complaint("foo(3)"), has("and the functions abs"));
  CHECK_THAT(complaint("(1 + x1"), has("missing parenthesis"));
  CHECK_THAT(complaint("x1)"), has("at character 3: unexpected parenthesis"));
  CHECK_THAT(complaint("2 x1"), has("at character 3: unexpected variable \"x1\""));
  CHECK_THAT(complaint("2 *"), has("unexpected end"));
  CHECK(complaint("") == "f: expression is empty");
  CHECK(complaint("x1)") == "f: at character 3: unexpected parenthesis \")\"");
  CHECK_THAT(complaint("x1 ? 1"), has("else"));
  CHECK_THAT(complaint("x1 = 3"), has("at character 4: '=' is an assignment"));
  CHECK_THAT(complaint("x1 == 3 ? x1 = 1 : 2"), has("at character 14"));
  CHECK_THAT(complaint("x1, 2"), has("2 results"));
  CHECK_THAT(complaint("\"x1\""), has("trings"));
  CHECK_THAT(complaint("min()"), has("too few parameters"));
  CHECK_THAT(complaint("sin(1, 2)"), has("too many parameters"));
  CHECK_THAT(complaint("x1 + \xc3\xa9"), has("at character 6: only plain ASCII"));
  CHECK_THAT(complaint(std::string("x1\0+", 4)), has("at character 3"));
  CHECK_THAT(complaint(std::string(5000, '1')), has("has 5000 characters"));
  CHECK_THAT(complaint("_pi"), has("unexpected token \"_pi\""));
}

TEST_CASE("values that aren't finite are refused with the point", "[expression]") {
  CHECK_THAT(complaint("1/(x1-0.25)"), has("f: the expression is inf at (0.25)"));
  CHECK_THAT(complaint("ln(x1)"), has("-inf at (0)"));
  CHECK_THAT(complaint("sqrt(x1-x2)", 2), has("nan at (0, "));
  // Between the points that are looked at when it is made: found when it is evaluated.
  const Expression f("x1 > 0.3001 && x1 < 0.3002 ? 1/0 : 0", Box::cube(1, 0, 1));
  CHECK(f.value(std::vector<double>{0.3001}) == 0);
  CHECK_THROWS_WITH(f.value(std::vector<double>{0.30015}), has("inf at (0.30015)"));
}

TEST_CASE("a Lipschitz constant certifies the maximum, one that is too small is detected",
          "[expression]") {
  // max x(1-x) = 1/4; max sin x + sin 2x on [0, 1]: cos x + 2 cos 2x = 0.
  const auto parabola = std::make_shared<Expression>("x1*(1-x1)", Box::cube(1, 0, 1), 1.0);
  const std::vector<std::shared_ptr<const Objective>> one{parabola};
  const auto maximum = maximise_mean(one);
  CHECK(maximum.value == Approx(0.25).margin(1e-9));
  CHECK(maximum.upper >= 0.25);
  CHECK(maximum.upper <= maximum.value + 1e-3);
  CHECK_FALSE(maximum.exact);

  const std::vector<std::shared_ptr<const Objective>> blind{
      std::make_shared<Expression>("x1*(1-x1)", Box::cube(1, 0, 1))};
  CHECK(maximise_mean(blind).value == Approx(0.25).margin(1e-9));
  CHECK(std::isinf(maximise_mean(blind).upper));

  // The gradient of x^2 + y^2 is at most 2 sqrt 2 long on the unit square.
  CHECK(complaint("x1^2+x2^2", 2, 2 * std::numbers::sqrt2).empty());
  const Expression plane("3*x1+4*x2", Box::cube(2, 0, 1), 5.0);
  CHECK(upper_bound(plane, std::vector<double>{0.5, 0.5}, std::vector<double>{0.3, 0.4}) ==
        Approx(3.5 + 2.5));
  CHECK_THAT(complaint("x1*(1-x1)", 1, 0.9), has("lipschitz: is too small: f changes from"));
  CHECK_THAT(complaint("x1^2+x2^2", 2, 1.5), has("lipschitz: is too small"));
}

TEST_CASE("the box is a number or a list per dimension", "[expression]") {
  const auto box = made("x1+x2+x3", {{-1}, {1, 2, 3}})->domain();
  CHECK(box.low == std::vector<double>{-1, -1, -1});
  CHECK(box.high == std::vector<double>{1, 2, 3});
  CHECK_THROWS_WITH(made("x1", {{0, 1}, {2, 3, 4}}), has("2 numbers, but high has 3"));
  CHECK_THROWS_WITH(made("x1", {{0, 1}, {2, 1}}), has("1 is not below high = 1 in dimension 2"));
  CHECK_THROWS_WITH(made("x1", {{-1e308}, {1e308}}), has("too wide"));
}

TEST_CASE("an expression has the same values on many threads", "[expression]") {
  const Expression f("sin(13*x1)*cos(7*x2) + (x1 < x2 ? exp(x1) : x2^3)", Box::cube(2, 0, 1));
  constexpr std::size_t kPoints = 20000;
  const auto value = [&](std::size_t i) {
    const double u = static_cast<double>(i) / kPoints;
    return f.value(std::vector<double>{u, 1 - u * u});
  };
  std::vector<double> alone(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) alone[i] = value(i);
  std::array<std::vector<double>, 8> results;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kPoints; ++i)
        results[t].push_back(value((i + t * 997) % kPoints));
    });
  for (auto& thread : threads) thread.join();
  for (std::size_t t = 0; t < results.size(); ++t)
    for (std::size_t i = 0; i < kPoints; ++i)
      if (results[t][i] != alone[(i + t * 997) % kPoints]) FAIL("thread " << t << ", point " << i);
}

TEST_CASE("any text is parsed as an expression or refused", "[expression]") {
  const std::vector<std::string> pieces{
      "x1",  "x2",  "x3",   "pi",   "e",     "1",    "2.5",    "1e3", ".",
      "+",   "-",   "*",    "/",    "^",     "(",    ")",      "(",   ")",
      "<",   "<=",  "==",   "!=",   "&&",    "||",   "?",      ":",   ",",
      "sin", "max", "min(", "sum(", "sqrt(", "abs(", "atan2(", "=",   "!",
      "\"",  "_",   " ",    "$",    "#",     "0x",   "1e",     "e5",  "99999999999999999999"};
  std::mt19937_64 random(5);
  int accepted = 0;
  for (int i = 0; i < 10000; ++i) {
    std::string text;
    for (auto n = random() % 12; n-- > 0;) text += pieces[random() % pieces.size()];
    try {
      const Expression f(text, {{0.25, 0.5}, {0.75, 1.0}});
      CHECK(std::isfinite(f.value(std::vector<double>{0.3, 0.7})));
      ++accepted;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).size() > 5);
    }
  }
  CHECK(accepted > 30);
}

TEST_CASE("sample points hold the corners and the centre, and neighbours are close",
          "[expression]") {
  for (const std::size_t d : {1, 2, 3, 5, 7}) {
    const Box box = Box::cube(d, -1, 3);
    const auto points = sample_points(box);
    CHECK(points.size() <= 5000);
    CHECK(std::find(points.begin(), points.end(), box.low) != points.end());
    CHECK(std::find(points.begin(), points.end(), box.high) != points.end());
    CHECK(std::find(points.begin(), points.end(), std::vector<double>(d, 1.0)) != points.end());
    for (std::size_t i = 1; i < points.size(); ++i) {
      std::size_t changed = 0;
      for (std::size_t j = 0; j < d; ++j) changed += points[i][j] != points[i - 1][j];
      if (changed != 1) FAIL("dimension " << d << ", point " << i);
    }
  }
  const auto many = sample_points(Box::cube(20, 0, 1));
  CHECK(many.size() == 3 + 40 + 1024);
  for (const auto& x : many) CHECK(Box::cube(20, 0, 1).contains(x));
}

TEST_CASE("noise models state whether means must lie in [0, 1]", "[expression]") {
  for (const auto& spec : noise_specs())
    CHECK(spec.make(default_parameters(spec.parameters))->needs_unit_interval() ==
          (spec.kind != "none" && spec.kind != "uniform"));
  CHECK(Scaled(std::make_shared<Expression>("2*x1", Box::cube(1, 0, 1)), 0.5, 0.25)
            .value_range()
            .high == 1.25);
}

}  // namespace
}  // namespace posse::test_expression
