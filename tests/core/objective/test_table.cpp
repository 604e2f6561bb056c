// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>

#include "core/base/parameters.hpp"
#include "core/objective/heterogeneity.hpp"
#include "core/objective/maximum.hpp"
#include "core/objective/table.hpp"
#include "core/objective/user_objectives.hpp"

namespace posse::test_table {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

double at(const Objective& f, std::vector<double> x) { return f.value(x); }

Table table(const std::string& csv, Interpolation interpolation = Interpolation::nearest) {
  const auto data = parse_table(csv);
  return Table(data, extent(data), interpolation);
}

std::string complaint(const std::string& csv) {
  try {
    table(csv);
    return "";
  } catch (const InputError& error) {
    CHECK(error.parameter() == "file");
    return error.what();
  }
}

/// A random number with few digits, so that distances tie.
double coarse(std::mt19937_64& random) { return static_cast<double>(random() % 65) / 64; }

TableData random_table(std::size_t d, std::size_t n, std::mt19937_64& random) {
  std::string csv = "value";
  for (std::size_t j = 1; j <= d; ++j) csv += ",x" + std::to_string(j);
  csv += "\n";
  std::vector<std::vector<double>> seen;
  while (seen.size() < n) {
    std::vector<double> x;
    for (std::size_t j = 0; j < d; ++j) x.push_back(coarse(random));
    if (std::find(seen.begin(), seen.end(), x) != seen.end()) continue;
    csv += std::to_string(coarse(random));
    for (const double c : x) csv += "," + std::to_string(c);
    csv += "\n";
    seen.push_back(x);
  }
  return parse_table(csv);
}

TEST_CASE("a table has the value of the nearest point, of the first one if several are",
          "[table]") {
  const Table f = table("x1,value\n0,0.1\n1,0.4\n4,0.2\n");
  CHECK(f.domain().low == std::vector<double>{0});
  CHECK(f.domain().high == std::vector<double>{4});
  CHECK(at(f, {0}) == 0.1);
  CHECK(at(f, {0.49}) == 0.1);
  CHECK(at(f, {0.5}) == 0.1);  // a tie
  CHECK(at(f, {0.51}) == 0.4);
  CHECK(at(f, {2.5}) == 0.4);
  CHECK(at(f, {2.6}) == 0.2);
  CHECK(*f.maximum() == 0.4);
  CHECK(f.maximisers() == std::vector<std::vector<double>>{{1}});
  CHECK(f.value_range().low == 0.1);

  // Coordinates count as shares of the box: 10 along x1 is as far as 0.1 along x2.
  const Table wide = table("x2,value,x1\n0,1,0\n0.1,2,100\n0.04,3,60\n");
  CHECK(at(wide, {0, 0.01}) == 1);
  CHECK(at(wide, {90, 0.04}) == 3);
  CHECK(at(wide, {90, 0.09}) == 2);
}

TEST_CASE("a linear table joins neighbouring points by lines", "[table]") {
  const Table f = table("x1,value\n4,0.2\n0,0.1\n1,0.4\n", Interpolation::linear);
  CHECK(at(f, {0}) == 0.1);
  CHECK(at(f, {0.5}) == Approx(0.25));
  CHECK(at(f, {1}) == 0.4);
  CHECK(at(f, {2}) == Approx(0.4 - 0.2 / 3));
  CHECK(at(f, {4}) == 0.2);
  CHECK(*f.maximum() == 0.4);
  const auto data = parse_table("x1,value\n1,0.4\n2,0.3\n");
  const Table wider(data, Box::cube(1, 0, 5), Interpolation::linear, -1, 1);
  CHECK(at(wider, {0}) == 0.6);
  CHECK(at(wider, {5}) == 0.7);
  CHECK(*wider.maximum() == 0.7);
  CHECK(upper_bound(f, std::vector<double>{0.5}, std::vector<double>{0.25}) == Approx(0.325));
  CHECK(upper_bound(f, std::vector<double>{0.75}, std::vector<double>{0.5}) == 0.4);
}

TEST_CASE("searches in the point tree agree with a scan of all points", "[table]") {
  std::mt19937_64 random(1);
  for (const std::size_t d : {1, 2, 3, 6}) {
    for (const std::size_t n : {1, 7, 9, 60, 500}) {
      if (d == 1 && n > 60) continue;
      const auto data = random_table(d, n, random);
      const PointTree tree(d, data.points, data.values);
      for (int query = 0; query < 200; ++query) {
        std::vector<double> x;
        for (std::size_t j = 0; j < d; ++j) x.push_back(coarse(random));
        const double radius = 0.5 * coarse(random);
        std::size_t nearest = 0;
        double least = 1e9, largest = -INFINITY;
        for (std::size_t i = 0; i < n; ++i) {
          double squares = 0;
          for (std::size_t j = 0; j < d; ++j)
            squares += (tree.point(i)[j] - x[j]) * (tree.point(i)[j] - x[j]);
          if (squares < least) nearest = i;
          least = std::min(least, squares);
          if (squares <= radius * radius) largest = std::max(largest, tree.value(i));
        }
        CHECK(tree.nearest(x).point == nearest);
        CHECK(tree.nearest(x).squared_distance == least);
        CHECK(tree.largest_within(x, radius) == largest);
      }
    }
  }
}

TEST_CASE("an upper bound of a table is above its values nearby and tight in small balls",
          "[table]") {
  std::mt19937_64 random(2);
  const auto data = random_table(2, 200, random);
  const Table f(data, Box::cube(2, -0.5, 1.5), Interpolation::nearest);
  int tight = 0;
  for (int i = 0; i < 300; ++i) {
    const std::vector<double> centre{coarse(random), coarse(random)};
    const std::vector<double> half{0.1 * coarse(random), 0.1 * coarse(random)};
    const double bound = *upper_bound(f, centre, half);
    CHECK(bound <= *f.maximum());
    for (int k = 0; k < 20; ++k) {
      const double u = 2 * coarse(random) - 1, v = 2 * coarse(random) - 1;
      CHECK(at(f, {centre[0] + u * half[0], centre[1] + v * half[1]}) <= bound);
    }
    tight += *upper_bound(f, centre, std::vector<double>{1e-9, 1e-9}) == f.value(centre);
  }
  CHECK(tight > 250);  // the others lie on a border between two points
}

TEST_CASE("the maximum of a mean of shifted tables is certified", "[table]") {
  std::mt19937_64 random(3);
  const std::shared_ptr<const Objective> f = std::make_shared<Table>(
      random_table(1, 20, random), Box::cube(1, 0, 1), Interpolation::nearest);
  const auto clients = given_shifts(f, {0.1, -0.05, 0.02}, Boundary::reflect);
  const auto maximum = maximise_mean(clients);
  double best = 0;
  for (int i = 0; i <= 100000; ++i)
    best = std::max(best, mean_value(clients, std::vector<double>{i / 100000.0}));
  CHECK(maximum.value == Approx(best));
  CHECK(maximum.upper >= best);
  CHECK(maximum.upper <= best + 1e-3);
}

TEST_CASE("a malformed table is refused with its line", "[table]") {
  CHECK_THAT(complaint(""), has("the file is empty"));
  CHECK_THAT(complaint("x1,value\n"), has("the file has no rows"));
  CHECK_THAT(complaint("x1,y\n1,2\n"), has("line 1: the columns must be x1 … xd and value"));
  CHECK_THAT(complaint("x1,x3,value\n1,2,3\n"), has("line 1: the columns"));
  CHECK_THAT(complaint("x1,x1,value\n1,2,3\n"), has("line 1: the columns"));
  CHECK_THAT(complaint("value\n1\n"), has("line 1: the columns"));
  CHECK_THAT(complaint("x1,value\n0,1\n,2\n"), has("line 3: x1 is missing"));
  CHECK_THAT(complaint("x1,value\n0,1\n1,\n"), has("line 3: value is missing"));
  CHECK_THAT(complaint("x1,value\n0,1\n1\n"), has("line 3: 1 columns instead of 2"));
  CHECK_THAT(complaint("x1,value\n0,one\n"), has("line 2: value is 'one', not a finite number"));
  CHECK_THAT(complaint("x1,value\n0,nan\n"), has("line 2: value is 'nan'"));
  CHECK_THAT(complaint("x1,value\ninf,0\n"), has("line 2: x1 is 'inf'"));
  CHECK_THAT(complaint("x1,value\n0,1e999\n"), has("not a finite number"));
  CHECK_THAT(complaint("x1,value\n0,1\n\n1,1\n-0.0,2\n"),
             has("line 5: the same point as in line 2"));
  const auto data = parse_table("x1,value\n0,1\n3,2\n");
  CHECK_THROWS_WITH(Table(data, Box::cube(1, 0, 2), Interpolation::nearest),
                    has("line 3: (3) is outside the box"));
  CHECK_THROWS_WITH(Table(data, Box::cube(1, 0, 3), Interpolation::nearest, 1e308, 1e308),
                    has("into inf, which is not finite"));
  CHECK_THROWS_WITH(table("x1,x2,value\n0,0,1\n1,1,2\n", Interpolation::linear),
                    has("needs one dimension"));
}

TEST_CASE("a table with random bytes is read or refused", "[table]") {
  const std::vector<std::string> pieces{"x1",
                                        "x2",
                                        "value",
                                        ",",
                                        ",",
                                        "\n",
                                        "\n",
                                        "0",
                                        "1",
                                        "0.5",
                                        "-3e2",
                                        "nan",
                                        "\"",
                                        "\"\"",
                                        "\r\n",
                                        " ",
                                        "",
                                        "1e400",
                                        "\xff",
                                        std::string(1, '\0'),
                                        "x1,value\n0,1\n"};
  std::mt19937_64 random(4);
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string csv = random() % 4 == 0 ? "" : "x1,value\n";
    for (auto n = random() % 10; n-- > 0;) csv += pieces[random() % pieces.size()];
    try {
      const auto data = parse_table(csv);
      CHECK(data.points.size() == data.values.size() * data.dimension);
      ++read;
    } catch (const InputError&) {
    }
  }
  CHECK(read > 30);
}

