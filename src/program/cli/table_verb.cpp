// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/compare/paper_table.hpp"
#include "program/sweep/setting_runs.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {
namespace {

struct TableFlags {
  std::vector<std::string> sources, measures, where;
  std::string format = "markdown", interval = "pm", out;

  void add_to(CLI::App& verb) {
    verb.add_option("RUN", sources, "run folders, and stores of sweeps")->required();
    verb.add_option("--format", format, "latex | markdown | csv (default: markdown)")
        ->check(CLI::IsMember({"latex", "markdown", "csv"}));
    verb.add_option("--measure",
                    measures,
                    "the columns, separated by commas (default: all measures): " + measure_list())
        ->delimiter(',')
        ->allow_extra_args(false);
    verb.add_option(
            "--interval", interval, "95 % intervals: pm (mean ± half), range or none (default: pm)")
        ->check(CLI::IsMember({"pm", "range", "none"}));
    verb.add_option("--where",
                    where,
                    "only settings with this value or name: loss=0.05, clients=10,100, '5 % loss'; "
                    "repeatable")
        ->allow_extra_args(false);
    verb.add_option("--out", out, "file (default: standard output)");
  }

  static std::string measure_list() {
    std::string names;
    for (const auto& name : measure_names()) names += (names.empty() ? "" : ", ") + name;
    return names;
  }
};

ExitCode print_table(const TableFlags& flags, const Invocation&) try {
  PaperTableRequest request;
  request.format = flags.format == "latex" ? TableFormat::latex
                   : flags.format == "csv" ? TableFormat::csv
                                           : TableFormat::markdown;
  request.interval = flags.interval == "pm"      ? TableInterval::plus_minus
                     : flags.interval == "range" ? TableInterval::range
                                                 : TableInterval::none;
  const auto filters = parse_filters(flags.where);
  const auto study = read_study({flags.sources.begin(), flags.sources.end()});
  for (const auto& name : flags.measures) request.measures.push_back(parse_measure(name));
  const auto report = study_report(select(study, filters));
  const auto text = paper_table(report, request);
  for (const auto& warning : warnings_of(report)) print_err("warning: {}\n", warning);
  if (flags.out.empty()) {
    print_out("{}", text);
    return ExitCode::ok;
  }
  write_file(flags.out, text);
  print_err("wrote {}\n", flags.out);
  return ExitCode::ok;
} catch (const std::invalid_argument& problem) {
  print_err("{} (exit code 2)\n", problem.what());
  return ExitCode::usage;
}

}  // namespace

Command table_verb(CLI::App& verb) { return command_of(verb, print_table); }

}  // namespace posse
