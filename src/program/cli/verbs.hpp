// The verbs of the command line. Each prints what it has to say, on standard output what was asked
// for and on standard error the rest, and ends with the program's exit code.
#pragma once

#include "program/base/exit_codes.hpp"
#include "program/cli/arguments.hpp"

namespace posse {

// run_verb.cpp
ExitCode run_verb(const Arguments& arguments);

// scenario_verbs.cpp: what can be run, and what it will cost
ExitCode check_verb(const Arguments& arguments);
ExitCode plan_verb(const Arguments& arguments);
ExitCode list_verb(const Arguments& arguments);
ExitCode describe_verb(const Arguments& arguments);
ExitCode new_verb(const Arguments& arguments);

// results_verbs.cpp: finished runs
ExitCode plot_verb(const Arguments& arguments);
ExitCode report_verb(const Arguments& arguments);
ExitCode serve_verb(const Arguments& arguments);

// reproduce_verb.cpp
ExitCode reproduce_verb(const Arguments& arguments);

}  // namespace posse
