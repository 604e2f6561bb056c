// SPDX-License-Identifier: Apache-2.0
// A user's own claims file: what it may say, what is refused, and how its claims are judged.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "program/base/files.hpp"
#include "program/base/quantities.hpp"
#include "program/cli/help_pages.hpp"
#include "program/reproduce/checks.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/scenario/key_tables.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_claims_file {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

const std::string kScenario = R"(
repeat = 3
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
)";

const std::string kArms = R"(
repeat = 3
[[algorithm]]
kind = "f-lcb"
[[arm]]
kind = "smooth"
[budget]
pulls = 100
)";

const std::string kClaims = R"toml(
paper = "Doe and Roe (2025)"

[notes]
horizon = """
The paper doesn't state
  the horizon."""

[[figure]]
name = "fig-1"
number = "Figure 1"
summary = "regrets"
scenario = "mine.toml"
plots = ["regret", { kind = "pareto", scope = "local" }]
notes = ["horizon", "Noise is uniform."]

[[figure.claim]]
text = "Fed-PNE is better"
check = [
  { kind = "below", measure = "cumulative_regret", first = "fed-pne", second = "random" },
  { kind = "similar", measure = "evaluations", first = "fed-pne", second = "random" },
]

[[figure.claim]]
text = "rounds are few"
check = { kind = "within-bound", measurement = "rounds", algorithm = "fed-pne" }

[[figure]]
name = "fig-2"
like = "fig-1"
set = ["population.clients=3"]
quick = ["budget.evaluations_per_client=100"]
notes = []

[[left_out]]
what = "Table 1"
why = "nothing is measured"
)toml";

Paper read(const std::string& text, Diagnostics& diagnostics) {
  const Value root = parse_toml(text, "papers/mine.toml", diagnostics);
  return read_claims(root, "papers/mine.toml", diagnostics);
}

std::string mistakes_in(const std::string& text) {
  Diagnostics diagnostics;
  read(text, diagnostics);
  return diagnostics.text();
}

/// The claims with one part replaced.
std::string with(const std::string& part, const std::string& other) {
  auto text = kClaims;
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), other);
}

/// A figure over the scenario `scenario` with one check.
std::string with_check(const std::string& scenario, const std::string& check) {
  return "[[figure]]\nname = \"one\"\nscenario = \"" + scenario +
         "\"\n[[figure.claim]]\ntext = \"it is so\"\ncheck = " + check + "\n";
}

}  // namespace

