// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/chaos/minimise.hpp"
#include "program/cli/chaos_input.hpp"
#include "program/cli/shared_flags.hpp"

namespace posse {
namespace {

struct MinimiseFlags {
  std::string file, property, out;
  bool json = false;

  void add_to(CLI::App& verb) {
    add_external_flag(verb);
    verb.add_option("SCENARIO", file, "scenario file, or a seed of chaos")->required();
    verb.add_option(
        "--property", property, "the property that must stay violated (default: the first)");
    verb.add_option("-o,--out", out, "output file (default: standard output)");
    verb.add_flag(
        "--json", json, "print the property, how it is violated, and the scenario as JSON");
  }
};

ExitCode minimise_scenario(const MinimiseFlags& flags, const Invocation&) {
  if (!known_property(flags.property)) return ExitCode::usage;
  try {
    const auto smallest = minimise_violation(scenario_text(flags.file), flags.property);
    if (smallest.property.empty()) {
      print_err("{}: no property is violated\n", flags.file);
      return ExitCode::usage;
    }
    if (!flags.out.empty()) write_file(flags.out, smallest.text);
    if (flags.json) {
      print_json({{"property", smallest.property},
                  {"what", smallest.what},
                  {"scenario", smallest.text},
                  {"file", flags.out}});
      return ExitCode::ok;
    }
    if (flags.out.empty()) {
      print_out("{}", smallest.text);
      return ExitCode::ok;
    }
    print_err("wrote {}: violated: {}\n  {}\n", flags.out, smallest.property, smallest.what);
    return ExitCode::ok;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

}  // namespace

Command minimise_verb(CLI::App& verb) { return command_of(verb, minimise_scenario); }

}  // namespace posse
