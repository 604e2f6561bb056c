// Comparing runs and sweeps through the program, and the numbers behind the text.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program/base/files.hpp"
#include "program/compare/study_text.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_compare {
namespace {

using Catch::Matchers::Contains;

const std::string kScenario = "name = \"pair\"\nrepeat = 6\n" + test::kTwoAlgorithms;

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
        study.cells[{s, a}].finished[std::to_string(r)] = finals;
      }
  return study;
}

/// Without line breaks.
std::string flat(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::string headline_of(const Study& study) {
  return flat(headline(study, compare_study(study), 0));
}

}  // namespace

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

TEST_CASE("without a clear difference the headline says so, and how many repetitions would tell") {
  const auto text =
      headline_of(study({{{10, 11, 12, 13, 14, 9}, {11, 10.5, 12.5, 12.5, 15, 9.2}}}));
  CHECK_THAT(text,
             Contains("None is clearly best on cumulative regret: x is lowest, y next; about "));
  CHECK_THAT(text, Contains("more repetitions would tell"));
  CHECK_THAT(headline_of(study({{{1, 2, 3}, {1, 2, 3}}})), Contains("all are equal"));
  CHECK_THAT(headline_of(study({{{1}, {2}}})), Contains("a single repetition shows nothing"));
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

TEST_CASE("runs of two folders are compared by what their scenarios differ in") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  REQUIRE(folder.posse("run pair.toml --out a").code == 0);
  REQUIRE(
      folder
          .posse("run pair.toml --out b --set network.loss=0.1 --set 'network.latency=\"200 ms\"'")
          .code == 0);
  const auto outcome = folder.posse("compare a/pair b/pair");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out,
             Contains("pair: 2 settings × 2 algorithms, 6 repetitions, paired by seed"));
  CHECK_THAT(outcome.out,
             Contains("From 20 ms, no loss to 200 ms, 10 % loss, fed-pne: virtual time "));
  // The same as a sweep.
  folder.write("sweep.toml",
               kScenario +
                   "[sweep]\nnetwork.latency = [\"20 ms\", \"200 ms\"]\nnetwork.loss = [0, "
                   "0.1]\nlock_step = [[\"network.latency\", \"network.loss\"]]\n");
  const auto sweep = folder.posse("sweep sweep.toml --store s --json");
  REQUIRE(sweep.code == 0);
  const auto folders = folder.posse("compare a/pair b/pair --json");
  auto first = nlohmann::json::parse(sweep.out), second = nlohmann::json::parse(folders.out);
  for (auto* json : {&first, &second}) json->erase("name");
  CHECK(first == second);
}

TEST_CASE("what can't be compared is refused, and says why") {
  const ProgramFolder folder;
  folder.write("pair.toml", kScenario);
  REQUIRE(folder.posse("run pair.toml --out a --repeat 1").code == 0);
  const auto check = [&](const std::string& arguments, int code, const std::string& message) {
    const auto outcome = folder.posse("compare " + arguments);
    INFO(arguments << "\n" << outcome.out << outcome.err);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, Contains(message));
  };
  check("", 2, "RUN");
  check("nowhere", 11, "is not a run folder");
  check("a/pair a/pair", 2, "is there twice");
  check("a/pair --measure speed", 2, "there is no measure 'speed'");
  check("a/pair --until-ci rounds", 2, "has no '='");
  REQUIRE(folder.posse("sweep pair.toml --store s --repeat 1 --shard 1/1").code == 0);
  check("s", 11, "summary.csv' doesn't exist");
  write_file(folder / "s/summary.csv", "setting,algorithm\n1,2,3\n");
  check("s", 11, "summary.csv");
  const auto one = folder.posse("compare a/pair");
  CHECK_THAT(one.out, Contains("warning: only 1 repetition"));
  // Runs of earlier schemas.
  const auto results = folder / "a/pair/latest/results.json";
  auto text = read_file(results);
  text.replace(text.find("\"schema\": "), 11, "\"schema\": 1");
  write_file(results, text);
  check("a/pair", 11, "of an earlier version");
}

}  // namespace posse::test_compare
