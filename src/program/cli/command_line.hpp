// SPDX-License-Identifier: Apache-2.0
// The verbs of the program and their flags, for the parser and for what is made from them: manual
// pages and completion for shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/cli/arguments.hpp"

namespace CLI {
class App;
}

namespace posse {

inline constexpr std::string_view kSummary =
    "Distributed bandit algorithms over a simulated, faulty network";

/// What a verb does.
using Command = ExitCode (*)(const Arguments&);

/// Adds all verbs to an empty `app`. Parsing a command line fills in `arguments` and `command`,
/// which must outlive the app. Where the words of a command line are given, only the verbs among
/// them get their flags: all flags together take a millisecond.
void add_verbs(CLI::App& app,
               Arguments& arguments,
               Command& command,
               const std::vector<std::string>* words = nullptr);

}  // namespace posse
