// SPDX-License-Identifier: Apache-2.0
// Sweeps that stop themselves, through the program: which runs they make, and what they say.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program/base/files.hpp"
#include "program/sweep/run_store.hpp"
#include "tests/support/killed_sweep.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_decision {
namespace {

using Catch::Matchers::Contains;

const std::string kSweep = "name = \"small\"\nrepeat = 20\n" + test::kTwoAlgorithms + R"([sweep]
"network.latency" = ["1 ms", "20 ms"]
"budget.evaluations_per_client" = [50, 400]
)";

/// What the rule alone decides: the same bytes whatever the machine did.
struct Tables {
  std::string plan, decisions, summary;
  bool operator==(const Tables&) const = default;
};

/// A folder with small.toml, in which two settings are decided with 5 repetitions, two with 7.
class DecisionFolder : public ProgramFolder {
 public:
  DecisionFolder() { write("small.toml", kSweep); }

  Outcome sweep(const std::string& arguments, int code = 0) const {
    auto outcome = posse("sweep small.toml " + arguments);
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.code == code);
    return outcome;
  }
  fs::path store(const std::string& name) const { return *this / name; }
  Tables tables(const std::string& name) const {
    return {read_file(store(name) / "plan.csv"),
            read_file(store(name) / "decisions.csv"),
            read_file(store(name) / "summary.csv")};
  }
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a deciding sweep makes only the runs that its verdicts need, and agrees with the whole",
          "[long]") {
  const DecisionFolder folder;
  const auto outcome = folder.sweep("--decide --store d");
  CHECK_THAT(outcome.err, Contains("5 repetitions: 2 of 4 verdicts hold, 40 runs"));
  CHECK_THAT(outcome.err, Contains("7 repetitions: 4 of 4 verdicts hold, 48 runs"));
  CHECK_THAT(outcome.out, Contains("fed-pne is best on cumulative regret in all 4 settings."));
  CHECK_THAT(outcome.out, Contains("0.05 / 4 = 0.013"));
  CHECK_THAT(outcome.out, Contains("48 of 160 runs (30 %)"));
  CHECK_THAT(folder.sweep("--store whole").out,
             Contains("fed-pne is best on cumulative regret in all 4 settings"));

  const auto tables = folder.tables("d");
  CHECK(lines(tables.plan) == 49);
  CHECK(lines(tables.summary) == 49);
  CHECK(lines(tables.decisions) == 9);
  CHECK(tables.decisions.starts_with(
      "setting,network.latency_s,budget.evaluations_per_client,algorithm,repetitions,result,to,"
      "pairs,"
      "difference,low,high,measure,error\n1,0.001,50,fed-pne,7,best,,,,,,cumulative_regret,0.05\n"
      "1,0.001,50,random,7,beaten,fed-pne,7,"));
}

TEST_CASE("tables and collections of a deciding sweep's store know no missing runs") {
  const DecisionFolder folder;
  folder.sweep("--decide --store d");
  const auto before = folder.tables("d");
  const auto listed = folder.posse("store list d");
  CHECK_THAT(listed.out, Contains("1        0.001              50"));
  CHECK_THAT(listed.out, Contains("48 runs, 0 not planned any more"));
  const auto collected = folder.posse("collect d");
  CHECK(collected.code == 0);
  CHECK_THAT(collected.err, !Contains("missing"));
  CHECK(folder.tables("d") == before);
  // Its repetitions were chosen by their results, which ordinary intervals don't allow for.
  CHECK_THAT(collected.out, Contains("warning: a sweep with --decide"));
  CHECK(folder.posse("collect d --out elsewhere").code == 0);
  CHECK_THAT(folder.posse("compare elsewhere").out, Contains("warning: a sweep with --decide"));
  const auto whole = folder.sweep("--store d");
  CHECK_THAT(whole.err, Contains("160 runs: 48 there before, 112 made"));
  CHECK_THAT(whole.out, !Contains("--decide"));
  CHECK_FALSE(fs::exists(folder.store("d") / "decisions.csv"));
}

TEST_CASE("decisions are the same for any jobs, in a store with further runs, and after kills",
          "[long]") {
  const DecisionFolder folder;
  folder.sweep("--decide --store one --jobs 1");
  const auto expected = folder.tables("one");
  folder.sweep("--decide --store two --jobs 2");
  CHECK(folder.tables("two") == expected);
  const auto again = folder.sweep("--decide --store two");
  CHECK_THAT(again.err, Contains("48 runs: 48 there before, 0 made"));
  CHECK(folder.tables("two") == expected);

  folder.sweep("--store full");
  const auto in_full = folder.sweep("--decide --store full");
  CHECK_THAT(in_full.err, Contains("48 runs: 48 there before, 0 made"));
  CHECK_THAT(in_full.err, Contains("112 stored runs are not part of this sweep"));
  CHECK(folder.tables("full") == expected);

  std::uint64_t state = 3;
  for (int kills = 0; kills < 6; ++kills)
    test::kill_sweep(folder, {"--decide", "--store", "killed"}, state);
  folder.sweep("--decide --store killed");
  CHECK(folder.tables("killed") == expected);
}

