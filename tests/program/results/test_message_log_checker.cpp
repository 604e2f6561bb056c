// SPDX-License-Identifier: Apache-2.0
// The checker of message logs (tests/message_log) accepts the logs of varied scenarios, and finds
// errors that are planted into a log.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program/base/files.hpp"
#include "program/base/gzip_file.hpp"
#include "program/base/gzip_lines.hpp"
#include "tests/support/program_folder.hpp"
#include "tests/support/scenario_text.hpp"

namespace posse::test_message_log_checker {
namespace {

Outcome check(const ProgramFolder& folder, const std::string& runs) {
  const auto command = fmt::format(
      "cd '{}' && '{}' {} >checked.txt 2>&1", folder.path(), POSSE_MESSAGE_LOG_CHECKER, runs);
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.content("checked.txt"), ""};
}

// A link without loss, one with; acknowledgements and messages in order; a node that stands still.
constexpr auto kScenario = R"(
name = "planted"
seed = 4
[[algorithm]]
kind = "fed-pne"
[population]
clients = 4
[objective]
kind = "sine"
[budget]
evaluations_per_client = 300
[network]
latency = { kind = "uniform", min = "10 ms", max = "30 ms" }
order = "fifo"
transport = "reliable"
retransmission = { timeout = "80 ms" }
[[network.link]]
from = "client-0"
loss = 0.4
[[network.link]]
from = "client-1"
duplication = 0.5
[[network.node]]
nodes = "client-3"
rate_up = "50 kbit/s"
[compute]
evaluation = "1 ms"
[[fault]]
kind = "pause"
nodes = ["client-2"]
at = "100 ms"
for = "150 ms"
)";

using Row = std::vector<std::string>;

enum Column : std::size_t {
  kType = 3,
  kRound = 4,
  kFrom = 5,
  kTo = 6,
  kBytes = 7,
  kSent = 8,
  kDelivered = 9,
  kOutcome = 10,
  kCause = 11,
  kTransmission = 12,
  kNumber = 13,
  kOrder = 15
};

Row cells(const std::string& line) {
  Row row;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) row.push_back(cell);
  return row;
}

/// A run folder whose files can be changed.
class Planted {
 public:
  Planted() {
    folder_.write("planted.toml", kScenario);
    REQUIRE(folder_.posse("run planted.toml --quiet --trace messages").code == 0);
    GzipLines lines(run() / "messages.csv.gz");
    std::string line;
    REQUIRE(lines.next(line));
    header_ = line;
    while (lines.next(line)) rows.push_back(cells(line));
    results = nlohmann::json::parse(content(run() / "results.json"));
  }

  std::vector<Row> rows;
  nlohmann::json results;

  fs::path run() const { return folder_ / "runs/planted/latest"; }
  const ProgramFolder& folder() const { return folder_; }

  /// The first row for which it holds.
  std::size_t find(const std::function<bool(const Row&)>& holds) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (holds(rows[i])) return i;
    FAIL("no such row");
    return 0;
  }

  Outcome check_it() const {
    std::string text = header_ + '\n';
    for (const auto& row : rows) text += fmt::format("{}\n", fmt::join(row, ","));
    GzipFile out(run() / "messages.csv.gz");
    out.write(text);
    out.close();
    folder_.write("runs/planted/latest/results.json", results.dump());
    return check(folder_, "runs/planted/latest");
  }

  /// The checker names the rule, for this row of the file (none: for the run).
  void check_found(const std::string& rule, std::size_t row) const {
    const auto outcome = check_it();
    INFO(outcome.out);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.find(fmt::format("row {}: {}: ", row + 2, rule)) != std::string::npos);
  }
  void check_found(const std::string& rule) const {
    const auto outcome = check_it();
    INFO(outcome.out);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.find(fmt::format("all rows: {}: ", rule)) != std::string::npos);
  }

 private:
  ProgramFolder folder_;
  std::string header_;
};

bool handed_to(const Row& row, const std::string& node) {
  return row[kTo] == node && row[kOrder] != "0";
}

}  // namespace

