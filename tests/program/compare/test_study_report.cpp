// SPDX-License-Identifier: Apache-2.0
// Studies with given values: what the comparison says about them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <utility>

#include "program/compare/study_report.hpp"

namespace posse::test_study_report {
namespace {

using Catch::Matchers::Contains;

/// A study with given values of one measure: [setting][algorithm][repetition].
Study study(const std::vector<std::vector<std::vector<double>>>& values) {
  Study study;
  study.name = "given";
  for (std::size_t s = 0; s < values.size(); ++s)
    study.settings.push_back(
        values.size() == 1 ? "" : "setting " + std::string(1, static_cast<char>('A' + s)));
  for (std::size_t a = 0; a < values.front().size(); ++a)
    study.algorithms.push_back(std::string(1, static_cast<char>('x' + a)));
  for (std::size_t s = 0; s < values.size(); ++s)
    for (std::size_t a = 0; a < values[s].size(); ++a)
      for (std::size_t r = 0; r < values[s][a].size(); ++r) {
        Finals finals;
        finals[0] = values[s][a][r];  // cumulative regret
        study.add(s, a, {std::to_string(r), true, finals, {}, {}});
      }
  return study;
}

std::string headline_of(const Study& study) {
  std::string out;
  for (const auto& sentence : study_report(study, 0).headline) out += sentence + " ";
  return out;
}

/// With a simple regret beside the cumulative one.
Study study_of_two(ComparisonFacts x, ComparisonFacts y) {
  Study given = study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}});
  for (auto& [at, cell] : given.cells) {
    cell.facts = at.second == 0 ? x : y;
    for (auto& [repetition, finals] : cell.finished) finals[2] = *finals[0] / 100;
  }
  return given;
}

/// x and y with these evaluations per client.
Study study_of_work(double of_x, double of_y) {
  Study given = study({{{10, 11, 12, 13, 14}, {5, 6, 7, 7, 8}}});
  const auto sum = quantity_named("cumulative_regret");
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished) {
      const double evaluations = at.second == 0 ? of_x : of_y;
      finals[*quantity_named("evaluations_per_client")] = evaluations;
      finals[*per_evaluation(*sum)] = *finals[*sum] / evaluations;
    }
  return given;
}

void warn(Study& study, std::size_t algorithm, std::size_t runs, const Warning& warning) {
  for (std::size_t i = 0; i < runs; ++i) study.cells[{0, algorithm}].warnings.add({warning});
}

}  // namespace

TEST_CASE("where evaluations differ, regret is compared per evaluation") {
  const auto equal = study_report(study_of_work(1000, 1009));
  CHECK_THAT(equal.headline.front(), Contains("y is best on cumulative regret"));
  CHECK_THAT(to_text(equal), !Contains("per evaluation"));

  const auto unequal = study_report(study_of_work(1000, 500));
  CHECK_THAT(unequal.headline.at(0),
             Contains("Evaluations per client differ (x 1000, y 500): cumulative regret is not "
                      "compared where they do, since fewer make it smaller."));
  CHECK_THAT(unequal.headline.at(1), Contains("x is best on regret per evaluation"));
  // Cumulative regret is not compared even if it is asked for.
  const auto asked = study_report(study_of_work(1000, 500), quantity_named("cumulative_regret"));
  CHECK(asked.headline == unequal.headline);
  // The sums stay in the table, without a ratio.
  for (const auto& row : unequal.tables.front().lines()) {
    if (row.front() == "cumulative regret") CHECK(row.back().empty());
    if (row.front() == "regret per evaluation") CHECK_FALSE(row.back().empty());
  }
  const auto cell = unequal.comparison.find("cumulative_regret")->cells[0][1];
  CHECK_FALSE(cell->to_first_algorithm.has_value());
}

