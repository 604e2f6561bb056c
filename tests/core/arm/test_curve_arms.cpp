// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "actors/f_lcb/allocation/f_lcb.hpp"
#include "core/arm/curve_arms.hpp"
#include "core/base/csv.hpp"
#include "tests/support/arms.hpp"
#include "tests/support/test_data.hpp"

namespace test_curve_arms {

using namespace posse;

namespace {

const std::string kTwoArms =
    "run,arm,k,loss\n"
    "0,a,1,4\n0,b,1,3\n0,a,2,2\n0,b,2,2.5\n0,a,3,1\n0,b,3,2.25\n"
    "1,b,1,5\n1,a,1,6\n1,a,2,5\n1,a,3,4\n1,b,2,4\n1,b,3,3\n";

test::Given with(const std::string& text, test::Given more = {}) {
  more.emplace_back("file", test::input_text(text));
  return more;
}

}  // namespace

TEST_CASE("recorded curves: F-LCB makes the published run's 890 choices, and Table 4's ranks") {
  const std::string text = test::text_of(test::needed_test_data("curves/cifar100_ucb2.csv"));
  // Dorn et al. 2025, Table 5, best first.
  const std::vector<std::string> ranking{"mobilenetv2_x1_4",
                                         "mobilenetv2_x1_0",
                                         "shufflenetv2_x1_5",
                                         "mobilenetv2_x0_75",
                                         "resnet56",
                                         "shufflenetv2_x1_0",
                                         "resnet44",
                                         "mobilenetv2_x0_5",
                                         "resnet32",
                                         "resnet20",
                                         "shufflenetv2_x0_5"};
  std::map<std::uint64_t, std::vector<std::string>> recorded;
  CsvReader csv(text);
  while (csv.next())
    recorded[static_cast<std::uint64_t>(finite_number(csv, 0))].push_back(
        csv.cell(csv.column("arm")));
  REQUIRE(recorded.size() == 10);
  const auto family = test::family("curves", with(text, {{"past_end", std::string("hold")}}));
  int same = 0, choices = 0;
  double rank_50 = 0, rank_100 = 0;
  for (std::uint64_t run = 0; run < 10; ++run) {
    const auto set = family->arms({Seed{run}, run}, 100);
    REQUIRE(set->size() == 11);
    FLcb agent(11, 100, {});
    std::size_t t = 0;
    const auto rank = [&] {
      const auto& name = set->arms[agent.answer()].name;
      return 1 + (std::find(ranking.begin(), ranking.end(), name) - ranking.begin());
    };
    test::play(agent, *set, [&](const Pull& pull, const Optimizer&) {
      if (t >= 11) {  // the first pulls follow the record's own order of arms
        ++choices;
        same += set->arms[pull.arm].name == recorded[run][t];
      }
      if (++t == 50) rank_50 += static_cast<double>(rank()) / 10;
    });
    rank_100 += static_cast<double>(rank()) / 10;
  }
  CHECK(choices == 890);
  CHECK(same == 890);
  CHECK(rank_50 == Approx(2.2));
  CHECK(rank_100 == Approx(1.1));
}

TEST_CASE("a pull reads the next loss, g is factor · first loss/sqrt k, per arm or in common") {
  const auto set = test::arms("curves", with(kTwoArms, {{"factor", 3.0}}), 1, 4);
  REQUIRE(set->size() == 2);
  CHECK(set->arms[0].name == "a");  // the order of the first run
  CHECK(set->arms[0].minimum == 4);
  CHECK(set->arms[1].minimum == 3);
  const auto common =
      test::arms("curves", with(kTwoArms, {{"scale", std::string("common")}}), 1, 4);
  const auto a = set->arms[0].start(0), b = common->arms[1].start(3);
  for (const double loss : {6, 5, 4}) {
    a->step();
    CHECK(a->value() == loss);
    CHECK(a->bound() == Approx(18 / std::sqrt(a->steps())));
  }
  for (const double loss : {5, 4, 3}) {
    b->step();
    CHECK(b->value() == loss);
    CHECK(b->bound() == Approx(12 / std::sqrt(b->steps())));
  }
}

TEST_CASE("a budget past the end of a curve is refused, unless the last loss is held") {
  CHECK(test::arms("curves", with(kTwoArms), 0, 4)->budget == 4);
  const auto text = test::complaint([] { test::arms("curves", with(kTwoArms), 0, 5); });
  CHECK(text.find("arm a has 3 recorded pulls in run 0, but 5 pulls of 2 arms can include 4 of it; "
                  "allowed: at most 4 pulls") == 0);
  const auto held =
      test::arms("curves", with(kTwoArms, {{"past_end", std::string("hold")}}), 0, 500);
  const auto a = held->arms[0].start(0);
  for (int k = 0; k < 9; ++k) a->step();
  CHECK(a->value() == 1);
  CHECK(a->bound() == Approx(8.0 / 3));
}

TEST_CASE(
    "a repetition uses the run of its seed, or the runs in turn, runs are optional in a file") {
  CHECK(test::complaint([] {
          test::arms("curves", with(kTwoArms), 2, 4);
        }).find("no run 2: the file has 2 runs, from 0 to 1") == 0);
  const auto third = test::arms("curves", with(kTwoArms, {{"runs", std::string("cycle")}}), 2, 4);
  CHECK(third->arms[0].minimum == 1);
  const auto plain = test::arms("curves", with("arm,val_loss\nx,2\nx,1\ny,3\ny,2\n"), 7, 3);
  CHECK(plain->arms[1].name == "y");
  CHECK(plain->arms[1].minimum == 2);
}

TEST_CASE("the answer's rank is that of the given ranking, else that of the smallest losses") {
  const auto by_loss = test::arms("curves", with(kTwoArms), 0, 4);
  CHECK(by_loss->rank_of(0) == 1);
  CHECK(by_loss->rank_of(1) == 2);
  const auto given =
      test::arms("curves", with(kTwoArms, {{"ranking", std::string("c b a")}}), 0, 4);
  CHECK(given->rank_of(0) == 3);
  CHECK(given->rank_of(1) == 2);
  CHECK(test::complaint([] {
          test::family("curves", with(kTwoArms, {{"ranking", std::string("a c")}}));
        }) == "arm b is missing");
}

TEST_CASE("values to be maximized are losses with the other sign, measured from the limit") {
  const std::string accuracies =
      "arm,val_accuracy\na,0.34\na,0.5157\na,0.5936\na,0.64\nb,0.25\nb,0.3\nb,0.2\nb,0.3\n";
  const test::Given maximize{{"loss", std::string("val_accuracy")},
                             {"direction", std::string("maximize")},
                             {"limit", 1.0}};
  const auto set = test::arms("curves", with(accuracies, maximize), 0, 5);
  CHECK(set->maximized);
  CHECK(set->arms[0].minimum == -0.64);
  CHECK(set->arms[1].minimum == -0.3);
  CHECK(set->rank_of(0) == 1);
  const auto a = set->arms[0].start(0), b = set->arms[1].start(0);
  a->step();
  b->step();
  // Upper bounds 1.66 and 1.75: the second is pulled.
  CHECK(-a->value() + a->bound() == Approx(1.66));
  CHECK(-b->value() + b->bound() == Approx(1.75));
  for (int k = 0; k < 3; ++k) a->step();
  CHECK(-a->value() + a->bound() == Approx(1.30));
  const auto percent = test::arms(
      "curves",
      with(
          "arm,acc\na,30\nb,20\n",
          {{"loss", std::string("acc")}, {"direction", std::string("maximize")}, {"limit", 100.0}}),
      0,
      2);
  const auto c = percent->arms[0].start(0);
  c->step();
  CHECK(c->bound() == Approx(140));
}

TEST_CASE("a curve without a limit, or beyond it, has no bound and says why") {
  const auto why = [](const std::string& rows, test::Given more) {
    const auto set = test::arms("curves", with("arm,loss\n" + rows, std::move(more)), 0, 1);
    const auto arm = set->arms[0].start(0);
    arm->step();
    CHECK(std::isinf(arm->bound()) == !set->arms[0].no_bound.empty());
    return set->arms[0].no_bound;
  };
  const std::string maximize = "maximize";
  CHECK(why("a,2\na,1\n", {}) == "");
  CHECK(why("a,-2\na,-3\n", {}).find("begins with -2, which is not above limit = 0") == 0);
  CHECK(why("a,-2\na,-3\n", {{"limit", -4.0}}) == "");
  CHECK(why("a,2\na,-3\n", {}) == "has the value -3 in pull 2, beyond limit = 0");
  CHECK(why("a,2\n", {{"direction", maximize}}).find("direction = \"maximize\" needs limit") == 0);
  CHECK(why("a,2\na,3\n", {{"direction", maximize}, {"limit", 3.0}}) == "");
  CHECK(why("a,2\na,3.5\n", {{"direction", maximize}, {"limit", 3.0}}) ==
        "has the value 3.5 in pull 2, beyond limit = 3");
  CHECK(why("a,3\n", {{"direction", maximize}, {"limit", 3.0}})
            .find("begins with 3, which is not below limit = 3") == 0);
}

TEST_CASE("a column that sounds like a reward is refused without a direction") {
  const auto complain = [](const std::string& column, test::Given more = {}) {
    more.emplace_back("loss", column);
    return test::complaint(
        [&] { test::family("curves", with("arm," + column + "\na,1\n", more)); });
  };
  for (const auto* column : {"acc",
                             "val_accuracy",
                             "valAccuracy",
                             "AUC",
                             "test-f1",
                             "f1_macro",
                             "reward",
                             "top1.score",
                             "Validation Accuracy"}) {
    INFO(column);
    CHECK_THAT(complain(column),
               Catch::Matchers::Contains(column) && Catch::Matchers::Contains("\"maximize\""));
    CHECK(complain(column, {{"direction", std::string("minimize")}}).empty());
  }
  for (const auto* column : {"loss", "error", "vacc", "accent", "scored", "f12", "rewarded"})
    CHECK(complain(column).empty());
}

TEST_CASE("curves that mostly get worse are told") {
  const auto warnings = [](const std::string& rows, const std::string& direction) {
    return test::family("curves", with("arm,loss\n" + rows, {{"direction", direction}}))
        ->warnings();
  };
  const std::string rise = "a,1\na,2\nb,1\nb,3\nc,2\nc,1\n";
  CHECK(warnings(rise, "minimize") ==
        std::vector<std::string>{
            "2 of 3 recorded curves end higher than they begin, though direction = \"minimize\""});
  CHECK(warnings(rise, "maximize").empty());
  CHECK(warnings("a,1\na,2\nc,2\nc,1\n", "minimize").empty());
  CHECK(warnings("a,2\na,1\n", "maximize").size() == 1);
}

TEST_CASE("invalid tables of curves are refused with the line") {
  const auto complain = [](const std::string& text) {
    return test::complaint([&] { test::family("curves", with(text)); });
  };
  CHECK(complain("arm,loss\n").find("the file has no rows") != std::string::npos);
  CHECK(complain("arm,acc\na,1\n").find("no column 'loss'") != std::string::npos);
  CHECK(complain("arm,loss\na,NaN\n").find("line 2: loss is 'NaN'") == 0);
  CHECK(complain("arm,k,loss\na,1,2\na,3,2\n").find("line 3: k is 3 after 1 in arm a") == 0);
  CHECK(complain("run,arm,loss\n0,a,1\n1,b,1\n").find("line 3: arm b is not in the first") == 0);
  CHECK(complain("run,arm,loss\n0,a,1\n0,b,1\n1,a,1\n") == "run 1 has no pull of arm b");
}

}  // namespace test_curve_arms
