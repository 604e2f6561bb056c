// SPDX-License-Identifier: Apache-2.0
// Through the built executable: exit codes, files, standard output.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/support/executable.hpp"
#include "tests/support/plain_http.hpp"
#include "tests/support/program_folder.hpp"

namespace test_command_line {

using namespace posse;

namespace {

const std::string kEcho =
    R"(name = "e"
[[algorithm]]
kind = "echo"
rounds = 3
[population]
clients = 4
[network]
latency = "50 ms"
)";

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

}  // namespace

TEST_CASE("every kind of bad scenario ends with exit code 3 and says why") {
  const ProgramFolder folder;
  const auto check =
      [&](const std::string& name, const std::string& text, const std::string& message) {
        folder.write(name, text);
        const auto outcome = folder.posse("run " + name);
        CHECK(outcome.code == 3);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, has(message));
        CHECK_FALSE(fs::exists(folder / "runs"));
      };
  check("unknown.toml", kEcho + "latenzy = 1\n", "did you mean 'latency'?");
  check("wrong-unit.toml", kEcho + "rate = \"10 ms\"\n", "unknown unit 'ms'");
  check("no-unit.toml", kEcho + "rate = 10\n", "has no unit");
  check("negative.toml", kEcho + "duplication = -0.5\n", "out of range");
  check("nan.toml", kEcho + "duplication = nan\n", "not a finite number");
  check("zero-rate.toml", kEcho + "rate = \"0 Mbit/s\"\n", "not above 0");
  check("lost.toml",
        kEcho + "transport = \"reliable\"\nloss = { kind = \"bernoulli\", p = 1 }\n",
        "loses everything");
  check("empty.toml", "", "is empty");
  check("binary.toml",
        std::string("\x7f"
                    "ELF\0\0\x01",
                    7),
        "is a binary file");
  check("latin1.toml", "name = \"\xff\xfe\"\n", "not valid TOML");
  check("large.toml", std::string(10'000'000, '#'), "is larger than 1 MiB");
  check("syntax.toml", "name = \n", "syntax.toml:1: error: not valid TOML");
  const auto directory = folder.posse("run .");
  CHECK(directory.code == 3);
  CHECK_THAT(directory.err, has("is a directory"));
  folder.write("e.toml", kEcho);
  CHECK(folder.posse("run e.toml --set population.clients=0").code == 3);
  CHECK(folder.posse("run nowhere.toml").code == 3);
}

TEST_CASE("check, list and describe print JSON on standard output") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const auto json = [&](const std::string& arguments, int code) {
    const auto outcome = folder.posse(arguments + " --json");
    CHECK(outcome.code == code);
    CHECK(outcome.err.empty());
    return nlohmann::json::parse(outcome.out);
  };
  const auto valid = json("check e.toml", 0);
  CHECK(valid["valid"] == true);
  CHECK(valid["algorithms"] == nlohmann::json{"echo"});
  CHECK(valid["errors"].empty());
  CHECK(json("check e.toml --set 'thresholds.rounds=\"p(90) < 3\"'", 0)["warnings"].size() == 1);
  const auto wrong = json("check e.toml --set network.latenzy=1 --set network.order=1", 3);
  CHECK(wrong["valid"] == false);
  REQUIRE(wrong["errors"].size() == 2);
  CHECK(wrong["errors"][0]["key"] == "network.latenzy");
  CHECK(wrong["errors"][0]["nearest"] == "latency");
  CHECK(json("check nowhere.toml", 3)["errors"].size() == 1);
  for (const auto& row : json("list networks", 0))
    CHECK((row["category"] == "latencies" || row["category"] == "losses"));
  CHECK(json("list measures", 0).size() == 14);
  CHECK(json("list", 0).size() > 150);
  const auto server = json("describe server", 0);
  CHECK(server[0]["sections"][0]["keys"][0]["choices"] ==
        nlohmann::json{"all", "quorum", "deadline"});
  const auto algorithm = json("describe fed-pne", 0);
  CHECK(algorithm[0]["topology"] == "star");
  CHECK(algorithm[0]["parameters"][0]["name"] == "nu1");
  CHECK(json("describe posse_runs_active", 0)[0]["labels"].empty());
  CHECK(folder.posse("describe nothing-like-it --json").code == 2);
  CHECK(nlohmann::json::parse(folder.posse("schema").out)["properties"].contains("network"));
}

