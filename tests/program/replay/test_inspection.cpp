// SPDX-License-Identifier: Apache-2.0
// Why a round ended as it did.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "program/replay/inspection.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_inspection {
namespace {

using Catch::Matchers::Contains;

const std::string kWhichMessage =
    std::string(POSSE_SOURCE_DIR) + "/scenarios/communication/which_message.toml";

/// A run whose optimum is lost: client-0 misses the plan of round 5, and is late in round 6.
class LostOptimum : public ProgramFolder {
 public:
  LostOptimum() {
    const auto run = posse("run '" + kWhichMessage +
                           "' --quiet --set 'network.drop=[{type=\"PhasePlan\", round=5, "
                           "to=\"client-0\"}]'");
    INFO(run.err);
    REQUIRE(run.code == 0);
  }
  Inspection inspect(std::optional<std::uint32_t> round = std::nullopt) const {
    return inspect_round(*this / "runs" / "which_message", {.round = round});
  }
};

}  // namespace

TEST_CASE("inspect finds the round that eliminated the optimum's cell, and who was missing") {
  const LostOptimum run;
  const auto round = run.inspect();
  CHECK(round.round == 6);
  CHECK(round.node == "server");
  CHECK(round.answers == 3);
  CHECK(round.expected_answers == 4);
  REQUIRE(round.optimum);
  CHECK_FALSE(round.cells[*round.optimum].kept);
  CHECK(round.looked_at == *round.optimum);
  REQUIRE(round.contributions.size() == 4);
  CHECK_THAT(round.contributions[0].missing, Contains("LocalMeans arrived"));
  CHECK_FALSE(round.contributions[0].mean);
  REQUIRE(round.on_the_way.size() == 1);
  CHECK_THAT(round.on_the_way[0], Contains("LocalMeans from client-0 to server"));
}

TEST_CASE("the means of the messages that were used make the mean that decided") {
  const LostOptimum run;
  for (std::uint32_t number = 1; number <= 6; ++number) {
    INFO("round " << number);
    const auto round = run.inspect(number);
    double sum = 0, expected = 0;
    std::uint32_t answers = 0;
    for (const auto& contribution : round.contributions) {
      expected += *contribution.expected;
      if (!contribution.missing.empty()) continue;
      REQUIRE(contribution.mean);
      sum += *contribution.mean;
      ++answers;
    }
    CHECK(answers == round.answers);
    const auto& cell = round.cells[round.looked_at];
    CHECK(cell.mean == Approx(sum / answers).epsilon(1e-12));
    CHECK(cell.expected == Approx(expected / 4).epsilon(1e-12));
  }
}

TEST_CASE("cells are kept if and only if their mean reaches the threshold") {
  for (const char* kind : {"fed-pne", "dp-fed-pne", "pf-pne", "blin", "parallel"}) {
    INFO(kind);
    const ProgramFolder folder;
    folder.write("one.toml",
                 std::string("name = \"one\"\n[[algorithm]]\nkind = \"") + kind +
                     "\"\n[population]\nclients = 4\n[objective]\nkind = \"garland\"\n"
                     "heterogeneity = { kind = \"shift\", scale = 0.1 }\n"
                     "[budget]\nevaluations_per_client = 3000\n");
    REQUIRE(folder.posse("run one.toml --quiet").code == 0);
    std::size_t eliminated = 0, kept = 0;
    for (std::uint32_t number = 1; number <= 40; ++number) {
      try {
        const auto round = inspect_round(folder / "runs" / "one", {.round = number});
        REQUIRE(round.threshold);
        for (const auto& cell : round.cells) {
          if (std::abs(cell.mean - *round.threshold) < 1e-12) continue;
          CHECK(cell.kept == (cell.mean > *round.threshold));
          ++(cell.kept ? kept : eliminated);
        }
      } catch (const std::invalid_argument&) {
      }
    }
    CHECK(kept > 1);
    CHECK(eliminated + kept > 2);
  }
}

TEST_CASE("inspect prints a round, and as JSON, what it can't find, it says") {
  const LostOptimum run;
  const auto text = run.posse("inspect runs/which_message");
  CHECK(text.code == 0);
  CHECK_THAT(text.out,
             Contains("round 6 ended at") && Contains("was eliminated: its mean") &&
                 Contains("below the threshold") && Contains("client-0") && Contains("missing: "));
  const auto json = nlohmann::json::parse(run.posse("inspect runs/which_message --json").out);
  CHECK(json["round"] == 6);
  CHECK(json["clients"].size() == 4);
  CHECK(json["cells"].size() == 24);
  CHECK_THAT(run.posse("inspect runs/which_message --round 9").err,
             Contains("no round 9 compares cells; rounds 1 to 6 do") && Contains("(exit code 2)"));
  CHECK_THAT(run.posse("inspect runs/which_message --algorithm hoo").err,
             Contains("has no algorithm 'hoo'; it has fed-pne"));
  CHECK(run.posse("inspect runs/which_message --repetition 3").code == 2);
  CHECK(run.posse("inspect nothing").code == 11);
  run.write("echo.toml",
            R"(name = "echo"
[[algorithm]]
kind = "echo"
[population]
clients = 2
)");
  REQUIRE(run.posse("run echo.toml --quiet").code == 0);
  CHECK_THAT(run.posse("inspect runs/echo").err, Contains("no round of echo compares cells"));
}

}  // namespace posse::test_inspection
