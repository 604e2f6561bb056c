// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Each prints its result on standard output and everything else on
// standard error, and returns the program's exit code.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "program/base/exit_codes.hpp"
#include "program/cli/arguments.hpp"

namespace posse {

// run_verb.cpp
ExitCode run_verb(const Arguments& arguments);
/// What else is done with a run. All may be empty.
struct RunExtension {
  /// Of runs that don't take place in this process alone.
  std::function<std::unique_ptr<RunHost>(const Scenario&, const ExecutionOptions&)> make_host = {};
  /// Adds files to the run's folder, before its report is made. Returns what is printed in place of
  /// the summary.
  std::function<std::string(const std::filesystem::path& folder, const Scenario&, const Execution&)>
      add_files = {};
};
ExitCode run_with(const Arguments& arguments, const RunExtension& extension);

// node_verb.cpp: a run over several processes
ExitCode node_verb(const Arguments& arguments);
ExitCode proxy_verb(const Arguments& arguments);

// validate_verb.cpp: a scenario run over real processes and simulated
ExitCode validate_verb(const Arguments& arguments);
ExitCode calibrate_verb(const Arguments& arguments);

// scenario_verbs.cpp: checking scenarios, their cost, and what they can use
ExitCode check_verb(const Arguments& arguments);
ExitCode plan_verb(const Arguments& arguments);
ExitCode list_verb(const Arguments& arguments);
ExitCode describe_verb(const Arguments& arguments);
ExitCode schema_verb(const Arguments& arguments);
ExitCode new_verb(const Arguments& arguments);

// results_verbs.cpp: finished runs
ExitCode plot_verb(const Arguments& arguments);
ExitCode report_verb(const Arguments& arguments);
ExitCode serve_verb(const Arguments& arguments);

// replay_verbs.cpp, what_if_verb.cpp: finished runs again, unchanged or on another network
ExitCode replay_verb(const Arguments& arguments);
ExitCode diff_verb(const Arguments& arguments);
ExitCode what_if_verb(const Arguments& arguments);

// inspect_verb.cpp, sweep_loss_verb.cpp: why a run went as it did
ExitCode inspect_verb(const Arguments& arguments);
ExitCode sweep_loss_verb(const Arguments& arguments);

// sweep_verbs.cpp: many runs, and the stores that keep them
ExitCode sweep_verb(const Arguments& arguments);
ExitCode collect_verb(const Arguments& arguments);
ExitCode compare_verb(const Arguments& arguments);
ExitCode store_verb(const Arguments& arguments);

// manual_verb.cpp, completion_verb.cpp: what is made from the command line itself
ExitCode completion_verb(const Arguments& arguments);
ExitCode manual_verb(const Arguments& arguments);

// reproduce_verb.cpp
ExitCode reproduce_verb(const Arguments& arguments);

// chaos_verbs.cpp: random scenarios against the properties of all runs
ExitCode chaos_verb(const Arguments& arguments);
ExitCode minimise_verb(const Arguments& arguments);
ExitCode fates_verb(const Arguments& arguments);

}  // namespace posse