TEST_CASE("a claims file has figures, whose claims have one check or several") {
  Diagnostics diagnostics;
  const auto paper = read(kClaims, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK(paper.citation == "Doe and Roe (2025)");
  REQUIRE(paper.figures.size() == 2);
  const auto& first = paper.figures[0];
  CHECK(first.paper == paper.citation);
  CHECK(first.file == "papers/mine.toml");
  CHECK(first.notes ==
        std::vector<std::string>{"The paper doesn't state the horizon.", "Noise is uniform."});
  REQUIRE(first.plots.size() == 2);
  CHECK(first.plots[1].scope == Scope::local);
  REQUIRE(first.claims.size() == 3);
  CHECK(first.claims[0].text == first.claims[1].text);
  CHECK(first.claims[0].check.parameters.text("second") == "random");
  CHECK(first.claims[1].check.parameters.real("share") == 0.1);
  CHECK(first.claims[2].check.parameters.text("measurement") == "rounds");
  CHECK(paper.left_out.at(0).why == "nothing is measured");
}

TEST_CASE("a figure like another has what it doesn't say itself from that") {
  Diagnostics diagnostics;
  const auto paper = read(kClaims, diagnostics);
  const auto& second = paper.figures.at(1);
  CHECK(second.number == "Figure 1");
  CHECK(second.scenario == "mine.toml");
  CHECK(second.claims.size() == 3);
  CHECK(second.plots.size() == 2);
  CHECK(second.notes.empty());
  CHECK(second.set == std::vector<std::string>{"population.clients=3"});
}

TEST_CASE("every kind of check can be written with its parameters, and makes its check") {
  for (const auto& spec : check_specs()) {
    INFO(spec.kind);
    std::string check = "{ kind = \"" + std::string(spec.kind) + "\"";
    for (const auto& parameter : spec.parameters)
      if (parameter.required)
        check += ", " + std::string(parameter.name) + " = " +
                 (parameter.type == ParameterType::real ? (parameter.min < 0.5 ? "0.5" : "1.5")
                  : parameter.choices.empty()           ? "\"a\""
                                              : "\"" + std::string(parameter.choices[0]) + "\"");
    CHECK(mistakes_in(with_check("mine.toml", check + " }")).empty());
    CHECK_THAT(mistakes_in(with_check("mine.toml", check + ", bogus = 1 }")),
               has("figure.0.claim.0.check.0.bogus: unknown key"));
    for (const auto& parameter : spec.parameters)
      if (parameter.required)
        CHECK_THAT(
            mistakes_in(with_check("mine.toml", "{ kind = \"" + std::string(spec.kind) + "\" }")),
            has("." + std::string(parameter.name) + ": is missing"));
  }
}

TEST_CASE("mistakes in a claims file name line, key and the nearest name") {
  const std::vector<std::vector<std::string>> all{
      {"paper = \"Doe and Roe (2025)\"", "paper = 7", ":2: error: paper: is not a string"},
      {"paper = \"Doe and Roe (2025)\"", "paper = \"\"", "paper: is empty"},
      {"Doe and Roe (2025)", "Doe \\u001b[2J", "paper: can't be printed"},
      {"paper = ", "papre = ", "papre: unknown key"},
      {"paper = ", "papre = ", "did you mean 'paper'?"},
      {"horizon = \"\"\"", "\"the horizon\" = \"\"\"", "notes.the horizon: is not a plain word"},
      {"\"horizon\", ", "", "notes.horizon: does nothing: no figure names it"},
      {"\"horizon\", ", "\"horizn\", ", "figure.0.notes.0: is neither a sentence nor a name"},
      {"\"horizon\", ", "\"horizn\", ", "did you mean 'horizon'?"},
      {"\"horizon\", ", "7, ", "figure.0.notes.0: is not a string"},
      {"name = \"fig-1\"", "name = \"../fig\"", "figure.0.name: can't name a folder"},
      {"name = \"fig-1\"", "name = \"all\"", "figure.0.name: stands for all figures"},
      {"name = \"fig-1\"", "name = \"fig-2\"", "figure.1.name: is used twice"},
      {"name = \"fig-1\"", "", "figure.0.name: is missing"},
      {"scenario = \"mine.toml\"", "", "figure.0.scenario: is missing"},
      {"\"regret\", ", "\"regrets\", ", "figure.0.plots.0.kind: is unknown"},
      {"\"regret\", ", "\"regrets\", ", "did you mean 'regret'?"},
      {"\"local\"", "\"lokal\"", "figure.0.plots.1.scope: is unknown"},
      {"\"regret\", ", "7, ", "figure.0.plots.0: is not a table"},
      {"text = \"Fed-PNE is better\"", "", "figure.0.claim.0.text: is missing"},
      {"\"below\"", "\"belov\"", "did you mean 'below'?"},
      {"kind = \"below\", ", "", "figure.0.claim.0.check.0.kind: is missing"},
      {"cumulative_regret", "cumulativ_regret", "did you mean 'cumulative_regret'?"},
      {"cumulative_regret", "cumulativ_regret", ":20: error: figure.0.claim.0.check.0.measure:"},
      {"first = \"fed-pne\"", "frist = \"fed-pne\"", "did you mean 'first'?"},
      {"{ kind = \"similar\"", "{ share = 2, kind = \"similar\"", "check.1.share: is out of range"},
      {"check = { kind = \"within-bound\", measurement = \"rounds\", algorithm = \"fed-pne\" }",
       "check = []",
       "figure.0.claim.1.check: is an empty list"},
      {"like = \"fig-1\"", "like = \"fig-2\"", "figure.1.like: is no figure above"},
      {"set = [\"population", "set = [\"\", \"population", "figure.1.set.0: is empty"},
      {"population.clients=3", "population.clients", "figure.1.set.0: is no change of a scenario"},
      {"set = [\"population.clients=3\"]", "set = \"repeat=3\"", "figure.1.set: is not a list"},
      {"why = ", "because = ", "left_out.0.why: is missing"},
  };
  for (const auto& row : all) {
    INFO(row[1]);
    CHECK_THAT(mistakes_in(with(row[0], row[1])), has(row[2]));
  }
  CHECK_THAT(mistakes_in(""), has("figure: there is no figure"));
  CHECK_THAT(mistakes_in("figure = 7"), has("figure: is not a list of tables"));
  CHECK_THAT(mistakes_in("figure = [7]"), has("figure.0: is not a table"));
  CHECK_THAT(mistakes_in(R"([[figure]]
name = "a"
scenario = "b"
)"),
             has("figure.0.claim: is missing"));
}

TEST_CASE("check reads a claims file with the scenarios that it names") {
  const ProgramFolder folder;
  folder.write("mine.toml", kScenario);
  folder.write("claims.toml", kClaims);
  const auto good = folder.posse("check claims.toml");
  INFO(good.err);
  CHECK(good.code == 0);
  CHECK(good.out == "claims.toml: valid: 2 figures, 6 checks\n");
  CHECK_THAT(folder.posse("check claims.toml -v").out, has("  claims:\n    - Fed-PNE is better\n"));
  CHECK_THAT(folder.posse("check claims.toml --json").out, has("\"checks\": 6"));

  folder.write("arms.toml", kArms);
  folder.write("sweep.toml", kScenario + R"([sweep]
"population.clients" = [2, 4]
)");
  folder.write("words.toml", kScenario + R"([sweep]
"network.latency" = ["1 ms", "2 ms"]
)");
  const auto below = [](const std::string& second, const std::string& quantity) {
    return "{ kind = \"below\", measure = \"" + quantity + "\", first = \"fed-pne\", second = \"" +
           second + "\" }";
  };
  const auto law = [](const std::string& key) {
    return "{ kind = \"power-law\", measure = \"rounds\", algorithm = \"fed-pne\", key = \"" + key +
           "\", exponent = 1, least = 0 }";
  };
  const std::vector<std::vector<std::string>> all{
      {"mine.toml",
       below("randam", "rounds"),
       "claims.toml:6: error: figure.0.claim.0.check.0.second: is no algorithm of mine.toml"},
      {"mine.toml", below("randam", "rounds"), "did you mean 'random'?"},
      {"mine.toml", below("random", "answer_value"), ".measure: is nothing that an algorithm"},
      {"mine.toml", law("population.clients"), ".kind: is about several settings"},
      {"mine.toml",
       "{ kind = \"reaches\", algorithm = \"fed-pne\", value = 1 }",
       ".kind: is about functional bandits"},
      {"sweep.toml", below("random", "rounds"), ".kind: is about a single run"},
      {"sweep.toml", law("population.client"), ".key: is not swept by sweep.toml"},
      {"sweep.toml", law("population.client"), "did you mean 'population.clients'?"},
      {"words.toml", law("network.latency"), ".key: has values that are neither numbers nor lists"},
      {"sweep.toml",
       "{ kind = \"logarithmic-rounds\", algorithm = \"fed-pne\", slope = 0 }",
       ".slope: is 0: neither a rise nor a fall"},
      {"arms.toml",
       "{ kind = \"answers\", algorithm = \"f-lcb\", arm = \"f9\" }",
       ".arm: is no arm of arms.toml"},
      {"none.toml", below("random", "rounds"), "none.toml"},
  };
  for (const auto& row : all) {
    INFO(row[1]);
    folder.write("claims.toml", with_check(row[0], row[1]));
    const auto outcome = folder.posse("check claims.toml");
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, has(row[2]));
    // Nothing runs before a mistake is reported.
    CHECK(folder.posse("reproduce claims.toml --quiet").code == 3);
    CHECK_FALSE(fs::exists(folder / "runs"));
  }
  folder.write("claims.toml", with_check("sweep.toml", law("population.clients")));
  CHECK(folder.posse("check claims.toml").code == 0);
}

