// SPDX-License-Identifier: Apache-2.0
// [[arm]] and [budget] pulls: what is accepted, what is refused and how, and what a run leaves.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/base/csv.hpp"
#include "core/optimizer/optimizer.hpp"
#include "program/cli/help_pages.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_functional_scenarios {

using namespace posse;
using test::errors_in, test::read_text;

namespace {

constexpr auto kSmooth = R"(
[[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "smooth"
[budget]
pulls = 60
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

std::string algorithm(const std::string& lines) { return "[[algorithm]]\n" + lines + "\n"; }
std::string arm(const std::string& lines) { return "[[arm]]\n" + lines + "\n"; }

}  // namespace

TEST_CASE("arms need no population, nodes are agent and arm-1 to arm-K") {
  CHECK(errors_in(kSmooth).empty());
  CHECK(errors_in(std::string(kSmooth) +
                  R"([compute]
stragglers = [{ nodes = "arm-3", factor = 2.0 }]
)")
            .empty());
  CHECK_THAT(errors_in(std::string(kSmooth) +
                       R"([compute]
stragglers = [{ nodes = "arm-4", factor = 2.0 }]
)"),
             has("no algorithm here has 'arm-4'"));
  CHECK_THAT(errors_in(std::string(kSmooth) + R"([population]
clients = 3
)"),
             has("does nothing: the arms are the population"));
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"\nclients = 3") + arm("kind = \"smooth\"") +
                       R"([budget]
pulls = 9
)"),
             has("clients: does nothing: its nodes are the agent and the arms"));
}

TEST_CASE("all mistakes in arms and their budget are reported at once") {
  const auto nothing = errors_in(algorithm("kind = \"f-lcb\""));
  CHECK_THAT(nothing, has("arm: is missing"));
  CHECK_THAT(nothing, has("[budget] with pulls = 1000"));
  const auto wrong = errors_in(algorithm("kind = \"f-lcb\"") + arm("kind = \"smoth\"") +
                               R"([budget]
evaluations_per_client = 10
)");
  CHECK_THAT(wrong, has("did you mean 'smooth'?"));
  CHECK_THAT(wrong, has("budget.pulls: is missing"));
  CHECK_THAT(wrong, has("budget.evaluations_per_client: unknown key"));
  CHECK_THAT(errors_in(std::string(kSmooth) + R"([objective]
kind = "sine"
)"),
             has("objective: does nothing"));
  CHECK_THAT(errors_in(std::string(kSmooth) + algorithm("kind = \"random-exchange\"") +
                       R"([population]
clients = 2
[objective]
kind = "sine"
)"),
             has("f-lcb plays arms, random-exchange doesn't: they can't be compared"));
}

TEST_CASE("arms with optimizers and arms with rewards are for different algorithms") {
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"") + arm("kind = \"rewards\"") +
                       R"([budget]
pulls = 9
)"),
             has("algorithm.0"));
  CHECK_THAT(errors_in(algorithm("kind = \"sgd-ucb-smom\"") + arm("kind = \"smooth\"") +
                       R"([budget]
pulls = 9
)"),
             has("algorithm.0"));
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"\norder = \"batched\"\nparallel = 4") +
                       arm("kind = \"smooth\"") + R"([budget]
pulls = 9
)"),
             has("parallel = 4 is more than the 3 arms"));
}

TEST_CASE("several [[arm]] make one set, the resolved scenario is runnable and says the same") {
  Diagnostics diagnostics;
  const auto scenario =
      read_text(algorithm("kind = \"f-lcb\"") + arm("kind = \"smooth\"") +
                    arm("kind = \"piecewise-linear\"\ndimension = 5") + R"([budget]
pulls = 30
)",
                diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  REQUIRE(scenario.arms);
  CHECK(number_of_arms(*scenario.arms) == 6);
  const auto workload = make_workload(scenario, scenario.algorithms.front(), 0);
  CHECK(workload.arms->size() == 6);
  CHECK(workload.arms->budget == 30);
  CHECK(workload.arms->arms[0].name == "1.f1");
  CHECK(workload.arms->arms[3].name == "2.f1");
  const auto resolved = to_toml(scenario);
  const auto again = read_text(resolved, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK(to_toml(again) == resolved);
}

TEST_CASE("a second [[arm]] of the same kind has draws of its own") {
  Diagnostics diagnostics;
  const auto scenario = read_text(algorithm("kind = \"f-lcb\"") + arm("kind = \"smooth\"") +
                                      arm("kind = \"smooth\"") + R"([budget]
pulls = 30
)",
                                  diagnostics);
  REQUIRE(diagnostics.empty());
  const auto arms = make_workload(scenario, scenario.algorithms.front(), 0).arms;
  const auto one = arms->arms[0].start(0), other = arms->arms[3].start(0);
  one->step();
  other->step();
  CHECK(one->value() != other->value());
  CHECK(arms->arms[0].name != arms->arms[3].name);
}

