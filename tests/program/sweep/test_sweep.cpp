// SPDX-License-Identifier: Apache-2.0
// Sweeps through the program: stores, resuming, shards, tables, and what can go wrong with them.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "program/base/files.hpp"
#include "program/results/json_object.hpp"
#include "program/sweep/amount.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/run_store.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/killed_sweep.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_sweep {
namespace {

using Catch::Matchers::Contains;

const std::string kSweep = "name = \"small\"\nrepeat = 3\n" + test::kTwoAlgorithms + R"([sweep]
"network.latency" = ["1 ms", "20 ms"]
"network.loss" = [0, 0.1]
)";

/// A folder with small.toml.
class SweepFolder : public ProgramFolder {
 public:
  SweepFolder() { write("small.toml", kSweep); }

  void sweep(const std::string& arguments, int code = 0) const {
    const auto outcome = posse("sweep small.toml " + arguments);
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.code == code);
  }
  fs::path store(const std::string& name = "sweeps/small") const { return *this / name; }
  std::vector<StoredEntry> entries(const std::string& name = "sweeps/small") const {
    return RunStore(store(name)).entries();
  }
  std::string table(const std::string& name = "sweeps/small") const {
    return read_file(store(name) / "summary.csv");
  }
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Another result of the same run: as if a processor had computed something else.
void alter(const StoredEntry& entry) {
  auto text = read_file(entry.folder / "results.json");
  const auto fingerprint = stored_fingerprint(entry.folder);
  const std::string other =
      fingerprint == "0123456789abcdef" ? "fedcba9876543210" : "0123456789abcdef";
  for (auto at = text.find(fingerprint); at != std::string::npos; at = text.find(fingerprint))
    text.replace(at, fingerprint.size(), other);
  write_file(entry.folder / "results.json", text);
}

}  // namespace

