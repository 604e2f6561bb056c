// SPDX-License-Identifier: Apache-2.0
// `posse fates --random`: algorithms of one's own in random faulty networks.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "program/fates/properties.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_random_fates {
namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

/// posse with planted mistakes.
Outcome planted(const ProgramFolder& folder, const std::string& arguments) {
  return folder.started(POSSE_PLANTED_EXECUTABLE, arguments);
}

std::string scenario_of(const std::string& kind) {
  return fmt::format(R"(
name = "own"
[[algorithm]]
kind = "{}"
label = "own"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 8
[network]
latency = "10 ms"
)",
                     kind);
}

std::size_t lines_of(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

}  // namespace

TEST_CASE("a correct algorithm violates nothing in random networks") {
  const ProgramFolder folder;
  folder.write("own.toml", scenario_of("planted-none"));
  const auto outcome = planted(folder, "fates own.toml --random 60");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out,
             Catch::Matchers::StartsWith("60 networks, no violation\n  ends: finished"));
  for (const auto* part : {"dropped by loss", "duplicated", "crash", "reliable", "datagram"})
    CHECK_THAT(outcome.out, has(part));
  CHECK_FALSE(fs::exists(folder / "runs/fates"));
}

TEST_CASE("an algorithm that counts duplicates is found, with a small counterexample") {
  const ProgramFolder folder;
  folder.write("own.toml", scenario_of("planted-twice"));
  const auto outcome = planted(folder, "fates own.toml --random 60 --jobs 2 --out found");
  CHECK(outcome.code == 5);
  CHECK_THAT(outcome.err, has("own: violated: faults change no decision\n"));
  CHECK_THAT(outcome.err, has("violation (exit code 5)"));
  const auto example = content(folder / "found/counterexample-1.toml");
  INFO(example);
  CHECK_THAT(example, has("kind = \"planted-twice\""));
  CHECK_THAT(example, has("duplication"));
  CHECK(lines_of(example) < 40);
  // As it is told.
  const auto again = planted(
      folder, "fates found/counterexample-1.toml --depth 0 --property 'faults change no decision'");
  CHECK(again.code == 5);
  CHECK_THAT(again.err, has("violated: faults change no decision"));
  const auto first = planted(folder, "fates own.toml --random 60 --jobs 1 --out found");
  CHECK(first.err.substr(0, first.err.find("; made smaller")) ==
        outcome.err.substr(0, outcome.err.find("; made smaller")));
}

TEST_CASE("an algorithm whose runs share a number is found") {
  const ProgramFolder folder;
  folder.write("own.toml", scenario_of("planted-shared"));
  const auto outcome = planted(folder,
                               "fates own.toml --random 5 --property 'every kernel and number of "
                               "threads gives the same run'");
  CHECK(outcome.code == 5);
  CHECK_THAT(outcome.err, has("violated: every kernel and number of threads gives the same run"));
}

TEST_CASE("random networks are told as JSON, and each algorithm has its own") {
  const ProgramFolder folder;
  folder.write("own.toml", scenario_of("planted-twice") + R"([[algorithm]]
kind = "planted-none"
)");
  const auto outcome = planted(folder, "fates own.toml --random 20 --seed 5 --json --out found");
  CHECK(outcome.code == 5);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["networks"] == 40);
  CHECK(json["features"]["reliable"] > 0);
  REQUIRE_FALSE(json["violations"].empty());
  for (const auto& violation : json["violations"]) {
    CHECK(violation["algorithm"] == "own");
    CHECK(violation["seed"] >= 5);
    CHECK(fs::exists(folder / violation["counterexample"].get<std::string>()));
  }
}

TEST_CASE("properties that an algorithm need not have are named with the reason") {
  const ProgramFolder folder;
  folder.write("asynchronous.toml",
               R"([[algorithm]]
kind = "f-lcb"
order = "asynchronous"
[budget]
pulls = 20
[[arm]]
kind = "smooth"
minima = [0.5, 1]
)");
  const auto outcome = folder.posse("fates asynchronous.toml --random 3");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, has("not checked: faults change no decision (in f-lcb the order"));
  const auto json =
      nlohmann::json::parse(folder.posse("fates asynchronous.toml --random 1 --json").out);
  CHECK(json["not_checked"][0]["algorithm"] == "f-lcb");
}