TEST_CASE("a label of a run is in its metadata, its scenario and the names of a comparison") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  for (const auto* label : {"one", "two"})
    CHECK(
        folder.posse("run e.toml --quiet --out " + std::string(label) + " --label " + label).code ==
        0);
  const auto metadata = nlohmann::json::parse(read_file(folder / "one/e/latest/metadata.json"));
  CHECK(metadata["label"] == "one");
  CHECK_THAT(read_file(folder / "one/e/latest/scenario.toml"), has("\nlabel = \"one\"\n"));
  const auto compared = folder.posse("compare one/e two/e");
  INFO(compared.err);
  CHECK(compared.code == 0);
  CHECK_THAT(compared.out, has("From one to two"));
  CHECK_THAT(folder.posse("run e.toml --label ''").err,
             has("is empty, too long or not one printable line"));
}

TEST_CASE("the trace of rounds prints a line per round on standard error") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const auto outcome = folder.posse("run e.toml --quiet --trace rounds");
  CHECK(outcome.code == 0);
  CHECK(outcome.err.starts_with("echo, repetition 0, round 1: 0 s to 100 ms; "));
  CHECK_THAT(outcome.err, has("propagation 100 ms"));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 3);
}

TEST_CASE("a run without actors has the same results") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const auto with = folder.posse("run e.toml --out with");
  const auto without = folder.posse("run e.toml --light --out without");
  CHECK(without.code == 0);
  const auto fingerprint = with.out.find("fingerprint ");
  REQUIRE(fingerprint != std::string::npos);
  CHECK_THAT(without.out, has(with.out.substr(fingerprint, 28).c_str()));
}

TEST_CASE("a wrong command line ends with exit code 2") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  for (const auto* arguments : {"",
                                "fly",
                                "run",
                                "run e.toml --nonsense",
                                "run e.toml --threads 0",
                                "run e.toml --light --kernel serial",
                                "run e.toml --trace everything",
                                "describe nothing-like-it",
                                "list algoritms"})
    CHECK(folder.posse(arguments).code == 2);
  for (const auto& [arguments, problem] :
       {std::pair{"run e.toml --pace 0", "--pace: '0' is not a number above 0"},
        {"run e.toml --pace nan", "--pace: 'nan' is not a number above 0"},
        {"run e.toml --pace inf", "--pace: 'inf' is not a number above 0"},
        {"run e.toml --repeat 0", "--repeat: '0' is not a whole number of at least 1"},
        {"run e.toml --repeat 99999999999", "'99999999999' is not a whole number of at least 1"},
        {"plot x --regret -1", "--regret: '-1' is not a number of at least 0"}}) {
    const auto refused = folder.posse(arguments);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.out + refused.err, has(problem));
  }
  CHECK(folder.posse("--version").code == 0);
  CHECK(folder.posse("--help").code == 0);
}

TEST_CASE("a mistyped verb or flag is answered with the nearest name") {
  const ProgramFolder folder;
  for (const auto& [arguments, nearest] :
       {std::pair{"rnu x.toml", "there is no verb 'rnu'; did you mean 'run'?"},
        {"--color never swep", "there is no verb 'swep'; did you mean 'sweep'?"},
        {"fly", "there is no verb 'fly'; posse --help lists all verbs"},
        {"--hlep", "there is no flag '--hlep'; did you mean '--help'?"},
        {"run x.toml --detials", "there is no flag '--detials'; did you mean '--details'?"},
        {"run x.toml --repaet=3", "there is no flag '--repaet'; did you mean '--repeat'?"},
        {"run x.toml --loss=0.1",
         "there is no flag '--loss'; a key of the scenario is set with --set network.loss=VALUE"},
        {"run x.toml --nonsense", "there is no flag '--nonsense'; posse run --help lists all"}}) {
    const auto outcome = folder.posse(arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Matchers::StartsWith(nearest));
    CHECK(outcome.out.empty());
  }
  // A flag of a verb's verb is known, whatever else is wrong.
  const auto store = folder.posse("store remove --stale");
  CHECK(store.code == 2);
  CHECK_THAT(store.out + store.err, has("STORE is required") && !has("there is no flag"));
}

TEST_CASE("posse alone names three commands to begin with") {
  const ProgramFolder folder;
  const auto outcome = folder.posse("");
  CHECK(outcome.code == 2);
  for (const auto* command : {"posse run ", "quickstart.toml", "posse new ", "posse list "})
    CHECK_THAT(outcome.err, has(command));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') < 15);
}

TEST_CASE("a scenario can come from standard input") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  CHECK_THAT(folder.posse("check - <e.toml").out, has("-: valid: 1 algorithm"));
  CHECK_THAT(folder.posse("check - --json <e.toml").out, has("\"valid\": true"));
  CHECK(folder.posse("run - <e.toml").code == 0);
  CHECK_THAT(folder.posse("check - </dev/null").err, has("-: error: is empty"));
  const auto endless = folder.posse("check - </dev/zero");
  CHECK(endless.code == 3);
  CHECK_THAT(endless.err, has("bytes"));
}