TEST_CASE("the column of a swept key says the unit once, and leads back to the key") {
  for (const auto& [key, unit, column] :
       {std::tuple{"network.latency", BaseUnit::seconds, "network.latency_s"},
        {"network.rate", BaseUnit::bits_per_second, "network.rate_bits_per_s"},
        {"network.header_bytes", BaseUnit::bytes, "network.header_bytes"},
        {"network.loss", BaseUnit::none, "network.loss"}}) {
    INFO(key);
    CHECK(column_of_key(key, unit) == column);
    CHECK(key_of_column(column) == std::pair(std::string(key), unit));
  }
  const ProgramFolder folder;
  folder.write("h.toml",
               R"(name = "h"
[[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients +
                   R"([sweep]
"network.header_bytes" = ["0 B", "40 B"]
)");
  REQUIRE(folder.posse("sweep h.toml").code == 0);
  CHECK(read_file(folder / "sweeps/h/summary.csv")
            .starts_with("setting,network.header_bytes,algorithm,"));
  CHECK_THAT(folder.posse("compare sweeps/h").out, Catch::Matchers::Contains("40 B"));
}

TEST_CASE("each run that a sweep stores is a valid scenario, and runs the same alone", "[long]") {
  const ProgramFolder folder;
  folder.write("both.toml",
               R"(name = "both"
repeat = 2
[[algorithm]]
kind = "hct-central"
[[algorithm]]
kind = "fed-pne"
)" + test::kThreeClients +
                   R"([network]
latency = "5 ms"
loss = { kind = "by-type", p = { LocalMeans = 0.1 } }
transport = "reliable"
[[network.node]]
nodes = "client"
rate_up = "1 Mbit/s"
[[fault]]
kind = "pause"
mean_between = "20 ms"
mean_for = "2 ms"
until = "1 s"
nodes = ["client-1", "environment-0"]
[sweep]
"network.latency" = ["1 ms", "20 ms"]
)");
  const auto made = folder.posse("sweep both.toml");
  INFO(made.out << made.err);
  REQUIRE(made.code == 0);
  const std::string rule =
      "warning: hct-central: network.node.0 (nodes = \"client\") has no effect";
  const auto at = made.err.find(rule);
  REQUIRE(at != std::string::npos);
  CHECK(made.err.find(rule, at + 1) == std::string::npos);
  const auto entries = RunStore(folder / "sweeps/both").entries();
  REQUIRE(entries.size() == 8);
  std::size_t commented = 0;
  for (const auto& entry : entries) {
    const auto file = (entry.folder / "scenario.toml").string();
    const auto text = read_file(file);
    INFO(text);
    commented += text.find(
                     "# left out: network.node.0 (nodes = \"client\") has no effect on "
                     "hct-central\n") != std::string::npos;
    const auto checked = folder.posse("check --strict " + file);
    INFO(checked.err);
    CHECK(checked.code == 0);
    CHECK(checked.err.empty());
    CHECK(folder.posse("replay " + entry.folder.string()).code == 0);
    const auto results = read_json(entry.folder / "results.json");
    const auto repetition = results.at("runs").at(0).at("repetition").get<int>();
    CHECK(folder.posse("run " + file + " --out again --repetition " + std::to_string(repetition))
              .code == 0);
    CHECK(stored_fingerprint(folder / "again/both/latest") == stored_fingerprint(entry.folder));
    // As beside the other algorithm.
    const auto latency = text.find("value = \"1 ms\"") != std::string::npos ? "1 ms" : "20 ms";
    CHECK(folder
              .posse("run both.toml --out whole --set sweep= --set network.latency='\"" +
                     std::string(latency) + "\"'")
              .code == 0);
    const auto whole = read_json(folder / "whole/both/latest/results.json");
    const auto& of_this = results.at("runs").at(0);
    const auto is_it = [&](const auto& run) {
      return run.at("algorithm") == of_this.at("algorithm") &&
             run.at("repetition") == of_this.at("repetition");
    };
    const auto& runs = whole.at("runs");
    const auto same = std::find_if(runs.begin(), runs.end(), is_it);
    REQUIRE(same != runs.end());
    CHECK(same->at("fingerprint") == of_this.at("fingerprint"));
  }
  CHECK(commented == 4);
}

TEST_CASE("a sweep runs every setting, algorithm and repetition once, and tabulates them") {
  const SweepFolder folder;
  const auto outcome = folder.posse("sweep small.toml");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.err, Contains("24 runs: 0 there before, 24 made"));
  CHECK_THAT(outcome.out, Contains("4 settings × 2 algorithms, 3 repetitions"));
  CHECK(folder.entries().size() == 24);
  const auto table = folder.table();
  CHECK(lines(table) == 25);
  CHECK(table.starts_with("setting,network.latency_s,network.loss,algorithm,repetition,"));
  CHECK_THAT(table, Contains("\n1,0.001,0,fed-pne,0,"));
  CHECK_THAT(table, Contains("\n4,0.02,0.1,random,2,"));
  CHECK(lines(read_file(folder.store() / "timing.csv")) == 25);
}

TEST_CASE("tables have the parameters in which algorithms differ, but for swept ones") {
  const ProgramFolder folder;
  const auto scenario =
      R"(name = "three"
[[algorithm]]
kind = "fed-pne"
c = 0.1
nu1 = 1.5
[[algorithm]]
kind = "fed-pne"
label = "wide"
c = 1.0
nu1 = 1.5
[[algorithm]]
kind = "random"
)" + test::kThreeClients;
  folder.write("three.toml", scenario);
  REQUIRE(folder.posse("run three.toml --quiet").code == 0);
  const auto curves = folder.content("runs/three/latest/regret.csv");
  CHECK(
      curves.starts_with("algorithm,repetition,client,evaluations_per_client,rounds,bytes,virtual_"
                         "s,measure,value,algorithm.c\n"));
  std::set<std::string> ends;  // by algorithm
  for (std::size_t at = curves.find('\n') + 1; at < curves.size(); at = curves.find('\n', at) + 1) {
    const auto line = curves.substr(at, curves.find('\n', at) - at);
    ends.insert(line.substr(0, line.find(',')) + line.substr(line.rfind(',')));
  }
  CHECK(ends == std::set<std::string>{"fed-pne,0.1", "wide,1", "random,"});
  CHECK(folder.posse("plot runs/three --out plots").code == 0);

  for (const std::string swept : {"network.duplication", "algorithm.wide.c"}) {
    const auto store = "sweeps/" + swept;
    folder.write("swept.toml", scenario + "[sweep]\n\"" + swept + "\" = [0.5, 0.25]\n");
    REQUIRE(folder.posse("sweep swept.toml --quiet --store " + store).code == 0);
    const auto table = folder.content(store + "/summary.csv");
    const auto head = table.substr(0, table.find('\n'));
    INFO(head);
    if (swept == "network.duplication") {
      CHECK(head.ends_with(",evaluations,evaluations_per_client,algorithm.c,key"));
      CHECK_THAT(table,
                 Contains(",600,200,0.1,") && Contains(",600,200,1,") && Contains(",600,200,,"));
    } else {
      CHECK(head.ends_with(",evaluations,evaluations_per_client,key"));
    }
    CHECK(folder.posse("compare " + store).code == 0);
  }
}

