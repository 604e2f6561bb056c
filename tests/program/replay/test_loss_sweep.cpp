// SPDX-License-Identifier: Apache-2.0
// The run without each of its messages.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "program/replay/loss_sweep.hpp"
#include "program/run/runner.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_loss_sweep {
namespace {

using Catch::Matchers::Contains;

const std::string kWhichMessage =
    std::string(POSSE_SOURCE_DIR) + "/scenarios/communication/which_message.toml";

Scenario load(const std::string& file, const std::vector<Override>& overrides = {}) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(file, overrides, diagnostics);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  return scenario;
}

LossSweep sweep(const Scenario& scenario, const LossSweepOptions& options = {}) {
  LossSweepProgress progress;
  return sweep_losses(scenario, scenario.algorithms.front(), options, progress);
}

RunOutcome outcome_of(const Scenario& scenario) {
  RunMonitor monitor(1);
  return run_scenario(scenario, {}, monitor).runs.front().result.outcome;
}

}  // namespace

TEST_CASE("a run whose optimum is lost through one planted message is explained by it first") {
  const auto scenario = load(kWhichMessage);
  const auto result = sweep(scenario);
  REQUIRE(outcome_of(scenario).optimum_eliminated == 0);
  CHECK_FALSE(result.without_losses.optimum_lost);
  CHECK(result.losses.size() == result.messages);
  // Each loss is planted by type, round, sender and receiver, and really run.
  std::size_t lost = 0;
  for (const MessageLoss& loss : result.losses) {
    INFO(loss.type << " " << loss.round << " " << loss.from << " " << loss.to);
    const auto planted = outcome_of(load(
        kWhichMessage,
        {{"test",
          "network.drop=[{ type = \"" + loss.type + "\", round = " + std::to_string(loss.round) +
              ", from = \"" + loss.from + "\", to = \"" + loss.to + "\" }]"}}));
    CHECK(loss.end.optimum_lost == (planted.optimum_eliminated > 0));
    CHECK(loss.end.simple_regret == planted.regret.simple);
    CHECK(loss.end.cumulative_regret == planted.regret.cumulative);
    CHECK(loss.end.virtual_s == planted.finished_at.to_seconds());
    lost += loss.end.optimum_lost;
  }
  CHECK(lost == 2);
  CHECK(result.losses[0].end.optimum_lost);
  CHECK(result.losses[1].end.optimum_lost);
  CHECK(*result.losses[2].end.simple_regret > *result.losses[1].end.simple_regret);
}

TEST_CASE("a loss sweep gives the same on any number of jobs") {
  const auto scenario = load(kWhichMessage);
  const auto one = sweep(scenario), four = sweep(scenario, {.jobs = 4});
  REQUIRE(one.losses.size() == four.losses.size());
  for (std::size_t i = 0; i < one.losses.size(); ++i) {
    CHECK(one.losses[i].from == four.losses[i].from);
    CHECK(one.losses[i].to == four.losses[i].to);
    CHECK(one.losses[i].transmission == four.losses[i].transmission);
    CHECK(one.losses[i].end.cumulative_regret == four.losses[i].end.cumulative_regret);
  }
}

TEST_CASE("losses after which a run does not finish come first") {
  const auto result =
      sweep(load(kWhichMessage, {{"test", "server.policy=all"}, {"test", "server.quorum="}}));
  CHECK(result.losses.front().end.status == RunStatus::stalled);
  CHECK(std::count_if(result.losses.begin(), result.losses.end(), [](const MessageLoss& loss) {
          return loss.end.status == RunStatus::stalled;
        }) > 30);
}

TEST_CASE("a reliable transport repairs each loss, which costs time only") {
  const auto result = sweep(load(kWhichMessage,
                                 {{"test", "server.policy=all"},
                                  {"test", "server.quorum="},
                                  {"test", "network.transport=reliable"}}));
  std::size_t later = 0;
  for (const MessageLoss& loss : result.losses) {
    CHECK(loss.end.status == RunStatus::finished);
    CHECK(loss.end.cumulative_regret == result.without_losses.cumulative_regret);
    later += loss.end.virtual_s > result.without_losses.virtual_s;
  }
  CHECK(later > 30);
}

TEST_CASE("fates --rank prints the most harmful messages, and writes all of them") {
  const ProgramFolder folder;
  const auto swept =
      folder.posse("fates '" + kWhichMessage + "' --rank --limit 20 --out losses.csv");
  CHECK(swept.code == 0);
  CHECK_THAT(swept.out,
             Contains("nothing more") && Contains("of 20 losses") && Contains("(44 messages") &&
                 Contains("… and 10 more"));
  const auto csv = folder.content("losses.csv");
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 22);
  CHECK_THAT(csv, Contains("fed-pne,0,,,,,,,finished,0,"));
  CHECK(folder.posse("fates '" + kWhichMessage + "' --rank --out nowhere/losses.csv").code == 11);
  CHECK(folder.posse("fates missing.toml --rank").code == 3);
  const auto json = folder.posse("fates '" + kWhichMessage + "' --rank --limit 3 --json --quiet");
  const auto ranked = nlohmann::json::parse(json.out);
  CHECK(ranked[0]["algorithm"] == "fed-pne");
  CHECK(ranked[0]["losses"].size() == 3);
}

TEST_CASE("fates --rank of a run without messages says so") {
  const ProgramFolder folder;
  folder.write("alone.toml",
               R"(name = "alone"
[[algorithm]]
kind = "hct-local"
[population]
clients = 1
[objective]
kind = "garland"
[budget]
evaluations_per_client = 10
)");
  const auto swept = folder.posse("fates alone.toml --rank");
  CHECK(swept.code == 0);
  CHECK_THAT(swept.out, Contains("no message could be lost"));
}

}  // namespace posse::test_loss_sweep
