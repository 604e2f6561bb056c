// SPDX-License-Identifier: Apache-2.0
// The timeline for Perfetto.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/support/program_folder.hpp"

namespace posse::test_perfetto {
namespace {

using nlohmann::json;

/// A run over a lossy network that duplicates, with a pause and a straggler.
class TracedRun : public ProgramFolder {
 public:
  explicit TracedRun(const std::string& flags = "") {
    write("traced.toml",
          R"(name = "traced"
seed = 2
repeat = 2
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "parallel"
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 100
[network]
latency = { kind = "uniform", min = "1 ms", max = "7 ms" }
loss = 0.1
duplication = 0.05
transport = "reliable"
[compute]
evaluation = "1 ms"
[[fault]]
kind = "pause"
nodes = ["*"]
at = "20 ms"
for = "13 ms"
)");
    const auto run = posse("run traced.toml --quiet --trace all " + flags);
    INFO(run.err);
    REQUIRE(run.code == 0);
    const auto folder = *this / "runs" / "traced" / "latest";
    trace = json::parse(content(folder / "trace.perfetto.json"));
    results = json::parse(content(folder / "results.json"));
  }
  json trace, results;
};

/// Nanoseconds.
std::int64_t ns(const json& microseconds) {
  return static_cast<std::int64_t>(std::llround(microseconds.get<double>() * 1000));
}

}  // namespace

TEST_CASE("the timeline has as many flows as the ledger has copies, each with one begin and end") {
  const TracedRun run;
  std::map<std::string, int> begins, ends;
  std::map<int, std::map<std::string, std::uint64_t>> copies;  // by process and type
  std::map<int, std::uint64_t> dropped;
  for (const auto& event : run.trace["traceEvents"]) {
    if (!event.contains("bind_id")) continue;
    if (event.contains("flow_out")) {
      ++begins[event["bind_id"]];
      ++copies[event["pid"]][event["args"]["type"]];
    } else {
      CHECK(event["flow_in"] == true);
      ++ends[event["bind_id"]];
      if (event["cat"] == "drop") {
        ++dropped[event["pid"]];
        CHECK(event["name"].get<std::string>().starts_with("dropped (loss): "));
      }
    }
  }
  CHECK(begins == ends);
  CHECK(std::all_of(begins.begin(), begins.end(), [](const auto& b) { return b.second == 1; }));
  REQUIRE(copies.size() == 4);
  int process = 0;
  for (const auto& result : run.results["runs"]) {
    ++process;
    std::uint64_t lost = 0;
    std::map<std::string, std::uint64_t> booked;  // by type, both directions
    for (const auto& account : result["ledger"]) {
      for (const char* count : {"sent", "retransmitted", "duplicated"})
        booked[account["type"]] += account[count].get<std::uint64_t>();
      lost += account["dropped"]["loss"].get<std::uint64_t>();
    }
    CHECK(copies[process] == booked);
    CHECK(dropped[process] == lost);
    CHECK(lost > 0);
  }
}

TEST_CASE("flows end no earlier than they begin, and a node's work does not overlap") {
  const TracedRun run;
  std::map<std::string, std::int64_t> began;
  std::map<std::pair<int, int>, std::vector<std::pair<std::int64_t, std::int64_t>>> work;
  for (const auto& event : run.trace["traceEvents"]) {
    if (event.contains("flow_out")) began[event["bind_id"]] = ns(event["ts"]);
    if (event.contains("flow_in")) CHECK(ns(event["ts"]) >= began.at(event["bind_id"]));
    if (event.value("cat", "") == "work")
      work[{event["pid"], event["tid"]}].emplace_back(ns(event["ts"]),
                                                      ns(event["ts"]) + ns(event["dur"]));
  }
  REQUIRE(work.size() == 4 * 3);
  for (const auto& [lane, intervals] : work) {
    std::int64_t busy = 0, until = 0;
    for (const auto& [from, to] : intervals) {
      CHECK(from >= until);
      CHECK(to > from);
      CHECK((to <= 20'000'000 || from >= 33'000'000));  // not during the pause
      until = to;
      busy += to - from;
    }
    CHECK(busy == 100 * 1'000'000);  // all evaluations of the client
  }
}

TEST_CASE("the timeline names its lanes and counts regret and cells") {
  const TracedRun run;
  std::set<std::string> lanes, counters;
  std::size_t rounds = 0, complete = 0;
  for (const auto& event : run.trace["traceEvents"]) {
    if (event["name"] == "thread_name") lanes.insert(event["args"]["name"]);
    if (event["ph"] == "C") counters.insert(event["name"]);
    rounds += event["ph"] == "b";
    complete += event["ph"] == "e";
  }
  CHECK(lanes ==
        std::set<std::string>{
            "server", "client-0", "client-1", "client-2", "player-0", "player-1", "player-2"});
  CHECK(counters.contains("cumulative_regret"));
  CHECK(counters.contains("simple_regret"));
  CHECK(counters.contains("active cells"));
  std::size_t recorded = 0;
  for (const auto& result : run.results["runs"]) recorded += result["rounds"].get<std::size_t>();
  CHECK(rounds == recorded);
  CHECK(rounds == complete);
}

TEST_CASE("the timeline is the same on any number of threads") {
  CHECK(TracedRun("--threads 1").trace == TracedRun("--threads 4").trace);
}

}  // namespace posse::test_perfetto