TEST_CASE("a sweep's runs are those of single scenarios, and their folders replay") {
  const SweepFolder folder;
  folder.sweep("--repeat 2 --jobs 2");
  const auto run = folder.posse(
      "run small.toml --set sweep= --repeat 2 --set network.loss=0.1 --set 'network.latency=\"20 "
      "ms\"' --json");
  REQUIRE(run.code == 0);
  const auto results = nlohmann::json::parse(run.out);
  const auto table = folder.table();
  for (const auto& one : results["runs"]) {
    const auto row = fmt::format(
        "\n4,0.02,0.1,{},{},", one["algorithm"].get<std::string>(), one["repetition"].get<int>());
    const auto at = table.find(row);
    REQUIRE(at != std::string::npos);
    const auto line = table.substr(at + 1, table.find('\n', at + 1) - at - 1);
    CHECK_THAT(line, Contains(one["fingerprint"].get<std::string>()));
  }
  const auto entries = folder.entries();
  for (const std::size_t i : {std::size_t{0}, entries.size() / 2, entries.size() - 1}) {
    const auto replay = folder.posse("replay " + entries[i].folder.string());
    CHECK_THAT(replay.out, Contains("equal"));
    CHECK(replay.code == 0);
  }
}

TEST_CASE("a second sweep makes only what is missing: new repetitions, settings, algorithms") {
  const SweepFolder folder;
  folder.sweep("");
  const auto first = folder.table();
  const auto sweep = [&](const std::string& arguments, const std::string& counts) {
    const auto outcome = folder.posse("sweep small.toml " + arguments);
    INFO(arguments << "\n" << outcome.err);
    REQUIRE(outcome.code == 0);
    CHECK_THAT(outcome.err, Contains(counts));
  };
  sweep("", "24 runs: 24 there before, 0 made");
  CHECK(folder.table() == first);
  sweep("--repeat 4", "32 runs: 24 there before, 8 made");
  sweep("--set 'sweep.network.loss=[0, 0.1, 0.2]'", "36 runs: 24 there before, 12 made");
  // Of runs that are no longer planned only the number is told.
  const auto less = folder.posse("sweep small.toml --set algorithm.random=");
  CHECK_THAT(less.err, Contains("12 runs: 12 there before, 0 made"));
  CHECK_THAT(less.err, Contains("32 stored runs are not part of this sweep"));
  CHECK(lines(folder.table()) == 13);
  fs::remove_all(folder.entries().front().folder);
  sweep("--repeat 4 --set 'sweep.network.loss=[0, 0.1, 0.2]'", "48 runs: 43 there before, 5 made");
}

TEST_CASE("tables are the same for any number of shards and jobs, and in any order", "[long]") {
  const SweepFolder folder;
  folder.sweep("--jobs 1");
  for (const int n : {1, 3, 7}) {
    const auto name = fmt::format("shards-{}", n);
    for (int i = n; i >= 1; --i)
      folder.sweep(fmt::format("--store {} --shard {}/{} --jobs {}", name, i, n, 1 + i % 2));
    const auto collected = folder.posse("collect " + name);
    REQUIRE(collected.code == 0);
    CHECK(folder.table(name) == folder.table());
    CHECK(read_file(folder.store(name) / "summary.sqlite") ==
          read_file(folder.store() / "summary.sqlite"));
    CHECK(read_file(folder.store(name) / "plan.csv") == read_file(folder.store() / "plan.csv"));
  }
  // Parts in stores of their own.
  for (int i = 1; i <= 3; ++i) folder.sweep(fmt::format("--store part-{} --shard {}/3", i, i));
  const auto collected = folder.posse("collect part-1 part-2 part-3 --out merged");
  REQUIRE(collected.code == 0);
  CHECK(folder.table("merged") == folder.table());
}

