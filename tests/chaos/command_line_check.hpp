// SPDX-License-Identifier: Apache-2.0
// A scenario through the command line of the real program: the same run as in process, and an
// orderly end after an interrupt.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "program/fates/trial.hpp"

namespace posse {

/// Whether a seed's scenario goes through the command line: one in 50.
bool goes_through_command_line(std::uint64_t seed);

struct CommandLineCheck {
  bool interrupted = false;  // a signal was sent, and it ended the run
  std::optional<std::string> violation;
};

/// Runs `program run` on the trial's scenario in `folder`, which must exist; it is left empty.
/// For one scenario in three an interrupt is sent at a drawn moment.
CommandLineCheck check_command_line(const Trial& trial,
                                    const std::string& program,
                                    const std::filesystem::path& folder);

}  // namespace posse
