// SPDX-License-Identifier: Apache-2.0
// A run folder as docs/results.md describes it: the files from which a message log can be judged.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network.hpp"

namespace message_log {

constexpr Nanoseconds kNone = -1;  // a time that isn't there

/// A row of messages.csv.gz: a copy of a message.
struct Copy {
  std::size_t row = 0;  // its line in the file, from 1
  std::string type;
  std::uint64_t round = 0;
  std::string from, to;
  std::uint64_t bytes = 0;
  Nanoseconds sent = 0;
  Nanoseconds delivered = kNone;
  std::string outcome, cause;
  std::uint64_t transmission = 0, number = 0, order = 0, content = 0;

  bool is_ack() const { return type == "Ack"; }
  bool arrived() const { return outcome == "delivered" || outcome == "discarded"; }
};

/// A row of faults.csv, which has one for the beginning and one for the end.
struct FaultEvent {
  std::size_t fault = 0;  // its number in the run
  std::string kind, state, nodes;
  bool begins = false;
  Nanoseconds at = 0;
};

/// A row of links.csv.
struct LinkTotals {
  std::string from, to;
  std::uint64_t departed = 0, arrived = 0, dropped = 0, wire_bytes = 0;
};

/// One algorithm in one repetition.
struct Run {
  std::string name;  // for messages: the folder, the algorithm, the repetition
  std::string algorithm;
  std::uint64_t repetition = 0;
  nlohmann::json results;  // its entry in results.json
  std::vector<Copy> copies;
  std::vector<FaultEvent> faults;
  std::vector<LinkTotals> links;
};

struct RunFolder {
  Network network;
  nlohmann::json metadata, results;
  std::vector<Run> runs;
};

/// Throws Unreadable.
RunFolder read_run_folder(const std::filesystem::path& folder);

}  // namespace message_log