TEST_CASE("a width of a sum over evaluations is one per evaluation where these differ") {
  const auto study = study_of_work(1000, 500);
  const auto share = comparable_width(study, parse_width("cumulative_regret=5%"));
  CHECK(quantity_at(share.quantity).name == "regret_per_evaluation");
  CHECK(share.width == 0.05);
  CHECK(comparable_width(study, parse_width("cumulative_regret=2")).width == 2.0 / 1000);
  const auto alike =
      comparable_width(study_of_work(1000, 1000), parse_width("cumulative_regret=2"));
  CHECK(quantity_at(alike.quantity).name == "cumulative_regret");
  CHECK_THAT(
      to_text(study_report(study, std::nullopt, share)),
      Contains("regret per evaluation, as a difference to x's,") && Contains("% of x's mean"));
}

TEST_CASE("a regret that is not above 0, or that refers to an assumed maximum, has no ratio") {
  const auto below = study_report(study({{{-10, -11, -12, -13}, {20, 21.5, 22, 23}}}));
  CHECK_THAT(below.headline.front(), Contains("higher by 33.1") && !Contains("times as high"));
  CHECK_THAT(to_text(below), Contains("+33.1"));
  CHECK_THAT(to_text(study_report(study({{{10, 11, 12, 13}, {-20, -21.5, -22, -23}}}))),
             !Contains("×  ") && Contains("-33.1"));
  for (const auto* code : {kAssumedMaximum, kAboveMaximum}) {
    auto given = study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}});
    warn(given, 1, 5, {code, "regrets are not what they seem", 0});
    const auto report = study_report(given);
    CHECK_THAT(report.headline.front(), Contains("higher by 10.1") && !Contains("times as high"));
    CHECK(report.warnings.front() == "y: in all 5 runs, regrets are not what they seem");
  }
}

TEST_CASE("numbers of runs that were changed by hand are marked, and the action is told") {
  auto given = study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}});
  warn(given, 1, 2, {kTouched, "was changed by hand while it ran: crash of client-3 at 1.2 s", 1});
  const auto text = to_text(study_report(given));
  CHECK_THAT(text,
             Contains("warning: y: in 2 of 5 runs, was changed by hand while it ran: crash of "
                      "client-3 at 1.2 s"));
  CHECK_THAT(text, Contains(" †"));
  CHECK_THAT(text, Contains("†: of runs that were changed by hand."));
  CHECK(text.find("warning: ") < text.find("cumulative regret  "));
  CHECK_THAT(to_text(study_report(study({{{10, 11, 12}, {20, 21, 22}}}))), !Contains("†"));
}

TEST_CASE("of several runs the warning of the largest size is told, once for all algorithms") {
  auto given = study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}});
  for (const std::size_t algorithm : {0, 1}) {
    warn(given, algorithm, 1, {"early", "2 decisions", 2});
    warn(given, algorithm, 1, {"early", "7 decisions", 7});
    warn(given, algorithm, 1, {"early", "3 decisions", 3});
  }
  const auto warnings = warnings_of_runs(given);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front() == "x and y: in 3 of 5 runs (numbers of the worst), 7 decisions");
}

TEST_CASE("where the numbers of a warning differ between runs, those told are the worst's") {
  Study given = study({{{10, 11, 12, 13, 14}}});
  warn(given, 0, 4, {"late", "3 answers were late", 3});
  CHECK(study_report(given).warnings ==
        std::vector<std::string>{"x: in 4 of 5 runs, 3 answers were late"});
  warn(given, 0, 1, {"late", "7 answers were late", 7});
  CHECK(study_report(given).warnings ==
        std::vector<std::string>{"x: in all 5 runs (numbers of the worst), 7 answers were late"});
}

TEST_CASE("the headline says who is best, by how much, and in which settings") {
  CHECK(headline_of(study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}})) ==
        "x is best on cumulative regret: y's cumulative regret is higher by 10.1 (9.82 to 10.38), "
        "1.84 "
        "times as high. ");
  CHECK_THAT(
      headline_of(
          study({{{10, 11, 12, 13}, {20, 21, 22, 24}}, {{10, 11, 12, 13}, {20, 21, 22, 24}}})),
      Contains("x is best on cumulative regret in both settings: y's cumulative regret is 1.89 "
               "times as high."));
  CHECK_THAT(headline_of(study({{{10, 11, 12, 13, 14}, {20, 21, 22, 24, 25}},
                                {{20, 21, 22, 24, 25}, {10, 11, 12, 13, 14}}})),
             Contains("x is best on cumulative regret at setting A") &&
                 Contains("y is best on cumulative regret at setting B"));
}