TEST_CASE("a table's box is the points' unless it is given", "[table]") {
  const auto& spec = *find_objective("table");
  const auto made = [&](const std::string& csv,
                        std::vector<std::pair<std::string, ParameterValue>> set = {}) {
    auto p = default_parameters(spec.parameters);
    p.set("file", InputText{"t.csv", "", std::make_shared<const std::string>(csv)});
    for (auto& [name, value] : set) p.set(name, std::move(value));
    return spec.make(p);
  };
  const std::string csv = "x1,x2,value\n0,5,0.1\n1,7,0.4\n";
  CHECK(made(csv)->domain().high == std::vector<double>{1, 7});
  CHECK(made(csv, {{"low", std::vector<double>{-1}}})->domain().low == std::vector<double>{-1, -1});
  CHECK(at(*made(csv, {{"factor", -1.0}, {"offset", 1.0}}), {0, 5}) == 0.9);
  CHECK_THROWS_WITH(made(csv, {{"low", std::vector<double>{0, 0, 0}}}),
                    has("3 numbers, but the table has 2 dimensions"));
  CHECK_THROWS_WITH(made(csv, {{"low", std::vector<double>{1, 5}}}), has("not below high"));
  CHECK_THROWS_WITH(made("x1,x2,value\n0,5,0.1\n1,5,0.4\n"), has("5 is not below high = 5"));
  CHECK_THROWS_WITH(made(csv, {{"factor", 0.0}}), has("must not be 0"));
}

}  // namespace
}  // namespace posse::test_table
