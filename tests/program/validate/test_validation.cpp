// SPDX-License-Identifier: Apache-2.0
// Simulated beside real runs.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "program/base/files.hpp"
#include "program/validate/validation.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/program_folder.hpp"

namespace test_validation {

using namespace posse;
using namespace std::chrono_literals;

namespace {

auto has(const std::string& part) { return Catch::Matchers::Contains(part); }

RunRecord record_of(double round_ms, std::uint64_t messages = 40) {
  RunRecord record;
  RunOutcome& out = record.result.outcome;
  out.complete_rounds = 2;
  for (int i = 0; i < 2; ++i) {
    RoundRecord& round = out.rounds.emplace_back();
    round.began = Time{} + Duration::seconds(i * round_ms * 1e-3);
    round.ended = round.began + Duration::seconds(round_ms * 1e-3);
  }
  out.paths.rounds = 2;
  out.paths.sum.propagation = Duration::seconds(2 * round_ms * 1e-3);
  out.finished_at = out.rounds.back().ended;
  TypeAccount account;
  account.type = "EchoRequest";
  account.sent = messages;
  account.bytes = account.wire_bytes = 100 * messages;
  account.values = 12 * messages;
  out.accounts.push_back(account);
  account.type = "Ack";
  account.sent = account.bytes = account.wire_bytes = 7;
  account.values = 0;
  out.accounts.push_back(account);
  return record;
}

const Compared& line(const std::vector<Compared>& lines, const std::string& quantity) {
  for (const Compared& one : lines)
    if (one.quantity.find(quantity) != std::string::npos) return one;
  FAIL("no line " << quantity);
  return lines.front();
}

constexpr const char* kFederation = R"(
name = "federation"
seed = 3
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
[population]
clients = 4
[objective]
kind = "garland"
[budget]
evaluations_per_client = 300
[network]
latency = "1 ms"
[[network.node]]
nodes = "server"
rate_up = "100 Mbit/s"
)";

}  // namespace

TEST_CASE("counts must be equal, and times are near within 25 % and close within 10 %") {
  auto lines = compare_real(record_of(10), record_of(10), {4200, 100});
  for (const Compared& one : lines) CHECK(one.holds);
  CHECK(line(lines, "messages").verdict == "equal");
  CHECK(line(lines, "messages").simulated == "40");  // without acknowledgements
  CHECK(line(lines, "messages' bytes at the sockets").verdict == "1.05 times");
  CHECK(line(lines, "time of a round").verdict == "+0.0 %");

  lines = compare_real(record_of(12), record_of(10), {});
  CHECK(line(lines, "time of a round").verdict == "+20.0 %, near");
  CHECK(line(lines, "time of a round").holds);
  CHECK(line(lines, "propagation").verdict == "+20.0 % of the round, near");
  CHECK_FALSE(line(lines, "messages' bytes at the sockets").holds);  // fewer than were sent

  lines = compare_real(record_of(5), record_of(10, 39), {});
  CHECK(line(lines, "time of a round").verdict == "-50.0 %, off");
  CHECK_FALSE(line(lines, "time of a round").holds);
  CHECK(line(lines, "messages").verdict == "differs");
  CHECK(line(lines, "messages").exact);
  CHECK_FALSE(line(lines, "messages").holds);

  lines = compare_real(record_of(5), record_of(10, 39), {}, false);
  CHECK(line(lines, "messages").verdict == "differs, as it may");
  CHECK_FALSE(line(lines, "messages").exact);
}

TEST_CASE("decisions are compared to the bit") {
  auto simulated = record_of(1), measured = record_of(1);
  simulated.result.outcome.regret.recommendation = {0.5};
  measured.result.outcome.regret.recommendation = {0.5};
  CHECK(line(compare_real(simulated, measured, {}), "decisions").holds);
  measured.result.outcome.regret.recommendation = {std::nextafter(0.5, 1.0)};
  CHECK_FALSE(line(compare_real(simulated, measured, {}), "decisions").holds);
}