TEST_CASE("the checker finds nothing wrong in the message logs of varied scenarios", "[long]") {
  const ProgramFolder folder;
  const std::string golden = std::string(POSSE_SOURCE_DIR) + "/tests/golden/networks/";
  std::vector<std::string> files;
  for (const auto* name : {"fifo_rate_reliable",
                           "fault_crash",
                           "fault_partition",
                           "latency_factor",
                           "latency_trace",
                           "loss_gilbert_elliott_reliable",
                           "policy_deadline_datagram",
                           "rate_trace_wire_tcp",
                           "wire_quic"})
    files.push_back(golden + name + ".toml");
  // Among them a storm, a hierarchy, finite queues of links and nodes, learners, recorded crashes.
  for (const std::uint64_t seed : {0, 24, 101, 103, 107, 114, 144, 395, 709})
    files.push_back(
        folder
            .write(fmt::format("{}.toml", seed),
                   folder.started(POSSE_CHAOS_EXECUTABLE, fmt::format("scenario {}", seed)).out)
            .string());
  for (const auto& file : files) folder.posse("run '" + file + "' --quiet --trace messages");
  const auto outcome = check(folder, "runs/*/latest");
  INFO(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find(fmt::format("{} logs, ", files.size())) != std::string::npos);
  for (const auto* rule : {"acknowledgements",
                           "after the finish",
                           "cause of a drop",
                           "copies are equal",
                           "cut links",
                           "duplicates",
                           "fifo",
                           "fingerprint",
                           "hand-over",
                           "in flight",
                           "latency",
                           "latest arrival",
                           "ledger",
                           "links.csv",
                           "nodes that stand still",
                           "order at the node",
                           "overflow",
                           "receiver's line",
                           "retransmissions",
                           "schedule of faults"}) {
    INFO(rule);
    CHECK(outcome.out.find(fmt::format("\n  {}: ", rule)) != std::string::npos);
    CHECK(outcome.out.find(fmt::format("\n  {}: 0 checked", rule)) == std::string::npos);
  }
}

TEST_CASE("the checker knows for which algorithms rules are") {
  const ProgramFolder folder;
  folder.write("rules.toml",
               R"(name = "rules"
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
)" + test::kThreeClients +
                   R"([network]
latency = "5 ms"
transport = "reliable"
[[network.link]]
from = "participant-1"
latency = "70 ms"
algorithm = "parallel"
[[network.node]]
nodes = "participant"
rate_up = "100 kbit/s"
algorithm = ["fed-pne"]
[[network.drop]]
round = 1
algorithm = ["parallel", "fed-pne"]
[[fault]]
kind = "pause"
nodes = ["client-1"]
at = "10 ms"
for = "20 ms"
[[fault]]
kind = "partition"
groups = [["player-0"], ["participant-2"], ["hub"]]
at = "2 ms"
for = "90 ms"
[[fault]]
kind = "pause"
nodes = ["participant-0..1"]
at = "15 ms"
for = "7 ms"
)");
  REQUIRE(folder.posse("run rules.toml --quiet --trace messages").code == 0);
  const auto outcome = check(folder, "runs/rules/latest");
  INFO(outcome.out);
  CHECK(outcome.code == 0);
  // Without the keys the logs are of another network.
  const auto file = folder / "runs/rules/latest/scenario.toml";
  auto text = read_file(file);
  const std::string of_parallel = "algorithm = \"parallel\"\n";
  text.erase(text.find(of_parallel), of_parallel.size());
  write_file(file, text);
  CHECK(check(folder, "runs/rules/latest").code == 1);
}

TEST_CASE("the checker accepts the log into which errors are planted") {
  const auto outcome = Planted().check_it();
  INFO(outcome.out);
  CHECK(outcome.code == 0);
}

TEST_CASE("the checker finds a copy that overtakes another on a link in order") {
  Planted log;
  const auto first = log.find([](const Row& r) { return handed_to(r, "client-3"); });
  const auto second =
      log.find([&](const Row& r) { return handed_to(r, "client-3") && &r > &log.rows[first]; });
  std::swap(log.rows[first][kDelivered], log.rows[second][kDelivered]);
  log.check_found("fifo", second);
}

