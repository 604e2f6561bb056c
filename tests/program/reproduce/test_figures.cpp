// SPDX-License-Identifier: Apache-2.0
// The papers' claims files are whole: scenarios, labels, plots; and `posse reproduce` works.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "program/reproduce/reproduce.hpp"
#include "program/reproduce/shipped_papers.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/test_data.hpp"

namespace test_figures {

using namespace posse;

namespace {

constexpr FigureMode kModes[] = {{}, {.quick = true}, {.wrong = true}};

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

std::vector<const PaperFigure*> all_figures() {
  std::vector<const PaperFigure*> all;
  for (const auto& paper : shipped_papers())
    for (const auto& figure : paper.figures) all.push_back(&figure);
  return all;
}

/// Of a sweep the first setting. Loading compares the claims with the scenario.
Scenario figure_scenario(const PaperFigure& figure,
                         FigureMode mode,
                         const std::vector<Override>& overrides,
                         Diagnostics& diagnostics) {
  if (!has_sweep(figure, mode, overrides)) return load_figure(figure, mode, overrides, diagnostics);
  const auto plan = load_sweep(figure, mode, overrides, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK(plan.settings() >= 3);
  return plan.scenario(0);
}

/// Data that the repository doesn't hold: the file below POSSE_TEST_DATA, or nothing.
std::string data_of_others(const PaperFigure& figure) {
  if (figure.data.file.empty()) return "";
  return (figure.data.kind == "curves" ? "curves/" : "landmine/") + figure.data.file;
}

void check_scenario(const PaperFigure& figure,
                    FigureMode mode,
                    const std::vector<Override>& overrides) {
  Diagnostics diagnostics;
  const auto scenario = figure_scenario(figure, mode, overrides, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK(scenario.repeat >= 3);  // intervals need repetitions
  if (mode.quick) CHECK(scenario.repeat == 3);
  if (!figure.only.empty()) CHECK(scenario.algorithms.size() == figure.only.size());
}

}  // namespace

TEST_CASE("every figure has a valid scenario that runs what its claims speak of") {
  CHECK(shipped_papers().size() == 5);
  CHECK(all_figures().size() >= 65);
  std::set<std::string> names;
  for (const auto* figure : all_figures()) {
    INFO(figure->name);
    CHECK(names.insert(figure->name).second);
    CHECK(find_figure(shipped_papers(), figure->name) == figure);
    CHECK_FALSE(figure->claims.empty());
    CHECK_FALSE(figure->notes.empty());
    CHECK_FALSE(figure->number.empty());
    CHECK_FALSE(figure->summary.empty());
    CHECK(figure->scenario.starts_with("papers/"));
    // A planted mistake turns a verdict, or a note says what the row can't tell.
    CHECK((!figure->wrong.empty() || std::ranges::any_of(figure->notes, [](const auto& note) {
      return note.find("can't tell") != std::string::npos;
    })));
    // A sweep's plots follow from its claims.
    CHECK(figure->plots.empty() == has_sweep(*figure, {}, {}));
    if (data_of_others(*figure).empty())
      for (const auto mode : kModes) check_scenario(*figure, mode, {});
  }
}

TEST_CASE(
    "every figure on data of others has a valid scenario that runs what its claims speak of") {
  std::string missing;
  for (const auto* each : all_figures()) {
    const auto& figure = *each;
    const auto file = data_of_others(figure);
    if (file.empty()) continue;
    INFO(figure.name);
    if (const auto data = test::find_test_data(file))
      for (const auto mode : kModes)
        check_scenario(figure, mode, {{"test", fmt::format("{}=\"{}\"", figure.data.key, *data)}});
    else
      missing = file;
  }
  if (!missing.empty()) test::skip_for_want_of_data(missing);
}

namespace {

/// The cells of depths 1 to 9 that contradict Lemma 3 of Bubeck, Munos, Stoltz & Szepesvári 2011
/// with c = 1: nearly optimal, Delta <= nu1 rho^h, but with points that aren't 2 nu1 rho^h-optimal;
/// of cells halved in turn, with the scenario's nu1 and rho, by 500 points each.
std::size_t cells_against_lemma_3(const std::string& f = "") {
  Diagnostics diagnostics;
  std::vector<Override> all{{"test", "sweep="}};
  if (!f.empty()) all.push_back({"test", fmt::format("objective.f=\"{}\"", f)});
  const auto scenario = load_scenario(
      (scenarios_folder() / "papers/hct_local_smoothness.toml").string(), all, diagnostics);
  REQUIRE(diagnostics.empty());
  const auto problem = make_workload(scenario, scenario.algorithms.front(), 0).problem;
  const double maximum = problem->mean(std::vector{0.3});
  std::size_t against = 0;
  for (int depth = 1; depth <= 9; ++depth) {
    const double width = std::pow(0.5, depth), bound = 2.6 * std::sqrt(width);
    for (int cell = 0; cell < 1 << depth; ++cell) {
      double high = 0, low = 1;
      for (int i = 0; i < 500; ++i) {
        const double value = problem->mean(std::vector{(cell + (i + 0.5) / 500) * width});
        high = std::max(high, value);
        low = std::min(low, value);
      }
      against += maximum - high <= bound && maximum - low > 2 * bound;
    }
  }
  return against;
}

}  // namespace

TEST_CASE("HOO's Lemma 3 fails where a function is smooth near its maximum only") {
  CHECK(cells_against_lemma_3("1 - 0.8*sqrt(abs(x1-0.3))") == 0);
  // From depth 6 on the spikes' 0.05 below the maximum is nearly optimal and the 0.9 between them
  // isn't: most of the 960 cells from there on.
  CHECK(cells_against_lemma_3() > 600);
}

TEST_CASE("reproduce lists what there is, and describes it") {
  const ProgramFolder folder;
  const auto listed = folder.posse("reproduce");
  CHECK(listed.code == 0);
  const auto of_all = folder.posse("list figures").out;
  for (const auto* figure : all_figures()) {
    CHECK_THAT(listed.out, has(figure->name));
    CHECK_THAT(of_all, has(figure->name));
  }
  const auto described = folder.posse("describe parallel-fig2a-sine");
  CHECK(described.code == 0);
  CHECK_THAT(described.out, has("claims:"));
  CHECK_THAT(described.out, has("papers/parallel_sine.toml"));
  CHECK_THAT(folder.posse("describe pf-pne-fig3a-garland").out, has("only pf-pne,"));
}

TEST_CASE("a figure without its data says which file it needs, and where it may be") {
  const ProgramFolder folder;
  if (fs::exists(scenarios_folder() / "papers/landmine.csv")) return;  // a user's own copy
  const auto outcome = folder.posse("reproduce fed-pne-fig2c-landmine");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, has("fed-pne-fig2c-landmine needs landmine.csv, which isn't shipped"));
  CHECK_THAT(outcome.err, has("posse describe landmine"));
  CHECK_THAT(outcome.err, has("--set objective.file="));
  CHECK_THAT(outcome.err, has("papers/landmine.csv"));
  const auto wrong =
      folder.posse("reproduce fed-pne-fig2c-landmine --set objective.file=/no/such.csv");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, has("/no/such.csv"));
}

TEST_CASE("among all figures, a data file is for those that need it", "[long]") {
  const ProgramFolder folder;
  const auto outcome = folder.posse(
      "reproduce all --quick --repeat 2 --quiet --set budget.evaluations_per_client=50 "
      "--set objective.file=/no/such.csv");
  // The figures before the first that needs data run without a word about a key they don't know.
  CHECK_THAT(outcome.out, has("fed-pne-fig2b-doublesine: "));
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, has("there is no file '/no/such.csv'"));
  CHECK_THAT(outcome.err, !has("parallel_sine"));
}

