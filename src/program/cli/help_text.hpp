// SPDX-License-Identifier: Apache-2.0
// What --help prints, and what a mistyped command line is answered with.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace posse {

/// Wraps descriptions at text_columns(), and ends with the verb's examples.
std::shared_ptr<CLI::FormatterBase> help_formatter();

/// Three commands to begin with.
std::string short_help();

/// What is wrong with a command line that doesn't parse for a word that nothing has, with the
/// nearest name: a verb, or a flag of the verb. Empty if it is something else.
std::string unknown_word(const CLI::App& app, const std::vector<std::string>& command_line);

}  // namespace posse
