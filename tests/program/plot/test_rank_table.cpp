// SPDX-License-Identifier: Apache-2.0
// Rank tables of run data put together by hand.
#include <catch2/catch.hpp>

#include "program/plot/rank_table.hpp"
#include "tests/support/xml.hpp"

namespace test_rank_table {

using namespace posse;

namespace {

RepetitionData answered(std::uint32_t number, const std::string& arm, double rank) {
  RepetitionData r;
  r.repetition = number;
  r.answer = arm;
  r.answer_rank = rank;
  r.finals["simple_regret"] = rank;
  return r;
}
RepetitionData with_regret(std::uint32_t number, double regret) {
  RepetitionData r;
  r.repetition = number;
  r.finals["simple_regret"] = regret;
  return r;
}
RunData run_of(std::vector<AlgorithmData> algorithms) {
  RunData run;
  run.name = "by-hand";
  run.algorithms = std::move(algorithms);
  return run;
}
auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("the rank table has mean, spread and how often the best arm is answered") {
  auto run = run_of(
      {{"asha", 1, {answered(0, "b", 2), answered(1, "c", 4)}},
       {"f-lcb",
        1,
        {answered(0, "a", 1), answered(1, "a", 1), answered(2, "b", 2), answered(3, "a", 1)}}});
  run.arms = {"a", "b", "c", "d"};
  const auto table = rank_table({run});
  REQUIRE(table);
  CHECK(table->id == "rank-table");
  CHECK_THAT(table->subtitle, has("among 4 arms"));
  CHECK_THAT(table->subtitle, has("by the arms' smallest values"));
  CHECK_THAT(table->subtitle, has("2 to 4 repetitions"));
  REQUIRE(table->rows.size() == 2);  // the best first
  CHECK(table->rows[0] == std::vector<std::string>{"f-lcb", "1.25", "0.50", "75 %", "a (3×)"});
  CHECK(table->rows[1] == std::vector<std::string>{"asha", "3.00", "1.41", "0 %", "b (1×)"});
  CHECK(table->csv ==
        "algorithm,repetitions,mean_rank,sd_rank,best_answered,share_best,most_often_answered,"
        "most_often_times\nf-lcb,4,1.25,0.5,3,0.75,a,3\nasha,2,3,1.4142135623730951,0,0,b,1\n");
  run.arms_are_ranked = true;
  CHECK_THAT(rank_table({run})->subtitle, has("by the ranking that the scenario gives"));
}

TEST_CASE("algorithms without arms are ranked against each other, ties sharing their places") {
  // Ranks 1, 2.5, 2.5; then 3, 1, 2; the third repetition isn't everybody's.
  const auto run = run_of({{"a", 2, {with_regret(0, 1), with_regret(1, 9), with_regret(2, 1)}},
                           {"b", 2, {with_regret(0, 5), with_regret(1, 2)}},
                           {"c", 2, {with_regret(0, 5), with_regret(1, 4), with_regret(2, 0)}}});
  const auto table = rank_table({run});
  REQUIRE(table);
  CHECK_THAT(table->title, has("by simple regret"));
  REQUIRE(table->rows.size() == 3);
  CHECK(table->rows[0] == std::vector<std::string>{"b", "1.75", "1.06", "50 %"});
  CHECK(table->rows[1] == std::vector<std::string>{"a", "2.00", "1.41", "50 %"});
  CHECK(table->rows[2] == std::vector<std::string>{"c", "2.25", "0.35", "0 %"});
  CHECK_THAT(table->csv, has("b,2,1.75,1.0606601717798212,1,0.5\n"));
}

TEST_CASE("there is nothing to rank without answers and with one algorithm") {
  CHECK_FALSE(rank_table({run_of({{"a", 2, {with_regret(0, 1)}}})}));
  CHECK_FALSE(rank_table({run_of({{"a", 2, {}}, {"b", 2, {}}})}));
  CHECK_FALSE(rank_table({run_of({{"a", 2, {with_regret(0, 1)}}, {"b", 2, {with_regret(0, 2)}}})},
                         Scope::local));
}

TEST_CASE("a table's picture is well-formed, wide enough, and hostile names stay text") {
  PictureTable table;
  table.id = "t";
  table.title = "<script>alert(1)</script>";
  table.subtitle = std::string(600, 'w') + " & more";
  table.headings = {"a", "b"};
  table.rows = {{"</text><b>", "1"}, {std::string(80, 'W'), "2"}};
  const auto svg = to_svg(table);
  CHECK(xml_problem(svg).empty());
  CHECK_THAT(svg, !has("<script>"));
  CHECK_THAT(svg, has("&lt;/text&gt;"));
  const double width = std::strtod(xml_attributes(svg, "svg", "width").at(0).c_str(), nullptr),
               height = std::strtod(xml_attributes(svg, "svg", "height").at(0).c_str(), nullptr);
  for (const auto& x : xml_attributes(svg, "text", "x"))
    CHECK(std::strtod(x.c_str(), nullptr) < width);
  for (const auto& y : xml_attributes(svg, "text", "y"))
    CHECK(std::strtod(y.c_str(), nullptr) < height);
  CHECK(to_svg(table) == svg);
}

}  // namespace test_rank_table
