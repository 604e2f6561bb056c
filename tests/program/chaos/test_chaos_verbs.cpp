// SPDX-License-Identifier: Apache-2.0
// `posse chaos` and `posse minimise` through the built executable.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/program_folder.hpp"

namespace posse::test_chaos_verbs {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("chaos prints how many scenarios had each feature and leaves no files") {
  const ProgramFolder folder;
  const auto outcome = folder.posse("chaos --first 20 --count 10 --out found");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, has("10 scenarios in "));
  CHECK_THAT(outcome.out, has("  algorithm fed-pne\n"));
  CHECK(fs::is_empty(folder / "found"));
}

TEST_CASE("chaos and fates print JSON") {
  const ProgramFolder folder;
  const auto chaos =
      nlohmann::json::parse(folder.posse("chaos --first 20 --count 2 --out found --json").out);
  CHECK(chaos["scenarios"] == 2);
  CHECK(chaos["failures"].empty());
  CHECK(chaos["features"].contains("algorithm fed-pne"));
  folder.write("echo.toml",
               "[[algorithm]]\nkind = \"echo\"\nrounds = 1\n[population]\nclients = 1\n");
  const auto fates = nlohmann::json::parse(folder.posse("fates echo.toml --depth 1 --json").out);
  CHECK(fates["schedules"] > 1);
  CHECK(fates["violation"].is_null());
  CHECK(fates["counterexample"] == "");
}

TEST_CASE("chaos refuses flags that contradict each other") {
  const ProgramFolder folder;
  CHECK(folder.posse("chaos --seconds 1 --count 2").code == 2);
  CHECK(folder.posse("chaos --seed 1 --first 2").code == 2);
  CHECK(folder.posse("chaos --count 0").code == 2);
}

TEST_CASE("minimise says that a scenario violates nothing, or that a property is unknown") {
  const ProgramFolder folder;
  const auto fine = folder.posse("minimise 3");
  CHECK(fine.code == 2);
  CHECK_THAT(fine.err, has("no property is violated"));
  const auto unknown = folder.posse("minimise 3 --property 'no run fail'");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has("did you mean 'no run fails'?"));
  CHECK(folder.posse("minimise missing.toml").code == 11);
}

TEST_CASE("minimise writes what it found") {
  const ProgramFolder folder;
  folder.write("wrong.toml", "seed = 1\n");
  const auto outcome = folder.posse("minimise wrong.toml -o small.toml");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, has("violated: the reader accepts the scenario"));
  CHECK(content(folder / "small.toml") == "seed = 1\n");
  const auto json = nlohmann::json::parse(folder.posse("minimise wrong.toml --json").out);
  CHECK(json["property"] == "the reader accepts the scenario");
  CHECK(json["scenario"] == "seed = 1\n");
}

}  // namespace posse::test_chaos_verbs
