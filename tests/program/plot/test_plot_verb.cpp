// SPDX-License-Identifier: Apache-2.0
// `posse plot` through the built executable, on whole and on damaged run folders.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "program/plot/kinds.hpp"
#include "program/results/run_data.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/results_json.hpp"
#include "tests/support/xml.hpp"

namespace test_plot_verb {

using namespace posse;

namespace {

const std::string kTwo =
    R"(name = "two"
repeat = 3
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random"
[population]
clients = 3
[objective]
kind = "garland"
heterogeneity = { kind = "shift" }
[budget]
evaluations_per_client = 300
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("plot draws all kinds that a run has data for, and prints their paths") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet").code == 0);
  const auto outcome = folder.posse("plot runs/two");  // its latest
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, has("runs/two/latest/plots/regret.svg\n"));
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(folder / "runs/two/latest/plots")) {
    if (entry.path().extension() != ".svg") continue;
    ++pictures;
    INFO(entry.path());
    CHECK(xml_problem(content(entry.path())).empty());
    auto csv = entry.path();
    CHECK(fs::exists(csv.replace_extension(".csv")));
  }
  CHECK(pictures >= 16);
  // What was read back is what was written: the final regrets of results.json end the curves.
  const auto run = read_run(folder / "runs/two");
  REQUIRE(run.algorithms.size() == 2);
  for (const auto& algorithm : run.algorithms) {
    CHECK(algorithm.clients == 3);
    REQUIRE(algorithm.repetitions.size() == 3);
    for (const auto& repetition : algorithm.repetitions) {
      CHECK(repetition.curves.at("local_cumulative_regret").back().value ==
            repetition.finals["local_cumulative_regret"]);
      CHECK(repetition.evaluations_per_client == 300);
      CHECK(double(repetition.rounds.size()) == repetition.finals["rounds"]);
    }
  }
  CHECK(run.heterogeneous());
  CHECK(final_values(run.algorithms.at(1), "messages").size() == 3);
}

TEST_CASE("plot takes a kind, local regrets, logarithmic axes and an output path") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet").code == 0);
  const auto outcome =
      folder.posse("plot runs/two/latest --kind regret --local --log --out here.svg");
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out == "here.svg\nhere.csv\n");
  CHECK_THAT(content(folder / "here.svg"), has("local cumulative regret"));
  CHECK_THAT(content(folder / "here.csv"),
             has("series,part,evaluations_per_client,local_cumulative_regret,"));
  const auto wrong = folder.posse("plot runs/two --kind regrets");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, has("did you mean 'regret'?"));
  CHECK(folder.posse("plot runs/two --kind regret --out x.csv").code == 2);
  CHECK(folder.posse("plot runs/two --log").code == 2);
  folder.write("taken", "");
  CHECK(folder.posse("plot runs/two --kind regret --out taken/x.svg").code == 11);
  CHECK(folder.posse("plot runs/two --out taken").code == 11);
}

TEST_CASE("what can't be read ends with exit code 11 and says which file, and where in it") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  REQUIRE(folder.posse("run two.toml --quiet --repeat 1").code == 0);
  const auto check = [&](const std::string& arguments, const std::string& message) {
    const auto outcome = folder.posse("plot " + arguments);
    INFO(outcome.err);
    CHECK(outcome.code == 11);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, has(message));
  };
  check("nowhere", "'nowhere' is not a run folder");
  check("two.toml", "is not a run folder");
  check(".", "has no results.json");

  const auto latest = folder / "runs/two/latest/";
  const auto damaged =
      [&](const std::string& file, const std::string& text, const std::string& message) {
        const auto whole = content(latest / file);
        std::ofstream(latest / file, std::ios::binary) << text;
        check("runs/two", message);
        std::ofstream(latest / file, std::ios::binary) << whole;
      };
  const std::string header =
      "algorithm,repetition,client,evaluations_per_client,rounds,bytes,virtual_s,measure,value\n";
  damaged("results.json", "", "results.json' is not valid JSON");
  damaged("results.json", "[1, 2", "is not valid JSON");
  damaged("results.json", "[]", "is not a JSON object");
  damaged("results.json", "{}", "has no results version, and this version of Posse reads");
  damaged("results.json", test::kResultsHead + "\"name\": 7}", "name is not a string");
  damaged(
      "results.json", test::kResultsHead + "\"name\": \"x\", \"runs\": {}}", "runs is not a list");
  damaged("results.json", test::kResultsHead + "\"name\": \"x\", \"runs\": []}", "runs is empty");
  damaged("results.json",
          test::kResultsHead + "\"name\": \"x\", \"runs\": [{}]}",
          "runs[0].algorithm is missing");
  damaged(
      "results.json",
      test::kResultsHead + "\"name\": \"x\", \"runs\": [{\"algorithm\": \"a\", \"clients\": -1}]}",
      "runs[0].clients is not a count");
  damaged("regret.csv", "", "regret.csv' can't be read: the file is empty");
  damaged("regret.csv", "a,b\n", "line 1: there is no column 'algorithm'");
  damaged(
      "regret.csv", header + "fed-pne,0,all,1,0,0,0.5,cumulative_regret\n", "line 2: 8 columns");
  damaged("regret.csv",
          header + "fed-pne,0,all,x,0,0,0.5,m,1\n",
          "line 2: evaluations_per_client is 'x'");
  damaged(
      "regret.csv", header + "who,0,all,1,0,0,0.5,m,1\n", "results.json has no algorithm 'who'");
  damaged("rounds.csv",
          std::string("\0\0\0", 3),
          "rounds.csv' can't be read: line 1: there is no column");
  damaged("scenario.toml", "= =", "scenario.toml' is not valid TOML");
  fs::remove(latest / "rounds.csv");
  check("runs/two", "rounds.csv' doesn't exist");
}