TEST_CASE("shards that run at the same time may write into one store") {
  const SweepFolder folder;
  folder.sweep("");
  std::vector<std::unique_ptr<test::ChildProcess>> shards;
  for (const auto* part : {"1/3", "2/3", "3/3", "2/3"})  // one of them twice
    shards.push_back(std::make_unique<test::ChildProcess>(
        std::vector<std::string>{
            test::posse_executable(), "sweep", "small.toml", "--store", "shared", "--shard", part},
        folder.path(),
        fmt::format("shard-{}", shards.size())));
  for (const auto& shard : shards) {
    REQUIRE(shard->wait(std::chrono::seconds(30)) == 0);
    INFO(shard->err());
  }
  REQUIRE(folder.posse("collect shared").code == 0);
  CHECK(folder.posse("store verify shared").code == 0);
  CHECK(folder.table("shared") == folder.table());
  CHECK(fs::is_empty(folder.store("shared") / "tmp"));
}

TEST_CASE("no file of a stored run changes when a sweep goes on") {
  const SweepFolder folder;
  folder.sweep("");
  const auto files = [&] {
    std::map<std::string, std::pair<std::string, fs::file_time_type>> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder.store() / "runs"))
      if (entry.is_regular_file())
        found[entry.path().string()] = {read_file(entry.path()), entry.last_write_time()};
    return found;
  };
  const auto before = files();
  REQUIRE(before.size() > 24);
  folder.sweep("--repeat 4");
  REQUIRE(folder.posse("collect sweeps/small").code == 0);
  const auto after = files();
  CHECK(after.size() > before.size());
  for (const auto& [file, content] : before) {
    INFO(file);
    REQUIRE(after.contains(file));
    CHECK(after.at(file) == content);
  }
}

TEST_CASE("collect says what is missing, and does without it") {
  const SweepFolder folder;
  folder.sweep("--shard 1/2");
  const auto collected = folder.posse("collect sweeps/small");
  CHECK(collected.code == 0);
  CHECK_THAT(collected.err, Contains("missing: 12 of 24 runs; the first is repetition 0 of "));
  CHECK(lines(folder.table()) == 13);
}

