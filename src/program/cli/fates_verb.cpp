// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/chaos/fates.hpp"
#include "program/cli/chaos_input.hpp"
#include "program/cli/loss_ranking.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/replay/loss_sweep.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

struct FatesFlags {
  std::string file;
  std::uint32_t depth = 2;
  std::uint64_t most = 10'000;
  std::string property, out;
  bool json = false;
  // Of --rank:
  bool rank = false;
  VariationFlags variation;
  std::optional<std::uint32_t> repetition;
  std::size_t limit = 2'000, jobs = 0;
  bool quiet = false;

  void add_to(CLI::App& verb);
};

void FatesFlags::add_to(CLI::App& verb) {
  verb.add_option("SCENARIO", file, "scenario file, or a seed of chaos")->required();
  auto* with_depth =
      verb.add_option("--depth", depth, "things that go wrong in one run (default: 2)")
          ->check(CLI::Range(1, 8));
  auto* with_most = verb.add_option("--most", most, "largest number of runs (default: 10000)")
                        ->check(count_from_one());
  auto* with_property =
      verb.add_option("--property", property, "check only this property (default: all)");
  verb.add_flag(
      "--json", json, "print the counts, and what is violated, as JSON; with --rank, all losses");
  verb.add_option("-o,--out",
                  out,
                  "file for the shortest counterexample (default: standard output); with --rank, "
                  "for all losses as CSV");
  auto* ranks =
      verb.add_flag("--rank",
                    rank,
                    "run the scenario without each of its messages, one at a time, and rank them "
                    "by the harm of their loss")
          ->excludes(with_depth)
          ->excludes(with_most)
          ->excludes(with_property);
  variation.add_to(verb);
  verb.add_option("--repetition", repetition, "the repetition to look at (default: 0)");
  verb.add_option("--limit", limit, "largest number of messages (default: 2000), evenly")
      ->check(count_from_one());
  add_jobs_flag(verb, jobs);
  verb.add_flag("--quiet", quiet, "print no progress");
  for (const auto* flag :
       {"--set", "--seed", "--repeat", "--repetition", "--limit", "--jobs", "--quiet"})
    verb.get_option(flag)->needs(ranks);
}

std::string counts(const std::map<std::string, std::uint64_t>& by_name) {
  std::string text;
  for (const auto& [name, count] : by_name)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

nlohmann::ordered_json fates_json(const FateReport& report) {
  nlohmann::ordered_json violation;
  if (report.violation)
    violation = {{"property", report.violation->property}, {"what", report.violation->what}};
  return {{"schedules", report.schedules},
          {"outcomes", report.outcomes},
          {"complete", report.complete},
          {"reached", report.reached},
          {"deviations", report.deviations},
          {"ends", report.ends},
          {"violation", std::move(violation)},
          {"counterexample", report.counterexample}};
}

ExitCode rank_losses(const FatesFlags& flags) {
  const auto scenario = scenario_of(flags.file, overrides_of(flags.variation));
  if (!scenario) return ExitCode::invalid_scenario;
  before_exit_by_signal(kill_all_line_processes);
  catch_signals();
  LossSweepOptions options;
  options.repetition = flags.repetition.value_or(0);
  options.jobs = threads_of(flags.jobs);
  options.most = flags.limit;
  std::string csv(kLossSweepHeader);
  auto json = nlohmann::ordered_json::array();
  for (const AlgorithmEntry& entry : scenario->algorithms) {
    LossSweepProgress progress;
    LossSweep sweep;
    {
      const ProgressLines printer(
          flags.quiet ? ProgressStyle::none : ProgressStyle::automatic,
          {.line =
               [&] {
                 return fmt::format(
                     "{}: {} of {} runs", entry.label, progress.done.load(), progress.runs.load());
               },
           .stop = [&] { progress.stop = true; },
           .keep_rest = {}});
      sweep = sweep_losses(*scenario, entry, options, progress);
    }
    if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
    if (flags.json)
      json.push_back(loss_sweep_json(entry.label, sweep));
    else
      print_out("{}", loss_sweep_text(entry.label, sweep));
    flush_out();
    csv += loss_sweep_csv(entry.label, sweep);
  }
  if (flags.json) print_json(json);
  if (flags.out.empty()) return ExitCode::ok;
  try {
    write_file(flags.out, csv);
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
  print_err("wrote {}\n", flags.out);
  return ExitCode::ok;
}

ExitCode try_fates(const FatesFlags& flags, const Invocation&) {
  if (flags.rank) return rank_losses(flags);
  if (!known_property(flags.property)) return ExitCode::usage;
  try {
    const auto report =
        every_fate(scenario_text(flags.file), {flags.most, flags.depth}, flags.property);
    if (!report.mistakes.empty()) {
      print_err("{} (exit code 3)\n", report.mistakes);
      return ExitCode::invalid_scenario;
    }
    if (flags.json) {
      print_json(fates_json(report));
    } else {
      print_out("{} schedules, {} different outcomes; {} with up to {} deviations\n",
                report.schedules,
                report.outcomes,
                report.complete ? "all" : "not all",
                report.reached);
      print_out("  deviations: {}\n  ends: {}\n", counts(report.deviations), counts(report.ends));
    }
    flush_out();
    if (!report.violation) return ExitCode::ok;
    if (!flags.out.empty())
      write_file(flags.out, report.counterexample);
    else if (!flags.json)
      print_out("{}", report.counterexample);
    print_err(
        "violated: {}\n  {}\n(exit code 5)\n", report.violation->property, report.violation->what);
    return ExitCode::violated;
  } catch (const FileError& problem) {
    print_err("{} (exit code 11)\n", problem.what());
    return ExitCode::files;
  }
}

}  // namespace

Command fates_verb(CLI::App& verb) { return command_of(verb, try_fates); }

}  // namespace posse
