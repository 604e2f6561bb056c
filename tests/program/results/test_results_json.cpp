// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "program/results/results_json.hpp"

namespace test_results_json {

using namespace posse;

namespace {

Json waited_for(std::uint32_t nodes) {
  CriticalPaths paths;
  paths.rounds = 1;
  for (std::uint32_t i = 0; i < nodes; ++i)
    paths.waited_for[NodeId{i}] = (1 + i % 2) * CriticalPaths::kWholeRound;
  return critical_paths_json(paths, [](NodeId node) { return std::to_string(node.value); })
      .at("waited_for");
}

}  // namespace

TEST_CASE("results.json names the nodes that were waited for, of many those with the most rounds") {
  CHECK(waited_for(3) == Json{{"0", 1}, {"1", 2}, {"2", 1}});
  CHECK(waited_for(1000).size() == 1000);
  // Of 1500 nodes 750 were waited for in two rounds; of the others the first 250 follow.
  const Json most = waited_for(1500);
  REQUIRE(most.size() == 1000);
  CHECK(most.begin().key() == "0");
  CHECK(most.contains("498"));
  CHECK_FALSE(most.contains("500"));
  CHECK(most.contains("1499"));
}

TEST_CASE("results.json has the shares of rounds in which several nodes tied for last") {
  CriticalPaths paths;
  paths.rounds = 3;
  paths.waited_for[NodeId{1}] = CriticalPaths::kWholeRound / 3 * 2;
  paths.waited_for[NodeId{2}] = CriticalPaths::kWholeRound / 10 * 10;
  const auto json =
      critical_paths_json(paths, [](NodeId node) { return std::to_string(node.value); });
  CHECK(json.at("waited_for").dump() == R"({"1":0.667,"2":1})");
}

}  // namespace test_results_json