TEST_CASE("a run with two results is refused by name, in two stores and in one") {
  const SweepFolder folder;
  folder.sweep("");
  folder.sweep("--store other");
  const auto equal = folder.posse("collect sweeps/small other --out merged");
  CHECK(equal.code == 0);
  CHECK_THAT(equal.err, Contains("24 runs are in several stores, with equal results"));
  const auto entry = folder.entries("other").at(5);
  alter(entry);
  const auto refused = folder.posse("collect sweeps/small other --out merged");
  CHECK(refused.code == 6);
  CHECK_THAT(refused.err, Contains("one run, two results"));
  CHECK_THAT(refused.err, Contains(entry.key));
  const auto verified = folder.posse("store verify other");
  CHECK(verified.code == 11);
  CHECK_THAT(verified.out, Contains("results.json is not as it was written"));
  CHECK_THAT(verified.out, Contains("24 runs, 1 with problems"));

  // Two programs that made the same run at the same time: the second one finds the first result.
  const RunStore store(folder.store());
  StoreWriter writer(store);
  const auto original = folder.entries().at(5);
  writer.add(original.key, [&](const fs::path& to) {
    fs::copy(entry.folder, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  });
  writer.flush();
  REQUIRE(writer.conflicts().size() == 1);
  const auto one_store = folder.posse("collect sweeps/small");
  CHECK(one_store.code == 6);
  CHECK_THAT(one_store.err, Contains(original.key + ".other-"));
  CHECK(folder.posse("store remove sweeps/small --damaged").code == 0);
  CHECK(folder.posse("collect sweeps/small").code == 0);
}

TEST_CASE("the same result a second time is dropped") {
  const SweepFolder folder;
  folder.sweep("--repeat 1");
  const RunStore store(folder.store());
  StoreWriter writer(store);
  const auto entry = folder.entries().front();
  writer.add(entry.key, [&](const fs::path& to) {
    fs::copy(entry.folder, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  });
  writer.flush();
  CHECK(writer.conflicts().empty());
  CHECK(folder.posse("store verify sweeps/small").code == 0);
}

TEST_CASE("a sweep goes on until its differences are known as precisely as asked", "[long]") {
  const SweepFolder folder;
  const auto outcome = folder.posse("sweep small.toml --until-ci cumulative_regret=3% --repeat 2");
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.err, Contains("is not reached with 2 repetitions: going on to"));
  CHECK_THAT(
      outcome.out,
      Contains(
          "cumulative regret, as a difference to fed-pne's, is known to ±3 % of fed-pne's mean"));
  const auto again = folder.posse("compare sweeps/small --until-ci cumulative_regret=3%");
  CHECK_THAT(
      again.out,
      Contains(
          "cumulative regret, as a difference to fed-pne's, is known to ±3 % of fed-pne's mean"));

  const auto open = folder.posse(
      "sweep small.toml --until-ci simple_regret=0.001 --most-repetitions 5 --store o");
  CHECK(open.code == 9);
  CHECK_THAT(open.err, Contains("undecided: simple_regret=0.001 needs more than 5 repetitions"));
  CHECK(folder.posse("sweep small.toml --until-ci rounds=1 --shard 1/2").code == 2);
  CHECK(folder.posse("sweep small.toml --until-ci speed=1").code == 2);
}

TEST_CASE("failed runs don't stop the rest of a sweep") {
  const SweepFolder folder;
  const auto outcome = folder.posse("sweep small.toml --set network.transport=datagram --jobs 1");
  CHECK(outcome.code == 8);
  CHECK_THAT(outcome.err, Contains("fed-pne with network.latency = 1 ms, network.loss = 0.1"));
  CHECK_THAT(outcome.err, Contains("stalled (exit code 7)"));
  CHECK_THAT(outcome.err, Contains("--set sweep= --set network.transport=datagram --set"));
  CHECK_THAT(outcome.out, Contains("warning: ") && Contains("runs did not finish"));
  CHECK(lines(folder.table()) == 25);
  // Stalled runs are results: they are not made again, but tell.
  const auto again = folder.posse("sweep small.toml --set network.transport=datagram --jobs 1");
  CHECK_THAT(again.err, Contains("24 there before, 0 made"));
  CHECK(again.code == 8);
  const auto fast = folder.posse(
      "sweep small.toml --set network.transport=datagram --fail-fast --jobs 1 --store f");
  CHECK(fast.code == 8);
  CHECK(folder.entries("f").size() < 24);
}

TEST_CASE("a sweep killed at any moment goes on where it was, and loses nothing") {
  const SweepFolder folder;
  folder.sweep("--store whole --repeat 8");
  std::uint64_t state = 7;
  for (int kills = 0; kills < 12; ++kills) {
    test::kill_sweep(folder, {"--repeat", "8", "--store", "killed"}, state);
    if (fs::exists(folder.store("killed") / "runs")) {
      const auto verified = folder.posse("store verify killed");
      INFO(verified.out);
      CHECK(verified.code == 0);
    }
  }
  folder.sweep("--store killed --repeat 8");
  CHECK(folder.table("killed") == folder.table("whole"));
  CHECK(fs::is_empty(folder.store("killed") / "tmp"));
}

TEST_CASE("whatever a program that was killed left unfinished is removed by the next one") {
  const SweepFolder folder;
  folder.sweep("");
  const auto tmp = folder.store() / "tmp";
  // Killed before its directory was made, and with a run in it.
  const auto unfinished = WorkingDirectory(tmp).path().string();
  write_file(unfinished + ".lock", "");
  write_file(unfinished + "1.lock", "");
  fs::create_directories(unfinished + "1/run");
  write_file(unfinished + "1/run/results.json", "{");
  // What another machine's programs may still be at stays.
  write_file(tmp / "another.machine-1-0.lock", "");
  folder.sweep("");
  REQUIRE(fs::exists(tmp / "another.machine-1-0.lock"));
  fs::remove(tmp / "another.machine-1-0.lock");
  CHECK(fs::is_empty(tmp));
}

TEST_CASE("a sweep stopped by a signal keeps what it has and says how to go on") {
  const SweepFolder folder;
  test::ChildProcess sweep({test::posse_executable(),
                            "sweep",
                            "small.toml",
                            "--set",
                            "budget.evaluations_per_client=300000",
                            "--jobs",
                            "1",
                            "--repeat",
                            "1000"},
                           folder.path(),
                           "sweep");
  REQUIRE(test::comes_true([&] { return fs::exists(folder.store() / "plan.csv"); }));
  sweep.signal(SIGTERM);
  REQUIRE(sweep.wait(std::chrono::seconds(30)) == 143);
  CHECK_THAT(sweep.err(), Contains("the same command goes on"));
  CHECK(folder.posse("store verify sweeps/small").code == 0);
}

TEST_CASE("what is damaged in a store is found, named and can be removed") {
  const SweepFolder folder;
  folder.sweep("");
  auto entries = folder.entries();
  fs::remove(entries[0].folder / "rounds.csv");
  write_file(entries[1].folder / "regret.csv", "");
  fs::resize_file(entries[2].folder / "results.json", 100);
  write_file(entries[3].folder / "more.txt", "more");
  fs::remove_all(entries[4].folder / "checksums.csv");
  write_file(entries[5].folder / "checksums.csv", "file\n\"");
  fs::create_directory(folder.store() / "runs" / "holiday-pictures");
  const auto verified = folder.posse("store verify sweeps/small");
  CHECK(verified.code == 11);
  for (const auto* problem : {"rounds.csv is missing",
                              "regret.csv is not as it was written",
                              "results.json is not as it was written",
                              "more.txt is new",
                              "checksums.csv' doesn't exist",
                              "checksums.csv can't be read",
                              "24 runs, 6 with problems"})
    CHECK_THAT(verified.out, Contains(problem));
  const auto collected = folder.posse("collect sweeps/small");
  CHECK(collected.code == 11);
  CHECK_THAT(collected.err, Contains("results.json"));
  const auto removed = folder.posse("store remove sweeps/small --damaged");
  CHECK_THAT(removed.out, Contains("removed 6 runs"));
  CHECK(fs::exists(folder.store() / "runs" / "holiday-pictures"));
  folder.sweep("");
  CHECK(lines(folder.table()) == 25);
}

TEST_CASE("damaged plans, stores that are none and wrong arguments end with a clear error") {
  const SweepFolder folder;
  const auto check = [&](const std::string& arguments, int code, const std::string& message) {
    const auto outcome = folder.posse(arguments);
    INFO(arguments << "\n" << outcome.err);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, Contains(message));
  };
  check("collect nowhere", 11, "is not a store");
  check("store list nowhere", 11, "is not a store");
  check("store verify small.toml", 11, "is not a store");
  check("store remove nowhere", 2, "nothing is chosen");
  check("store", 2, "");
  check("sweep small.toml --shard 3/2", 2, "part 3 of 2 doesn't exist");
  check("sweep small.toml --shard auto", 2, "no engine of arrays of jobs");
  check("sweep nowhere.toml", 3, "doesn't exist");
  check("run small.toml", 3, "`posse sweep`");
  check("sweep small.toml --store small.toml", 11, "small.toml");
  folder.sweep("");
  folder.sweep("--store other --repeat 2");
  check("collect sweeps/small other", 11, "plans other runs than");
  write_file(folder.store() / "plan.csv", "key,setting\n");
  check("collect sweeps/small", 11, "does not begin with the columns");
  write_file(folder.store() / "plan.csv", "key,setting,algorithm,repetition\nx,1,a,0\n");
  check("collect sweeps/small", 11, "line 2 is not a run of a plan");
  fs::remove(folder.store() / "plan.csv");
  check("collect sweeps/small", 11, "plan.csv' doesn't exist");
}