TEST_CASE("the checker finds a copy that is acknowledged twice") {
  Planted log;
  const auto ack =
      log.find([](const Row& r) { return r[kType] == "Ack" && r[kFrom] == "client-2"; });
  const Row original = log.rows[ack];
  for (auto& row : log.rows)  // the copies after it have other numbers
    if (row[kFrom] == original[kFrom] && row[kTo] == original[kTo] &&
        std::stoul(row[kTransmission]) > std::stoul(original[kTransmission]))
      row[kTransmission] = std::to_string(std::stoul(row[kTransmission]) + 1);
  Row twice = original;
  twice[kTransmission] = std::to_string(std::stoul(original[kTransmission]) + 1);
  log.rows.insert(log.rows.begin() + static_cast<std::ptrdiff_t>(ack) + 1, twice);
  log.check_found("acknowledgements", ack + 1);
}

TEST_CASE("the checker finds a copy that is not acknowledged") {
  Planted log;
  const auto ack =
      log.find([](const Row& r) { return r[kType] == "Ack" && r[kFrom] == "client-2"; });
  log.rows[ack][kNumber] = "1000";
  log.check_found("acknowledgements");
}

TEST_CASE("the checker finds a latency below its floor and one above its ceiling") {
  for (const auto* latency : {"0.009999999", "0.030000001"}) {
    Planted log;
    const auto copy =
        log.find([](const Row& r) { return handed_to(r, "client-3") && r[kSent] == "0"; });
    log.rows[copy][kDelivered] = latency;
    log.check_found(std::string(latency) < "0.02" ? "latency" : "latest arrival", copy);
  }
}

TEST_CASE("the checker finds a copy that is faster than its sender's line") {
  Planted log;
  const auto copy =
      log.find([](const Row& r) { return r[kFrom] == "client-3" && r[kOrder] != "0"; });
  // 10 ms of latency at least, and 0.16 ms for each byte.
  const double least =
      std::stod(log.rows[copy][kSent]) + 0.01 + std::stod(log.rows[copy][kBytes]) * 8 / 50e3;
  log.rows[copy][kDelivered] = fmt::format("{:.9f}", least - 1e-6);
  log.check_found("latency", copy);
}

TEST_CASE("the checker finds what happens after the end") {
  Planted log;
  const auto copy = log.find([](const Row& r) { return handed_to(r, "server"); });
  const double end = log.results["runs"][0]["virtual_s"];
  log.rows[copy][kDelivered] = fmt::format("{}", end + 1e-9);
  log.check_found("nothing after the end", copy);
}

TEST_CASE("the checker finds drops without a cause") {
  for (const auto* cause : {"loss", "queue", "partition", "crash"}) {
    INFO(cause);
    Planted log;
    const auto copy = log.find([](const Row& r) { return handed_to(r, "client-3"); });
    log.rows[copy][kDelivered] = "";
    log.rows[copy][kOutcome] = "dropped";
    log.rows[copy][kCause] = cause;
    log.rows[copy][kOrder] = "0";
    log.check_found("cause of a drop", copy);
  }
}

TEST_CASE("the checker finds a duplicate that is handed over") {
  Planted log;
  const auto copy = log.find([](const Row& r) { return r[kOutcome] == "discarded"; });
  log.rows[copy][kOutcome] = "delivered";
  log.rows[copy][kOrder] = "1000";
  log.check_found("hand-over", copy);
}

TEST_CASE("the checker finds a duplicate on a link that makes none") {
  Planted log;
  const auto copy =
      log.find([](const Row& r) { return r[kFrom] == "client-2" && r[kType] != "Ack"; });
  const Row original = log.rows[copy];
  for (auto& row : log.rows)
    if (row[kFrom] == original[kFrom] &&
        std::stoul(row[kTransmission]) > std::stoul(original[kTransmission]))
      row[kTransmission] = std::to_string(std::stoul(row[kTransmission]) + 1);
  Row twice = original;
  twice[kTransmission] = std::to_string(std::stoul(original[kTransmission]) + 1);
  twice[kOutcome] = "discarded";
  twice[kOrder] = "0";
  log.rows.insert(log.rows.begin() + static_cast<std::ptrdiff_t>(copy) + 1, twice);
  log.check_found("duplicates", copy + 1);
}

