// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <thread>

#include "core/base/parameters.hpp"
#include "core/objective/factories.hpp"
#include "core/objective/landmine.hpp"
#include "core/objective/maximum.hpp"
#include "tests/support/test_data.hpp"

namespace posse::test_landmine {
namespace {

const std::string kHeader = "field,split,row,label,x1,x2,x3,x4,x5,x6,x7,x8,x9\n";

LandmineRow row(double x1, double x2, bool mine) {
  LandmineRow r;
  r.x[0] = x1;
  r.x[1] = x2;
  r.mine = mine;
  return r;
}

/// Mines at (1,1), (-1,-1), clutter at (1,-1), (-1,1); the test rows lie around them.
LandmineField crosswise() {
  LandmineField field{1, {}, {}};
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0}) {
      field.train.push_back(row(a, b, a * b > 0));
      for (const double shift : {-0.2, 0.1})
        field.test.push_back(row(1.1 * a + shift, 0.8 * b + shift / 2, a * b > 0));
    }
  return field;
}

/// The data as a file: `fields` fields of random rows, mines shifted along x1.
std::string synthetic_csv(int fields, int rows_per_half = 30) {
  std::mt19937_64 random(7);
  std::string csv = kHeader;
  for (int f = 1; f <= fields; ++f)
    for (const char* split : {"train", "test"})
      for (int i = 0; i < rows_per_half; ++i) {
        csv += std::to_string(f) + "," + split + "," + std::to_string(i) + "," +
               (i % 5 == 0 ? "1" : "0");
        for (int j = 0; j < 9; ++j)
          csv += "," + std::to_string(static_cast<double>(random() % 1000) / 500 - 1 +
                                      (i % 5 == 0 && j == 0 ? 0.5 : 0));
        csv += "\n";
      }
  return csv;
}

LandmineFamily synthetic_family(int fields, LandmineOptions options = {}) {
  return LandmineFamily(parse_landmine(synthetic_csv(fields)), options);
}

double pairs_in_order(std::span<const double> scores, std::span<const LandmineRow> rows) {
  double right = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) {
      if (!rows[i].mine || rows[j].mine) continue;
      ++pairs;
      right += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
    }
  return right / pairs;
}

double kernel(const LandmineRow& a, const LandmineRow& b, double gamma) {
  double square = 0;
  for (std::size_t j = 0; j < kLandmineFeatures; ++j)
    square += (a.x[j] - b.x[j]) * (a.x[j] - b.x[j]);
  return std::exp(-gamma * square);
}

/// The decision function by sequential minimal optimisation in double precision, of the scaled dual
/// (weights beta = alpha / C in [0, 1]): nothing of libsvm's. `f` is the decision function without
/// intercept, divided by C.
std::vector<double> independent_scores(const LandmineField& field, double c, double gamma) {
  const auto& train = field.train;
  const std::size_t n = train.size();
  std::vector<double> k(n * n), y(n), beta(n, 0), f(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = train[i].mine ? 1 : -1;
    for (std::size_t j = 0; j < n; ++j) k[i * n + j] = kernel(train[i], train[j], gamma);
  }
  double intercept = 0;
  for (int step = 0;; ++step) {
    REQUIRE(step < 300000);
    // Of the rows whose y beta can grow (shrink) the one with the largest (smallest) y/C - f.
    double up = -1e300, down = 1e300;
    std::size_t i = n, j = n;
    for (std::size_t t = 0; t < n; ++t) {
      const double slope = y[t] / c - f[t];
      if ((y[t] > 0 ? beta[t] < 1 : beta[t] > 0) && slope > up) up = slope, i = t;
      if (y[t] > 0 ? beta[t] > 0 : beta[t] < 1) down = std::min(down, slope);
    }
    intercept = (up + down) / 2;
    if (up - down < 1e-10) break;
    // The partner that improves the dual most.
    double best = 0;
    for (std::size_t t = 0; t < n; ++t) {
      const double gain = up - (y[t] / c - f[t]);
      if (!(y[t] > 0 ? beta[t] > 0 : beta[t] < 1) || gain <= 0) continue;
      const double curvature = std::max(1e-12, 2 - 2 * k[i * n + t]);
      if (gain * gain / curvature > best) best = gain * gain / curvature, j = t;
    }
    const double curvature = std::max(1e-12, 2 - 2 * k[i * n + j]);
    const double room_i = y[i] > 0 ? 1 - beta[i] : beta[i];
    const double room_j = y[j] > 0 ? beta[j] : 1 - beta[j];
    const double move = std::min({(up - (y[j] / c - f[j])) / curvature, room_i, room_j});
    beta[i] = move == room_i ? (y[i] > 0 ? 1 : 0) : beta[i] + y[i] * move;
    beta[j] = move == room_j ? (y[j] > 0 ? 0 : 1) : beta[j] - y[j] * move;
    for (std::size_t t = 0; t < n; ++t) f[t] += move * (k[i * n + t] - k[j * n + t]);
  }
  std::vector<double> scores;
  for (const auto& x : field.test) {
    double sum = 0;
    for (std::size_t t = 0; t < n; ++t)
      if (beta[t] > 0) sum += beta[t] * y[t] * kernel(x, train[t], gamma);
    scores.push_back(c * (sum + intercept));
  }
  return scores;
}

