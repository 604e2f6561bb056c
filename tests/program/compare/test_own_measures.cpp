// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "program/base/json.hpp"
#include "program/base/quantities.hpp"
#include "program/compare/paper_table.hpp"
#include "program/compare/study_report.hpp"
#include "program/results/study_runs.hpp"

namespace posse::test_own_measures {
namespace {

using Catch::Matchers::Contains;

/// x and y with these values of a measure; a cell without values lacks it.
Study study_of(const OwnMeasure& measure, const std::vector<std::vector<double>>& values) {
  Study study;
  study.name = "given";
  study.settings = {""};
  study.algorithms = {"x", "y"};
  for (std::size_t a = 0; a < values.size(); ++a)
    for (std::size_t r = 0; r < 5; ++r) {
      Finals finals;
      finals["messages"] = 100;
      if (r < values[a].size()) finals[own_quantity(measure)] = values[a][r];
      study.add(0, a, {std::to_string(r), true, finals, {}, {}});
    }
  return study;
}

std::string headline_on(const OwnMeasure& measure, const std::vector<std::vector<double>>& values) {
  std::string out;
  for (const auto& sentence :
       study_report(study_of(measure, values), own_quantity(measure)).headline)
    out += sentence + " ";
  return out;
}

const std::vector<double> kLow{0.5, 0.52, 0.49, 0.51, 0.5}, kHigh{0.9, 0.91, 0.9, 0.92, 0.89};

StudyRun run_with(const Finals& finals) { return {"0x1", true, finals, {}, {}}; }

/// What a run's entry in results.json gives back.
StudyRun read_back(Json entry) {
  entry["seed"] = "0x1";
  entry["status"] = "finished";
  return study_run(JsonObject("results.json", "runs[0]", entry));
}

Finals complete_finals() {
  Finals finals;
  for (const auto* name : {"rounds", "messages", "payload_bytes", "wire_bytes", "virtual_s"})
    finals[name] = 1;
  return finals;
}

}  // namespace

TEST_CASE("of a measure of which more is better, the highest is the best") {
  const auto text = headline_on({"hits", "", "", Better::more}, {kLow, kHigh});
  CHECK_THAT(text,
             Contains("y is best on hits: x's hits is lower by 0.4 (0.388 to 0.412), 0.558 "));
}

TEST_CASE("of a measure of which less is better, the lowest is the best") {
  const auto text = headline_on({"misses", "", "", Better::less}, {kLow, kHigh});
  CHECK_THAT(text, Contains("x is best on misses: y's misses is higher by 0.4 (0.388 to 0.412)"));
}

TEST_CASE("of a measure without a direction none is best, and both are told apart") {
  const OwnMeasure sort{"sort", "s", "", Better::neither};
  CHECK(headline_on(sort, {kLow, kHigh}) ==
        "Whether more or less of sort is better isn't said: none is best on it. ");
  const auto report = study_report(study_of(sort, {kLow, kHigh}));
  CHECK_THAT(to_text(report), Contains("sort"));
  CHECK_THAT(to_text(report), Contains("1.794× (1.755 to 1.834)"));
  CHECK_THAT(paper_table(report, {TableFormat::markdown, TableInterval::none, {}}),
             !Contains("**"));
}

TEST_CASE("what is best on a cost is told to be worse on an own measure") {
  auto study = study_of({"hits", "", "", Better::more}, {kLow, kHigh});
  for (auto& [at, cell] : study.cells)
    for (auto& [repetition, finals] : cell.finished)
      finals["messages"] = at.second == 0 ? 100 + repetition : 200 + repetition;
  std::string text;
  for (const auto& sentence : study_report(study, quantity_named("messages")).headline)
    text += sentence + " ";
  CHECK_THAT(text, Contains("x is best on messages"));
  CHECK_THAT(text, Contains("But x's hits is lower than y's, 0.558 times as high."));
}

TEST_CASE("an algorithm without the measure is left out of its comparison") {
  const OwnMeasure measure{"hits", "", "", Better::more};
  CHECK(headline_on(measure, {kLow, {}}) ==
        "Only x has values of hits: there is none to compare it with. ");
  const auto report = study_report(study_of(measure, {kLow, {}}));
  const auto* hits = report.comparison.find("hits");
  REQUIRE(hits != nullptr);
  CHECK(hits->cells[0][0]);
  CHECK_FALSE(hits->cells[0][1]);
}

TEST_CASE("own measures come after the others, by name") {
  const auto b = own_quantity({"b_measure", "", "", Better::less}),
             a = own_quantity({"a_measure", "", "", Better::less});
  std::vector<std::size_t> positions{b, a, 3, b};
  sort_quantities(positions);
  CHECK(positions == std::vector<std::size_t>{3, a, b});
}

TEST_CASE("a name means the measure that was defined last") {
  const auto first = own_quantity({"twice", "s", "", Better::less}),
             second = own_quantity({"twice", "bytes", "", Better::more});
  define_quantity(second);
  CHECK(quantity_named("twice") == second);
  define_quantity(first);
  CHECK(quantity_named("twice") == first);
  CHECK(own_quantity({"twice", "s", "again", Better::less}) == first);
}

TEST_CASE(
    "an own measure can't have the name of what results have, or none that flags could take") {
  for (const auto* name : {"rounds", "cumulative_regret", "seed", "", "two words", "a,b", "\n"})
    CHECK_THROWS_AS(own_quantity({name, "", "", Better::less}), InputError);
}

TEST_CASE("units and meanings of own measures are short and can be printed") {
  CHECK_THROWS_AS(own_quantity({"hits", "\033[2J", "", Better::less}), InputError);
  CHECK_THROWS_AS(own_quantity({"hits", "", "two\nlines", Better::less}), InputError);
  CHECK_THROWS_AS(own_quantity({"hits", "", std::string(201, 'x'), Better::less}), InputError);
  CHECK_NOTHROW(own_quantity({"hits", "µs", std::string(200, 'x'), Better::less}));
}

TEST_CASE("results.json has own measures with what is needed to compare them") {
  auto finals = complete_finals();
  finals[own_quantity({"hits", "%", "share of hits", Better::more})] = 12.5;
  Json entry = Json::object();
  put_study_run(run_with(finals), entry);
  CHECK(entry["own_measures"] == Json::parse(R"([{"name": "hits", "unit": "%",
        "meaning": "share of hits", "better": "more", "value": 12.5}])"));
  const auto read = read_back(entry);
  CHECK(read.finals[own_quantity({"hits", "%", "", Better::more})] == 12.5);
}

