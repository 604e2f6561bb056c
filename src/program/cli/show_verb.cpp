// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "program/base/output.hpp"
#include "program/cli/verb.hpp"
#include "program/results/summary_json.hpp"

namespace posse {
namespace {

struct ShowFlags {
  std::vector<std::string> runs;

  void add_to(CLI::App& verb) {
    verb.add_option("RUN", runs, "run folders, or directories that contain `latest`")->required();
  }
};

ExitCode show_runs(const ShowFlags& flags, const Invocation&) {
  for (const auto& run : flags.runs) {
    const StoredRun stored(run);
    if (flags.runs.size() > 1) print_out("{}:\n", stored.folder().string());
    print_out("{}", details_text(read_summary(stored)));
    if (run != flags.runs.back()) print_out("\n");
  }
  return ExitCode::ok;
}

}  // namespace

Command show_verb(CLI::App& verb) { return command_of(verb, show_runs); }

}  // namespace posse