TEST_CASE("landmine: with two rows the decision function equals the closed form", "[landmine]") {
  // Dual: maximise 2 a - a^2 (1 - k), k = exp(-gamma d^2), 0 <= a <= C.
  const double gamma = 0.3;
  for (const double c : {0.01, 0.5, 10.0}) {
    LandmineField field{1, {row(0, 0, false), row(2, 0, true)}, {}};
    for (const double x : {-3.0, 0.5, 1.0, 1.7, 4.0}) field.test.push_back(row(x, 0.3, x > 1));
    const double a = std::min(c, 1 / (1 - std::exp(-gamma * 4)));
    const auto scores = svm_scores(field, c, gamma, 1e-10);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double expected = a * (kernel(field.test[i], field.train[1], gamma) -
                                   kernel(field.test[i], field.train[0], gamma));
      CHECK(scores[i] == Approx(expected).epsilon(1e-6).margin(1e-8 * c));
    }
  }
}

TEST_CASE("landmine: with four crosswise rows scores equal the closed form, and AUC is 1, 0 or 1/2",
          "[landmine]") {
  const LandmineField field = crosswise();
  const double gamma = 0.5;
  // All four multipliers are equal: a (1 + k(diagonal) - 2 k(side)) = 1.
  const double a = 1 / (1 + std::exp(-8 * gamma) - 2 * std::exp(-4 * gamma));
  const auto scores = svm_scores(field, 10, gamma, 1e-10);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double expected = 0;
    for (const auto& t : field.train)
      expected += a * (t.mine ? 1 : -1) * kernel(field.test[i], t, gamma);
    CHECK(scores[i] == Approx(expected).epsilon(1e-6));
  }
  const std::vector<double> x{10, 0.5};
  CHECK(LandmineSvm(field, {}).value(x) == 1);
  LandmineField swapped = field;
  for (auto& r : swapped.test) r.mine = !r.mine;
  CHECK(LandmineSvm(swapped, {}).value(x) == 0);
  LandmineField alike = field;
  for (auto& r : alike.test) r.x = {};
  CHECK(LandmineSvm(alike, {}).value(x) == 0.5);
}

TEST_CASE("the area under the curve is the share of pairs in order", "[landmine]") {
  std::mt19937_64 random(1);
  for (int time = 0; time < 50; ++time) {
    std::vector<double> scores;
    std::vector<LandmineRow> rows;
    for (int i = 0; i < 60; ++i) {
      scores.push_back(static_cast<double>(random() % 20));  // many ties
      rows.push_back(row(0, 0, i == 0 || random() % 4 == 0));
    }
    rows[1].mine = false;
    CHECK(area_under_roc(scores, rows) == Approx(pairs_in_order(scores, rows)).epsilon(1e-14));
  }
}

