// SPDX-License-Identifier: Apache-2.0
// Plots over settings: studies and runs put together by hand, and a store.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "program/base/files.hpp"
#include "program/plot/break_even.hpp"
#include "program/plot/chart_layout.hpp"
#include "program/plot/divided.hpp"
#include "program/plot/facets.hpp"
#include "program/plot/heat_map.hpp"
#include "program/plot/rounds_law.hpp"
#include "program/plot/setting_axis.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/sweep/setting_names.hpp"
#include "program/sweep/setting_runs.hpp"
#include "tests/support/needed_program.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"
#include "tests/support/xml.hpp"

namespace posse::test_sweep_plots {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

constexpr std::size_t kRegret = 0;
const std::size_t kBytes = *quantity_named("payload_bytes");

/// Cumulative regret and payload of each repetition.
using Values = std::vector<std::pair<double, double>>;

void add(Study& study, SettingKeys keys, const std::string& algorithm, const Values& values) {
  auto place = [](auto& list, const auto& value) {
    const auto it = std::find(list.begin(), list.end(), value);
    if (it != list.end()) return static_cast<std::size_t>(it - list.begin());
    list.push_back(value);
    return list.size() - 1;
  };
  const auto a = place(study.algorithms, algorithm);
  const auto s = place(study.keys, keys);
  if (s == study.settings.size())
    study.settings.push_back(keys.empty() ? "" : fmt::format("setting {}", s));
  for (std::size_t r = 0; r < values.size(); ++r) {
    Finals finals;
    finals[kRegret] = values[r].first;
    finals[kBytes] = values[r].second;
    study.add(s, a, {std::to_string(r), true, finals, {}, {}});
  }
}

template <class Drawing>
const Drawing& drawing(const std::variant<Drawing, std::string>& made) {
  if (const auto* why = std::get_if<std::string>(&made)) FAIL(*why);
  return std::get<Drawing>(made);
}
template <class Drawing>
std::string reason(const std::variant<Drawing, std::string>& made) {
  const auto* why = std::get_if<std::string>(&made);
  return why == nullptr ? "" : *why;
}

Study latencies_and_losses() {
  Study study;
  study.name = "given";
  for (const auto* latency : {"200 ms", "20 ms", "2 s"})
    for (const auto* loss : {"none", "0.05"})
      for (const auto* algorithm : {"a", "b"})
        add(study,
            {{"network.latency.value", latency}, {"network.loss.p", loss}},
            algorithm,
            {{10, 100}, {12, 100}, {14, 100}});
  return study;
}

}  // namespace

TEST_CASE("a swept key is an axis of numbers with a unit, of logarithms if these are more even") {
  const auto study = latencies_and_losses();
  const auto latency = setting_axis(study, "network.latency.value");
  CHECK(latency.spec.label == "latency");
  CHECK(latency.spec.unit == "s");
  CHECK(latency.spec.scale == Scale::log);
  CHECK(latency.at.front() == 0.2);
  CHECK(latency.at.back() == 2);
  const auto loss = setting_axis(study, "network.loss.p");
  CHECK(loss.spec.scale == Scale::linear);
  CHECK(loss.at.front() == 0);  // none
  CHECK(main_key(study) == "network.latency.value");
}

TEST_CASE("a swept key whose values are no numbers is an axis of names") {
  Study study;
  for (const auto* value : {"star", "ring", "star"})
    add(study, {{"network.topology", value}, {"seed", std::to_string(study.keys.size())}}, "a", {});
  const auto axis = setting_axis(study, "network.topology");
  CHECK(axis.spec.categories == std::vector<std::string>{"star", "ring"});
  CHECK(axis.at == std::vector<std::optional<double>>{0, 1, 0});
}

