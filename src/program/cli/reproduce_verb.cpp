// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/reproduce/claims_file.hpp"
#include "program/reproduce/claims_page.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/reproduce/shipped_papers.hpp"
#include "program/run/progress.hpp"

namespace posse {
namespace {

constexpr double kLongestDecision_s = 600;  // of one figure
constexpr int kMostDecisions = 3;           // how often the repetitions are estimated anew

struct ReproduceFlags {
  std::vector<std::string> figures;
  FigureMode mode;
  bool decide = false;
  std::string page;
  VariationFlags variation;
  ExecutionFlags execution;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    verb.add_option("FIGURE",
                    figures,
                    "names of figures, or all (default: list the figures); after the name of a "
                    "claims file, FILE.toml, its figures (default: all)");
    verb.add_flag("--quick", mode.quick, "run fewer repetitions with smaller budgets");
    verb.add_flag("--wrong",
                  mode.wrong,
                  "change what the figure names as wrong: shows that its verdicts can turn");
    verb.add_flag("--decide",
                  decide,
                  "make as many repetitions as undecided claims need, where that takes at most ten "
                  "minutes");
    verb.add_option(
        "--page", page, "write what was found into this folder: claims.md, with pictures");
    variation.add_to(verb);
    execution.add_to(verb);
    verb.add_flag("--json", json, "print the verdicts as JSON");
    verb.add_flag("--quiet", quiet, "print no progress");
  }
};

std::vector<std::string> figure_words() {
  std::vector<std::string> words{"all"};
  for (const auto& paper : shipped_papers_or_none())
    for (const auto& figure : paper.figures) words.push_back(figure.name);
  return words;
}

/// The figures that a command is about.
struct Selection {
  std::vector<Paper> papers;
  std::vector<const PaperFigure*> figures;

  bool needs(const Override& data) const {
    return std::ranges::any_of(figures, [&](const auto* f) { return names_data(data, *f); });
  }
};

/// Prints mistakes; their exit code, else 0.
ExitCode select(const ReproduceFlags& flags, Selection& selection) {
  auto names = flags.figures;
  const std::string file = names.front().ends_with(".toml") ? names.front() : "";
  if (file.empty()) {
    selection.papers = shipped_papers();
  } else {
    Diagnostics diagnostics;
    selection.papers.push_back(load_claims(file, diagnostics));
    if (!report_mistakes(diagnostics)) return ExitCode::invalid_scenario;
    names.erase(names.begin());
  }
  const bool all = names.empty() || names == std::vector<std::string>{"all"};
  std::vector<std::string> known{"all"};
  for (const auto& paper : selection.papers)
    for (const auto& figure : paper.figures) {
      known.push_back(figure.name);
      if (all || std::ranges::find(names, figure.name) != names.end())
        selection.figures.push_back(&figure);
    }
  for (const auto& name : names)
    if (std::ranges::find(known, name) == known.end()) {
      if (file.empty())
        print_err("there is no figure '{}'; `posse reproduce` lists all\n{}",
                  name,
                  did_you_mean(name, known));
      else
        print_err("there is no figure '{}' in {}\n{}", name, file, did_you_mean(name, known));
      return ExitCode::usage;
    }
  return ExitCode::ok;
}

/// With several figures, the path of a data file is for those that need this one.
std::vector<Override> overrides_for(const ReproduceFlags& flags,
                                    const Selection& selection,
                                    const PaperFigure& figure) {
  auto overrides = overrides_of(flags.variation);
  if (selection.figures.size() > 1)
    std::erase_if(overrides,
                  [&](const Override& o) { return selection.needs(o) && !names_data(o, figure); });
  return overrides;
}

/// Nothing after a mistake, which is printed.
std::optional<Reproduction> reproduce_once(const ReproduceFlags& flags,
                                           const PaperFigure& figure,
                                           const std::vector<Override>& overrides,
                                           const Invocation& invocation) {
  Diagnostics diagnostics;
  const auto options = execution_options(flags.execution, flags.quiet, invocation);
  Reproduction result;
  if (has_sweep(figure, flags.mode, overrides)) {
    const auto plan = load_sweep(figure, flags.mode, overrides, diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!flags.quiet) print_err("{}\n", figure.name);
    result = reproduce_sweep(figure, plan, flags.mode, flags.execution.out, options);
  } else {
    const auto scenario = load_figure(figure, flags.mode, overrides, diagnostics);
    if (!report_mistakes(diagnostics)) return std::nullopt;
    if (!flags.quiet) print_err("{}\n", figure.name);
    result = reproduce(figure, scenario, flags.mode, flags.execution.out, options);
  }
  return result;
}

/// How many repetitions --decide makes next; nothing if there is nothing to decide, or it would
/// take too long, which is said.
std::optional<std::uint32_t> more_repetitions(const Reproduction& result) {
  const auto needed = result.repetitions_needed();
  if (!needed || *needed <= result.repetitions || result.signal != 0) return std::nullopt;
  const double seconds = result.seconds_to(*needed);
  if (seconds <= kLongestDecision_s) return needed;
  print_err("{}: {} repetitions would decide it and take about {}: not made\n",
            result.figure->name,
            *needed,
            pretty(rounded(seconds, 2), "s"));
  return std::nullopt;
}

std::optional<Reproduction> reproduce_one(const ReproduceFlags& flags,
                                          const PaperFigure& figure,
                                          std::vector<Override> overrides,
                                          const Invocation& invocation) {
  auto result = reproduce_once(flags, figure, overrides, invocation);
  for (int times = 0; result && flags.decide && times < kMostDecisions; ++times) {
    const auto repetitions = more_repetitions(*result);
    if (!repetitions) break;
    if (!flags.quiet) print_err("undecided: {} repetitions\n", *repetitions);
    overrides.push_back({"--decide", fmt::format("repeat={}", *repetitions)});
    result = reproduce_once(flags, figure, overrides, invocation);
  }
  if (result && !flags.json) print_out("{}\n", to_text(*result));
  flush_out();
  return result;
}

ExitCode reproduce_selected(const ReproduceFlags& flags, const Invocation& invocation) {
  if (flags.figures.empty()) {
    print_out("{}", figures_page(shipped_papers()));
    return ExitCode::ok;
  }
  Selection selection;
  if (const auto code = select(flags, selection); code != ExitCode::ok) return code;
  const auto& figures = selection.figures;
  catch_signals();
  std::vector<Reproduction> results;
  ExitCode worst = ExitCode::ok;
  for (const auto* figure : figures) {
    if (flags.mode.wrong && figure->wrong.empty()) {
      print_err("{} names no wrong parameter (`wrong` in its claims file)\n", figure->name);
      if (figures.size() == 1) return ExitCode::usage;
      continue;
    }
    if (!has_data(*figure, overrides_of(flags.variation))) {
      print_err("{}", missing_data_text(*figure));
      if (figures.size() == 1) return ExitCode::invalid_scenario;
      continue;  // among several, those without their data are left out
    }
    auto result =
        reproduce_one(flags, *figure, overrides_for(flags, selection, *figure), invocation);
    if (!result) return ExitCode::invalid_scenario;
    if (worst == ExitCode::ok) worst = result->exit_code;
    results.push_back(std::move(*result));
    if (results.back().signal != 0) break;
  }
  if (!flags.page.empty()) write_claims_page(selection.papers, results, flags.page);
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

Command reproduce_verb(CLI::App& verb) {
  return command_of(verb, reproduce_selected, figure_words);
}

}  // namespace posse
