// SPDX-License-Identifier: Apache-2.0
// Where two finished runs part: the first message that differs between them, or, if none does, the
// first result.
//
// Both are run again, with the fate of every message, which also proves their fingerprints.
// Messages are compared in the order in which they were sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "program/replay/replay.hpp"

namespace posse {

struct DiffOptions {
  std::string algorithm;  // its label; empty: all that both have
  std::optional<std::uint32_t> repetition;
  ExecutionOptions execution;
};

/// Where a pair of runs parts.
struct Parting {
  std::size_t number = 0;           // of the message, from 1; 0: all messages are the same
  double virtual_s = 0;             // of the earlier one of the two events
  std::string node;                 // that sends it, or where the round ends
  std::string differs;              // in which respects: "outcome, delivered"
  std::string first, second;        // what happens in either run; empty: nothing more
  std::string elsewhere;            // where the first run's message is in the second, if it is
  std::vector<std::string> before;  // the last events that both have
};

/// One algorithm in one repetition, of both folders.
struct RunDiff {
  std::string first_algorithm, second_algorithm;  // labels
  std::uint32_t repetition = 0;
  std::string unproven;            // which of the runs did not repeat its record; empty: none
  std::size_t messages = 0;        // of the first run
  std::optional<Parting> parting;  // nothing: the runs are equal
};

/// Runs are paired by label and repetition; or, if either folder has one algorithm, those two.
/// Signals must be caught already (signals.hpp). Throws FileError as `replay` does, and if there is
/// nothing to compare.
std::vector<RunDiff> diff_runs(const std::filesystem::path& first,
                               const std::filesystem::path& second,
                               const DiffOptions& options);

}  // namespace posse