TEST_CASE("a measure over a key has a line for each algorithm and each setting of other keys") {
  const auto chart = drawing(sweep_chart(latencies_and_losses(), "network.latency.value", kRegret));
  REQUIRE(chart.series.size() == 4);
  CHECK(chart.series[0].label == "a, no loss");
  CHECK(chart.series[3].label == "b, 5 % loss");
  for (const auto& series : chart.series) {
    REQUIRE(series.points.size() == 3);
    CHECK(series.points[0].x == 0.02);
    CHECK(series.points[2].x == 2);
    CHECK(series.points[1].y == 12);
    // Student's t with 2 degrees of freedom: 4.3027 sd / sqrt(3), sd = 2.
    CHECK(series.points[1].around_y->above == Approx(4.302653 * 2 / std::sqrt(3.0)));
  }
  CHECK(xml_problem(to_svg(chart)).empty());
  CHECK_THAT(to_csv(chart), has("series,part,network.latency.value_s,cumulative_regret,"));
}

TEST_CASE("a picture with more lines than can be told apart is refused, with what to do") {
  Study study;
  for (int i = 0; i < 20; ++i)
    for (const auto* latency : {"1 ms", "2 ms"})
      add(study, {{"c", std::to_string(i)}, {"latency", latency}}, "a", {{1, 1}});
  CHECK_THAT(reason(sweep_chart(study, "latency", kRegret)),
             has("would have 20 lines; --where, --algorithm"));
}

TEST_CASE("keys that change together are one dimension: the axis names both, no line does") {
  Study study;
  for (const auto& [clients, quorum] : {std::pair("2", "1"), {"4", "3"}, {"8", "5"}})
    for (const auto* loss : {"none", "0.05"})
      add(study,
          {{"population.clients", clients}, {"server.quorum", quorum}, {"network.loss.p", loss}},
          "a",
          {{1, 1}});
  CHECK(keys_in_step(study.keys, "population.clients") ==
        std::vector<std::string>{"server.quorum"});
  CHECK(keys_in_step(study.keys, "network.loss.p").empty());
  const auto chart = drawing(sweep_chart(study, "population.clients", kRegret));
  CHECK(chart.x.label == "clients, with quorum");
  REQUIRE(chart.series.size() == 2);
  CHECK(chart.series[0].label == "no loss");
  CHECK(chart.series[0].points.size() == 3);
  CHECK(divisors(study, "population.clients") == std::vector<std::string>{"network.loss.p"});
}

TEST_CASE("many lines of several algorithms are told by colours and markers") {
  Study study;
  for (const auto* latency : {"1 ms", "2 ms"})
    for (const auto* loss : {"none", "0.05", "0.1", "0.2"})
      for (const auto* algorithm : {"a", "b"})
        add(study,
            {{"network.latency.value", latency}, {"network.loss.p", loss}},
            algorithm,
            {{1, 1}});
  const auto chart = drawing(sweep_chart(study, "network.latency.value", kRegret));
  REQUIRE(chart.series.size() == 8);
  std::set<std::pair<std::size_t, std::size_t>> looks;
  for (const auto& series : chart.series) {
    CHECK(series.style == (series.label.starts_with("a") ? 0 : 1));
    looks.emplace(series.style, series.marker.value());
  }
  CHECK(looks.size() == 8);
  std::vector<std::string> texts;
  for (const auto& entry : legend_entries(chart, [](const Reference&) { return true; }))
    texts.push_back(entry.text);
  CHECK(texts ==
        std::vector<std::string>{"a", "b", "no loss", "5 % loss", "10 % loss", "20 % loss"});
}

TEST_CASE("of too many lines those that end lowest keep a colour and a name") {
  Chart chart;
  for (int i = 0; i < 20; ++i)
    chart.series.push_back({std::to_string(i), {{0, 0}, {1, static_cast<double>((i * 7) % 20)}}});
  fade_all_but_lowest(chart);
  std::set<double> ends;
  for (const auto& series : chart.series)
    if (!series.background) ends.insert(series.points.back().y);
  CHECK(ends == std::set<double>{0, 1, 2, 3, 4, 5, 6});
  CHECK_THAT(chart.note, has("in colour the 7 of 20 that end lowest"));
  CHECK_THAT(to_svg(chart), has("13 others") && has("the 7 of 20"));
}