TEST_CASE("the checker finds deliveries in the wrong order, in the log and in the fingerprint") {
  Planted log;
  const auto first = log.find([](const Row& r) { return r[kTo] == "server" && r[kOrder] == "2"; });
  const auto second = log.find([](const Row& r) { return r[kTo] == "server" && r[kOrder] == "3"; });
  std::swap(log.rows[first][kOrder], log.rows[second][kOrder]);
  log.check_found("order at the node", first);
  log.check_found("fingerprint");
}

TEST_CASE("the checker finds content that the fingerprint does not have") {
  Planted log;
  const auto copy = log.find([](const Row& r) { return handed_to(r, "server"); });
  log.rows[copy].back() = "0123456789abcdef";
  log.check_found("fingerprint");
}

TEST_CASE("the checker finds copies of one message that differ") {
  Planted log;
  std::set<std::vector<std::string>> sent;
  const auto again = log.find([&](const Row& r) {
    return r[kType] != "Ack" && !sent.insert({r[kFrom], r[kTo], r[kNumber]}).second;
  });
  log.rows[again][kBytes] += "0";
  log.check_found("copies are equal", again);
}

TEST_CASE("the checker finds a retransmission at the wrong time") {
  Planted log;
  std::set<std::vector<std::string>> sent;
  const auto again = log.find([&](const Row& r) {
    return r[kFrom] == "client-0" && r[kType] != "Ack" && !sent.insert({r[kNumber]}).second;
  });
  log.rows[again][kSent] = fmt::format("{:.9f}", std::stod(log.rows[again][kSent]) - 1e-6);
  log.check_found("retransmissions", again);
}

TEST_CASE("the checker finds a message that nobody repeats") {
  Planted log;
  const auto copy =
      log.find([](const Row& r) { return handed_to(r, "client-3") && r[kSent] == "0"; });
  const auto ack =
      log.find([](const Row& r) { return r[kType] == "Ack" && r[kFrom] == "client-3"; });
  log.rows[ack][kDelivered] = "";
  log.rows[ack][kOutcome] = "dropped";
  log.rows[ack][kCause] = "loss";
  log.check_found("retransmissions", copy);
}

TEST_CASE("the checker finds a node that receives while it stands still") {
  Planted log;
  const auto copy = log.find(
      [](const Row& r) { return handed_to(r, "client-2") && r[kDelivered].starts_with("0.25"); });
  log.rows[copy][kDelivered] = "0.249999999";
  log.check_found("nodes that stand still", copy);
}

TEST_CASE("the checker finds a fault that comes too late") {
  Planted log;
  auto faults = content(log.run() / "faults.csv");
  const auto at = faults.find(",0.1,");
  REQUIRE(at != std::string::npos);
  faults.replace(at, 5, ",0.100000001,");
  log.folder().write("runs/planted/latest/faults.csv", faults);
  log.check_found("schedule of faults");
}

TEST_CASE("the checker finds wrong numbers in the ledger and in links.csv") {
  for (const auto* number : {"sent", "delivered", "bytes", "wire_bytes", "in_flight"}) {
    INFO(number);
    Planted log;
    auto& stated = log.results["runs"][0]["ledger"][0][number];
    stated = stated.get<std::uint64_t>() + 1;
    log.check_found("ledger");
  }
  Planted log;
  auto links = content(log.run() / "links.csv");
  links.back() = '0';  // the last number is ten times as large
  log.folder().write("runs/planted/latest/links.csv", links + "\n");
  log.check_found("links.csv");
}

TEST_CASE("the checker says which folders it can't read") {
  const Planted log;
  fs::resize_file(log.run() / "messages.csv.gz", 100);
  const auto damaged = check(log.folder(), "runs/planted/latest");
  CHECK(damaged.code == 2);
  CHECK(damaged.out.find("messages.csv.gz") != std::string::npos);
  const auto missing = check(log.folder(), "nowhere");
  CHECK(missing.code == 2);
  CHECK(missing.out.find("nowhere") != std::string::npos);
}

}  // namespace posse::test_message_log_checker
