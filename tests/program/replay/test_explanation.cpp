// SPDX-License-Identifier: Apache-2.0
// posse explain: the parts of a difference add up, and a planted cause is named first.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program_folder.hpp"

namespace test_explanation {

using namespace posse;
using Catch::Contains;
using Json = nlohmann::json;

namespace {

const std::string kBase = R"(
name = "base"
repeat = 2
[[algorithm]]
kind = "fed-pne"
nu1 = 1.4
rho = 0.7071
[population]
clients = 6
[objective]
kind = "garland"
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 4000
[network]
latency = { kind = "exponential", mean = "20 ms", floor = "5 ms" }
rate = "10 Mbit/s"
transport = "reliable"
[compute]
evaluation = "1 ms"
)";

/// What a part sums up to in whole amounts: nanoseconds of seconds, else as it is.
double whole(const Json& split, const char* key, const Json& part) {
  const double value = part.at(key).get<double>();
  return split.at("measure") == "virtual_s" ? std::round(value * 1e9) : value;
}

void check_sums(const Json& split) {
  INFO(split.dump(1));
  const bool exact = split.at("measure") != "cumulative_regret";
  const double difference = whole(split, "difference", split);
  for (const auto* parts : {"causes", "rounds", "types"}) {
    if (split.at(parts).empty()) continue;
    double sum = 0, first = 0, second = 0;
    // Of factors only the difference can be split.
    const bool split_in_two = parts != std::string("causes") || split.at("measure") == "virtual_s";
    for (const auto& part : split.at(parts)) {
      sum += whole(split, "difference", part);
      first += part.contains("first") ? whole(split, "first", part) : 0;
      second += part.contains("second") ? whole(split, "second", part) : 0;
    }
    INFO(parts);
    if (exact)
      CHECK(sum == difference);
    else
      CHECK(sum == Approx(difference).epsilon(1e-12).margin(1e-9));
    if (!split_in_two) continue;
    CHECK(first == Approx(whole(split, "first", split)).epsilon(exact ? 0 : 1e-12));
    CHECK(second == Approx(whole(split, "second", split)).epsilon(exact ? 0 : 1e-12));
  }
}

Json explained(const ProgramFolder& folder, const std::string& arguments) {
  const auto outcome = folder.posse("explain " + arguments + " --json");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  const auto json = Json::parse(outcome.out);
  for (const auto& pair : json) {
    CHECK(pair.at("as_recorded") == true);
    for (const auto& split : pair.at("splits")) check_sums(split);
  }
  return json;
}

const Json& split_of(const Json& pair, const std::string& measure) {
  for (const auto& split : pair.at("splits"))
    if (split.at("measure") == measure) return split;
  FAIL("no split of " + measure);
  throw std::logic_error("unreachable");
}

std::string sentences(const Json& split) {
  std::string all;
  for (const auto& sentence : split.at("sentences")) all += sentence.get<std::string>() + "\n";
  return all;
}

}  // namespace