TEST_CASE("halving and Hyperband keep their budget or say which would do") {
  const auto wrong = [](const std::string& keys, const std::string& pulls) {
    return errors_in(algorithm(keys) + arm("kind = \"smooth\"") + "[budget]\npulls = " + pulls +
                     "\n");
  };
  const std::string hyperband = "kind = \"hyperband\"\n", of_2025 = "schedule = \"dorn2025\"\n";
  CHECK_THAT(wrong(hyperband + "eta = 1.000001", "100"), has("at least 1.1"));
  CHECK_THAT(wrong(hyperband, "6"), has("takes 7 pulls, budget.pulls = 6; allowed: at least 7"));
  CHECK(wrong(hyperband, "7").empty());
  CHECK_THAT(
      wrong(hyperband + "eta = 3\nlongest = 27", "300"),
      has("takes 357 pulls, budget.pulls = 300; allowed: at least 357, or longest = 26 (202"));
  CHECK_THAT(wrong(hyperband + "least = 5\nlongest = 4", "300"), has("least = 5 is more than"));
  CHECK_THAT(wrong(hyperband + of_2025, "2"), has("a budget of 2 pulls the brackets take 8"));
  CHECK(wrong(hyperband + of_2025, "50").empty());
  CHECK_THAT(wrong(hyperband + of_2025 + "least = 2", "50"), has("least has no effect with"));
  const std::string halving = "kind = \"successive-halving\"\n";
  CHECK_THAT(wrong(halving + "eta = 3", "50"), has("eta has no effect without longest"));
  CHECK_THAT(wrong(halving + "longest = 8", "9"),
             has("the rungs take 10 pulls (3 at 1, 1 at 2, 1 at 4, 1 at 8), budget.pulls = 9"));
  CHECK(wrong(halving + "longest = 8", "10").empty());
}

const std::string kAccuracies =
    "arm,acc\na,0.3\na,0.7\na,0.77\nb,0.2\nb,0.7\nb,0.76\nc,0.3\nc,0.6\nc,0.65\nd,0.1\nd,0.6\nd,0."
    "62\n";

TEST_CASE("every functional algorithm answers the highest accuracy, and results are accuracies") {
  const ProgramFolder folder;
  folder.write("acc.csv", kAccuracies);
  folder.write("acc.toml",
               algorithm("kind = \"f-lcb\"") + algorithm("kind = \"uniform\"") +
                   algorithm("kind = \"epsilon-greedy\"") +
                   algorithm("kind = \"successive-halving\"") + algorithm("kind = \"hyperband\"") +
                   algorithm("kind = \"asha\"") +
                   arm("kind = \"curves\"\nfile = \"acc.csv\"\nloss = \"acc\"\ndirection = "
                       "\"maximize\"\nlimit = 1.0\npast_end = \"hold\"") +
                   R"([budget]
pulls = 60
[network]
latency = "5 ms"
)");
  const auto run = folder.posse("run acc.toml --details");
  INFO(run.err);
  REQUIRE(run.code == 0);
  CHECK_THAT(run.out, has("maximum f*") && has("last f + g") && !has("answer value"));
  const auto latest = folder / "runs/acc/latest";
  const auto csv_text = content(latest / "arms.csv");
  CsvReader csv(csv_text);
  while (csv.next()) {
    const auto number = [&](const char* column) { return finite_number(csv, csv.column(column)); };
    CHECK(number("best") >= number("value"));
    CHECK(number("value") > 0);
    CHECK(number("confidence_bound") == Approx(number("best") + number("bound")));
  }
  const auto json = nlohmann::json::parse(content(latest / "results.json"));
  std::size_t runs = 0;
  for (const auto& result : json.at("runs")) {
    ++runs;
    CHECK(result.at("arms").at("answer") == "a");
    CHECK(result.at("arms").at("direction") == "maximize");
    CHECK(result.at("arms").at("arms")[0].at("optimum") == 0.77);
  }
  CHECK(runs == 6);
}

