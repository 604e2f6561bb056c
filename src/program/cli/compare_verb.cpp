// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "program/base/output.hpp"
#include "program/cli/comparison_output.hpp"
#include "program/cli/shared_flags.hpp"

namespace posse {
namespace {

struct CompareFlags {
  std::vector<std::string> runs;
  std::string measure, until_ci;
  bool json = false;

  void add_to(CLI::App& verb) {
    verb.add_option("RUN", runs, "run folders, and stores of sweeps")->required();
    add_measure_flag(verb, measure);
    verb.add_option("--until-ci",
                    until_ci,
                    "MEASURE=0.01 or MEASURE=5%: how many more repetitions this half width of the "
                    "differences needs; a share is of the mean of the first algorithm (of one "
                    "algorithm: of the first setting)");
    verb.add_flag("--json", json, "print the comparison as JSON");
  }
};

ExitCode compare_runs(const CompareFlags& flags, const Invocation&) {
  try {
    print_comparison(
        {flags.runs.begin(), flags.runs.end()}, flags.measure, flags.until_ci, flags.json);
    return ExitCode::ok;
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
}

}  // namespace

Command compare_verb(CLI::App& verb) { return command_of(verb, compare_runs); }

}  // namespace posse