TEST_CASE("an unknown figure ends with exit code 2 and the nearest name") {
  const ProgramFolder folder;
  const auto outcome = folder.posse("reproduce parallel-fig2a-sin");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, has("did you mean 'parallel-fig2a-sine'?"));
  CHECK(outcome.out.empty());
}

TEST_CASE("reproduce writes a run folder with verdicts and plots, whatever the verdicts are") {
  const ProgramFolder folder;
  const auto outcome = folder.posse("reproduce parallel-fig2a-sine --quick");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, has("the paper: 4 players outperform 1 player"));
  CHECK_THAT(outcome.out, has("quick:"));
  CHECK_THAT(outcome.out, has("3 repetitions"));
  const auto latest = folder / "runs/parallel_sine/latest/";
  for (const auto* file : {"scenario.toml",
                           "results.json",
                           "comparison.csv",
                           "reproduce.json",
                           "plots/simple-regret.svg",
                           "plots/simple-regret.csv"})
    CHECK(fs::exists(latest / file));
  const auto verdicts = content(latest / "reproduce.json");
  CHECK_THAT(verdicts, has("\"quick\": true"));
  // Four players need fewer evaluations for the same level: no luck is involved.
  CHECK_THAT(verdicts, has("\"verdict\": \"reproduced\""));
  // Nothing of a time in it: the same run gives the same file.
  REQUIRE(folder.posse("reproduce parallel-fig2a-sine --quick --threads 3 --quiet").code == 0);
  CHECK(content(latest / "reproduce.json") == verdicts);
  const auto json = folder.posse("reproduce parallel-fig2a-sine --quick --json").out;
  CHECK(json == "[" + verdicts + "]\n");
}

