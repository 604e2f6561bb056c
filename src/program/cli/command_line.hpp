// SPDX-License-Identifier: Apache-2.0
// The verbs of the program and their flags, for the parser and for what is made from them: manual
// pages and completion for shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/cli/verb.hpp"

namespace posse {

inline constexpr std::string_view kSummary =
    "Distributed bandit algorithms over a simulated, faulty network";

/// A verb in an app.
struct AddedVerb {
  const CLI::App* app;  // its part, with its name, description, group ("": not listed) and flags
  Command command;
};

/// Adds all verbs to an empty `app`, grouped as `--help` shows them. Parsing a command line fills
/// in `invocation`, which must outlive the app, and what the commands keep. Where the words of a
/// command line are given, only the verbs among them get their flags and their command: all flags
/// together take a millisecond.
std::vector<AddedVerb> add_verbs(CLI::App& app,
                                 Invocation& invocation,
                                 const std::vector<std::string>* words = nullptr);

/// What the app parses of a command line. --metrics, --serve and sweep's --decide take a value only
/// after '='; the next word is the scenario.
std::vector<std::string> words_to_parse(const std::vector<std::string>& command_line);

}  // namespace posse