TEST_CASE("colours are for terminals, or for whoever asks for them") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const std::string escape = "\033[";
  const auto colored = [&](const std::string& arguments) {
    const auto outcome = folder.posse(arguments);
    CHECK(outcome.code == 0);
    return outcome.out.find(escape) != std::string::npos;
  };
  CHECK_FALSE(colored("run e.toml"));
  CHECK(colored("run e.toml --color always"));
  CHECK(colored("--color always run e.toml"));
  CHECK_FALSE(colored("run e.toml --color never"));
  CHECK(folder.posse("run e.toml --color sometimes").code == 2);
  CHECK_THAT(folder.posse("run nope.toml --color always").err,
             has("\033[1;31m(exit code 3)\033[0m"));
  // Files are for every reader.
  CHECK(content(folder / "runs/e/latest/results.json").find(escape) == std::string::npos);
}

TEST_CASE("what run prints fits a screen, and --details and show print everything") {
  const ProgramFolder folder;
  const auto scenario = std::string(POSSE_SOURCE_DIR) + "/scenarios/quickstart.toml";
  const auto brief = folder.posse("run '" + scenario + "'");
  CHECK(brief.code == 0);
  CHECK(std::count(brief.out.begin(), brief.out.end(), '\n') <= 28);
  CHECK_THAT(brief.out,
             has("bounds and identities: 14 of 14 hold, 2 do not apply; message ledger "));
  CHECK_THAT(brief.err, has(" show runs/quickstart/"));
  const auto details = folder.posse("run '" + scenario + "' --details");
  CHECK_THAT(details.out, has("\n  identities\n") && has("\n  notes:\n"));
  CHECK(folder.posse("show runs/quickstart").out == details.out);
  const auto missing = folder.posse("show nowhere");
  CHECK(missing.code == 11);
  CHECK_THAT(missing.err, has("nowhere"));
}

TEST_CASE("a port that is taken is answered with how to get a free one") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const test::LoopbackListener listener([](const auto&) {});
  const auto outcome =
      folder.posse("run e.toml --serve=127.0.0.1:" + std::to_string(listener.port()));
  CHECK(outcome.code == 10);
  CHECK_THAT(outcome.err, has("can't be bound") && has("--serve=:0"));
}

TEST_CASE("pictures of runs that did not finish are announced as such") {
  const ProgramFolder folder;
  folder.write("s.toml", R"(
name = "s"
[[algorithm]]
kind = "fed-pne"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
[network]
loss = 0.9
)");
  CHECK(folder.posse("run s.toml").code == 7);
  const auto plots = folder.posse("plot runs/s");
  CHECK(plots.code == 0);
  CHECK_THAT(plots.err, has("warning: 1 of 1 runs did not finish"));
}

TEST_CASE("results that can't be written end with exit code 11 before anything runs") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  folder.write("taken", "");
  const auto outcome = folder.posse("run e.toml --out taken");
  CHECK(outcome.code == 11);
  CHECK_THAT(outcome.err, has("taken"));
}

TEST_CASE("a run leaves a whole folder whose scenario runs again to the same results") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  REQUIRE(folder.posse("run e.toml --trace messages").code == 0);
  const auto latest = folder / "runs/e/latest";
  for (const auto* file : {"scenario.toml",
                           "metadata.json",
                           "results.json",
                           "rounds.csv",
                           "regret.csv",
                           "messages.csv.gz"})
    CHECK(fs::exists(latest / file));
  const auto results = content(latest / "results.json");
  // 3 rounds of one round trip each, 4 clients.
  CHECK_THAT(results, has("\"virtual_s\": 0.3"));
  fs::copy_file(latest / "scenario.toml", folder / "again.toml");
  REQUIRE(folder.posse("run again.toml --threads 3").code == 0);
  CHECK(content(folder / "runs/e/latest/results.json") == results);
  CHECK(folder.posse("run e.toml --json").out == results);
  CHECK(folder.posse("run e.toml --json --kernel serial").out == results);
  for (const auto& entry : fs::directory_iterator(folder / "runs/e"))
    CHECK(entry.path().filename().string().front() != '.');
}