TEST_CASE("a figure over several budgets is a sweep, with a verdict, a plot and a store") {
  const ProgramFolder folder;
  const auto outcome = folder.posse("reproduce flcb-table1-smooth --quick");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, has("reproduced      f-lcb: from 300 to 3000 it grows with exponent"));
  for (const auto* file : {"plan.csv",
                           "summary.csv",
                           "reproduce.json",
                           "plots/sweep-cumulative-regret.svg",
                           "plots/sweep-cumulative-regret.csv"})
    CHECK(fs::exists(folder / "runs/flcb-table1-smooth" / file));
  const auto again = folder.posse("reproduce flcb-table1-smooth --quick --json");
  CHECK(again.out == "[" + content(folder / "runs/flcb-table1-smooth/reproduce.json") + "]\n");
  CHECK_THAT(folder.posse("reproduce").out, has("without a row:"));
}

TEST_CASE("the time that more repetitions take is that of the stored runs, whoever made them") {
  const ProgramFolder folder;
  const auto* figure = find_figure(shipped_papers(), "flcb-table1-smooth");
  Diagnostics diagnostics;
  const auto plan = load_sweep(*figure, {.quick = true}, {}, diagnostics);
  REQUIRE(diagnostics.empty());
  ExecutionOptions options;
  options.progress = ProgressStyle::none;
  options.run.threads = 2;
  const auto first = reproduce_sweep(*figure, plan, {.quick = true}, folder / "out", options);
  CHECK(first.wall_s > 0);
  CHECK(first.seconds_to(6) == Approx(first.wall_s));  // twice as many as there are
  // Now no run is made.
  const auto again = reproduce_sweep(*figure, plan, {.quick = true}, folder / "out", options);
  CHECK(again.wall_s == first.wall_s);
  // A single setting makes all its runs again.
  Reproduction run;
  run.repetitions = 10;
  run.wall_s = 5;
  CHECK(run.seconds_to(20) == Approx(10));
}

TEST_CASE("reproduce takes seeds, repetitions and settings, and says what is wrong with them") {
  const ProgramFolder folder;
  CHECK_THAT(folder.posse("reproduce parallel-fig2a-sine --quick --repeat 2 --seed 9").out,
             has("2 repetitions"));
  const auto wrong = folder.posse("reproduce parallel-fig2a-sine --set latenzy=1");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, has("latenzy"));
  folder.write("taken", "");
  CHECK(folder.posse("reproduce parallel-fig2a-sine --quick --out taken").code == 11);
  const auto command = "cd '" + (folder / "").string() + "' && POSSE_SCENARIOS=nowhere '" +
                       test::posse_executable() + "' reproduce parallel-fig2a-sine 2> err.txt";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 11);
  CHECK_THAT(content(folder / "err.txt"), has("POSSE_SCENARIOS"));
}

TEST_CASE("without claims files reproduce says where it looked, and lists do without figures") {
  const ProgramFolder folder;
  fs::create_directories(folder / "empty");
  const auto posse = [&](const std::string& arguments) {
    return folder.started("env",
                          "POSSE_SCENARIOS=empty '" + test::posse_executable() + "' " + arguments);
  };
  for (const auto* command : {"reproduce", "reproduce all", "list figures"}) {
    INFO(command);
    const auto outcome = posse(command);
    CHECK(outcome.code == 11);
    CHECK_THAT(outcome.err, has("empty/papers/claims"));
  }
  CHECK(posse("list").code == 0);
  CHECK(posse("describe fed-pne").code == 0);
  CHECK(posse("completion bash").code == 0);
  // A mistake in a shipped file is told with its line.
  fs::create_directories(folder / "empty/papers/claims");
  folder.write("empty/papers/claims/1.toml", "paper = 7\n");
  CHECK_THAT(posse("reproduce").err, has("1.toml:1: error: paper: is not a string"));
}

}  // namespace test_figures