TEST_CASE("accuracies need a direction, and a limit where bounds are compared") {
  const ProgramFolder folder;
  folder.write("acc.csv", kAccuracies);
  const auto wrong = [&](const std::string& kind, const std::string& keys) {
    folder.write(
        "wrong.toml",
        algorithm("kind = \"" + kind + "\"") +
            arm("kind = \"curves\"\nfile = \"acc.csv\"\npast_end = \"hold\"\nloss = \"acc\"\n" +
                keys) +
            R"([budget]
pulls = 60
)");
    return folder.posse("check wrong.toml").err;
  };
  CHECK_THAT(wrong("uniform", ""), has("arm.0.direction") && has("sounds as if larger values"));
  CHECK_THAT(wrong("f-lcb", "direction = \"maximize\"\n"), has("needs limit"));
  CHECK_THAT(wrong("epsilon-greedy", "direction = \"maximize\"\n"), has("needs limit"));
  CHECK(wrong("uniform", "direction = \"maximize\"\n").empty());
  CHECK_THAT(wrong("f-lcb", "direction = \"maximize\"\nlimit = 0.7\n"), has("beyond limit = 0.7"));
  CHECK_THAT(wrong("uniform", "direction = \"minimize\"\n"), has("4 of 4 recorded curves end"));
  CHECK_THAT(wrong("uniform", R"(direction = "maximize"
[[arm]]
kind = "smooth"
)"),
             has("one direction"));
}

TEST_CASE("a schedule that exceeds its budget says so first, in check, plan and run") {
  const ProgramFolder folder;
  const auto text = algorithm("kind = \"hyperband\"\nschedule = \"dorn2025\"") +
                    algorithm("kind = \"successive-halving\"") + arm("kind = \"smooth\"") +
                    R"([budget]
pulls = 24
)";
  folder.write("s.toml", text);
  CHECK_THAT(folder.posse("plan s.toml").out,
             has("hyperband: 4 at 1, 2 at 3, 1 at 7") && has("34 pulls, 10 more than the budget"));
  const auto warning = has("warning: hyperband: makes 34 pulls, more than the 24 of the budget");
  CHECK_THAT(folder.posse("check s.toml").err, warning);
  CHECK(folder.posse("check --strict s.toml").code == 3);
  CHECK_THAT(folder.posse("run --progress none s.toml").out, warning);
}

TEST_CASE("a run of arms leaves arms.csv and the arms in results.json, and says so in its table") {
  const ProgramFolder folder;
  folder.write("x.toml", kSmooth);
  const auto run = folder.posse("run x.toml");
  CHECK(run.code == 0);
  CHECK_THAT(run.out, has("f-lcb  (3 arms, 1 run)"));
  CHECK_THAT(run.out, has("arm  minimum f*  pulls  best value f  last f - g  last pulled"));
  CHECK_THAT(run.err, has(" plot "));
  const auto latest = folder / "runs/x/latest";
  const auto csv_text = content(latest / "arms.csv");
  CsvReader csv(csv_text);
  const auto value = csv.column("value"), bound = csv.column("bound"), best = csv.column("best"),
             lower = csv.column("confidence_bound");
  int rows = 0;
  while (csv.next()) {
    ++rows;
    CHECK(*parse_number<double>(csv.cell(lower)) ==
          *parse_number<double>(csv.cell(best)) - *parse_number<double>(csv.cell(bound)));
    CHECK(*parse_number<double>(csv.cell(best)) <= *parse_number<double>(csv.cell(value)));
  }
  CHECK(rows > 20);
  CHECK_THAT(content(latest / "results.json"), has("\"answer\": \"f1\""));
  const auto plot = folder.posse("plot runs/x --kind arm-intervals --algorithm f-lcb");
  CHECK(plot.code == 0);
  CHECK(folder.posse("plot runs/x --kind arm-pulls --algorithm nobody").code == 2);
  CHECK(folder.posse("plot runs/x --algorithm f-lcb").code == 2);
  // Read back, a broken table names its line.
  folder.write("runs/x/latest/arms.csv", csv_text + "f-lcb,0,f1,many,1,1,1,1,1,1\n");
  const auto broken = folder.posse("plot runs/x --kind arm-pulls");
  CHECK(broken.code == 11);
  CHECK_THAT(broken.err, has("pulls is 'many', not a finite number"));
}

TEST_CASE("every base optimizer is listed and can be described") {
  const auto page = list_page("optimizers");
  for (const auto* name : {"agd",
                           "pgd",
                           "triple-averaging",
                           "ac-sa",
                           "clipped-sstm-theory",
                           "r-clipped-sstm-practical"}) {
    CHECK_THAT(page, has(name));
    CHECK(describe_page(name));
  }
}

TEST_CASE("every kind of arm and every functional algorithm can be described") {
  for (const auto& spec : arm_family_specs()) CHECK(describe_page(std::string(spec.kind)));
  for (const auto* spec : algorithms())
    if (spec->needs_arms)
      CHECK_THAT(describe_page(std::string(spec->kind)).value(), has("needs [[arm]]"));
}

}  // namespace test_functional_scenarios
