// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/run/progress.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

struct ReproduceFlags {
  std::string figure;
  bool quick = false;
  VariationFlags variation;
  ExecutionFlags execution;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    verb.add_option("FIGURE", figure, "name of a figure, or all (default: list the figures)");
    verb.add_flag("--quick", quick, "run fewer repetitions with smaller budgets");
    variation.add_to(verb);
    execution.add_to(verb);
    verb.add_flag("--json", json, "print the verdicts as JSON");
    verb.add_flag("--quiet", quiet, "print no progress");
  }
};

std::vector<std::string> figure_words() {
  std::vector<std::string> words{"all"};
  for (const auto& figure : paper_figures()) words.emplace_back(figure.name);
  return words;
}

/// With `all`, the path of a data file is for the figures that need this one.
std::vector<Override> overrides_of(const ReproduceFlags& flags, const PaperFigure& figure) {
  auto overrides = overrides_of(flags.variation);
  if (flags.figure == "all")
    std::erase_if(overrides,
                  [&](const Override& o) { return names_data(o) && !names_data(o, figure); });
  return overrides;
}

/// Nothing after a mistake, which is printed.
std::optional<Reproduction> reproduce_one(const ReproduceFlags& flags,
                                          const PaperFigure& figure,
                                          const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto overrides = overrides_of(flags, figure);
  const auto options = execution_options(flags.execution, flags.quiet, invocation);
  Reproduction result;
  if (figure.sweep) {
    const SweepPlan plan(
        scenario_file(figure), overrides_of(figure, flags.quick, overrides), diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!flags.quiet) print_err("{}\n", figure.name);
    result = reproduce_sweep(figure, plan, flags.quick, flags.execution.out, options);
  } else {
    const auto scenario = load_figure(figure, flags.quick, overrides, diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!flags.quiet) print_err("{}\n", figure.name);
    result = reproduce(figure, scenario, flags.quick, flags.execution.out, options);
  }
  if (!flags.json) print_out("{}\n", to_text(result));
  flush_out();
  return result;
}

ExitCode reproduce_figures(const ReproduceFlags& flags, const Invocation& invocation) {
  if (flags.figure.empty()) {
    print_out("{}", figures_page());
    return ExitCode::ok;
  }
  std::vector<const PaperFigure*> figures;
  for (const auto& figure : paper_figures())
    if (flags.figure == "all" || flags.figure == figure.name) figures.push_back(&figure);
  if (figures.empty()) {
    print_err("there is no figure '{}'; `posse reproduce` lists all\n{}",
              flags.figure,
              did_you_mean(flags.figure, figure_words()));
    return ExitCode::usage;
  }
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  std::vector<Reproduction> results;
  ExitCode worst = ExitCode::ok;
  try {
    for (const auto* figure : figures) {
      if (!has_data(*figure, overrides_of(flags.variation))) {
        print_err("{}", missing_data_text(*figure));
        if (figures.size() == 1) return ExitCode::invalid_scenario;
        continue;  // not part of `all` without its data
      }
      auto result = reproduce_one(flags, *figure, invocation);
      if (!result) return ExitCode::invalid_scenario;
      if (worst == ExitCode::ok) worst = result->exit_code;
      results.push_back(std::move(*result));
      if (results.back().signal != 0) break;
    }
  } catch (const std::exception& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  if (flags.json) {
    std::string list;
    for (const auto& result : results) list += (list.empty() ? "" : ",\n") + to_json(result);
    print_out("[{}]\n", list);
  } else if (results.size() > 1) {
    print_out("{}", overview(results));
  }
  if (worst != ExitCode::ok)
    print_err("some runs did not finish or violated a bound (exit code {}): see results.json\n",
              to_int(worst));
  return worst;
}

}  // namespace

Command reproduce_verb(CLI::App& verb) { return command_of(verb, reproduce_figures, figure_words); }

}  // namespace posse