TEST_CASE("panels of one key have one scale, and one colour for each name") {
  const auto chart = [](std::vector<std::string> names, double top, Scale scale) {
    Chart made;
    made.x = {"time", "s", "virtual_s"};
    made.y = {"regret", "", "regret", scale};
    for (const auto& name : names)
      made.series.push_back({name, {{1, 1}, {2, top}}, Series::Kind::line, made.series.size()});
    return made;
  };
  const auto facets = facets_of(
      {{0, 0, chart({"a", "b"}, 10, Scale::linear)}, {1, 0, chart({"b"}, 1000, Scale::log)}},
      {"near", "far"},
      {});
  CHECK(facets.panels[0].chart.y.scale == Scale::log);
  CHECK(facets.panels[0].chart.series[1].style == facets.panels[1].chart.series[0].style);
  CHECK(xml_problem(to_svg(facets)).empty());
  const auto csv = to_csv(facets);
  CHECK_THAT(csv, has("column,row,series,part,virtual_s,regret") && has("\nfar,,b,line,2,1000,"));
  CHECK(facets_json(facets)["panels"].size() == 2);
}

TEST_CASE("panels of an axis of names have the names at the same places") {
  const auto chart = [](std::vector<std::string> names) {
    Chart made;
    made.x = {"link", "", "link", Scale::linear, false, names};
    made.y = {"regret", "", "regret"};
    made.series.push_back({"a", {}});
    for (std::size_t i = 0; i < names.size(); ++i)
      made.series.back().points.push_back({static_cast<double>(i), 1});
    return made;
  };
  const auto facets =
      facets_of({{0, 0, chart({"lan", "wan"})}, {1, 0, chart({"wan"})}}, {"p", "q"}, {});
  CHECK(facets.panels[1].chart.x.categories == std::vector<std::string>{"lan", "wan"});
  CHECK(facets.panels[1].chart.series[0].points[0].x == 1);
}

TEST_CASE("settings are selected by keys, or by ends of keys, with values in any unit") {
  const auto study = latencies_and_losses();
  const auto slow = select(study, {parse_filter("network.latency.value=0.2 s")});
  CHECK(slow.settings.size() == 2);
  const auto one = select(study, {parse_filter("latency.value=200ms"), parse_filter("p=5%")});
  REQUIRE(one.settings.size() == 1);
  CHECK(one.keys.front().at("network.loss.p") == "0.05");
  CHECK(one.cells.size() == 2);
  // What no longer differs is in the name of the whole.
  CHECK(one.settings.front().empty());
  CHECK(one.name == "given (latency.value = 200ms, p = 5%)");
  CHECK_THROWS_WITH(select(study, {parse_filter("p=7%")}), has("there are: none, 0.05"));
  CHECK_THROWS_WITH(select(study, {parse_filter("q=7%")}), has("they differ in: network.latency"));
  for (const auto* garbage : {"", "=", "p=", "=5"})
    CHECK_THROWS_AS(parse_filter(garbage), std::invalid_argument);
}

TEST_CASE("settings are selected by the words they are printed with") {
  auto study = latencies_and_losses();
  study.settings = setting_names(study.keys);
  const auto count = [&](const std::string& text) {
    return select(study, {parse_filter(text)}).settings.size();
  };
  CHECK(count("5 % loss") == 3);
  CHECK(count("200 ms, 5 % loss") == 1);
  CHECK(count("loss=5%") == 3);
  CHECK(count("latency=20ms,2s") == 4);
  CHECK_THROWS_WITH(count("latency=20ms,3s"), has("no run has network.latency.value = 3s"));
  CHECK_THROWS_WITH(count("00 ms"), has("no setting is named '00 ms'") && has("there are: 200 ms"));
}