TEST_CASE("of a run that evaluates nothing what was sent is drawn, and nothing else") {
  const ProgramFolder folder;
  folder.write("e.toml",
               R"(name = "e"
[[algorithm]]
kind = "echo"
[population]
clients = 2
)");
  REQUIRE(folder.posse("run e.toml --quiet").code == 0);
  const auto drawn = folder.posse("plot runs/e --out plots");
  for (const auto* kind : {"bytes", "messages", "values", "fates"})
    CHECK_THAT(drawn.out, has(fmt::format("plots/{}-by-type.svg\n", kind)));
  CHECK_THAT(drawn.err, has("4 plots"));
  CHECK_THAT(folder.posse("plot runs/e --kind pareto").err, has("no data for the plot 'pareto'"));
}

TEST_CASE("several runs give the time to a regret over latencies, and the speed-up over clients") {
  const ProgramFolder folder;
  folder.write("two.toml", kTwo);
  std::string runs;
  for (const auto* latency : {"5 ms", "200 ms"})
    for (const int clients : {1, 4}) {
      const auto out = fmt::format("r{}{}", clients, latency[0]);
      REQUIRE(folder
                  .posse(fmt::format("run two.toml --quiet --out {} --set population.clients={} "
                                     "--set network.latency='\"{}\"' --set "
                                     "compute.evaluation='\"10 ms\"'",
                                     out,
                                     clients,
                                     latency))
                  .code == 0);
      runs += " " + out + "/two";
    }
  const auto outcome = folder.posse("plot" + runs);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  for (const auto* kind : {"regret",
                           "pareto",
                           "sweep-rounds",
                           "heat-map-cumulative-regret",
                           "time-to-regret",
                           "speed-up",
                           "rank-table"})
    CHECK_THAT(outcome.out, has(fmt::format("plots/{0}.svg\n", kind)));
  CHECK(xml_problem(content(folder / "plots/speed-up.svg")).empty());
  CHECK_THAT(content(folder / "plots/time-to-regret.csv"), has("\"fed-pne, m = 4\",line,0.2,"));
  CHECK(folder.posse("plot" + runs + " --kind speed-up --regret 0.2 --out s.svg").out ==
        "s.svg\ns.csv\n");
  for (const std::string cost : {"payload_bytes", "messages"}) {
    REQUIRE(folder.posse("plot r15/two --kind pareto --out p.svg --cost " + cost).code == 0);
    CHECK_THAT(content(folder / "p.csv"), has("series,part," + cost + ","));
  }
  const auto as_json = folder.posse("plot" + runs + " --kind speed-up --out s.svg --json");
  CHECK(
      nlohmann::json::parse(as_json.out) ==
      nlohmann::json{{"plots", {{{"plot", "speed-up"}, {"picture", "s.svg"}, {"data", "s.csv"}}}}});
  CHECK(folder.posse("plot" + runs + " --kind regret --out all.svg").code == 0);
  CHECK_THAT(content(folder / "all.csv"), has("\"fed-pne, 200 ms, 4 clients\",line,"));
  CHECK(folder.posse("plot" + runs + " --kind sequence").code == 2);
  CHECK(folder.posse("plot" + runs + " --kind speed-up --local").code == 2);
  CHECK(folder.posse("plot r15/two --kind regret --regret 1").code == 2);
  CHECK(folder.posse("plot r15/two --kind speed-up --regret=-1").code == 2);
  const auto alone = folder.posse("plot r15/two --kind speed-up");
  CHECK(alone.code == 11);
  CHECK_THAT(alone.err, has("has no data for the plot 'speed-up': it needs runs with two numbers"));
  const auto unreached = folder.posse("plot" + runs + " --kind speed-up --regret 0");
  CHECK(unreached.code == 11);
  CHECK_THAT(unreached.err, has("needs a regret that is reached"));
}

TEST_CASE("the rank table of model selection has the ranks that results.json gives") {
  const ProgramFolder folder;
  folder.write("arms.toml",
               R"(name = "arms"
repeat = 3
[[algorithm]]
kind = "f-lcb"
[[algorithm]]
kind = "uniform"
[[arm]]
kind = "noisy"
[budget]
pulls = 60
)");
  REQUIRE(folder.posse("run arms.toml --quiet").code == 0);
  REQUIRE(folder.posse("plot runs/arms --kind rank-table --out t.svg").code == 0);
  CHECK_THAT(content(folder / "t.svg"), has("among 3 arms"));
  const auto run = read_run(folder / "runs/arms");
  for (const auto& algorithm : run.algorithms) {
    double sum = 0;
    for (const auto& repetition : algorithm.repetitions) {
      // The minima of these arms grow with their number.
      REQUIRE(repetition.answer);
      CHECK(*repetition.answer_rank == repetition.answer->back() - '0');
      sum += *repetition.answer_rank;
    }
    CHECK_THAT(content(folder / "t.csv"), has(fmt::format("{},3,{}", algorithm.label, sum / 3)));
  }
}

}  // namespace test_plot_verb
