// SPDX-License-Identifier: Apache-2.0
#include "program/cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/outside_failure.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/files.hpp"
#include "program/base/last_resort.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/terminal.hpp"
#include "program/cli/command_line.hpp"
#include "program/cli/help_text.hpp"
#include "program/scenario/line_process.hpp"
#include "program/scenario/plugins.hpp"
#include "program/sweep/collect.hpp"

namespace posse {
namespace {

ExitCode failed(std::string_view why, ExitCode code) {
  flush_out();
  print_err("{} (exit code {})\n", why, to_int(code));
  return code;
}

/// Runs one command.
ExitCode exit_code_of_command(int argc, char** argv) {
  Invocation invocation;
  invocation.command_line.assign(argv, argv + argc);
  use_terminal(Color::automatic);
  CLI::App app(std::string(kSummary), "posse");
  const auto verbs = add_verbs(app, invocation, &invocation.command_line);
  if (invocation.command_line.size() < 2) {
    print_err("{}", short_help());
    return ExitCode::usage;
  }
  try {
    app.parse(words_to_parse(invocation.command_line));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    if (const auto unknown = unknown_word(app, invocation.command_line);
        status != 0 && !unknown.empty())
      return failed(unknown, ExitCode::usage);
    print_out("{}", out.str());
    print_err("{}", shown_error(err.str()));
    return status == 0 ? ExitCode::ok : ExitCode::usage;
  }
  use_terminal(invocation.color);
  try {
    for (const auto& plugin : invocation.plugins) load_plugin(plugin);
  } catch (const InputError& problem) {
    print_err("{} (exit code 2)\n", shown_error(problem.what()));
    return ExitCode::usage;
  }
  try {
    const auto verb = std::find_if(
        verbs.begin(), verbs.end(), [](const AddedVerb& v) { return v.app->parsed(); });
    return verb->command.run(invocation);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const OutsideFailure& problem) {
    return failed(shown_error(problem.what()), ExitCode::no_progress);
  } catch (const DifferentResults& problem) {
    return failed(problem.what(), ExitCode::differs);
  } catch (const FileError& problem) {
    return failed(problem.what(), ExitCode::files);
  } catch (const std::filesystem::filesystem_error& problem) {
    return failed(problem.what(), ExitCode::files);
  } catch (const std::exception& problem) {
    std::string words;
    for (const auto& word : invocation.command_line) words += " " + shell_quoted(word);
    print_err("internal failure: {} (exit code 1)\n  to reproduce:{}\n", problem.what(), words);
    return ExitCode::internal;
  }
}

/// The command's exit code; 7 without memory, even for the words of the command line.
ExitCode exit_code_of(int argc, char** argv) {
  try {
    const ExitCode code = exit_code_of_command(argc, argv);
    const auto failure = output_failure();
    if (failure.empty()) return code;
    const ExitCode worse = code == ExitCode::ok ? ExitCode::files : code;
    print_err("standard output can't be written: {} (exit code {})\n", failure, to_int(worse));
    return worse;
  } catch (const std::bad_alloc&) {
    print_err("out of memory (exit code 7)\n");
    return ExitCode::no_progress;
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  prepare_standard_streams();
  prepare_for_end_of_memory();
  before_exit_by_signal(kill_all_line_processes);
  return to_int(exit_code_of(argc, argv));
}

}  // namespace posse
