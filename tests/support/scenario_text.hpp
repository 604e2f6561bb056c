// SPDX-License-Identifier: Apache-2.0
// Scenarios from text: read, or what is wrong with them.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "program/scenario/scenario.hpp"

namespace posse::test {

/// What a short run needs beside an algorithm and a network.
inline const std::string kThreeClients = R"(
[population]
clients = 3
[objective]
kind = "garland"
[budget]
evaluations_per_client = 200
)";

/// Two algorithms whose runs take milliseconds.
inline const std::string kTwoAlgorithms = R"(
[[algorithm]]
kind = "fed-pne"
[[algorithm]]
kind = "random"
)" + kThreeClients + R"(
[network]
transport = "reliable"
latency = "20 ms"
)";

/// `sets` are values as with --set.
inline Scenario read_text(const std::string& text,
                          Diagnostics& diagnostics,
                          const std::vector<std::string>& sets = {},
                          const std::string& file = "test.toml") {
  Value root = parse_toml(text, file, diagnostics);
  for (const auto& set : sets) apply_override(root, set, "--set", diagnostics);
  return read_scenario(root, file, diagnostics);
}

inline Scenario read_valid(const std::string& text, const std::vector<std::string>& sets = {}) {
  Diagnostics diagnostics;
  auto scenario = read_text(text, diagnostics, sets);
  INFO(diagnostics.text());
  REQUIRE(diagnostics.empty());
  return scenario;
}

/// Of the first algorithm in the first repetition.
inline NetworkConfig first_network(const Scenario& scenario) {
  return make_network(scenario, scenario.algorithms.front(), 0);
}

inline std::string errors_in(const std::string& text, const std::vector<std::string>& sets = {}) {
  Diagnostics diagnostics;
  read_text(text, diagnostics, sets);
  return diagnostics.text();
}

}  // namespace posse::test