TEST_CASE_METHOD(ProgramFolder, "validate runs for real and simulated, compares, and keeps both") {
  write("federation.toml", kFederation);
  test::ChildProcess program(
      {test::posse_executable(), "validate", "federation.toml", "--processes", "3"},
      path(),
      "validate");
  REQUIRE(program.wait(60s) == 0);
  INFO(program.out() << program.err());
  CHECK_THAT(program.out(), has("fed-pne/0"));
  CHECK_THAT(program.out(), has("parallel/1"));
  const auto folder = std::filesystem::canonical(path() + "/runs/federation/latest");
  const auto csv = read_file(folder / "validation.csv");
  CHECK_THAT(csv, has("fed-pne/1,decisions,text,"));
  for (const auto* quantity :
       {"status", "rounds", "messages", "numbers in them", "payload", "decisions"})
    for (const auto* run : {"fed-pne/0", "fed-pne/1", "parallel/0", "parallel/1"}) {
      const auto begin = csv.find(std::string(run) + "," + quantity + ",");
      REQUIRE(begin != std::string::npos);
      CHECK_THAT(csv.substr(begin, csv.find('\n', begin) - begin), has(",equal,yes"));
    }
  CHECK_THAT(read_file(folder / "report.html"), has("messages' bytes at the sockets"));
  // What was measured can be run, by anybody.
  for (const auto* label : {"fed-pne", "parallel"}) {
    const auto file = (folder / "measured" / label / "scenario.toml").string();
    CHECK_THAT(read_file(file), has("[[compute.service]]"));
    const std::vector<std::string> words{test::posse_executable(), "run", file};
    test::ChildProcess again(words, path(), "again");
    CHECK(again.wait(30s) == 0);
  }
}

TEST_CASE_METHOD(ProgramFolder, "validate --measure-only writes what it measured, and shows it") {
  write("federation.toml", kFederation);
  test::ChildProcess program({test::posse_executable(),
                              "validate",
                              "federation.toml",
                              "--measure-only",
                              "--processes",
                              "2",
                              "--delay",
                              "20 ms",
                              "--set",
                              "repeat=1"},
                             path(),
                             "measured");
  REQUIRE(program.wait(60s) == 0);
  CHECK_THAT(program.out(), has("server to client"));
  const std::filesystem::path folder = path() + "/runs/federation/latest";
  CHECK_FALSE(std::filesystem::exists(folder / "validation.csv"));
  // The proxy's delay, and what is injected, are in the latencies, in nanoseconds.
  const auto csv = read_file(folder / "measured/fed-pne/inputs/0-latencies.csv");
  const auto at = csv.find("0,server,client-0,");
  REQUIRE(at != std::string::npos);
  const auto latency = std::stoll(csv.substr(at + std::string("0,server,client-0,").size()));
  CHECK(latency >= 21'000'000);
  CHECK(latency < 1'000'000'000);
}

TEST_CASE_METHOD(ProgramFolder, "validate and proxy say what is wrong with their flags") {
  write("federation.toml", kFederation);
  const auto refused = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), test::posse_executable());
    test::ChildProcess program(words, path(), "refused");
    CHECK(program.wait(20s) == code);
    return program.err();
  };
  CHECK_THAT(refused({"validate", "federation.toml", "--delay", "soon"}, 2),
             has("--delay: 'soon'"));
  CHECK_THAT(refused({"validate", "federation.toml", "--processes", "1"}, 2), has("--processes"));
  CHECK_THAT(refused({"validate", "federation.toml", "--loss", "2"}, 2), has("--loss"));
  CHECK_THAT(refused({"validate", "none.toml"}, 3), has("none.toml"));
  CHECK_THAT(refused({"proxy", "--listen", "127.0.0.1:0"}, 2), has("--to"));
  CHECK_THAT(refused({"proxy", "--listen", "nowhere", "--to", "127.0.0.1:1"}, 2), has("nowhere"));
  const std::vector<std::string> open{"proxy", "--listen", "192.0.2.1:1", "--to", "127.0.0.1:1"};
  CHECK_THAT(refused(open, 2), has("192.0.2.1:1 can be reached from other machines"));
  CHECK_THAT(refused({"proxy", "--listen", "127.0.0.1:0", "--to", "192.0.2.1:1"}, 2),
             has("that needs --tls-only"));
  auto encrypted = open;
  encrypted.emplace_back("--tls-only");
  CHECK_THAT(refused(encrypted, 10), has("can't be bound"));
}

}  // namespace test_validation