TEST_CASE("what is not decided is named, with exit code 9, and more repetitions go on") {
  const DecisionFolder folder;
  const auto open = folder.sweep("--decide=0.001 --repeat 6", 9);
  CHECK_THAT(open.out, Contains("fed-pne is best on cumulative regret at "));
  CHECK_THAT(open.out, Contains("Undecided which algorithm is best on cumulative regret at "));
  CHECK_THAT(open.out, Contains("fed-pne or random ?"));
  CHECK_THAT(open.out, Contains("would decide"));
  const auto more = folder.sweep("--decide=0.1% --repeat 40");
  CHECK_THAT(more.out, Contains("in all 4 settings"));
  CHECK(folder.sweep("--decide --repeat 1 --quiet", 9).out.empty());
}

TEST_CASE("with one algorithm the settings compete") {
  const DecisionFolder folder;
  const auto outcome = folder.sweep("--decide --set algorithm.random= --measure virtual_s");
  CHECK_THAT(outcome.out, Contains("50 evaluations, 1 ms is best on virtual time."));
  CHECK_THAT(outcome.out, Contains("0.05 / 3 = 0.017"));
  // Over a reliable network latency changes nothing in what is decided.
  const auto equal = folder.sweep(
      "--decide --set algorithm.random= --set sweep.budget.evaluations_per_client= --json");
  const auto json = nlohmann::json::parse(equal.out);
  CHECK(json["headline"][0] ==
        "1 ms and 20 ms had the same cumulative regret in every repetition, the lowest: what is "
        "rare would not show.");
  CHECK(json["decided"] == 1);
  CHECK(json["runs_planned"] == 40);
  CHECK(json["verdicts"][0]["state"] == "decided");
  CHECK(json["verdicts"][0]["candidates"][0]["result"] == "best");
  CHECK(json["verdicts"][0]["candidates"][1]["result"] == "equal");
  CHECK(json["verdicts"][0]["candidates"][1]["difference"] == 0);
}

TEST_CASE("a deciding sweep judges regret per evaluation where work was lost, and says so") {
  const DecisionFolder folder;
  folder.write("small.toml", "name = \"small\"\nrepeat = 20\n" + test::kThreeClients + R"(
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "fed-pne"
label = "crashed"
[network]
latency = "20 ms"
[server]
policy = "deadline"
deadline = "100 ms"
[[fault]]
kind = "crash"
nodes = ["client-1"]
at = "30 ms"
algorithm = "crashed"
)");
  const auto outcome =
      folder.posse("sweep small.toml --decide --store d --measure cumulative_regret");
  INFO(outcome.err);
  CHECK((outcome.code == 0 || outcome.code == 9));
  CHECK_THAT(outcome.out, Contains("evaluations per client differ"));
  CHECK_THAT(read_file(folder.store("d") / "decisions.csv"), Contains(",regret_per_evaluation,"));
}

TEST_CASE("runs that stall leave a deciding sweep with a warning and exit code 8") {
  const DecisionFolder folder;
  const auto outcome =
      folder.sweep("--decide --set network.transport=datagram --set network.loss=0.02 --jobs 1", 8);
  CHECK_THAT(outcome.out, Contains("of the runs that were asked for have no cumulative regret"));
}

TEST_CASE("a sweep that can't decide, and errors that are none, are refused") {
  const DecisionFolder folder;
  for (const auto* error : {"", "0", "1", "0.5", "-0.1", "nan", "inf", "60%", "much", "0.05x"}) {
    const auto outcome = folder.posse(fmt::format("sweep small.toml '--decide={}'", error));
    INFO(error << ": " << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("above 0 and below 0.5") || Contains("--decide"));
  }
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    CHECK_THAT(folder.sweep(arguments, 2).err, Contains(why));
  };
  refused("--decide --shard 1/2", "--decide needs all runs: it can't be used with --shard");
  refused("--decide --until-ci rounds=1", "use one of them");
  refused("--decide --set algorithm.random= --set sweep=", "nothing to decide");
  refused("--decide --measure speed",
          "there is no measure 'speed'\n    allowed: cumulative_regret");
  CHECK_FALSE(fs::exists(folder.store("sweeps")));
}

}  // namespace posse::test_decision
