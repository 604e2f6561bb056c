// SPDX-License-Identifier: Apache-2.0
// The command line of `posse`.
#pragma once

namespace posse {

/// Runs one command and returns its exit code (exit_codes.hpp). Data goes to standard output,
/// everything else to standard error.
int run_command_line(int argc, char** argv);

}  // namespace posse
