// SPDX-License-Identifier: Apache-2.0
// Input that once ended the program, stopped it, or came out whole in an error: each is refused by
// the key or the file that is wrong.
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/support/program_folder.hpp"

namespace test_bad_input {

using namespace posse;
using Catch::Contains;

namespace {

const std::string kFederation =
    R"(seed = 1
[[algorithm]]
kind = "fed-pne"
[population]
clients = 3
[budget]
evaluations_per_client = 40
[objective]
)";
const std::string kEcho =
    R"([[algorithm]]
kind = "echo"
rounds = 2
[population]
clients = 2
[network]
)";

void check_refused(const ProgramFolder& folder,
                   const std::string& scenario,
                   const std::string& problem) {
  folder.write("s.toml", scenario);
  for (const auto* verb : {"check", "plan", "run"}) {
    const auto outcome = folder.posse(std::string(verb) + " s.toml");
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains(problem));
    CHECK(outcome.err.size() < 4000);
  }
}

}  // namespace

TEST_CASE("numbers are refused whose squares are beyond those that a computer has") {
  const ProgramFolder folder;
  const std::string arms =
      R"([[algorithm]]
kind = "f-lcb"
[budget]
pulls = 40
[[arm]]
kind = "noisy"
)";
  const std::string problem = "is too large, or too close to 0";
  for (const std::string number : {"5e-324", "-1e-151", "1e151"}) {
    check_refused(folder, arms + "mu = " + number, "arm.0.mu: " + problem);
    check_refused(folder, arms + "minima = [0, " + number + "]", "arm.0.minima: " + problem);
  }
  check_refused(folder, kFederation + "kind = \"doses\"\ni0 = 5e-324", "objective.i0: " + problem);
  check_refused(folder, arms + "box = 5e-324", "arm.0.box: " + problem);
}

TEST_CASE("numbers so small that a component can't work with them are out of range") {
  const ProgramFolder folder;
  check_refused(
      folder, kFederation + "kind = \"doses\"\ni0 = 1e-100\n", "objective.i0: is out of range");
  check_refused(folder,
                R"([[algorithm]]
kind = "f-lcb"
[budget]
pulls = 40
[[arm]]
kind = "noisy"
box = 1e-100
)",
                "arm.0.box: is out of range");
}

TEST_CASE("auto is no value of a parameter that must be given") {
  const ProgramFolder folder;
  const std::string garland = kFederation + R"(kind = "garland"
[network]
)";
  check_refused(folder,
                garland + "loss = { kind = \"bernoulli\", p = \"auto\" }\n",
                "network.loss.p: is not a number");
  check_refused(folder,
                garland + "latency = { kind = \"constant\", value = \"auto\" }\n",
                "network.latency.value: ");
  check_refused(folder,
                kFederation + "kind = \"table\"\nfile = \"auto\"\n",
                "objective.file: there is no file 'auto'");
}

TEST_CASE("an empty name of a folder is refused") {
  const ProgramFolder folder;
  check_refused(folder,
                kFederation + "kind = \"external\"\ncommand = \"true\"\nlow = 0\nhigh = 1\n" +
                    "folder = \"\"\n",
                "objective.folder: there is no directory ''");
}

TEST_CASE("a file of a scenario is a regular file of a sensible size") {
  const ProgramFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto with_file = [](const std::string& file) {
    return kFederation + "kind = \"table\"\nfile = \"" + file + "\"\n";
  };
  check_refused(folder, with_file("/proc/self/mem"), "objective.file: '/proc/self/mem' can't be");
  check_refused(folder, with_file("/dev/zero"), "'/dev/zero' is not a regular file");
  check_refused(folder, with_file("pipe"), "pipe' is not a regular file");
  check_refused(folder, with_file("."), "is a directory");
  const auto large = folder.write("large.csv", "");
  fs::resize_file(large, (std::uintmax_t{64} << 20) + 1);  // takes no space
  check_refused(folder, with_file("large.csv"), "large.csv' is larger than 64 MiB");
}

TEST_CASE("scenarios and plug-ins that are no regular files are refused, not waited for") {
  const ProgramFolder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  folder.write("e.toml", kEcho);
  for (const auto* file : {"pipe", "/dev/zero", "/proc/self/mem"}) {
    const auto outcome = folder.posse("check " + std::string(file));
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains(file));
  }
  for (const auto* file : {"pipe", "/dev/zero"}) {
    const auto outcome = folder.posse("check e.toml --plugin " + std::string(file));
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("is not a regular file"));
  }
}

TEST_CASE("a huge cell of a file and a huge key are shortened in errors") {
  const ProgramFolder folder;
  const std::string huge(5'000'000, 'x');
  folder.write("cell.csv", "x1,value\n0," + huge + "\n");
  folder.write("name.csv", "x1," + huge + "\n0,1\n");
  for (const auto* file : {"cell.csv", "name.csv"})
    check_refused(folder,
                  kFederation + "kind = \"table\"\nfile = \"" + file + "\"\n",
                  std::string(60, 'x') + "…");
  const std::string long_text(100'000, 'x');
  check_refused(folder, kEcho + long_text + " = 1\n", "unknown key");
  check_refused(folder, kEcho + "latency = \"" + long_text + "\"\n", "network.latency");
  check_refused(folder, kEcho + "[fault." + long_text + "]\n", "fault");
}

TEST_CASE("a label that controls the terminal or reorders text is refused") {
  const ProgramFolder folder;
  for (const auto* label : {"a\\u202Eb", "a\\u0085b", "a\\u200Bb", "a\\u001Bb", "a\\nb"})
    check_refused(folder,
                  "label = \"" + std::string(label) + "\"\n" + kEcho,
                  "label: is empty, too long or not one printable line");
}

TEST_CASE("errors quote words of the command line shortened and printable") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  const std::string hidden = "$(printf 'a\\033[2J\\342\\200\\256b')";
  for (const std::string& command : {"reproduce \"" + hidden + "\"",
                                     "check e.toml \"" + hidden + "\"",
                                     "describe \"" + hidden + "\""}) {
    const auto outcome = folder.posse(command);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("a\\x1b[2J\\u202eb"));
  }
  const auto outcome = folder.posse("check e.toml " + std::string(50'000, 'x'));
  CHECK(outcome.code == 2);
  CHECK(outcome.err.size() < 7000);
}

TEST_CASE("the seeds of random networks are those of scenarios") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  for (const auto* seed : {"-1", "9223372036854775808"}) {
    const auto outcome = folder.posse(std::string("fates e.toml --random 1 --seed=") + seed);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("is not a whole number from 0 to 9223372036854775807"));
  }
}

TEST_CASE("a pilot of a scenario without a sweep makes its runs") {
  const ProgramFolder folder;
  folder.write("e.toml", kEcho);
  for (const auto* pilot : {"--pilot", "--pilot=1", "--pilot=1000"}) {
    const auto outcome = folder.posse("plan e.toml " + std::string(pilot));
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, Contains("from 1 of 1 repetitions"));
  }
}

}  // namespace test_bad_input