TEST_CASE("random networks keep input files, a server policy and programs of the scenario") {
  const ProgramFolder folder;
  folder.write("latency.csv", "virtual_s,latency_ms\n0,7\n");
  folder.write("sphere.sh",
               "while read -r line; do id=${line#*:}; echo \"{\\\"id\\\":${id%%,*},\\\"value\\\":"
               "0.5}\"; done\n");
  fs::create_directory(folder / "below");
  folder.write("below/own.toml", R"(
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[objective]
kind = "external"
command = "sh sphere.sh"
folder = ".."
low = [0]
high = [1]
[budget]
evaluations_per_client = 12
[server]
policy = "quorum"
quorum = 2
[network]
latency = { kind = "trace", file = "../latency.csv" }
[[fault]]
kind = "crash"
nodes = ["client-0"]
at = "1 ms"
for = "1 ms"
)");
  const auto outcome = folder.posse("fates below/own.toml --random 10");
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, has("policy quorum 10"));
  fs::create_directory(folder / "other");
  fs::rename(folder / "below/own.toml", folder / "other/scenario.toml");
  folder.write("other/results.json", "{}");
  const auto refused = folder.posse("fates other/scenario.toml --random 1");
  CHECK(refused.code == 7);
  CHECK_THAT(refused.err, has("--allow-external"));
  CHECK(folder.posse("fates other/scenario.toml --random 1 --allow-external").code == 0);
}

TEST_CASE("fates takes other values of keys, and leaves out a sweep") {
  const ProgramFolder folder;
  folder.write("swept.toml", scenario_of("fed-pne") + R"([sweep]
seed = [1, 2]
)");
  const auto refused = folder.posse("fates swept.toml --random 2");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, has("--set sweep="));
  const auto outcome = folder.posse("fates swept.toml --random 2 --set sweep= --json");
  CHECK(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out)["networks"] == 2);
  CHECK(folder.posse("fates swept.toml --depth 0 --set sweep= --set population.clients=1").code ==
        0);
}

TEST_CASE("random networks refuse wrong flags and scenarios") {
  const ProgramFolder folder;
  folder.write("echo.toml", R"([[algorithm]]
kind = "echo"
[population]
clients = 2
)");
  for (const auto* flags :
       {"--random 0", "--random 2 --depth 1", "--random 2 --most 3", "--seed 3", "--jobs 2"}) {
    INFO(flags);
    CHECK(folder.posse(std::string("fates echo.toml ") + flags).code == 2);
  }
  const auto unknown = folder.posse("fates echo.toml --random 2 --property 'no run fail'");
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has("did you mean 'no run fails'?"));
  CHECK(folder.posse("fates missing.toml --random 2").code == 11);
  folder.write("wrong.toml", R"([[algorithm]]
kind = "ecko"
[population]
clients = 2
)");
  const auto wrong = folder.posse("fates wrong.toml --random 2");
  CHECK(wrong.code == 3);
  CHECK_THAT(wrong.err, has("wrong.toml:2"));
  folder.write("file", "");
  CHECK(folder.posse("fates echo.toml --random 2 --out file/below").code == 11);
}

TEST_CASE("every fate is told as JSON, and a scenario alone is checked with depth 0") {
  const ProgramFolder folder;
  folder.write("echo.toml",
               R"([[algorithm]]
kind = "echo"
rounds = 1
[population]
clients = 1
)");
  const auto fates = nlohmann::json::parse(folder.posse("fates echo.toml --depth 1 --json").out);
  CHECK(fates["schedules"] > 1);
  CHECK(fates["violation"].is_null());
  CHECK(fates["counterexample"] == "");
  const auto alone = folder.posse("fates echo.toml --depth 0");
  CHECK(alone.code == 0);
  CHECK_THAT(alone.out, has("1 schedules, 1 different outcomes; all with up to 0 deviations"));
  CHECK(folder.posse("fates echo.toml --depth 0 --quiet").out.empty());
}

}  // namespace posse::test_random_fates
