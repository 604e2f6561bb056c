// SPDX-License-Identifier: Apache-2.0
// Draws the environment of a scenario's algorithm: network, computing times, server policy and
// faults.
//
// What is drawn fits the nodes and messages of the algorithm. Streams: the caller's, and of the
// scenario's seed `chaos/ties` and `chaos/time-outs`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/role/protocol.hpp"
#include "program/fates/draws.hpp"
#include "program/scenario/value.hpp"

namespace posse::fates {

/// The nodes and messages that rules and faults can name, and the time in which things happen.
struct Surroundings {
  std::vector<NodeGroup> groups;
  std::vector<std::string> types;
  std::string forgetful;  // the group of nodes that can lose their state; may be empty
  std::string liars;      // the group of nodes that may send wrong numbers; may be empty
  std::uint32_t clients = 1;
  bool evaluates = false;    // evaluations take time
  bool reliable = false;     // the transport, once it is drawn
  double scale_ms = 10;      // of latencies
  double duration_ms = 100;  // about as long as the run
};

/// Of the first algorithm of a scenario without network and faults; nothing if it is not valid.
std::optional<Surroundings> surroundings_of(const Table& root);

struct EnvironmentOptions {
  bool one_by_one = false;    // a latency and computing times, nothing else
  bool draws_policy = false;  // the server may wait for fewer than all
  std::string algorithm;      // label; some faults are of this algorithm alone
  bool repeats = false;       // some faults are of one repetition
  std::uint64_t events = 0;   // the limit
};

/// Adds the environment to a scenario, which has none.
void draw_environment(Draws& draws,
                      std::uint64_t seed,
                      const Surroundings& around,
                      const EnvironmentOptions& options,
                      Table& root);

}  // namespace posse::fates