TEST_CASE("a store that can't be written is refused before the first run") {
  const SweepFolder folder;
  fs::create_directories(folder.store());
  write_file(folder.store() / "tmp", "in the way");
  const auto outcome = folder.posse("sweep small.toml");
  CHECK(outcome.code == 11);
  CHECK_THAT(outcome.err, Contains("tmp"));
  CHECK_FALSE(fs::exists(folder.store() / "plan.csv"));
}

TEST_CASE(
    "a file that can't be written ends a sweep, keeps what is finished and leaves no damage") {
  const SweepFolder folder;
  folder.sweep("--repeat 1 --shard 1/2");
  // Files above 4 KiB fail, as on a full disk.
  const auto command = fmt::format(
      "cd '{}' && (trap '' XFSZ; ulimit -f 8; exec '{}' sweep small.toml) >out.txt 2>err.txt",
      folder.path(),
      test::posse_executable());
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 11);
  CHECK_THAT(folder.content("err.txt"),
             Contains("finished runs are kept; the same command goes on"));
  CHECK_THAT(folder.content("err.txt"), Contains("can't be written"));
  CHECK(folder.entries().size() == 4);
  CHECK(folder.posse("store verify sweeps/small").code == 0);
  folder.sweep("");
  CHECK(lines(folder.table()) == 25);
}

