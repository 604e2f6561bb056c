// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/cli/help_pages.hpp"
#include "program/cli/verb.hpp"
#include "program/scenario/scenario.hpp"

namespace posse {
namespace {

struct NewFlags {
  std::string name;

  void add_to(CLI::App& verb) { verb.add_option("NAME", name, "name of the scenario")->required(); }
};

ExitCode write_new(const NewFlags& flags, const Invocation& invocation) {
  const auto stem =
      flags.name.ends_with(".toml") ? flags.name.substr(0, flags.name.size() - 5) : flags.name;
  const std::string path = stem + ".toml";
  const auto name = std::filesystem::path(path).stem().string();
  const auto text = new_scenario(name);
  Diagnostics diagnostics;
  read_scenario(parse_toml(text, path, diagnostics), path, diagnostics);
  if (!diagnostics.empty()) {
    print_err("'{}' is not a valid name; allowed: letters, digits, '-', '_', '.' (exit code 2)\n",
              name);
    return ExitCode::usage;
  }
  if (std::filesystem::exists(path)) {
    print_err("'{}' exists already and is not overwritten (exit code 11)\n", path);
    return ExitCode::files;
  }
  write_file(path, text);
  print_err("wrote {}; next: {} run {}\n", path, this_program(invocation), shell_quoted(path));
  return ExitCode::ok;
}

}  // namespace

Command new_verb(CLI::App& verb) { return command_of(verb, write_new); }

}  // namespace posse
