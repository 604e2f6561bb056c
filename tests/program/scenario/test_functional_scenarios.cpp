// SPDX-License-Identifier: Apache-2.0
// [[arm]] and [budget] pulls: what is accepted, what is refused and how, and what a run leaves.
#include <catch2/catch.hpp>

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
                  "[compute]\nstragglers = [{ nodes = \"arm-3\", factor = 2.0 }]\n")
            .empty());
  CHECK_THAT(errors_in(std::string(kSmooth) +
                       "[compute]\nstragglers = [{ nodes = \"arm-4\", factor = 2.0 }]\n"),
             has("no algorithm here has 'arm-4'"));
  CHECK_THAT(errors_in(std::string(kSmooth) + "[population]\nclients = 3\n"),
             has("does nothing: the arms are the population"));
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"\nclients = 3") + arm("kind = \"smooth\"") +
                       "[budget]\npulls = 9\n"),
             has("clients: does nothing: its nodes are the agent and the arms"));
}

TEST_CASE("all mistakes in arms and their budget are reported at once") {
  const auto nothing = errors_in(algorithm("kind = \"f-lcb\""));
  CHECK_THAT(nothing, has("arm: is missing"));
  CHECK_THAT(nothing, has("[budget] with pulls = 1000"));
  const auto wrong = errors_in(algorithm("kind = \"f-lcb\"") + arm("kind = \"smoth\"") +
                               "[budget]\nevaluations_per_client = 10\n");
  CHECK_THAT(wrong, has("did you mean 'smooth'?"));
  CHECK_THAT(wrong, has("budget.pulls: is missing"));
  CHECK_THAT(wrong, has("budget.evaluations_per_client: unknown key"));
  CHECK_THAT(errors_in(std::string(kSmooth) + "[objective]\nkind = \"sine\"\n"),
             has("objective: does nothing"));
  CHECK_THAT(errors_in(std::string(kSmooth) + algorithm("kind = \"random-exchange\"") +
                       "[population]\nclients = 2\n[objective]\nkind = \"sine\"\n"),
             has("f-lcb plays arms, random-exchange doesn't: they can't be compared"));
}

TEST_CASE("arms with optimizers and arms with rewards are for different algorithms") {
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"") + arm("kind = \"rewards\"") +
                       "[budget]\npulls = 9\n"),
             has("algorithm.0"));
  CHECK_THAT(errors_in(algorithm("kind = \"sgd-ucb-smom\"") + arm("kind = \"smooth\"") +
                       "[budget]\npulls = 9\n"),
             has("algorithm.0"));
  CHECK_THAT(errors_in(algorithm("kind = \"f-lcb\"\norder = \"batched\"\nparallel = 4") +
                       arm("kind = \"smooth\"") + "[budget]\npulls = 9\n"),
             has("parallel = 4 is more than the 3 arms"));
}

TEST_CASE("several [[arm]] make one set, the resolved scenario is runnable and says the same") {
  Diagnostics diagnostics;
  const auto scenario =
      read_text(algorithm("kind = \"f-lcb\"") + arm("kind = \"smooth\"") +
                    arm("kind = \"piecewise-linear\"\ndimension = 5") + "[budget]\npulls = 30\n",
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
                                      arm("kind = \"smooth\"") + "[budget]\npulls = 30\n",
                                  diagnostics);
  REQUIRE(diagnostics.empty());
  const auto arms = make_workload(scenario, scenario.algorithms.front(), 0).arms;
  const auto one = arms->arms[0].start(0), other = arms->arms[3].start(0);
  one->step();
  other->step();
  CHECK(one->value() != other->value());
  CHECK(arms->arms[0].name != arms->arms[3].name);
}

TEST_CASE("Hyperband with brackets far beyond the budget is refused") {
  const auto hyperband = [](const std::string& eta, const std::string& pulls) {
    return errors_in(algorithm("kind = \"hyperband\"\neta = " + eta) + arm("kind = \"smooth\"") +
                     "[budget]\npulls = " + pulls + "\n");
  };
  CHECK_THAT(hyperband("1.000001", "100"), has("at least 1.1"));
  CHECK_THAT(hyperband("2.0", "2"), has("a budget of 2 pulls the brackets take 8"));
  CHECK(hyperband("2.0", "50").empty());
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
             lower = csv.column("lower_confidence_bound");
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
