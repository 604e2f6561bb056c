// SPDX-License-Identifier: Apache-2.0
// messages.csv.gz: the deliveries of a run can be computed from it alone.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/hash.hpp"
#include "program/base/gzip_lines.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test_messages {
namespace {

constexpr auto kScenario = R"(
name = "traced"
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
latency = { kind = "uniform", min = "1 ms", max = "30 ms" }
loss = 0.1
duplication = 0.1
transport = "reliable"
[compute]
evaluation = "1 ms"
[server]
policy = "deadline"
deadline = "120 ms"
quorum = 2
[[fault]]
kind = "pause"
nodes = ["server", "client-2"]
at = "40 ms"
for = "200 ms"
[[fault]]
kind = "crash"
state = "lost"
nodes = ["client-1"]
at = "300 ms"
for = "50 ms"
)";

std::uint64_t nanoseconds(const std::string& seconds) {
  return static_cast<std::uint64_t>(std::llround(std::stod(seconds) * 1e9));
}

}  // namespace

TEST_CASE("the fingerprint's deliveries follow from the trace of messages") {
  const ProgramFolder folder;
  folder.write("traced.toml", kScenario);
  REQUIRE(folder.posse("run traced.toml --quiet --trace messages").code == 0);
  const std::vector<std::string> nodes{"server", "client-0", "client-1", "client-2", "client-3"};
  std::map<std::string, std::uint64_t> id;
  for (std::size_t i = 0; i < nodes.size(); ++i) id[nodes[i]] = i;

  // By node and order: the four numbers of a delivery.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> handed;
  std::size_t at_once = 0, repeated = 0;
  std::map<std::tuple<std::string, std::string, std::string>, int> copies;
  GzipLines lines(folder / "runs/traced/latest/messages.csv.gz");
  std::string line;
  REQUIRE(lines.next(line));
  REQUIRE(line ==
          "algorithm,repetition,id,type,round,from,to,bytes,sent_virtual_s,delivered_virtual_s,"
          "outcome,cause,transmission,number,needless,order,content");
  while (lines.next(line)) {
    std::vector<std::string> c;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) c.push_back(cell);
    REQUIRE(c.size() == 17);
    repeated += c[3] != "Ack" && copies[{c[5], c[6], c[13]}]++ > 0;
    if (c[15] == "0") continue;
    CHECK(c[10] == "delivered");
    handed[{id.at(c[6]), std::stoull(c[15])}] = {nanoseconds(c[9]),
                                                 id.at(c[5]) << 32 | std::stoull(c[4]),
                                                 hash_name(c[3]),
                                                 std::stoull(c[16], nullptr, 16)};
  }
  std::vector<std::uint64_t> hashes(nodes.size(), 0);
  std::uint64_t last_time = 0;
  for (const auto& [place, numbers] : handed) {
    at_once += numbers[0] == last_time;
    last_time = numbers[0];
    for (const auto number : numbers)
      hashes[place.first] = hash_combine(hashes[place.first], number);
  }
  std::uint64_t deliveries = 0;
  for (const auto hash : hashes) deliveries = hash_combine(deliveries, hash);
  const auto results = nlohmann::json::parse(content(folder / "runs/traced/latest/results.json"));
  CHECK(fmt::format("{:016x}", deliveries) == results["runs"][0]["ingredients"]["deliveries"]);
  CHECK(repeated > 0);
  CHECK(at_once > 0);  // messages that had waited for a node that stood still
}

}  // namespace posse::test_messages
