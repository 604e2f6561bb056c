// SPDX-License-Identifier: Apache-2.0
// A verb of the program: a file NAME_verb.cpp with its flags and what it does, and a row of the
// table in command_line.cpp. It prints its result on standard output and everything else on
// standard error, and returns the program's exit code.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/base/json.hpp"
#include "program/base/terminal.hpp"
#include "program/scenario/diagnostics.hpp"

namespace CLI {
class App;
}

namespace posse {

/// What all verbs know of the command line.
struct Invocation {
  std::vector<std::string> command_line;
  std::vector<std::string> plugins;
  Color color = Color::automatic;
};

/// What a verb does, once its flags are parsed. FileError, DifferentResults and OutsideFailure end
/// the program with their exit codes.
struct Command {
  std::function<ExitCode(const Invocation&)> run = {};
  /// What its argument may be, for completion, where that is neither a file nor one of the choices
  /// that the parser knows.
  std::vector<std::string> (*words)() = nullptr;
};

/// Adds the flags to the verb's app. `Flags` holds them with their defaults, and has
/// `void add_to(CLI::App&)`; the command keeps it alive.
template <class Flags>
Command command_of(CLI::App& verb,
                   ExitCode (*run)(const Flags&, const Invocation&),
                   std::vector<std::string> (*words)() = nullptr) {
  const auto flags = std::make_shared<Flags>();
  flags->add_to(verb);
  return {[flags, run](const Invocation& invocation) { return run(*flags, invocation); }, words};
}

/// Prints all mistakes; true if there are none.
bool report_mistakes(const Diagnostics& diagnostics);
/// On standard output. Text of others that is not UTF-8 is replaced.
void print_json(const Json& data);

std::string shell_quoted(const std::string& word);
/// This program as the user called it, so that suggested commands work unchanged.
std::string this_program(const Invocation& invocation);

}  // namespace posse
