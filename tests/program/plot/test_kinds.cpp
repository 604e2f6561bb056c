// SPDX-License-Identifier: Apache-2.0
// Plots of run data put together by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "program/base/files.hpp"
#include "program/plot/drawing.hpp"
#include "program/plot/kinds.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/xml.hpp"

namespace test_kinds {

using namespace posse;

namespace {

/// One repetition that ends after 8 evaluations and two rounds of 100 bytes, with this final
/// regret.
RepetitionData repetition(std::uint32_t number, double regret, double bytes = 250) {
  RepetitionData r;
  r.repetition = number;
  r.status = "finished";
  r.evaluations_per_client = 8;
  r.curves["cumulative_regret"] = {
      {1, 0, 0, 0.5, 1}, {4, 1, 100, 1.5, regret / 2}, {8, 2, 200, 3, regret}};
  r.curves["local_cumulative_regret"] = {{8, 2, 200, 3, regret + 1}};
  r.curves["simple_regret"] = {{0, 0, 0, 0, 0.8}, {4, 1, 100, 1.5, 0.2}, {8, 2, 200, 3, 0.2}};
  r.rounds = {{1, 2, 100, 10}, {2, 6, 200, 20}};
  r.values = 25;
  r.ledger.push_back({.type = "Plan", .direction = "down", .bytes = bytes});
  r.ledger.push_back({.type = "Ack", .direction = "up", .bytes = 9});
  r.finals["cumulative_regret"] = regret;
  r.finals["local_cumulative_regret"] = regret + 1;
  r.finals["simple_regret"] = 0.2;
  r.finals["payload_bytes"] = bytes;
  r.finals["rounds"] = 2;
  return r;
}

RunData run_of(std::vector<AlgorithmData> algorithms) {
  RunData run;
  run.name = "by-hand";
  run.objective = "garland";
  run.algorithms = std::move(algorithms);
  return run;
}

const Series& series(const Chart& chart, const std::string& label) {
  for (const auto& s : chart.series)
    if (s.label == label) return s;
  FAIL("no series " << label);
  return chart.series.front();
}

}  // namespace

TEST_CASE(
    "a fault that only one algorithm of a repetition saw is drawn until the latest end seen") {
  auto lost = repetition(0, 10), longer = repetition(0, 12), none = repetition(0, 14);
  lost.faults = {{"loss burst", "server | client-1", 1, {}}};
  longer.faults = {{"loss burst", "server | client-1", 1, 2.5}};
  const auto made = make_plot(run_of({{"a", 3, {lost}}, {"b", 3, {longer}}, {"c", 3, {none}}}),
                              {.kind = "regret-virtual-time"});
  REQUIRE(made);
  REQUIRE(made->faults.size() == 1);
  CHECK(made->faults[0].to == 2.5);
  CHECK(made->note == "grey: loss burst of server | client-1 from 1 s to 2.5 s");
}

TEST_CASE("faults beyond those that are drawn are told") {
  auto one = repetition(0, 10);
  for (int i = 0; i < 64; ++i)
    one.faults.push_back({"pause", "client-0", 0.01 * i, 0.01 * i + 0.005});
  const auto made = make_plot(run_of({{"a", 3, {one}}}), {.kind = "regret-virtual-time"});
  REQUIRE(made);
  CHECK(made->faults.size() == 60);
  CHECK_THAT(made->note,
             Catch::Matchers::Contains(" and 61 more faults; only the first 60 are drawn"));
}

TEST_CASE("faults that every run has at the same times are bands behind charts over virtual time") {
  auto one = repetition(0, 10), other = repetition(1, 12);
  one.faults = {{"partition", "server | client-1", 1, 2}, {"crash", "client-2", 1.5, {}}};
  other.faults = one.faults;
  other.faults.push_back({"pause", "client-0", 0.25, 0.5});
  const auto made = make_plot(run_of({{"a", 3, {one, other}}}), {.kind = "regret-virtual-time"});
  REQUIRE(made);
  const Chart& chart = *made;
  REQUIRE(chart.faults.size() == 2);
  CHECK(chart.faults[0].label == "partition of server | client-1");
  CHECK(chart.faults[0].from == 1);
  CHECK(chart.faults[0].to == 2);
  CHECK(chart.faults[1].to == 3);  // the end of the curves
  CHECK(chart.note ==
        "grey: partition of server | client-1 from 1 s to 2 s, crash of client-2 from 1.5 s on; "
        "faults that not all repetitions have at the same times are not drawn");
  const auto svg = to_svg(chart);
  CHECK_THAT(svg, Catch::Matchers::Contains("fill-opacity=\"0.09\""));
  CHECK_THAT(svg, Catch::Matchers::Contains(">partition</text>"));
  CHECK(chart_json(chart)["faults"][0]["label"] == "partition of server | client-1");
  const auto over_bytes = make_plot(run_of({{"a", 3, {one, other}}}), {.kind = "regret-bytes"});
  CHECK((*over_bytes).faults.empty());
}

TEST_CASE("charts of a run folder have the faults that its table has") {
  const ProgramFolder folder;
  folder.write("f.toml", R"(
name = "f"
repeat = 2
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 500
[network]
latency = "20 ms"
transport = "reliable"
[compute]
evaluation = "1 ms"
[[fault]]
kind = "pause"
nodes = ["client-1"]
at = "100 ms"
for = "300 ms"
)");
  REQUIRE(folder.posse("run f.toml --quiet").code == 0);
  const auto read = read_run(folder / "runs/f");
  for (const auto& run : read.algorithms[0].repetitions)
    CHECK(run.faults == std::vector<FaultTime>{{"pause", "client-1", 0.1, 0.4}});
  REQUIRE(folder.posse("plot runs/f --kind regret-virtual-time --out f.svg").code == 0);
  CHECK_THAT(folder.content("f.svg"),
             Catch::Matchers::Contains("grey: pause of client-1 from 100 ms to 400 ms"));
  // The report's page has them, too.
  CHECK_THAT(folder.content("runs/f/latest/report.html"),
             Catch::Matchers::Contains("\"label\":\"pause of client-1\""));
  folder.write("runs/f/latest/faults.csv", "run,virtual_s\n");
  const auto damaged = folder.posse("plot runs/f");
  CHECK(damaged.code == 11);
  CHECK_THAT(damaged.err, Catch::Matchers::Contains("faults.csv"));
}

TEST_CASE("the regret plot has the mean over repetitions and its 95 % interval") {
  const auto chart =
      make_plot(run_of({{"a", 3, {repetition(0, 10), repetition(1, 14)}}}), {"regret"});
  REQUIRE(chart);
  const auto& points = series(*chart, "a").points;
  REQUIRE(points.size() == 4);  // 0, 1, 4, 8 evaluations
  CHECK(points[0].y == 0);
  CHECK(points[2].x == 4);
  CHECK(points[2].y == 6);
  CHECK(points[3].y == 12);
  CHECK(points[3].around_y->above == Approx(12.7062 * 4 / 2));  // of 10 and 14
  CHECK(chart->band == "band: 95 % interval of the mean over 2 repetitions");
  const auto spread = make_plot(run_of({{"a", 3, {repetition(0, 10), repetition(1, 14)}}}),
                                {.kind = "regret", .band = Band::sd});
  CHECK(series(*spread, "a").points[3].around_y->above == Approx(std::sqrt(8.0)));
  CHECK(spread->band == "band: ± 1 standard deviation over 2 repetitions");
  CHECK(series(*chart, "a").kind == Series::Kind::line);
  CHECK(make_plot(run_of({{"a", 3, {repetition(0, 10)}}}), {"regret"})->band.empty());
}

TEST_CASE("runs that have not finished are drawn alone, and are in no mean") {
  AlgorithmData a{"a", 3, {repetition(0, 10)}, {}, ""};
  a.unfinished.assign(10, repetition(1, 100));
  for (auto& one : a.unfinished) one.status = "limit_reached";
  const auto chart = make_plot(run_of({a}), {"regret"});
  REQUIRE(chart);
  CHECK(chart->series.size() == 9);  // the mean, and the first eight
  CHECK(series(*chart, "a").points.back().y == 10);
  CHECK(series(*chart, "a").repetitions == 1);
  CHECK_FALSE(series(*chart, "a").alone);
  const auto& alone = series(*chart, "a, repetition 1 (limit reached)");
  CHECK(alone.points.back().y == 100);
  CHECK(alone.alone);
  CHECK(chart->note == "of an algorithm's runs that have not finished the first 8 are drawn");
  const auto json = chart_json(*chart);
  CHECK(json["series"][1]["alone"] == true);
  CHECK(json["series"][1]["low"].empty());
  CHECK(to_svg(*chart).find("stroke-dasharray") != std::string::npos);
}

TEST_CASE("over virtual time the mean goes on to the slowest repetition's end") {
  auto slow = repetition(1, 14);
  for (auto& p : slow.curves["cumulative_regret"]) p.virtual_s *= 2;
  const auto chart =
      make_plot(run_of({{"a", 3, {repetition(0, 10), slow}}}), {"regret-virtual-time"});
  REQUIRE(chart);
  const auto& points = series(*chart, "a").points;
  CHECK(points.back().x == 6);
  CHECK(points.back().y == 12);
  // At 3 s the fast one has ended with 10, and the slow one has its half.
  REQUIRE(points[points.size() - 2].x == 3);
  CHECK(points[points.size() - 2].y == (10 + 7) / 2.0);
}

TEST_CASE("curves that leave out rounds are joined by lines, others jump at the end of a round") {
  const auto kind_of = [](const RepetitionData& r, const char* kind) {
    return series(*make_plot(run_of({{"a", 3, {r}}}), {kind}), "a").kind;
  };
  auto sequential = repetition(0, 10);
  sequential.curves["cumulative_regret"].back().rounds = 8;
  for (const auto* kind : {"regret-rounds", "regret-bytes"}) {
    CHECK(kind_of(repetition(0, 10), kind) == Series::Kind::steps);
    CHECK(kind_of(sequential, kind) == Series::Kind::line);
  }
}

TEST_CASE("a simple regret is drawn in steps from the first evaluation on") {
  const auto chart = make_plot(run_of({{"a", 3, {repetition(0, 10)}}}), {"simple-regret"});
  REQUIRE(chart);
  CHECK(chart->x.scale == Scale::log);
  const auto& s = series(*chart, "a");
  CHECK(s.kind == Series::Kind::steps);
  REQUIRE(s.points.size() == 4);
  CHECK(s.points[1].x == 1);
  CHECK(s.points[1].y == 0.8);
  CHECK(s.points[2].x == 4);
  CHECK(s.points[2].y == 0.2);
}

TEST_CASE("communication adds up the rounds and stays where it ends") {
  const auto run = run_of({{"a", 3, {repetition(0, 10)}}});
  const auto bytes = make_plot(run, {"communication"});
  REQUIRE(bytes);
  const auto& points = series(*bytes, "a").points;
  // 0 before the first round's end at 2, 100 there; the 50 bytes of no round follow the last, at 6.
  const std::vector<std::pair<double, double>> expected{
      {0, 0}, {1, 0}, {2, 100}, {6, 250}, {8, 250}};
  REQUIRE(points.size() == expected.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK(points[i].x == expected[i].first);
    CHECK(points[i].y == expected[i].second);
  }
  CHECK(series(*make_plot(run, {"communication-values"}), "a").points.back().y == 25);
}

TEST_CASE("the plan of a first round that never ends was sent at the start") {
  auto planned = repetition(0, 10, 50);
  planned.rounds.clear();
  const auto chart = make_plot(run_of({{"a", 3, {planned}}}), {"communication"});
  REQUIRE(chart);
  for (const auto& p : series(*chart, "a").points) CHECK(p.y == 50);
}

TEST_CASE("the Pareto front links the algorithms that no other beats in both") {
  // a: free but bad; b: dearer and worse than c; c; d: dearest and best.
  const auto chart = make_plot(run_of({{"a", 1, {repetition(0, 9, 0)}},
                                       {"b", 1, {repetition(0, 8, 300)}},
                                       {"c", 1, {repetition(0, 5, 200)}},
                                       {"d", 1, {repetition(0, 2, 90000)}}}),
                               {"pareto"});
  REQUIRE(chart);
  std::vector<std::pair<double, double>> front;
  for (const auto& p : series(*chart, "Pareto front").points) front.emplace_back(p.x, p.y);
  CHECK(front == std::vector<std::pair<double, double>>{{0, 9}, {200, 5}, {90000, 2}});
  CHECK(chart->x.scale == Scale::log);
  CHECK(chart->y.scale == Scale::linear);
  CHECK(xml_problem(to_svg(*chart)).empty());
}

TEST_CASE("bounds that hold at the end are dashed lines with the mean over repetitions") {
  auto first = repetition(0, 10), second = repetition(1, 12);
  first.bounds = {{"cumulative regret", "derived", "with_probability", false, 20},
                  {"virtual time", "derived", "always", true, 3}};
  second.bounds = {{"cumulative regret", "derived", "with_probability", false, 30}};
  const auto chart = make_plot(run_of({{"a", 1, {first, second}}}), {"regret"});
  REQUIRE(chart->references.size() == 1);
  CHECK(chart->references[0].y == 25);
  CHECK(chart->references[0].label == "bound at the end, a: 25");
}

TEST_CASE("the legend marks a bound that is vacuous in every repetition") {
  auto first = repetition(0, 10), second = repetition(1, 12);
  first.bounds = {{"cumulative regret", "derived", "with_probability", false, 20, 10, true}};
  second.bounds = {{"cumulative regret", "derived", "with_probability", false, 30, 12, true}};
  const auto label = [&] {
    return make_plot(run_of({{"a", 1, {first, second}}}), {"regret"})->references.at(0).label;
  };
  CHECK(label() == "bound at the end, a: 25 (vacuous)");
  second.bounds[0].vacuous = false;
  CHECK(label() == "bound at the end, a: 25");
}

TEST_CASE("a bound with an unknown constant is not drawn") {
  auto only = repetition(0, 10);
  only.bounds = {{"cumulative regret", "rate", "order_only", false, 20}};
  const auto chart = make_plot(run_of({{"a", 1, {only}}}), {"regret"});
  REQUIRE(chart);
  CHECK(chart->references.empty());
}

TEST_CASE("every kind draws something of a whole run, and its pictures are well-formed") {
  const auto run = run_of({{"a", 3, {repetition(0, 10), repetition(1, 14)}},
                           {"b & <c>", 5, {repetition(0, 3), repetition(1, 4)}},
                           {"never finished", 5, {}}});
  for (const auto& kind : plot_kinds()) {
    if (kind.name.starts_with("arm-")) continue;  // of functional bandits only
    INFO(kind.name);
    for (const bool logarithmic : {false, true}) {
      const auto chart = make_plot(run, {kind.name, Scope::global, logarithmic});
      REQUIRE(chart);
      CHECK(xml_problem(to_svg(*chart)).empty());
      CHECK(chart->id == kind.name);
    }
  }
  // The local ones too, since local and global regrets differ; ids tell them apart.
  std::set<std::string> ids;
  for (const auto& chart : page_charts(run)) ids.insert(chart.id);
  CHECK(ids.count("regret") == 1);
  CHECK(ids.count("regret-local") == 1);
  CHECK(ids.count("communication-local") == 0);
}

TEST_CASE("a run that evaluates nothing, or sends nothing, has no such plots") {
  RepetitionData silent;
  silent.finals["payload_bytes"] = 0;
  CHECK(page_charts(run_of({{"echo", 3, {silent}}})).empty());
  auto alone = repetition(0, 10, 0);
  alone.rounds.clear();
  alone.values = 0;
  for (auto& [metric, points] : alone.curves)
    for (auto& p : points) p.rounds = p.bytes = p.virtual_s = 0;
  std::set<std::string> ids;
  for (const auto& chart : page_charts(run_of({{"alone", 1, {alone}}}))) ids.insert(chart.id);
  CHECK(ids == std::set<std::string>{"regret", "regret-local", "simple-regret"});
  CHECK_FALSE(make_plot(run_of({{"a", 1, {alone}}}), {"no-such-kind"}));
}

TEST_CASE("a plot is written as SVG and CSV, into folders that it makes") {
  const ProgramFolder folder;
  const auto chart = make_plot(run_of({{"a", 1, {repetition(0, 10)}}}), {"regret"});
  const auto paths = write_picture(picture_of(*chart), folder / "new/deep/picture.svg");
  CHECK(content(paths.at(0)) == to_svg(*chart));
  CHECK(content(folder / "new/deep/picture.csv") == to_csv(*chart));
  folder.write("taken", "");
  CHECK_THROWS_AS(write_picture(picture_of(*chart), folder / "taken/picture.svg"), FileError);
}

TEST_CASE(
    "a functional bandit's plots: pulls of each arm up to the end, values and f - g, by "
    "algorithm") {
  auto one = repetition(0, 10), two = repetition(1, 14);
  one.arms["f1"] = {{1, 1, 5, 8}, {2, 3, 4, 2}, {5, 8, 3, 1}};
  one.arms["f & <2>"] = {{1, 2, 6, 4}, {3, 6, 5, 2}};
  two.arms = one.arms;
  auto run = run_of({{"first", 1, {one, two}}, {"second", 1, {one}}});
  run.arms = {"f1", "f & <2>"};
  const auto pulls = make_plot(run, {.kind = "arm-pulls"});
  REQUIRE(pulls);
  CHECK(pulls->id == "arm-pulls-first");
  CHECK(pulls->subtitle.find("2 arms") != std::string::npos);
  CHECK(xml_problem(to_svg(*pulls)).empty());
  const auto& last = series(*pulls, "f & <2>").points.back();
  CHECK(last.x == 8);  // pulled last at 6, still 3 pulls at the end
  CHECK(last.y == 3);
  const auto intervals = make_plot(run, {.kind = "arm-intervals", .algorithm = "second"});
  REQUIRE(intervals);
  CHECK(intervals->id == "arm-intervals-second");
  CHECK(series(*intervals, "f1").points.back().y == 3);
  CHECK(series(*intervals, "f1, f - g").points.front().y == -3);
  CHECK(xml_problem(to_svg(*intervals)).empty());
  CHECK_FALSE(make_plot(run, {.kind = "arm-lemma"}));
  for (auto& r : run.algorithms[0].repetitions) {
    r.curves["regret_at_selection"] = {{1, 0, 0, 0, 0}, {4, 1, 0, 0, 2}, {8, 2, 0, 0, 3}};
    r.curves["bounds_at_selection"] = {{1, 0, 0, 0, 0}, {4, 1, 0, 0, 5}, {8, 2, 0, 0, 9}};
  }
  const auto lemma = make_plot(run, {.kind = "arm-lemma"});
  REQUIRE(lemma);
  CHECK(series(*lemma, "bound g held").points.back().y == 9);
  CHECK(xml_problem(to_svg(*lemma)).empty());
  std::set<std::string> ids;
  for (const auto& chart : page_charts(run)) ids.insert(chart.id);
  for (const auto* id :
       {"arm-lemma-first", "arm-pulls-first", "arm-pulls-second", "arm-intervals-second"})
    CHECK(ids.count(id) == 1);
}

}  // namespace test_kinds