TEST_CASE(
    "without a clear difference the headline says so, and how many repetitions should suffice") {
  const auto text =
      headline_of(study({{{10, 11, 12, 13, 14, 9}, {11, 10.5, 12.5, 12.5, 15, 9.2}}}));
  CHECK_THAT(text,
             Contains("None is clearly best on cumulative regret: x is lowest, y next; about "));
  CHECK_THAT(text, Contains("more repetitions should suffice"));
  CHECK_THAT(headline_of(study({{{1, 2, 3}, {1, 2, 3}}})), Contains("all are equal"));
  CHECK_THAT(headline_of(study({{{1}, {2}}})), Contains("a single repetition shows nothing"));
}

TEST_CASE("only who has the values of the lowest is equal to it") {
  const std::vector<double> low{1, 2, 3, 4, 5}, high{9, 9, 8, 9, 9};
  CHECK_THAT(headline_of(study({{low, low, high}})),
             Contains("None is clearly best on cumulative regret: x and y are lowest, and equal."));
  CHECK_THAT(headline_of(study({{high, low, low}})), Contains("y and z are lowest, and equal."));
  CHECK_THAT(headline_of(study({{low, low, low}})), Contains("all are equal"));
}

TEST_CASE("a winner that is behind by another regret is told so") {
  Study given = study({{{10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}}});
  const auto simple = [&](std::size_t algorithm, const std::vector<double>& values) {
    for (std::size_t r = 0; r < values.size(); ++r)
      given.cells[{0, algorithm}]
          .finished[static_cast<std::uint32_t>(r)][*quantity_named("simple_regret")] = values[r];
  };
  simple(0, {0.4, 0.41, 0.42, 0.4, 0.41});
  simple(1, {0.2, 0.2, 0.21, 0.2, 0.21});
  CHECK_THAT(headline_of(given),
             Contains("x is best on cumulative regret") &&
                 Contains("But x's simple regret is higher than y's, 2 times as high."));
  simple(1, {0, 0, 0, 0, 0});
  simple(0, {0.5, 0.5, 0.5, 0.5, 0.5});
  CHECK_THAT(headline_of(given), Contains("But x's simple regret is higher than y's, by 0.5."));
  // The interval of the difference includes 0.
  simple(0, {0.4, 0.1, 0.9, 0.2, 0.3});
  simple(1, {0.3, 0.4, 0.2, 0.3, 0.4});
  CHECK_THAT(headline_of(given), !Contains("But "));
  simple(0, {0.1, 0.1, 0.1, 0.1, 0.1});
  CHECK_THAT(headline_of(given), !Contains("But "));
}

TEST_CASE("where none is clearly best, one in front that is behind by another regret is told so") {
  Study given = study({{{10, 14, 11, 13, 12}, {13, 11, 14, 10, 13}}});
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished)
      finals[*quantity_named("simple_regret")] =
          (at.second == 0 ? 0.1 : 0.3) + 0.001 * *finals[*quantity_named("cumulative_regret")];
  CHECK_THAT(
      headline_of(given),
      Contains("None is clearly best") && Contains("But y's simple regret is higher than x's"));
}