TEST_CASE("the claims of a user's own file are judged, all of them or those of some figures") {
  const ProgramFolder folder;
  folder.write("mine.toml", kScenario);
  folder.write("claims.toml", kClaims);
  const auto all = folder.posse("reproduce claims.toml --quick --quiet");
  INFO(all.err);
  REQUIRE(all.code == 0);
  CHECK_THAT(all.out, has("fig-1: regrets\n  Figure 1 of Doe and Roe (2025)\n  mine.toml: 3 rep"));
  CHECK_THAT(all.out, has("the paper: rounds are few\n    reproduced"));
  CHECK_THAT(all.out, has("- The paper doesn't state the horizon.\n"));
  CHECK_THAT(all.out, has("fig-2"));
  CHECK_THAT(all.out, has("2 figures"));
  const auto one = folder.posse("reproduce claims.toml fig-2 --quick --quiet --json");
  CHECK_THAT(one.out, has("\"figure\": \"fig-2\""));
  CHECK_THAT(one.out, !has("\"figure\": \"fig-1\""));
  const auto unknown = folder.posse("reproduce claims.toml fig-3");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has("there is no figure 'fig-3' in claims.toml"));
  CHECK_THAT(folder.posse("reproduce none.toml").err, has("none.toml"));
}

TEST_CASE("what a paper leaves open, a wrong parameter and more repetitions show in verdicts") {
  const ProgramFolder folder;
  folder.write("mine.toml", kScenario);
  folder.write("claims.toml", R"(
[[figure]]
name = "open"
scenario = "mine.toml"
unknown = "the noise is not stated"
wrong = ["algorithm.0.nu1=1000"]
plots = ["regret"]
[[figure.claim]]
text = "random points are better"
check = { kind = "below", measure = "cumulative_regret", first = "random", second = "fed-pne" }
[[figure.claim]]
text = "Fed-PNE is better"
check = { kind = "below", measure = "cumulative_regret", first = "fed-pne", second = "random" }
[[figure]]
name = "close"
scenario = "mine.toml"
[[figure.claim]]
text = "both find as much"
check = { kind = "similar", measure = "simple_regret", first = "fed-pne", second = "random", share = 0.2 }
)");
  const auto all = folder.posse("reproduce claims.toml --quiet --page page");
  CHECK(all.code == 0);
  CHECK_THAT(all.out, has("random points are better\n    setting unknown"));
  CHECK_THAT(all.out, has("  setting unknown: the noise is not stated\n"));
  CHECK_THAT(all.out, has("undecided       simple regret"));
  CHECK_THAT(all.out, has("; about 227 repetitions"));
  const auto page = content(folder / "page/claims.md");
  CHECK_THAT(page, has("1 reproduced, 1 setting unknown, 1 undecided"));
  CHECK_THAT(page, has("`posse reproduce claims.toml open`"));
  CHECK_THAT(page, has("| Fed-PNE is better | reproduced | cumulative regret"));
  CHECK_THAT(page, has("; about 227 repetitions would decide it |"));
  CHECK_THAT(page, has("| [open](#open) |  | 1 reproduced, 1 setting unknown |"));
  CHECK_THAT(content(folder / "page/open.svg"), has("<svg"));

  const auto wrong = folder.posse("reproduce claims.toml open --wrong --quiet");
  CHECK_THAT(wrong.out, has("mine.toml with algorithm.0.nu1=1000: 3 repetitions"));
  CHECK_THAT(wrong.out, has("Fed-PNE is better\n    undecided"));
  const auto none = folder.posse("reproduce claims.toml close --wrong");
  CHECK(none.code == 2);
  CHECK_THAT(none.err, has("close names no wrong parameter"));

  const auto decided = folder.posse("reproduce claims.toml close --decide --quiet");
  CHECK(decided.code == 0);
  CHECK_THAT(decided.out, !has("undecided"));
  CHECK_THAT(decided.out, !has(": 3 repetitions"));
}

