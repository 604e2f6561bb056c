// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <string>

#include "core/base/parameters.hpp"
#include "core/objective/doublesine.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/garland.hpp"
#include "core/objective/heterogeneity_families.hpp"
#include "core/objective/maximum.hpp"
#include "core/objective/rastrigin.hpp"
#include "core/objective/sine.hpp"

namespace posse::test_heterogeneity_families {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

double at(const Objective& f, std::vector<double> x) { return f.value(x); }

std::vector<std::shared_ptr<const Objective>> mixed(const std::string& text) {
  return mixed_functions(std::make_shared<Garland>(), text);
}

ShiftTable table(const std::string& csv) {
  return ShiftTable(std::make_shared<Garland>(), csv, Boundary::reflect);
}

TEST_CASE("clients of a mixture take turns, the objective itself first", "[families]") {
  const Mixture mixture(mixed("doublesine, sine,x1*(1-x1)"));
  const auto clients = mixture.clients(6, {Seed{1}});
  REQUIRE(clients.size() == 6);
  for (const double x : {0.1, 0.52, 0.9}) {
    CHECK(at(*clients[0], {x}) == at(Garland(), {x}));
    CHECK(at(*clients[1], {x}) == at(DoubleSine(), {x}));
    CHECK(at(*clients[2], {x}) == at(Sine(), {x}));
    CHECK(at(*clients[3], {x}) == x * (1 - x));
    CHECK(clients[4] == clients[0]);
    CHECK(clients[5] == clients[1]);
  }
  // garland's 0.997772, doublesine's 1: the mean's maximum lies below the mean of the two.
  const Mixture two(mixed("doublesine"));
  const auto maximum = maximise_mean(two.clients(2, {Seed{1}}));
  double best = 0;
  for (int i = 0; i <= 100000; ++i)
    best = std::max(best, 0.5 * (at(Garland(), {i * 1e-5}) + at(DoubleSine(), {i * 1e-5})));
  CHECK(maximum.value == Approx(best).margin(1e-3));
  CHECK(maximum.value < 0.99);
  CHECK(maximum.upper >= best);
}

TEST_CASE("a mixture takes the base's dimension and semicolons where commas won't do",
          "[families]") {
  const auto base = std::make_shared<Rastrigin>(3);
  const auto functions = mixed_functions(base, "rastrigin; max(x1, x2, x3, 0)");
  REQUIRE(functions.size() == 3);
  CHECK(functions[1]->domain().dimension() == 3);
  CHECK(at(*functions[2], {-1, 0.25, 0.5}) == 0.5);
  CHECK(Mixture(mixed("3*x1-1")).value_range().low == -1);
  CHECK(Mixture(mixed("3*x1-1")).value_range().high == 2);
}

TEST_CASE("a malformed mixture is refused, and the wrong part is named", "[families]") {
  CHECK_THROWS_WITH(mixed("garlnd"),
                    has("'garlnd' is neither a function without parameters (sine, "
                        "garland"));
  CHECK_THROWS_WITH(mixed("himmelblau"),
                    has("himmelblau is defined on [-5, -5] to [5, 5], the "
                        "objective on [0] to [1]"));
  CHECK_THROWS_WITH(mixed(" \t garlnd \n,sine"), has("'garlnd' is neither"));
  CHECK(mixed(" sine \n,\tdoublesine").size() == 3);  // blanks around a name are no part of it
  CHECK_THROWS_WITH(mixed("sine,,sine"), has("an entry is empty"));
  CHECK_THROWS_WITH(mixed(""), has("an entry is empty"));
  CHECK_THROWS_WITH(mixed("sine,"), has("an entry is empty"));
  CHECK_THROWS_WITH(mixed("expression"), has("expression has required parameters"));
  CHECK_THROWS_WITH(mixed("table"), has("table has required parameters"));
  CHECK_THROWS_WITH(mixed("max(x1,0)"), has("'max(x1' is neither"));
}

TEST_CASE("shifts from a table are those of the repetition's number and the client", "[families]") {
  const auto shifts = table("client,seed,s1\n0,1,0.1\n1,1,-0.1\n0,2,0.2\n1,2,0\n0,9,0.3\n");
  const auto first = shifts.clients(2, {Seed{77}, 1});
  const auto second = shifts.clients(2, {Seed{78}, 2});
  CHECK(at(*first[0], {0.5}) == at(Garland(), {0.4}));
  CHECK(at(*first[1], {0.5}) == at(Garland(), {0.6}));
  CHECK(at(*second[0], {0.5}) == at(Garland(), {0.3}));
  CHECK(at(*second[1], {0.5}) == at(Garland(), {0.5}));
  CHECK(shifts.clients(1, {Seed{1}, 9}).size() == 1);
  CHECK_THROWS_WITH(shifts.clients(2, {Seed{1}, 9}), has("no row for seed 9 and client 1"));
  CHECK_THROWS_WITH(shifts.check(1, {Seed{1}, 3}), has("no row for seed 3 and client 0"));
  CHECK_THROWS_WITH(shifts.check(3, {Seed{1}, 1}), has("no row for seed 1 and client 2"));
}

TEST_CASE("a malformed table of shifts is refused with its line", "[families]") {
  CHECK_THROWS_WITH(table(""), has("empty"));
  CHECK_THROWS_WITH(table("seed,client,s1\n"), has("the file has no rows"));
  CHECK_THROWS_WITH(table("seed,client\n1,0\n"), has("line 1: there is no column 's1'"));
  CHECK_THROWS_WITH(table("seed,client,s1,s2\n1,0,0,0\n"),
                    has("the columns must be seed, client and s1"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1,0,\n"), has("line 2: s1 is '', not a finite number"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1,0,nan\n"), has("line 2: s1 is 'nan'"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1,-1,0\n"), has("line 2: client is '-1', not a whole"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1.5,0,0\n"), has("line 2: seed is '1.5'"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1,0,0\n\n1,0,1\n"),
                    has("line 4: seed 1, client 0 is listed twice"));
  CHECK_THROWS_WITH(table("seed,client,s1\n1,0\n"), has("line 2: 2 columns instead of 3"));
}

TEST_CASE("a table of shifts with random bytes is read or refused", "[families]") {
  const std::vector<std::string> pieces{"1", "0", ",", ",", "\n", "-0.5", "x", "\"", " ", "\r\n"};
  std::mt19937_64 random(6);
  int read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string csv = "seed,client,s1\n7,0,0.25\n";
    for (auto n = random() % 12; n-- > 0;) csv += pieces[random() % pieces.size()];
    try {
      table(csv);
      ++read;
    } catch (const InputError&) {
    }
  }
  CHECK(read > 100);
}

}  // namespace
}  // namespace posse::test_heterogeneity_families
