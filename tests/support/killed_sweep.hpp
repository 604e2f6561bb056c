// SPDX-License-Identifier: Apache-2.0
// Sweeps that are killed at drawn moments.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/child_process.hpp"
#include "tests/support/executable.hpp"
#include "tests/support/program_folder.hpp"

namespace posse::test {

/// `sweep small.toml --jobs 2` with these arguments, killed within 127 ms; `state`: of the draws.
inline void kill_sweep(const ProgramFolder& folder,
                       const std::vector<std::string>& arguments,
                       std::uint64_t& state) {
  std::vector<std::string> command{posse_executable(), "sweep", "small.toml", "--jobs", "2"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  ChildProcess sweep(command, folder.path(), "sweep");
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  sweep.wait(std::chrono::milliseconds(state >> 57));
  sweep.signal(SIGKILL);
  sweep.wait(std::chrono::seconds(10));
}

}  // namespace posse::test
