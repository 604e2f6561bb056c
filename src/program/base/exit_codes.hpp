// SPDX-License-Identifier: Apache-2.0
// The exit codes of the program.
#pragma once

#include <array>
#include <string_view>

namespace posse {

enum class ExitCode : int {
  ok = 0,
  internal = 1,
  usage = 2,
  invalid_scenario = 3,
  threshold = 4,
  violated = 5,
  differs = 6,
  no_progress = 7,
  some_failed = 8,
  undecided = 9,
  port = 10,
  files = 11,
  hung_up = 129,
  interrupted = 130,
  terminated = 143,
};

constexpr int to_int(ExitCode code) { return static_cast<int>(code); }

struct ExitCodeText {
  ExitCode code;
  std::string_view meaning;
};

inline constexpr std::array<ExitCodeText, 15> kExitCodes{{
    {ExitCode::ok, "finished; every identity and every bound marked 'always' held"},
    {ExitCode::internal, "internal failure"},
    {ExitCode::usage, "wrong command line"},
    {ExitCode::invalid_scenario, "invalid scenario (file, key, unit, range)"},
    {ExitCode::threshold, "a threshold of the scenario failed"},
    {ExitCode::violated,
     "an identity, a bound marked 'always', the message ledger or a property of every run (fates) "
     "was violated"},
    {ExitCode::differs,
     "two runs differ that were compared (replay, diff), or one run has two results in a store"},
    {ExitCode::no_progress,
     "no progress (stalled, a limit was reached, memory ended, or an objective or a program of "
     "yours failed)"},
    {ExitCode::some_failed, "the sweep finished, some of its runs did not"},
    {ExitCode::undecided, "too few repetitions to decide what was asked"},
    {ExitCode::port, "a port can't be bound"},
    {ExitCode::files, "results can't be read or written"},
    {ExitCode::hung_up, "its terminal was closed (SIGHUP); partial results written"},
    {ExitCode::interrupted, "stopped by an interrupt (Ctrl-C); partial results written"},
    {ExitCode::terminated, "stopped by a termination signal; partial results written"},
}};

}  // namespace posse
