// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/cli/verbs.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/run/progress.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

/// With `all`, the path of a data file is for the figures that need this one.
std::vector<Override> overrides_of(const Arguments& arguments, const PaperFigure& figure) {
  auto overrides = overrides_of(arguments);
  if (arguments.name == "all")
    std::erase_if(overrides,
                  [&](const Override& o) { return names_data(o) && !names_data(o, figure); });
  return overrides;
}

/// Nothing after a mistake, which is printed.
std::optional<Reproduction> reproduce_one(const Arguments& arguments, const PaperFigure& figure) {
  Diagnostics diagnostics;
  const auto overrides = overrides_of(arguments, figure);
  const auto options = execution_options(arguments);
  Reproduction result;
  if (figure.sweep) {
    const SweepPlan plan(
        scenario_file(figure), overrides_of(figure, arguments.quick, overrides), diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!arguments.quiet) print_err("{}\n", figure.name);
    result = reproduce_sweep(figure, plan, arguments.quick, arguments.out, options);
  } else {
    const auto scenario = load_figure(figure, arguments.quick, overrides, diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!arguments.quiet) print_err("{}\n", figure.name);
    result = reproduce(figure, scenario, arguments.quick, arguments.out, options);
  }
  if (!arguments.json) print_out("{}\n", to_text(result));
  flush_out();
  return result;
}

}  // namespace

ExitCode reproduce_verb(const Arguments& arguments) {
  if (arguments.name.empty()) {
    print_out("{}", figures_page());
    return ExitCode::ok;
  }
  std::vector<const PaperFigure*> figures;
  std::vector<std::string> names{"all"};
  for (const auto& figure : paper_figures()) {
    names.emplace_back(figure.name);
    if (arguments.name == "all" || arguments.name == figure.name) figures.push_back(&figure);
  }
  if (figures.empty()) {
    print_err("there is no figure '{}'; `posse reproduce` lists all\n{}",
              arguments.name,
              did_you_mean(arguments.name, names));
    return ExitCode::usage;
  }
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  std::vector<Reproduction> results;
  ExitCode worst = ExitCode::ok;
  try {
    for (const auto* figure : figures) {
      if (!has_data(*figure, overrides_of(arguments))) {
        print_err("{}", missing_data_text(*figure));
        if (figures.size() == 1) return ExitCode::invalid_scenario;
        continue;  // not part of `all` without its data
      }
      auto result = reproduce_one(arguments, *figure);
      if (!result) return ExitCode::invalid_scenario;
      if (worst == ExitCode::ok) worst = result->exit_code;
      results.push_back(std::move(*result));
      if (results.back().signal != 0) break;
    }
  } catch (const std::exception& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  if (arguments.json) {
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

}  // namespace posse