TEST_CASE("libsvm writes nothing to the standard output", "[landmine]") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  svm_scores(crosswise(), 1, 1, 1e-8);
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::fseek(file, 0, SEEK_END);
  CHECK(std::ftell(file) == 0);
  std::fclose(file);
}

TEST_CASE("landmine: files are read with any line ends, and malformed ones refused with the line",
          "[landmine]") {
  const auto fields = parse_landmine(synthetic_csv(2));
  REQUIRE(fields.size() == 2);
  CHECK(fields[1].number == 2);
  CHECK(fields[1].train.size() == 30);
  CHECK(fields[1].test.size() == 30);
  // Lines may end as on Windows, and the last one without a newline.
  std::string windows;
  for (const char c : synthetic_csv(1)) windows += c == '\n' ? "\r\n" : std::string(1, c);
  windows.resize(windows.size() - 2);
  CHECK(parse_landmine(windows).size() == 1);

  const auto message = [](const std::string& csv) -> std::string {
    try {
      parse_landmine(csv);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  };
  using Catch::Matchers::Contains;
  const std::string x = ",1,2,3,4,5,6,7,8,9\n";
  CHECK_THAT(message(""), Contains("the file is empty"));
  CHECK_THAT(message(kHeader), Contains("the file has no rows"));
  CHECK_THAT(message("a,b\n1,2\n"), Contains("line 1: the header must be field,split"));
  CHECK_THAT(message(kHeader + "1,train,0,1,1,2\n"), Contains("line 2: 6 columns instead of 13"));
  CHECK_THAT(message(kHeader + "one,train,0,1" + x), Contains("line 2: field is 'one'"));
  CHECK_THAT(message(kHeader + "0,train,0,1" + x), Contains("line 2: field is '0'"));
  CHECK_THAT(message(kHeader + "1,validate,0,1" + x), Contains("split is 'validate'"));
  CHECK_THAT(message(kHeader + "1,test,-1,1" + x), Contains("row is '-1'"));
  CHECK_THAT(message(kHeader + "1,test,0,2" + x), Contains("label is '2', not 0 or 1"));
  CHECK_THAT(message(kHeader + "1,test,0,1,1,2,3,,5,6,7,8,9\n"), Contains("x4 is ''"));
  CHECK_THAT(message(kHeader + "1,test,0,1,1,2,3,4,5,6,7,8,nan\n"), Contains("x9 is 'nan'"));
  CHECK_THAT(message(kHeader + "1,test,0,1,1,2,3,4,5,6,7,8,9e999\n"), Contains("x9 is '9e999'"));
  CHECK_THAT(message(kHeader + "1,test,0,1,1,2,3,4,5,6,7,8,9 x\n"), Contains("x9 is '9 x'"));
  CHECK_THAT(message(kHeader + "1,train,0,1" + x + "1,train,2,0" + x),
             Contains("line 3: row 2 of field 1, train, but row 1 must come next"));
  CHECK_THAT(message(kHeader + "1,train,0,1" + x + "1,train,1,0" + x),
             Contains("field 1, test: no rows"));
  CHECK_THAT(message(kHeader + "1,train,0,1" + x + "1,train,1,1" + x + "1,test,0,0" + x +
                     "1,test,1,1" + x),
             Contains("field 1, train: all 2 rows have the label 1"));
  std::string many = kHeader;
  for (int i = 0; i < 30; ++i) many += "?" + x.substr(0, x.size() - 1) + ",10,11,12\n";
  CHECK_THAT(message(many), Contains("line 11:") && Contains("and 20 more"));
  CHECK_THAT(message(many), !Contains("line 12:"));
}

TEST_CASE("landmine: a field is trained once per point, however many threads ask", "[landmine]") {
  const LandmineFamily family = synthetic_family(1);
  const auto& field = *family.fields().front();
  const LandmineFamily other = synthetic_family(1);
  std::vector<std::vector<double>> points;
  for (int i = 0; i < 25; ++i) points.push_back({0.1 + i * 0.3, 0.02 + i * 0.1});
  std::vector<std::vector<double>> values(4, std::vector<double>(points.size()));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < points.size(); ++i) values[t][i] = field.value(points[i]);
    });
  for (auto& thread : threads) thread.join();
  CHECK(field.trainings() == points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t t = 0; t < 4; ++t)
      CHECK(values[t][i] == other.fields().front()->value(points[i]));
}