TEST_CASE("the Pareto front has what nothing beats in both") {
  Study study;
  add(study, {{"c", "1"}}, "a", {{10, 100}, {12, 100}});
  add(study, {{"c", "2"}}, "a", {{5, 300}, {5, 300}});
  add(study, {{"c", "3"}}, "a", {{12, 200}, {12, 200}});  // beaten by the first
  const auto chart = drawing(pareto_chart(study, kRegret, kBytes));
  REQUIRE(chart.series.front().kind == Series::Kind::front);
  REQUIRE(chart.series.front().points.size() == 2);
  CHECK(chart.series.front().points[0].y == 11);
  CHECK(chart.series.front().points[1].y == 5);
  CHECK_THAT(to_csv(chart), has("setting 2,point,200,200,200,12,12,12,2,setting 2"));
}

TEST_CASE("break-evens are where the sums of regret and priced cost are equal") {
  Study study;
  // a: 10 + 100 p, b: 20 + 50 p, c: 50 + 0 p, d is never best.
  add(study, {}, "a", {{9, 100}, {11, 100}});
  add(study, {}, "b", {{20, 50}, {20, 50}});
  add(study, {}, "c", {{50, 0}, {50, 0}});
  add(study, {}, "d", {{60, 120}, {60, 120}});
  const auto prices = break_evens(study, kRegret, kBytes);
  REQUIRE(prices.size() == 2);
  CHECK(prices[0].from == "a");
  CHECK(prices[0].to == "b");
  CHECK(prices[0].price == Approx(10.0 / 50));
  // The differences are 11 and 9 over 50 in both: 10 ± 12.706 · sqrt(2) / sqrt(2).
  CHECK(prices[0].interval->low == Approx((10 - 12.7062) / 50).epsilon(1e-4));
  CHECK(prices[0].interval->high == Approx((10 + 12.7062) / 50).epsilon(1e-4));
  CHECK(prices[1].to == "c");
  CHECK(prices[1].price == Approx(30.0 / 50));
  const auto chart = drawing(break_even_chart(study, kRegret, kBytes));
  CHECK(xml_problem(to_svg(chart)).empty());
  CHECK_THAT(chart.subtitle, has("a up to a price of 0.2"));

  // Of several settings one must be chosen: nobody chooses the network.
  Study networks = latencies_and_losses();
  CHECK_THAT(reason(break_even_chart(networks, kRegret, kBytes)), has("needs one setting"));

  Study plain;
  add(plain, {}, "a", {{1, 1}});
  add(plain, {}, "b", {{2, 2}});
  CHECK_THAT(reason(break_even_chart(plain, kRegret, kBytes)), has("a is better at any price"));
}

TEST_CASE("a heat map has its cells in the keys' order, and ratios with what is not shown") {
  auto study = latencies_and_losses();
  study.cells[{0, 1}].finished[0][kRegret] = 20;  // 200 ms, no loss, b: 20, 12, 14
  const auto map =
      drawing(heat_map(study, "network.latency.value", "network.loss.p", kRegret, 1, 0));
  CHECK(map.columns == std::vector<std::string>{"20 ms", "200 ms", "2 s"});
  CHECK(map.rows == std::vector<std::string>{"none", "0.05"});
  CHECK(*map.at[0][1] == Approx(46.0 / 36));
  CHECK(map.uncertain[0][1]);
  CHECK(*map.at[1][2] == 1);
  CHECK_FALSE(map.uncertain[1][2]);  // equal in every repetition
  CHECK(xml_problem(to_svg(map)).empty());
  CHECK_THAT(to_svg(map), has(">1.28×?<"));
  CHECK_THAT(map.csv, has("network.latency.value_s,network.loss.p,ratio,low,high,repetitions\n"));
}

TEST_CASE("a heat map of settings that differ in a third key is refused by name") {
  auto study = latencies_and_losses();
  study.keys.front()["c"] = "1";
  study.keys.back()["c"] = "2";
  CHECK_THAT(
      reason(heat_map(study, "network.latency.value", "network.loss.p", kRegret, 0, std::nullopt)),
      has("these differ in c, too; --where"));
}