TEST_CASE("a winner that is behind by a local regret is told so") {
  for (const auto& [name, label] : {std::pair{"local_cumulative_regret", "local cumulative regret"},
                                    {"local_simple_regret", "local simple regret"}}) {
    Study given = study({{{10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}}});
    const std::vector<double> of_x{40, 41, 42, 40, 41}, of_y{20, 20, 21, 20, 21};
    for (std::size_t r = 0; r < of_x.size(); ++r)
      for (const std::size_t a : {0, 1})
        given.cells[{0, a}].finished[static_cast<std::uint32_t>(r)][*quantity_named(name)] =
            a == 0 ? of_x[r] : of_y[r];
    CHECK_THAT(
        headline_of(given),
        Contains("x is best on cumulative regret") &&
            Contains(std::string("But x's ") + label + " is higher than y's, 2 times as high."));
  }
}

TEST_CASE(
    "who is cheapest is told to have the higher regret, and regrets that may be equal are named") {
  Study given = study({{{10, 11, 12, 13, 14}, {20, 21, 22, 23, 24}}});
  const auto put = [&](const char* name, std::size_t algorithm, const std::vector<double>& values) {
    for (std::size_t r = 0; r < values.size(); ++r)
      given.cells[{0, algorithm}].finished[static_cast<std::uint32_t>(r)][*quantity_named(name)] =
          values[r];
  };
  put("payload_bytes", 0, {500, 501, 502, 503, 504});
  put("payload_bytes", 1, {100, 101, 102, 103, 104});
  put("simple_regret", 0, {0.4, 0.1, 0.9, 0.2, 0.3});
  put("simple_regret", 1, {0.3, 0.4, 0.2, 0.3, 0.4});
  const auto report = study_report(given, quantity_named("payload_bytes"));
  const auto text = fmt::format("{}", fmt::join(report.headline, " "));
  CHECK_THAT(text, Contains("y is best on payload"));
  CHECK_THAT(text, Contains("no difference shown in simple regret."));
  CHECK_THAT(text, Contains("But y's cumulative regret is higher than x's, 1.83 times as high."));
  CHECK_THAT(headline_of(given), Contains("no difference shown in simple regret."));
}

TEST_CASE("a ratio of amounts has no interval below 0, and a mark where it has none") {
  Study given = study({{{1, 90, 2, 3, 100}, {0, 30, 1, 0, 4}}});
  const auto effect = [&] {
    return *study_report(given)
                .comparison.find("cumulative_regret")
                ->cells[0][1]
                ->to_first_algorithm;
  };
  REQUIRE(effect().ratio);
  CHECK_FALSE(effect().ratio->interval);
  CHECK(effect_text(effect(), "").ends_with("× ?"));
  given = study({{{100, 90, 110, 105, 95}, {1, 0, 30, 0, 1}}});
  REQUIRE(effect().ratio->interval);
  CHECK(effect().ratio->interval->low == 0);
  CHECK(effect().ratio->interval->high > effect().ratio->value);
}

TEST_CASE("algorithms that are told different smoothness are not compared without a warning") {
  const ComparisonFacts rough{.nu1 = 1.4, .rho = 0.7071}, smooth{.nu1 = 1.0, .rho = 0.5};
  const auto mixed = study_report(study_of_two(rough, smooth));
  REQUIRE(mixed.warnings.size() == 1);
  CHECK_THAT(mixed.warnings.front(),
             Contains("told differs (y nu1 = 1, rho = 0.5; x nu1 = 1.4, rho = 0.7071)"));
  CHECK(study_report(study_of_two(rough, rough)).warnings.empty());
  CHECK(study_report(study_of_two(rough, {})).warnings.empty());
}

TEST_CASE("where numbers of clients differ, regrets summed over them are told") {
  const auto of_clients = [](double of_x, double of_y) {
    Study given = study({{{10, 11, 12, 13, 14}, {5, 6, 7, 7, 8}}});
    for (auto& [at, cell] : given.cells)
      for (auto& [repetition, finals] : cell.finished) {
        finals[*quantity_named("evaluations_per_client")] = 1000;
        finals[*quantity_named("evaluations")] = 1000 * (at.second == 0 ? of_x : of_y);
      }
    return to_text(study_report(given));
  };
  CHECK_THAT(of_clients(5, 50), Contains("numbers of clients differ: summed over the clients,"));
  CHECK_THAT(of_clients(5, 50), Contains("the cumulative regrets are x 60 and y 330"));
  CHECK_THAT(of_clients(5, 5), !Contains("clients differ"));
}