TEST_CASE("a sweep whose file changes while it runs stops, instead of mixing both") {
  const SweepFolder folder;
  folder.write("latency.csv", "latency_ms\n1\n2\n");
  folder.write("small.toml",
               kSweep + "\"population.clients\" = { from = 1, to = 300, steps = 300 }\n");
  test::ChildProcess sweep({test::posse_executable(),
                            "sweep",
                            "small.toml",
                            "--set",
                            "network.latency={ kind = \"empirical\", file = \"latency.csv\" }",
                            "--set",
                            "sweep.network.latency=",
                            "--jobs",
                            "1"},
                           folder.path(),
                           "sweep");
  REQUIRE(test::comes_true([&] { return fs::exists(folder.store() / "plan.csv"); }));
  folder.write("latency.csv", "latency_ms\n3\n");
  REQUIRE(sweep.wait(std::chrono::seconds(60)) == 11);
  CHECK_THAT(sweep.err(), Contains("was changed while the sweep ran"));
  CHECK(folder.posse("store verify sweeps/small").code == 0);
}

TEST_CASE("a store is listed, verified and cleared as JSON") {
  const SweepFolder folder;
  folder.sweep("");
  const auto json = [&](const std::string& arguments) {
    const auto outcome = folder.posse("store " + arguments + " --json");
    CHECK(outcome.code == 0);
    return nlohmann::json::parse(outcome.out);
  };
  const auto list = json("list sweeps/small");
  CHECK(list["runs"] == list["settings"].size() * 3);
  CHECK(list["settings"][0]["planned"] == 3);
  CHECK(list["settings"][0]["there"] == 3);
  CHECK(list["settings"][0]["values"].size() == 2);
  const auto verified = json("verify sweeps/small");
  CHECK(verified["runs"] == list["runs"]);
  CHECK(verified["damaged"] == 0);
  CHECK(verified["problems"].empty());
  CHECK(json("remove sweeps/small --stale")["removed"] == 0);
}

TEST_CASE("a store lists what is planned and there") {
  const SweepFolder folder;
  folder.sweep("--shard 1/2");
  const auto listed = folder.posse("store list sweeps/small");
  CHECK(listed.code == 0);
  CHECK_THAT(listed.out, Contains("setting"));
  CHECK_THAT(listed.out, Contains("12 runs, 0 not planned any more"));
  folder.sweep("--repeat 1");
  CHECK_THAT(folder.posse("store list sweeps/small").out, Contains("not planned any more (stale)"));
  const auto key = folder.entries().front().key;
  CHECK_THAT(folder.posse("store remove sweeps/small " + key).out, Contains("removed 1 run"));
  CHECK_THAT(folder.posse("store remove sweeps/small --stale").out, Contains("removed"));
}

}  // namespace posse::test_sweep
