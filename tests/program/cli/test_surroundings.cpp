// SPDX-License-Identifier: Apache-2.0
// The program where its surroundings fail: standard streams, signals, threads, memory.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "program/base/files.hpp"
#include "program/results/stored_run.hpp"
#include "program/run/memory.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/scenario.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace test_surroundings {

using namespace posse;
using namespace std::chrono_literals;

namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

const std::string kSmall = R"(
name = "small"
repeat = 2
[[algorithm]]
kind = "random"
[population]
clients = 2
[objective]
kind = "sine"
[budget]
evaluations_per_client = 100
)";

/// Every evaluation takes milliseconds, and the mean over the clients takes far longer: minutes in
/// all.
const std::string kSlow = R"(
name = "slow"
[[algorithm]]
kind = "uniform-grid"
[population]
clients = 400
[objective]
kind = "doses"
[budget]
evaluations_per_client = 2000
)";

class Surroundings : public ProgramFolder {
 public:
  Surroundings() {
    write("small.toml", kSmall);
    write("slow.toml", kSlow);
  }
  /// The exit code of `posse ARGUMENTS`, with the shell's redirections in them.
  int shell(const std::string& arguments) const {
    const auto command = "cd '" + path() + "' && '" + test::posse_executable() + "' " + arguments;
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::vector<std::string> command(const std::string& verb, const std::string& file) const {
    return {test::posse_executable(), verb, file};
  }
  std::string status() const {
    return nlohmann::json::parse(content("runs/slow/latest/metadata.json")).at("status");
  }
};

constexpr auto kSoon = 20s;  // far less than the minutes that the work would take

}  // namespace

TEST_CASE("a standard error that can't be written doesn't stop a run") {
  const Surroundings folder;
  for (const std::string streams :
       {">/dev/null 2>/dev/full", ">/dev/null 2>&-", ">&- 2>/dev/full"}) {
    INFO(streams);
    fs::remove_all(folder / "runs");
    CHECK(folder.shell("run small.toml " + streams) == 0);
    CHECK(fs::exists(folder / "runs/small/latest/report.html"));
  }
  CHECK(folder.shell("run nope.toml 2>/dev/full") == 3);
}

TEST_CASE("a reader that closes standard error or output early doesn't stop a run") {
  const Surroundings folder;
  for (const std::string streams : {"2>&1 >/dev/null", "2>/dev/null"}) {
    INFO(streams);
    fs::remove_all(folder / "runs");
    const auto command = "cd '" + folder.path() + "' && { '" + test::posse_executable() +
                         "' run small.toml --progress bar " + streams +
                         "; echo $? >code.txt; } | true";
    CHECK(std::system(command.c_str()) == 0);
    CHECK(folder.line_of("code.txt") == "0");
    CHECK(fs::exists(folder / "runs/small/latest/report.html"));
  }
}

TEST_CASE("closed standard streams take no other file's place") {
  const Surroundings folder;
  CHECK(folder.shell("run small.toml <&- >&- 2>&-") == 0);
  CHECK_NOTHROW(StoredRun(folder / "runs/small"));
  CHECK(folder.shell("report runs/small --out x.html <&- >&- 2>&-") == 0);
  CHECK_THAT(folder.content("x.html"), has("<!doctype html>"));
}

TEST_CASE("output that is lost is an error") {
  const Surroundings folder;
  for (const std::string verb : {"check small.toml",
                                 "check small.toml --json",
                                 "plan small.toml",
                                 "list",
                                 "describe hct",
                                 "schema",
                                 "run small.toml",
                                 "--help",
                                 "--version"}) {
    INFO(verb);
    CHECK(folder.shell(verb + " >/dev/full 2>err.txt") == 11);
    CHECK_THAT(folder.content("err.txt"), has("standard output can't be written: No space left"));
  }
  CHECK(fs::exists(folder / "runs/small/latest/report.html"));
  CHECK(folder.shell("check nope.toml >/dev/full 2>/dev/null") == 3);
}

TEST_CASE("a signal ends a run in the middle of evaluations, with its results") {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    const Surroundings folder;
    test::ChildProcess run(folder.command("run", "slow.toml"), folder.path(), "run");
    run.line_after("uniform-grid");
    run.signal(signal);
    INFO(run.err());
    CHECK(run.wait(kSoon) == code);
    CHECK(folder.status() == "stopped");
    CHECK_THAT(run.err(), has("stopped by a signal"));
  }
}

TEST_CASE("a signal that was ignored when the program started stays ignored: nohup") {
  const Surroundings folder;
  const auto command = "trap '' HUP; exec '" + test::posse_executable() + "' run slow.toml";
  test::ChildProcess run({"/bin/sh", "-c", command}, folder.path(), "run");
  run.line_after("uniform-grid");
  run.signal(SIGHUP);
  CHECK(!run.wait(500ms));
  run.signal(SIGTERM);
  CHECK(run.wait(kSoon) == 143);
}

TEST_CASE("the limit of wall time holds in the middle of evaluations") {
  const Surroundings folder;
  test::ChildProcess run(
      {test::posse_executable(), "run", "slow.toml", "--set", "limits.wall_time=1 s"},
      folder.path(),
      "run");
  CHECK(run.wait(kSoon) == 7);
  CHECK_THAT(run.err(), has("the limit of 1 s of wall time was reached"));
  CHECK(folder.status() == "limit_reached");
}