TEST_CASE("numbers of clients that differ in a later setting only are told with the setting") {
  Study given =
      study({{{10, 11, 12, 13, 14}, {5, 6, 7, 7, 8}}, {{10, 11, 12, 13, 14}, {5, 6, 7, 7, 8}}});
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished) {
      finals[*quantity_named("evaluations_per_client")] = 1000;
      finals[*quantity_named("evaluations")] =
          at == std::pair<std::size_t, std::size_t>(1, 1) ? 20'000 : 5000;
    }
  CHECK_THAT(to_text(study_report(given)),
             Contains("the cumulative regrets (setting B) are x 60 and y 132"));
}

TEST_CASE("where settings differ in their clients, regrets summed over these are told") {
  const auto of_clients = [](double of_a, double of_b) {
    Study given = study({{{10, 11, 12, 13, 14}}, {{5, 6, 7, 7, 8}}});
    for (auto& [at, cell] : given.cells)
      for (auto& [repetition, finals] : cell.finished) {
        finals[*quantity_named("evaluations_per_client")] = 1000;
        finals[*quantity_named("evaluations")] = 1000 * (at.first == 0 ? of_a : of_b);
      }
    return study_report(given).warnings;
  };
  CHECK(of_clients(5, 50) ==
        std::vector<std::string>{
            "regrets are those of one client, and numbers of clients differ: summed over the "
            "clients, the cumulative regrets are setting A 60 and setting B 330"});
  CHECK(of_clients(5, 5).empty());
}

TEST_CASE("what lies between the first and the last setting is told where it differs") {
  const std::vector<double> first{10, 11, 12, 13, 14}, middle{5, 6, 6, 7, 7};
  CHECK_THAT(headline_of(study({{first}, {middle}, {first}})),
             Contains("unchanged cumulative regret (but 0.517× (0.488 to 0.546) at setting B)"));
  CHECK_THAT(headline_of(study({{first}, {first}, {first}})), !Contains("(but "));
  // Nor is the last one the same: it is only not shown to differ.
  const std::vector<double> like_first{10.1, 10.9, 12.2, 12.8, 14.1};
  CHECK_THAT(
      headline_of(study({{first}, {middle}, {like_first}})),
      Contains("no change shown in cumulative regret (but 0.517× (0.488 to 0.546) at setting B)"));
  CHECK_THAT(headline_of(study({{first}, {like_first}, {like_first}})),
             Contains("no change shown in cumulative regret.") && !Contains("(but "));
}

TEST_CASE("settings without a clear best share a sentence only if the same two are in front") {
  const std::vector<double> low{10, 11, 12, 13, 14, 9}, high{11, 10.5, 12.5, 12.5, 15, 9.2};
  const auto same = headline_of(study({{low, high}, {low, high}}));
  CHECK_THAT(same, Contains("in both settings: x is lowest, y next; about "));
  const auto unlike = headline_of(study({{low, high}, {high, low}}));
  CHECK_THAT(unlike,
             Contains("at setting A: x is lowest, y next") &&
                 Contains("at setting B: y is lowest, x next"));
}

TEST_CASE("what a setting changes is told against the first") {
  const auto text = headline_of(study({{{10, 11, 12, 13, 14}}, {{20, 22.2, 24, 26.1, 28}}}));
  CHECK_THAT(
      text, Contains("From setting A to setting B, x: cumulative regret 2.005× (1.9958 to 2.015)"));
  CHECK_THAT(headline_of(study({{{1, 2, 3}}, {{1, 2, 3}}})),
             Contains("unchanged cumulative regret"));
}