TEST_CASE("a scenario's runs don't depend on the claims about it") {
  const ProgramFolder folder;
  folder.write("mine.toml", kScenario);
  folder.write("claims.toml", kClaims);
  REQUIRE(folder.posse("run mine.toml --quiet").code == 0);
  const auto before = content(folder / "runs/mine/latest/results.json");
  const auto scenario = content(folder / "runs/mine/latest/scenario.toml");
  REQUIRE(folder.posse("reproduce claims.toml fig-1 --quiet").code == 0);
  CHECK(content(folder / "runs/mine/latest/scenario.toml") == scenario);
  // A claims file is no scenario.
  const auto run = folder.posse("run claims.toml");
  CHECK(run.code == 3);
  CHECK_THAT(run.err, has("figure: is of a claims file"));
  CHECK_FALSE(before.empty());
}

TEST_CASE("docs/claims.md has the schema's keys with their meaning, values and defaults") {
  const auto file = std::string(POSSE_SOURCE_DIR) + "/docs/claims.md";
  // tools/golden writes it anew.
  if (std::getenv("POSSE_REWRITE_GOLDEN") != nullptr)
    write_file(file, with_key_tables(read_file(file), claims_sections()));
  const auto document = read_file(file);
  const bool same = document == with_key_tables(document, claims_sections());
  CHECK(same);
  for (const auto& spec : check_specs())
    CHECK_THAT(document,
               has("| `" + std::string(spec.kind) + "` | " + std::string(spec.summary) + " |"));
}

TEST_CASE("sections, keys and checks of a claims file are listed and described") {
  for (const auto& section : claims_sections()) {
    if (section.path.empty()) continue;
    INFO(section.path);
    CHECK_THAT(list_page("claims"), has(std::string(section.path)));
    CHECK_THAT(describe_page(std::string(section.path)).value(), has("(section of a claims file)"));
  }
  CHECK_THAT(describe_page("figure").value(), has("like"));
  CHECK_THAT(describe_page("figure.0.set").value(), has("as with --set"));
  CHECK_THAT(describe_page("claim").value(), has("describe figure"));
  for (const auto& spec : check_specs()) {
    CHECK_THAT(list_page("checks"), has(std::string(spec.summary)));
    const auto page = describe_page(std::string(spec.kind)).value();
    for (const auto& parameter : spec.parameters)
      CHECK_THAT(page, has(std::string(parameter.name)));
  }
}

}  // namespace posse::test_claims_file