TEST_CASE("landmine: log coordinates are exponents of ten", "[landmine]") {
  const LandmineFamily linear = synthetic_family(1);
  const LandmineFamily log = synthetic_family(1, {.scale = LandmineScale::log});
  CHECK(linear.domain().low == std::vector<double>{1e-4, 1e-2});
  CHECK(linear.domain().high == std::vector<double>{10, 10});
  CHECK(log.domain().low == std::vector<double>{-4, -2});
  CHECK(log.domain().high == std::vector<double>{1, 1});
  for (const double c : {-3.5, -1.0, 0.3})
    for (const double gamma : {-1.5, 0.0, 0.8})
      CHECK(log.fields()[0]->value(std::vector<double>{c, gamma}) ==
            linear.fields()[0]->value(std::vector<double>{std::pow(10, c), std::pow(10, gamma)}));
}

TEST_CASE("landmine: the grid is even in the logarithms and ends at the box's bounds",
          "[landmine]") {
  const auto grid = [](LandmineScale scale, std::uint32_t side) {
    return synthetic_family(1, {.scale = scale, .grid = side}).fields()[0]->candidate_maximisers();
  };
  using Points = std::vector<std::vector<double>>;
  const Points corners{{1e-4, 1e-2}, {1e-4, 10}, {10, 1e-2}, {10, 10}};
  CHECK(grid(LandmineScale::linear, 2) == corners);
  const Points exponents{{-4, -2},
                         {-4, -0.5},
                         {-4, 1},
                         {-1.5, -2},
                         {-1.5, -0.5},
                         {-1.5, 1},
                         {1, -2},
                         {1, -0.5},
                         {1, 1}};
  CHECK(grid(LandmineScale::log, 3) == exponents);
  // 10^-1.5 and 10^-0.5.
  const auto linear = grid(LandmineScale::linear, 3);
  REQUIRE(linear.size() == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(linear[i][0] == Approx(std::vector{1e-4, 0.03162277660168379, 10.0}[i / 3]));
    CHECK(linear[i][1] == Approx(std::vector{1e-2, 0.31622776601683794, 10.0}[i % 3]));
  }
}

TEST_CASE("landmine: the best known maximum is above its grid's, by convention the maximum is 1",
          "[landmine]") {
  for (const auto scale : {LandmineScale::linear, LandmineScale::log}) {
    const LandmineFamily family = synthetic_family(3, {.scale = scale, .grid = 4});
    const auto clients = family.clients(5, {Seed{3}});
    const auto maximum = maximise_mean(clients);
    double best = 0;
    const auto grid = clients.front()->candidate_maximisers();
    CHECK(grid.size() == 16);
    for (const auto& x : grid) {
      CHECK(family.domain().contains(x));
      best = std::max(best, mean_value(clients, x));
    }
    CHECK(maximum.value >= best);
    CHECK(maximum.value == mean_value(clients, maximum.point));
    CHECK(maximum.upper == 1);
    CHECK_FALSE(maximum.exact);
    std::size_t trainings = 0;
    for (const auto& field : family.fields()) trainings += field->trainings();
    CHECK(trainings <= 3 * (16 + 1 + 40));
  }
  const LandmineFamily one = synthetic_family(3, {.maximum = LandmineMaximum::one});
  CHECK(maximise_mean(one.clients(5, {Seed{3}})).value == 1);
  CHECK(one.fields()[0]->trainings() == 0);
}