TEST_CASE("comparisons are corrected for their number") {
  // One comparison with p = 0.03 is shown; the same beside nine others without effect is not.
  const std::vector<double> base{1, 2, 3, 4, 5, 6};
  std::vector<double> above = base, same = base;
  const std::vector<double> rise{0.9, -0.1, 0.8, 0.5, 0.1, 0.6},
      noise{0.1, -0.1, 0.2, -0.2, 0.1, -0.1};
  for (std::size_t i = 0; i < base.size(); ++i) {
    above[i] += rise[i];
    same[i] += noise[i];
  }
  const auto shown = [&](std::size_t others) {
    std::vector<std::vector<double>> algorithms{base, above};
    for (std::size_t i = 0; i < others; ++i) algorithms.push_back(same);
    const auto comparison = compare_study(study({algorithms}));
    CHECK(comparison.measures.front().comparisons == 1 + others);
    return comparison.measures.front().cells[0][1]->to_first_algorithm->shown;
  };
  CHECK(shown(0));
  CHECK_FALSE(shown(9));
}

TEST_CASE("algorithms without a common repetition are shown, but nothing is called paired") {
  auto given = study({{{10, 11}, {}}});
  for (const auto* seed : {"7", "8"}) {
    Finals finals;
    finals[0] = 20;
    given.add(0, 1, {seed, true, finals, {}, {}});
  }
  const auto report = study_report(given);
  CHECK(report.title == "given: 2 algorithms, 2 repetitions");
  CHECK(report.headline.empty());
  CHECK(report.legend == "±: half of the mean's 95 % interval.");
}

TEST_CASE("only repetitions with equal seeds are paired") {
  auto given = study({{{10, 11, 12}, {20, 21, 22, 99}}});
  const auto effect = effect_of(*given.find(0, 1), *given.find(0, 0), 0);
  REQUIRE(effect);
  CHECK(effect->difference.n == 3);
  CHECK(effect->difference.mean == 10);
}

TEST_CASE("the repetitions that a width needs are those after which it is reached") {
  std::vector<double> a, b;
  for (int i = 0; i < 40; ++i) {
    a.push_back(10);
    b.push_back(20 + (i % 2 == 0 ? 1 : -1));
  }
  const auto wanted = parse_width("cumulative_regret=0.5");
  const auto with = [&](std::size_t n) {
    return study({{{a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n)},
                   {b.begin(), b.begin() + static_cast<std::ptrdiff_t>(n)}}});
  };
  CHECK_FALSE(width_reached(with(4), wanted));
  const auto needed = repetitions_needed(with(40), wanted);
  REQUIRE(needed);
  CHECK(*needed < 40);
  CHECK(width_reached(with(40), wanted));
  CHECK_FALSE(repetitions_needed(with(1), wanted));
  // Two repetitions that are close by chance prove nothing; equal ones need no more.
  const auto close = study({{{10, 10}, {20, 20.0001}}});
  CHECK_FALSE(width_reached(close, wanted));
  CHECK(repetitions_needed(close, wanted) == 5U);
  CHECK(width_reached(study({{{10, 11}, {20, 21}}}), wanted));
  CHECK(parse_width("simple_regret=5%").relative);
  for (const auto* text : {"",
                           "cumulative_regret",
                           "regret=1",
                           "cumulative_regret=",
                           "rounds=0",
                           "rounds=-1",
                           "rounds=nan",
                           "rounds=x",
                           "evaluations=1"})
    CHECK_THROWS_WITH(parse_width(text), Contains("allowed: MEASURE=0.01 or MEASURE=5%"));
}

TEST_CASE("algorithms with different confidence widths are not compared without a warning") {
  const ComparisonFacts theory{.widths = Widths::theory}, practical{.widths = Widths::practical};
  const auto mixed = study_report(study_of_two(practical, theory));
  REQUIRE(mixed.warnings.size() == 1);
  CHECK_THAT(mixed.warnings.front(),
             Contains("x has practical confidence widths, y the theory's, which are wider"));
  CHECK_THAT(to_text(mixed), Contains("\nwarning: x has practical"));
  CHECK(study_report(study_of_two(practical, practical)).warnings.empty());
  CHECK(study_report(study_of_two(theory, theory)).warnings.empty());
  CHECK(study_report(study_of_two(practical, {})).warnings.empty());  // y has no widths
}