TEST_CASE("two algorithms are compared on standard output, in results.json and comparison.csv") {
  const ProgramFolder folder;
  folder.write("two.toml",
               R"(name = "two"
repeat = 3
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random-exchange"
[population]
clients = 2
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
)");
  const auto outcome = folder.posse("run two.toml");
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, has("two: 2 algorithms, 3 repetitions, paired by seed"));
  CHECK_THAT(outcome.out,
             has("fed-pne is best on cumulative regret: random-exchange's cumulative regret is"));
  const auto latest = folder / "runs/two/latest";
  CHECK_THAT(content(latest / "results.json"), has("\"ratio_interval_95\": ["));
  const auto csv = content(latest / "comparison.csv");
  for (const auto* row : {"\ncumulative_regret,,fed-pne,3,",
                          "\ncumulative_regret,128,random-exchange,3,",
                          "\nlocal_simple_regret,,fed-pne,3,",
                          "\nevaluations,,random-exchange,3,400,0,,,,,,fed-pne,0,0,0\n"})
    CHECK_THAT(csv, has(row));
  // One algorithm has nothing to be compared with.
  folder.write("one.toml", kEcho);
  CHECK_THAT(folder.posse("run one.toml").out, !has("paired by seed"));
  CHECK_FALSE(fs::exists(folder / "runs/e/latest/comparison.csv"));
}

TEST_CASE(
    "a lost message without retransmission stalls the run: exit code 7 and how to repeat it") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho + R"([[network.drop]]
type = "EchoReply"
round = 2
from = "client-3"
)");
  const auto outcome = folder.posse("run e.toml");
  CHECK(outcome.code == 7);
  CHECK_THAT(outcome.err, has("EchoReply of round 2 from client-3 to server"));
  CHECK_THAT(outcome.err, has(test::posse_executable() + " run e.toml --seed 1 --repetition 0"));
  CHECK_THAT(content(folder / "runs/e/latest/results.json"), has("\"status\": \"stalled\""));
}

TEST_CASE("a limit ends a run with exit code 7") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  CHECK(folder.posse("run e.toml --set 'limits.virtual_time=120 ms'").code == 7);
}

TEST_CASE("new writes a scenario that runs, and overwrites nothing") {
  const ProgramFolder folder;
  REQUIRE(folder.posse("new mine").code == 0);
  CHECK(folder.posse("check mine.toml").code == 0);
  CHECK(folder.posse("plan mine.toml").code == 0);
  CHECK(folder.posse("run mine.toml --quiet").code == 0);
  CHECK(folder.posse("new mine").code == 11);
}

TEST_CASE("flags win over --set, --set over the environment, the environment over the file") {
  const ProgramFolder folder;
  folder.write("e.toml", "seed = 1\n" + kEcho);
  const auto resolved = [&](const std::string& before, const std::string& after) {
    const auto command = "cd '" + (folder / "").string() + "' && " + before + " '" +
                         test::posse_executable() + "' check -v e.toml " + after + " > seen.txt";
    REQUIRE(std::system(command.c_str()) == 0);
    return content(folder / "seen.txt");
  };
  CHECK_THAT(resolved("", ""), has("seed = 1\n"));
  CHECK_THAT(resolved("POSSE_SEED=2", ""), has("seed = 2\n"));
  CHECK_THAT(resolved("POSSE_SEED=2", "--set seed=3"), has("seed = 3\n"));
  CHECK_THAT(resolved("POSSE_SEED=2", "--set seed=3 --seed 4"), has("seed = 4\n"));
}

TEST_CASE("describe shows what list lists") {
  const ProgramFolder folder;
  for (const auto* kind :
       {"echo", "parallel", "fed-pne", "random", "garland", "gilbert-elliott", "lognormal"}) {
    CHECK_THAT(folder.posse("list").out, has(kind));
    CHECK(folder.posse(std::string("describe ") + kind).code == 0);
  }
}

TEST_CASE("an interrupted run writes what there is and ends with 130, a terminated one with 143") {
  const ProgramFolder folder;
  const auto scenario = folder.write("e.toml", kEcho).string();
  const auto out = (folder / "runs").string();
  const auto executable = test::posse_executable();
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // Paced so slowly that it can't end by itself within the test: 0.3 s of virtual time.
      execl(executable.c_str(),
            "posse",
            "run",
            scenario.c_str(),
            "--quiet",
            "--pace",
            "0.02",
            "--out",
            out.c_str(),
            nullptr);
      _exit(127);
    }
    // Signals are caught before the folder is made.
    while (!fs::exists(folder / "runs/e")) std::this_thread::yield();
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == code);
    CHECK(fs::exists(folder / "runs/e/latest/results.json"));
    fs::remove_all(folder / "runs");
  }
}

}  // namespace test_command_line