TEST_CASE("a line is fitted by least squares, with the slope's interval") {
  const auto fit = fit_line({1, 2, 3, 4}, {1, 3, 2, 5});
  REQUIRE(fit);
  CHECK(fit->slope == Approx(1.1));  // 5.5 / 5
  CHECK(fit->at_zero == Approx(0));  // 2.75 - 1.1 · 2.5
  // Residuals -0.1, 0.8, -1.3, 0.6: their squares' sum is 2.7; t(0.975; 2) = 4.302653.
  CHECK(fit->interval->high - fit->slope == Approx(4.302653 * std::sqrt(2.7 / 2 / 5)));
  CHECK_FALSE(fit_line({1, 1}, {1, 2}));
  CHECK_FALSE(fit_line({1, 2}, {1, 2})->interval);
}

TEST_CASE("rounds over evaluations have a slope per unit of the logarithm, beside the ceiling's") {
  std::vector<RunData> settings;
  for (int k = 0; k < 4; ++k) {
    RunData run;
    run.name = "law";
    run.keys = {{"population.clients", std::to_string(1 << k)}};
    AlgorithmData algorithm{"parallel", std::size_t{1} << k, {}, {}, "parallel"};
    RepetitionData repetition;
    repetition.evaluations_per_client = 100;
    repetition.finals["rounds"] = 3 + k;
    repetition.bounds = {{"rounds", "exact", "always", false, 4.0 + 2 * k, 3.0 + k}};
    algorithm.repetitions = {repetition, repetition};
    run.algorithms = {algorithm};
    settings.push_back(run);
  }
  const auto chart = drawing(rounds_law_chart(settings));
  const double slope = 1 / std::log(2.0);
  CHECK_THAT(chart.subtitle,
             has(fmt::format("slope {:.3g} ({:.3g} to {:.3g}) per unit of ln(mn), the ceiling's "
                             "{:.3g}; at or below the ceiling in all 8 runs",
                             slope,
                             slope,
                             slope,
                             2 * slope)));
  CHECK(xml_problem(to_svg(chart)).empty());
  CHECK_THAT(reason(rounds_law_chart({settings.front()})), has("two numbers of evaluations"));
}