TEST_CASE("algorithms with other numbers of pulls under way are told beside their times") {
  const ComparisonFacts one{.pulls_at_once = 1}, four{.pulls_at_once = 4};
  const auto mixed = study_report(study_of_two(four, one));
  REQUIRE(mixed.warnings.size() == 1);
  CHECK_THAT(mixed.warnings.front(),
             Contains("numbers of pulls under way at once differ (y 1; x 4;"));
  CHECK(study_report(study_of_two(four, four)).warnings.empty());
  CHECK(study_report(study_of_two(four, {})).warnings.empty());
}

TEST_CASE("a recommendation drawn at random is named beside one that is not") {
  const ComparisonFacts drawn{.random_recommendation = true};
  const auto mixed = study_report(study_of_two({}, drawn));
  REQUIRE(mixed.warnings.size() == 1);
  CHECK_THAT(mixed.warnings.front(),
             Contains("the simple regret of y is that of a play drawn at random"));
  CHECK(study_report(study_of_two(drawn, drawn)).warnings.empty());
  // Without a simple regret there is nothing to warn of.
  Study cumulative = study_of_two({}, drawn);
  for (auto& [at, cell] : cumulative.cells)
    for (auto& [repetition, finals] : cell.finished) finals[2] = std::nullopt;
  CHECK(study_report(std::move(cumulative)).warnings.empty());
}

TEST_CASE("costs are those of the next best in those of the winner, in full where one has none") {
  Study given = study({{{10, 11, 12, 13, 14}, {20, 21.5, 22, 23, 24}}});
  const auto kMessages = *quantity_named("messages");
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished) finals[kMessages] = at.second == 0 ? 720 : 0;
  CHECK_THAT(headline_of(given), Contains("; y takes no messages."));
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished) finals[kMessages] = at.second == 0 ? 0 : 720;
  CHECK_THAT(headline_of(given), Contains("; y takes 720 messages instead of none."));
  for (auto& [at, cell] : given.cells)
    for (auto& [repetition, finals] : cell.finished) finals[kMessages] = at.second == 0 ? 10 : 720;
  CHECK_THAT(headline_of(given), Contains("y's cumulative regret is higher"));
  CHECK_THAT(headline_of(given), Contains("; y takes 72 times the messages."));
}

TEST_CASE("many algorithms are rows of the table, few are columns") {
  const std::vector<double> values{10, 11, 12, 13, 14}, more{20, 21.5, 22, 23, 24};
  const auto few = study_report(study({{values, more, more}})).tables.front().lines();
  CHECK(few.front() == std::vector<std::string>{"", "x", "y", "z", "y / x", "z / x"});
  CHECK(few.size() == 2);
  const auto many = study_report(study({{values, more, more, more}})).tables.front().lines();
  CHECK(many.front() == std::vector<std::string>{"", "", "mean", "/ x"});
  REQUIRE(many.size() == 5);
  CHECK(many[1] == std::vector<std::string>{"cumulative regret", "x", "12 ± 2", ""});
  CHECK(many[2][0].empty());
  CHECK(many[2][1] == "y");
  CHECK(many[2][3] == few[1][4]);
}

TEST_CASE("few repetitions and runs that did not finish are named") {
  Study few = study({{{10, 11}, {20, 21}}});
  few.cells[{0, 1}].unfinished = 3;
  const auto report = study_report(std::move(few));
  REQUIRE(report.warnings.size() == 2);
  CHECK_THAT(report.warnings[0], Contains("3 runs did not finish and are left out"));
  CHECK_THAT(report.warnings[1], Contains("only 2 repetitions"));
}

TEST_CASE("a study without finished runs says so") {
  Study none = study({{{}, {}}});
  CHECK(to_text(study_report(std::move(none))) ==
        "no run has finished: there is nothing to compare\n");
}

}  // namespace posse::test_study_report
