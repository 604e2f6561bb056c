// SPDX-License-Identifier: Apache-2.0
// The program as a user starts it, with limits on time and memory, and what no input may do to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace posse::fuzz {

struct Limits {
  std::chrono::milliseconds time{1000};
  std::size_t memory_bytes = 0;  // 0: any, as the address sanitizer needs
};

struct Ended {
  int code = -1;             // the exit code
  int signal = 0;            // instead of it
  bool out_of_time = false;  // killed
  std::string err;
};

/// `posse ARGUMENTS` in a folder; its output goes to files there. Kills all that it started.
Ended run_program(const std::vector<std::string>& arguments,
                  const std::filesystem::path& folder,
                  const Limits& limits);

/// What may never come of any input: a signal, an abort, an internal failure, a violated property,
/// or an error that is long or not printable. "" if nothing did.
std::string fault_in(const Ended& ended);

/// The command for a shell.
std::string command_text(const std::vector<std::string>& arguments);

}  // namespace posse::fuzz