TEST_CASE("garbage in own measures of results.json is refused with its place") {
  Json good = Json::object();
  put_study_run(run_with(complete_finals()), good);
  for (const auto* bad :
       {R"([{"name": "rounds", "unit": "", "meaning": "", "better": "less", "value": 1}])",
        R"([{"name": "h", "unit": "", "meaning": "", "better": "most", "value": 1}])",
        R"([{"name": "h", "unit": "", "meaning": "", "better": "less", "value": "x"}])",
        R"([{"name": "h"}])",
        R"([7])",
        R"({"name": "h"})"}) {
    Json entry = good;
    entry["own_measures"] = Json::parse(bad);
    CHECK_THROWS_WITH(read_back(entry), Contains("own_measures"));
  }
}

TEST_CASE("tables of runs have own measures in a column, and garbage in it is refused") {
  auto finals = complete_finals();
  const auto hits = own_quantity({"hits", "%", "share of hits", Better::more});
  finals[hits] = 12.5;
  struct Row {
    StudyRun run;
  };
  ColumnsOf<Row> columns;
  columns.add("seed", [](const Row& row) { return row.run.seed; }).add("status", [](const Row&) {
    return "finished";
  });
  for (const auto* more : {&fact_columns(), &quantity_columns()}) columns.add(*more, &Row::run);
  const auto text = csv_text(columns.table([&](const auto& use) { use({run_with(finals)}); }));
  CsvReader rows(text);
  const StudyRunReader reader(rows);
  REQUIRE(rows.next());
  CHECK(reader.read(rows).finals[hits] == 12.5);

  auto broken = text;
  broken.replace(broken.find("\"\"hits"), 6, "\"\"rounds");
  CsvReader broken_rows(broken);
  const StudyRunReader broken_reader(broken_rows);
  REQUIRE(broken_rows.next());
  CHECK_THROWS_WITH(broken_reader.read(broken_rows), Contains("is no list of own_measures"));
}

}  // namespace posse::test_own_measures