TEST_CASE("explain names a planted cause first, and what weighs most in it") {
  struct Planted {
    std::string set;      // the change
    std::string measure;  // that it shows in
    std::string cause;    // the largest
    std::string differs, told;
  };
  const std::vector<Planted> all{
      {"compute.stragglers=[{ nodes = \"client-3\", factor = 3.0 }]",
       "virtual_s",
       "compute",
       "+ compute.stragglers.0 (factor 3.0, nodes client-3)",
       "client-3 was waited for"},
      {"network.latency=\"200 ms\"", "virtual_s", "propagation", "network.latency", " took 20"},
      {"network.loss=0.2", "virtual_s", "retransmission", "network.loss.p: – → 0.2", "loss)"},
      {"network.rate=\"100 kbit/s\"",
       "virtual_s",
       "transfer",
       "network.rate: 10 Mbit/s → 100 kbit/s",
       "PhasePlan of round"},
      {"fault=[{ kind = \"partition\", at = \"1500 ms\", for = \"3 s\", groups = [[\"server\"], "
       "[\"client-2\"]] }]",
       "virtual_s",
       "retransmission",
       "kind partition",
       "partition)."},
      {"fault=[{ kind = \"pause\", nodes = [\"client-4\"], at = \"1500 ms\", for = \"3 s\" }]",
       "virtual_s",
       "stopped",
       "kind pause",
       "Faults in that time: pause of client-4 from 1.5 s to 4.5 s."},
      {"fault=[{ kind = \"clog\", at = \"1500 ms\", for = \"3 s\", groups = [[\"client-5\"], "
       "[\"server\"]] }]",
       "virtual_s",
       "queueing",
       "kind clog",
       "LocalMeans of round 7 from client-5 to server took"},
      {"algorithm.0.trim_last_plan=false",
       "wire_bytes",
       "size of messages",
       "trim_last_plan: true → false",
       "PhasePlan (down)"},
      {"network.wire=\"grpc\"", "wire_bytes", "headers", "network.wire", "messages against"},
      {"budget.evaluations_per_client=8000",
       "cumulative_regret",
       "number of evaluations",
       "budget.evaluations_per_client: 4000 → 8000",
       "evaluations 2049 to"},
      {"algorithm.0.c=0.4",
       "cumulative_regret",
       "regret per evaluation",
       "algorithm.c: 0.1 → 0.4",
       "Most of the difference arises in evaluations"},
      {"server={ policy = \"deadline\", deadline = \"2 s\" }",
       "virtual_s",
       "timer",
       "server.deadline: – → 2 s",
       "late: client-1"}};
  const ProgramFolder folder;
  folder.write("base.toml", kBase);
  REQUIRE(folder.posse("run base.toml --quiet").code == 0);
  for (const auto& planted : all) {
    INFO(planted.set);
    std::string sets = " --set name=planted --set '" + planted.set + "'";
    // A deadline matters only if somebody misses it.
    if (planted.cause == "timer")
      sets +=
          " --set 'fault=[{ kind = \"pause\", nodes = [\"client-1\"], at = \"1 s\", for = \"1 h\" "
          "}]'";
    REQUIRE(folder.posse("run base.toml --quiet" + sets).code == 0);
    const auto pair = explained(folder, "runs/base runs/planted").at(0);
    CHECK_THAT(pair.at("differs").get<std::string>(), Contains(planted.differs));
    const auto& split = split_of(pair, planted.measure);
    INFO(split.dump(1));
    CHECK(split.at("causes").at(0).at("name") == planted.cause);
    CHECK_THAT(sentences(split), Contains(planted.told));
  }
}

TEST_CASE("explain compares algorithms, settings and repetitions, with sums that are exact") {
  const ProgramFolder folder;
  folder.write("two.toml", R"(
name = "two"
repeat = 4
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
constants = "practical"
[[algorithm]]
kind = "hct-central"
[population]
clients = 4
[objective]
kind = "garland"
noise = { kind = "uniform", half_width = 0.1 }
[budget]
evaluations_per_client = 1500
[network]
latency = "20 ms"
loss = 0.05
transport = "reliable"
[compute]
evaluation = "1 ms"
[sweep]
"network.latency" = ["20 ms", "200 ms"]
)");
  REQUIRE(folder.posse("run two.toml --quiet --set sweep=").code == 0);
  const auto algorithms = explained(folder, "runs/two");
  REQUIRE(algorithms.size() == 1);
  CHECK(algorithms[0].at("first") == "fed-pne");
  CHECK(algorithms[0].at("second") == "parallel");
  CHECK(algorithms[0].at("splits").size() == 3);
  CHECK_THAT(folder.posse("explain runs/two").out,
             Contains("(the first two of 3 algorithms: --algorithm chooses others)"));
  // 6000 rounds, of which the table keeps some.
  const auto other = explained(folder, "runs/two --algorithm hct-central,parallel --repetition 1");
  CHECK(other[0].at("second") == "parallel");
  CHECK(other[0].at("first_repetition") == 1);
  const auto repetitions = explained(folder, "runs/two --algorithm fed-pne --repetition 0,3");
  CHECK(repetitions[0].at("first") == "fed-pne, repetition 0");
  CHECK(repetitions[0].at("second") == "fed-pne, repetition 3");
  const auto ends = folder.posse("explain runs/two --algorithm fed-pne");
  CHECK_THAT(ends.out, Contains("(the fastest and the slowest of 4 repetitions)"));
  CHECK_THAT(ends.out, Contains(" longer."));
  const auto equal = explained(folder, "runs/two --algorithm fed-pne --repetition 2,2");
  for (const auto& split : equal[0].at("splits")) CHECK(split.at("difference") == 0);

  REQUIRE(folder.posse("sweep two.toml --quiet").code == 0);
  const auto settings = explained(folder, "sweeps/two --algorithm fed-pne");
  REQUIRE(settings.size() == 1);
  CHECK(settings[0].at("first") == "20 ms");
  CHECK(settings[0].at("second") == "200 ms");
  CHECK(settings[0].at("differs") == "network.latency: 20 ms → 200 ms");
  CHECK(split_of(settings[0], "virtual_s").at("causes").at(0).at("name") == "propagation");
  CHECK(explained(folder, "sweeps/two").size() == 3);
  CHECK(explained(folder, "sweeps/two --where latency=200ms").size() == 1);
}

