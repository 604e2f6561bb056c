// SPDX-License-Identifier: Apache-2.0
// posse_chaos, started.
#include <catch2/catch.hpp>

#include "tests/chaos/random_scenario.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_chaos_program {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

Outcome chaos(const ProgramFolder& folder, const std::string& arguments) {
  return folder.started(POSSE_CHAOS_EXECUTABLE, arguments);
}

}  // namespace

TEST_CASE("chaos prints how many scenarios had each feature and leaves no files") {
  const ProgramFolder folder;
  const auto outcome = chaos(folder, "--first 20 --count 10 --out found");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, has("10 scenarios in "));
  CHECK_THAT(outcome.out, has("  algorithm fed-pne\n"));
  CHECK(fs::is_empty(folder / "found"));
}

TEST_CASE("chaos refuses flags that contradict each other") {
  const ProgramFolder folder;
  CHECK(chaos(folder, "--seconds 1 --count 2").code == 2);
  CHECK(chaos(folder, "--seed 1 --first 2").code == 2);
  CHECK(chaos(folder, "--count 0").code == 2);
  CHECK(chaos(folder, "--seed=-1").code == 2);
}

TEST_CASE("chaos prints the scenarios of seeds") {
  const ProgramFolder folder;
  CHECK(chaos(folder, "scenario 3 4").out == random_scenario(3) + random_scenario(4));
  CHECK(chaos(folder, "scenario").code == 2);
}

TEST_CASE("minimise says that a scenario violates nothing, or that a property is unknown") {
  const ProgramFolder folder;
  const auto fine = chaos(folder, "minimise 3");
  CHECK(fine.code == 2);
  CHECK_THAT(fine.err, has("no property is violated"));
  const auto unknown = chaos(folder, "minimise 3 --property 'no run fail'");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has("no run fails"));
  CHECK(chaos(folder, "minimise missing.toml").code == 11);
}

TEST_CASE("minimise writes what it found") {
  const ProgramFolder folder;
  folder.write("wrong.toml", "seed = 1\n");
  const auto outcome = chaos(folder, "minimise wrong.toml -o small.toml");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, has("violated: the reader accepts the scenario"));
  CHECK(content(folder / "small.toml") == "seed = 1\n");
}

}  // namespace posse::test_chaos_program