TEST_CASE("a signal ends a sweep in the middle of evaluations, and keeps finished runs") {
  const Surroundings folder;
  folder.write("many.toml", kSlow + R"([sweep]
"objective.kind" = ["sine", "doses"]
)");
  test::ChildProcess sweep(
      {test::posse_executable(), "sweep", "many.toml", "--jobs", "1"}, folder.path(), "sweep");
  sweep.line_after("1 of 2 runs", 90s);
  sweep.signal(SIGINT);
  CHECK(sweep.wait(kSoon) == 130);
  const auto again = folder.posse("sweep many.toml --quiet --set sweep= --set objective.kind=sine");
  CHECK_THAT(again.err, has("1 there before, 0 made"));
}

TEST_CASE("what a killed run left is removed by the next one") {
  const Surroundings folder;
  {
    test::ChildProcess run(folder.command("run", "slow.toml"), folder.path(), "run");
    run.line_after("uniform-grid");
    run.signal(SIGKILL);
    run.wait(kSoon);
  }
  const auto leftovers = [&] {
    std::size_t found = 0;
    for (const auto& entry : fs::directory_iterator(folder / "runs/slow"))
      found += entry.path().filename().string().starts_with(".tmp-");
    return found;
  };
  CHECK(leftovers() == 2);  // the folder and its lock
  CHECK(folder.posse("report runs/slow").code == 11);
  CHECK(folder.posse("run small.toml --set name=slow --quiet").code == 0);
  CHECK(leftovers() == 0);
}

TEST_CASE("files that a killed program did not finish are removed when they are written again") {
  const Surroundings folder;
  const auto of = [](const std::string& process) {
    return ".x.html-" + host_name() + "-" + process;
  };
  const auto dead = of("999999999"), living = of(std::to_string(getpid())),
             elsewhere = std::string(".x.html-elsewhere!-999999999");
  for (const auto& name : {dead, living, elsewhere}) folder.write(name, "half");
  REQUIRE(folder.posse("run small.toml --quiet").code == 0);
  REQUIRE(folder.posse("report runs/small --out x.html").code == 0);
  CHECK(!fs::exists(folder / dead));
  CHECK(fs::exists(folder / living));
  CHECK(fs::exists(folder / elsewhere));
}

TEST_CASE("a run that doesn't fit into memory is refused, with its largest part") {
  const Surroundings folder;
  const auto refused = folder.posse("run small.toml --set population.clients=100000000");
  CHECK(refused.code == 7);
  CHECK_THAT(refused.err, has("random: a run needs about"));
  CHECK_THAT(refused.err, has("for 100000001 nodes"));
  CHECK_THAT(refused.err, has("--any-memory starts it all the same"));
  CHECK(!fs::exists(folder / "runs"));
  const auto swept = folder.posse("sweep small.toml --quiet --set population.clients=100000000");
  CHECK(swept.code == 8);
  CHECK_THAT(swept.err, has("a run needs about"));
}

TEST_CASE("a hundred million clients are checked and planned without being built") {
  const Surroundings folder;
  for (const std::string sets : {"",
                                 " --set 'objective.heterogeneity={kind=\"shift\",scale=0.01}' "
                                 "--set algorithm.random.kind=fed-pne"}) {
    CHECK(folder.posse("check small.toml --set population.clients=100000000" + sets).code == 0);
    const auto plan =
        folder.posse("plan small.toml --json --set population.clients=100000000" + sets);
    REQUIRE(plan.code == 0);
    CHECK(nlohmann::json::parse(plan.out)["algorithms"][0]["memory_bytes_estimate"] > 1e11);
  }
}

TEST_CASE("runs wait for the memory of others, and those that can never fit fail") {
  const MemoryForecast forecast{{{"the program", 10}, {"5 nodes", 90}}};
  CHECK(forecast.bytes() == 100);
  CHECK(memory_refusal(forecast, 100).empty());
  CHECK(memory_refusal(forecast, 99) ==
        "a run needs about 100 B of memory, 90 B of them for 5 nodes; 99 B are available");
  MemoryGate gate(150);
  gate.enter(forecast);
  bool second = false;
  std::jthread other([&] {
    gate.enter(forecast);
    second = true;
    gate.leave(forecast);
  });
  CHECK(!second);
  gate.leave(forecast);
  other.join();
  CHECK(second);
  CHECK_THROWS_WITH(MemoryGate(99).enter(forecast), has("--any-memory"));
}

TEST_CASE("a latency beyond the range of virtual time ends the run, not as Posse's failure") {
  const Surroundings folder;
  folder.write("far.toml", "name = \"far\"\n" + test::kTwoAlgorithms);
  const auto far = folder.posse(
      "run far.toml --set network.latency='\"9000000000 s\"' --set network.transport=datagram");
  CHECK(far.code == 7);
  CHECK_THAT(far.err, has("virtual time exceeded its range"));
}

TEST_CASE("a seed that is no signed 64-bit number is named as it was given") {
  const Surroundings folder;
  for (const std::string seed : {"18446744073709551616", "9223372036854775808", "-1", "1.5", "x"}) {
    const auto refused = folder.posse("run small.toml --seed " + seed);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err,
               has("'" + seed + "' is not a whole number from 0 to 9223372036854775807"));
  }
}

}  // namespace test_surroundings