TEST_CASE("explain warns of a difference that the repetitions don't show") {
  const ProgramFolder folder;
  folder.write("base.toml", kBase);
  REQUIRE(folder.posse("run base.toml --quiet --repeat 5").code == 0);
  REQUIRE(folder
              .posse("run base.toml --quiet --repeat 5 --set name=slow --set "
                     "network.latency='\"200 ms\"'")
              .code == 0);
  // In the quickstart, fed-pne and parallel take as long as each other, as far as 5 repetitions
  // tell.
  REQUIRE(
      folder.posse("run '" + std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml' --quiet")
          .code == 0);
  const auto chance = explained(folder, "runs/quickstart");
  CHECK(split_of(chance[0], "virtual_s").at("on_average") ==
        "Over 5 repetitions no difference in virtual time is shown: this may be chance.");
  CHECK(split_of(chance[0], "wire_bytes").at("on_average") == "");
  CHECK_THAT(folder.posse("explain runs/quickstart").out,
             Contains("\nwarning: Over 5 repetitions no difference in virtual time is shown: this "
                      "may be chance.\nVirtual time: "));
  CHECK(split_of(explained(folder, "runs/base runs/slow")[0], "virtual_s").at("on_average") == "");
  REQUIRE(folder.posse("run base.toml --quiet --repeat 1 --set name=once").code == 0);
  const auto once = explained(folder, "runs/once runs/slow --repetition 0");
  CHECK_THAT(split_of(once[0], "virtual_s").at("on_average").get<std::string>(),
             Contains("With one repetition"));
}

TEST_CASE("explain refuses what isn't there") {
  const ProgramFolder folder;
  folder.write("base.toml", kBase);
  REQUIRE(folder.posse("run base.toml --quiet").code == 0);
  for (const auto& [arguments, code, problem] :
       {std::tuple{"nowhere", 11, "nowhere"},
        {"runs/base --algorithm nothing", 2, "there is no 'nothing'"},
        {"runs/base --repetition 9", 2, "there is no finished repetition 9"},
        {"runs/base --repetition 0,1,2", 2, "one number, or two"},
        {"runs/base --where loss=0.1", 2, "loss"}}) {
    INFO(arguments);
    const auto outcome = folder.posse(std::string("explain ") + arguments);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, Contains(problem));
  }
  // What can't be repeated isn't explained.
  auto results = folder.content("runs/base/latest/results.json");
  const std::string key = "\"fingerprint\": \"";
  for (auto at = results.find(key); at != std::string::npos; at = results.find(key, at + 1))
    results.replace(at + key.size(), 2, "00");
  folder.write("runs/base/latest/results.json", results);
  const auto different = folder.posse("explain runs/base");
  CHECK(different.code == 6);
  CHECK_THAT(different.err, Contains("does not repeat its record"));
}

}  // namespace test_explanation