TEST_CASE("landmine: clients draw their fields uniformly and share objectives", "[landmine]") {
  const LandmineFamily family = synthetic_family(7);
  const auto many = family.clients(7000, {Seed{1}});
  std::map<const Objective*, int> counts;
  for (const auto& f : many) ++counts[f.get()];
  REQUIRE(counts.size() == 7);
  // Chi-square with 6 degrees of freedom: above 35 with probability 4e-6.
  double chi_square = 0;
  for (const auto& [_, count] : counts) chi_square += (count - 1000) * (count - 1000) / 1000.0;
  CHECK(chi_square < 35);
  const auto few = family.clients(3, {Seed{1}});
  for (std::size_t m = 0; m < 3; ++m) CHECK(few[m] == many[m]);
  CHECK(family.clients(50, {Seed{2}}) != family.clients(50, {Seed{1}}));
}

// Below: the data of the literature.

const std::vector<LandmineField>& landmine_data() {
  static const std::vector<LandmineField> fields =
      parse_landmine(test::text_of(test::needed_test_data("landmine/landmine.csv")));
  return fields;
}

TEST_CASE("landmine data: fields, rows and classes have the published numbers", "[landmine]") {
  const auto& fields = landmine_data();
  CHECK(fields.size() == 29);
  std::size_t rows = 0, mines = 0;
  for (const auto& field : fields) {
    std::size_t mines_here = 0;
    for (const auto* half : {&field.train, &field.test}) {
      CHECK((half->size() >= 222 && half->size() <= 345));
      std::size_t mines_in_half = 0;
      for (const auto& r : *half) mines_in_half += r.mine;
      CHECK((mines_in_half >= 7 && mines_in_half <= 24));
      mines_here += mines_in_half;
    }
    const std::size_t here = field.train.size() + field.test.size();
    CHECK((here >= 445 && here <= 690));
    CHECK((mines_here >= 15 && mines_here <= 48));
    CHECK(std::max(field.train.size(), field.test.size()) * 2 <= here + 1);
    rows += here;
    mines += mines_here;
  }
  CHECK(rows == 14820);
  CHECK(mines == 904);
}

TEST_CASE("landmine data: values equal those of an independent solver", "[landmine]") {
  const LandmineFamily family(landmine_data(), {});
  struct Point {
    double c, gamma, mean;
  };
  // The first differs from the independent solver by one pair of rows of one field: libsvm's kernel
  // matrix has single precision.
  for (const auto& [c, gamma, mean] : {Point{10, 0.01, 0.710782500},
                                       Point{1, 1, 0.658604276},
                                       Point{0.1, 0.1, 0.673027452},
                                       Point{10, 10, 0.646639978}}) {
    double sum = 0;
    for (const auto& field : family.fields()) {
      const double auc = field->value(std::vector<double>{c, gamma});
      sum += auc;
      const auto& test = field->field().test;
      const auto scores = independent_scores(field->field(), c, gamma);
      std::size_t test_mines = 0;
      for (const auto& r : test) test_mines += r.mine;
      const auto pairs = static_cast<double>(test_mines * (test.size() - test_mines));
      CHECK(std::abs(auc - pairs_in_order(scores, test)) < 1.01 / pairs);
    }
    INFO("C " << c << " gamma " << gamma << " mean " << sum / 29);
    CHECK(std::abs(sum / 29 - mean) < 1e-6);
  }
}

TEST_CASE("landmine data: a tighter tolerance or another order of rows changes nothing",
          "[landmine]") {
  for (const std::size_t f : {0, 8, 24}) {
    const LandmineField& field = landmine_data()[f];
    LandmineField reversed = field;
    std::reverse(reversed.train.begin(), reversed.train.end());
    const LandmineSvm objective(field, {});
    for (const double c : {1e-4, 1e-2, 1.0, 10.0})
      for (const double gamma : {0.01, 0.3, 10.0}) {
        INFO("field " << field.number << " C " << c << " gamma " << gamma);
        const double auc = objective.value(std::vector<double>{c, gamma});
        CHECK(auc ==
              area_under_roc(svm_scores(field, c, gamma, 1e-9 * std::min(1.0, c)), field.test));
        CHECK(auc ==
              area_under_roc(svm_scores(reversed, c, gamma, 1e-8 * std::min(1.0, c)), field.test));
      }
  }
}

}  // namespace
}  // namespace posse::test_landmine
