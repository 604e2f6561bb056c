// SPDX-License-Identifier: Apache-2.0
// The sequence diagram of a finished run, which is run again to know when its nodes worked and what
// became of each message.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "program/base/units.hpp"
#include "program/plot/sequence.hpp"
#include "program/results/execution.hpp"

namespace posse {

/// From flags: times as "20 ms", rounds as "3" or "2..5"; empty ones don't select.
Parsed<SequenceSelection> parse_selection(const std::string& from,
                                          const std::string& until,
                                          const std::string& rounds);

struct SequenceOfRun {
  std::string algorithm;  // a label; empty: the first
  std::uint32_t repetition = 0;
  SequenceSelection selection;
  ExecutionOptions execution;
};

/// `subtitle`: what was run. Signals must be caught already (signals.hpp); the picture of a run
/// that one stops is of what ran. Throws FileError as `replay` does, or if the folder has no such
/// run, and std::invalid_argument if nothing of the run is selected. A run that differs from its
/// record is drawn, with a note in the subtitle.
Sequence sequence_of_run(const std::filesystem::path& folder,
                         const SequenceOfRun& options,
                         const std::string& subtitle);

}  // namespace posse