TEST_CASE("plot takes a store: curves named by settings, measures over keys, selections") {
  const ProgramFolder folder;
  folder.write("two.toml",
               "name = \"two\"\nrepeat = 2\n" + test::kTwoAlgorithms +
                   R"([sweep]
"network.latency" = ["5 ms", "50 ms"]
"population.clients" = [2, 4]
)");
  REQUIRE(folder.posse("sweep two.toml --quiet --store s").code == 0);
  const auto all = folder.posse("plot s");
  INFO(all.err);
  REQUIRE(all.code == 0);
  for (const auto* id : {"regret", "pareto", "sweep-virtual-s", "speed-up", "rank-table"}) {
    CHECK_THAT(all.out, has(fmt::format("s/plots/{}.svg", id)));
    CHECK(xml_problem(read_file(folder / fmt::format("s/plots/{}.svg", id))).empty());
  }
  const auto one = folder.posse(
      "plot s --kind sweep --x latency --where clients=4 "
      "--measure virtual_s --width 84mm --font-size 7pt --no-title "
      "--out one.svg");
  INFO(one.err);
  REQUIRE(one.code == 0);
  CHECK_THAT(read_file(folder / "one.csv"), has("fed-pne,line,0.005,"));
  CHECK_THAT(read_file(folder / "one.svg"), has("width=\"317.48\""));

  // The pictures are the same whatever the working directory held before.
  const auto before = read_file(folder / "s/plots/regret.csv");
  REQUIRE(folder.posse("plot s").code == 0);
  CHECK(read_file(folder / "s/plots/regret.csv") == before);

  const auto panels = folder.posse(
      "plot s --kind sweep --columns measure --rows latency --measure virtual_s,messages --out "
      "p.svg");
  INFO(panels.err);
  REQUIRE(panels.code == 0);
  CHECK(xml_problem(read_file(folder / "p.svg")).empty());
  CHECK_THAT(read_file(folder / "p.csv"), has("\nvirtual time,50 ms,fed-pne,line,4,"));
  CHECK(folder.posse("plot s --kind regret --columns algorithm --out q.svg").code == 0);
  CHECK_THAT(read_file(folder / "q.csv"), has("random,,\"50 ms, 4 clients\",line,"));
  CHECK(folder.posse("plot s --kind regret --algorithm 'fed*' --out r.svg").code == 0);
  CHECK_THAT(read_file(folder / "r.csv"), !has("random"));
  CHECK_THAT(folder.posse("plot s --kind regret --algorithm 'fad*' --out r.svg").err,
             has("the runs have no algorithm 'fad*'"));
  for (const auto* wrong : {"--columns nothing",
                            "--columns clients --rows clients",
                            "--x clients --columns clients",
                            "--measure messages,rounds"})
    CHECK(folder.posse(fmt::format("plot s --kind sweep {}", wrong)).code == 2);
  CHECK(folder.posse("plot s --kind regret --columns measure").code == 2);
  CHECK(folder.posse("plot s --kind heat-map --columns clients").code == 2);

  CHECK(folder.posse("plot s --kind sweep --x nothing").code == 2);
  CHECK(folder.posse("plot s --kind sweep --measure nothing").code == 2);
  CHECK(folder.posse("plot s --kind sweep --where clients=3").code == 2);
  CHECK(folder.posse("plot s --kind regret --x clients").code == 2);
  CHECK(folder.posse("plot s --x clients").code == 2);
  CHECK(folder.posse("plot s --kind heat-map --against nobody").code == 2);
  CHECK(folder.posse("plot s --kind sweep --width 3.3").code == 2);
  CHECK(folder.posse("plot s --kind sweep --font-size huge").code == 2);
  CHECK(folder.posse("plot s --kind sweep --width 1in --font-size 40pt").code == 2);

  // Tables alone have final numbers, but no curves.
  std::filesystem::create_directory(folder / "t");
  std::filesystem::copy(folder / "s/summary.csv", folder / "t/summary.csv");
  CHECK(folder.posse("plot t --kind sweep").code == 0);
  const auto curves = folder.posse("plot t --kind regret");
  CHECK(curves.code == 11);
  CHECK_THAT(curves.err, has("has tables only"));
}

TEST_CASE("a PDF is the same picture, and the same bytes every time") {
  test::needed_program("rsvg-convert");
  const ProgramFolder folder;
  REQUIRE(folder.posse("new try").code == 0);
  REQUIRE(folder.posse("run try.toml --quiet --repeat 1 --out r").code == 0);
  const auto made = folder.posse("plot r/try --kind regret --out a.pdf --width 3.3in");
  INFO(made.err);
  REQUIRE(made.out == "a.pdf\na.csv\n");
  const auto pdf = read_file(folder / "a.pdf");
  CHECK(pdf.starts_with("%PDF-"));
  CHECK_THAT(pdf, has("/MediaBox [ 0 0 237."));  // 3.3 in of 72 points
  REQUIRE(folder.posse("plot r/try --kind regret --out b.pdf --width 3.3in").code == 0);
  CHECK(read_file(folder / "b.pdf") == pdf);
  const auto without = fmt::format(
      "cd '{}' && PATH=/nowhere '{}' plot r/try --kind regret --pdf --out c.svg 2> why.txt",
      folder.path(),
      test::posse_executable());
  CHECK(WEXITSTATUS(std::system(without.c_str())) == 11);
  CHECK_THAT(content(folder / "why.txt"), has("apt-get install librsvg2-bin"));
}

}  // namespace posse::test_sweep_plots
