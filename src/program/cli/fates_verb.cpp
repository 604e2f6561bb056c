// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/cli/loss_ranking.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/fates/fates.hpp"
#include "program/fates/fates_json.hpp"
#include "program/fates/features.hpp"
#include "program/fates/random_fates.hpp"
#include "program/fates/scenario_text.hpp"
#include "program/replay/loss_sweep.hpp"

namespace posse {
namespace {

struct FatesFlags {
  std::string file;
  VariationFlags variation;  // the seed: with --random, of the first network
  std::uint32_t depth = 2;
  std::uint64_t most = 10'000;
  std::optional<std::uint64_t> random;
  bool rank = false;
  std::optional<std::uint32_t> repetition;  // --rank
  std::size_t limit = 2'000;                // --rank
  std::optional<std::size_t> jobs;          // --random, --rank
  std::string property, out;
  bool json = false, quiet = false;

  void add_to(CLI::App& verb);
};

void FatesFlags::add_to(CLI::App& verb) {
  add_external_flag(verb);
  add_set_flag(verb, variation.set);
  verb.add_option("FILE", file, "scenario file")->required();
  auto* with_depth =
      verb.add_option("--depth",
                      depth,
                      "things that go wrong in one run (default: 2); 0: the scenario as it is")
          ->check(CLI::Range(0, 8));
  auto* with_most = verb.add_option("--most", most, "largest number of runs (default: 10000)")
                        ->check(count_from_one());
  auto* at_random =
      verb.add_option("--random",
                      random,
                      "put the scenario's algorithms into so many random faulty networks instead")
          ->check(count_from_one())
          ->type_name("N")
          ->excludes(with_depth)
          ->excludes(with_most);
  auto* with_property =
      verb.add_option("--property", property, "check only this property (default: all)");
  auto* ranks =
      verb.add_flag("--rank",
                    rank,
                    "run the scenario without each of its messages instead, one at a time, and "
                    "rank them by the harm of their loss")
          ->excludes(with_depth)
          ->excludes(with_most)
          ->excludes(at_random)
          ->excludes(with_property);
  verb.add_option("--seed",
                  variation.seed,
                  "with --random, the seed of the first network (default: 0); with --rank, "
                  "overrides the scenario's")
      ->check(seed_check());
  verb.add_option("--repeat", variation.repeat, "with --rank, overrides the scenario's")
      ->check(count_from_one())
      ->needs(ranks);
  verb.add_option("--repetition", repetition, "with --rank, the one to look at (default: 0)")
      ->needs(ranks);
  verb.add_option(
          "--limit", limit, "with --rank, at most so many messages, evenly spaced (default: 2000)")
      ->check(count_from_one())
      ->needs(ranks);
  verb.add_option("--jobs",
                  jobs,
                  "with --random, networks at a time (default: 1); with --rank, runs at a time "
                  "(default: one per core)")
      ->check(CLI::Range(1, 1024));
  verb.add_flag("--quiet", quiet, "print violations only; with --rank, no progress");
  verb.add_flag(
      "--json", json, "print the counts, and what is violated, as JSON; with --rank, all losses");
  verb.add_option("-o,--out",
                  out,
                  "file for the shortest counterexample (default: standard output); with --random, "
                  "directory for counterexamples (default: runs/fates); with --rank, file for all "
                  "losses as CSV");
  verb.parse_complete_callback([this] {
    if (random || rank) return;
    if (variation.seed) throw CLI::RequiresError("--seed", "--random or --rank");
    if (jobs) throw CLI::RequiresError("--jobs", "--random or --rank");
  });
}

/// Says what is allowed if there is no such property; an empty name means all.
bool known_property(const std::string& name) {
  const auto names = property_names();
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return true;
  print_err("there is no property '{}'\n    allowed: {}\n{}",
            name,
            fmt::join(names, "; "),
            did_you_mean(name, names));
  return false;
}

/// The scenario with its input files, or nothing after printing all its mistakes.
std::optional<std::string> text_of_file(const FatesFlags& flags) {
  Diagnostics diagnostics;
  VariationFlags changes = flags.variation;
  changes.seed.reset();
  auto text = self_contained_text(flags.file, overrides_of(changes), diagnostics);
  return report_mistakes(diagnostics) ? std::optional(std::move(text)) : std::nullopt;
}

std::string counts(const std::map<std::string, std::uint64_t>& by_name) {
  std::string text;
  for (const auto& [name, count] : by_name)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

ExitCode try_every_fate(const FatesFlags& flags) {
  const auto text = text_of_file(flags);
  if (!text) return ExitCode::invalid_scenario;
  const auto report = every_fate(*text, {flags.most, flags.depth}, flags.property);
  if (flags.json) {
    print_out("{}\n", fates_json(report));
  } else if (!flags.quiet) {
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
}

std::string networks_text(const RandomFateReport& report) {
  const auto networks = count_text(report.runs, "network", "networks");
  return report.algorithms == 1 ? networks
                                : fmt::format("{} for {} algorithms", networks, report.algorithms);
}

/// The features that were reached, a group a line.
std::string reached_text(const RandomFateReport& report) {
  std::string text;
  for (const auto& group : feature_groups()) {
    std::string line;
    for (const auto& feature : group.features)
      if (const auto count = report.features.at(feature.name); count > 0)
        line += fmt::format("{}{} {}", line.empty() ? "" : ", ", feature.name, count);
    if (!line.empty()) text += wrapped(fmt::format("{}: {}", group.name, line), "  ");
  }
  return text;
}

void report_counterexample(const Invocation& invocation, const Counterexample& each) {
  std::string command = this_program(invocation);
  for (const auto& plugin : invocation.plugins) command += " --plugin " + shell_quoted(plugin);
  print_err(
      "{}: violated: {}\n  {}\n  in {}, the first of seed {}; made smaller: {}\n  to "
      "reproduce: {} fates {} --depth 0\n",
      each.algorithm,
      each.property,
      each.what,
      count_text(each.networks, "network", "networks"),
      each.seed,
      each.file.string(),
      command,
      shell_quoted(each.file.string()));
}

RandomFateReport fates_with_progress(const std::string& text,
                                     const RandomFateOptions& options,
                                     bool quiet) {
  TrialsProgress progress;
  const ProgressLines printer(
      quiet ? ProgressStyle::none : ProgressStyle::automatic,
      {.state =
           [&] {
             const auto done = progress.done.load();
             ProgressState state;
             state.done = static_cast<double>(done) / static_cast<double>(options.networks);
             state.parts = {fmt::format("{} networks", done),
                            fmt::format("{} violations", progress.failures.load())};
             return state;
           },
       .stop = [&] { progress.stop = true; },
       .keep_rest = {}});
  return random_fates(text, options, progress);
}

ExitCode try_random_fates(const FatesFlags& flags, const Invocation& invocation) {
  const auto text = text_of_file(flags);
  if (!text) return ExitCode::invalid_scenario;
  const RandomFateOptions options{.first = flags.variation.seed.value_or(0),
                                  .networks = *flags.random,
                                  .jobs = flags.jobs.value_or(1),
                                  .property = flags.property,
                                  .folder = flags.out.empty() ? "runs/fates" : flags.out};
  for (const auto& file : crashed_trials(options.folder))
    print_err("note: an earlier search did not come to its end in {}\n", file.string());
  catch_signals();
  const auto report = fates_with_progress(*text, options, flags.quiet);
  const auto violations = report.counterexamples.size();
  if (flags.json) {
    print_out("{}\n", fates_json(report));
  } else if (!flags.quiet) {
    print_out("{}, {}\n",
              networks_text(report),
              violations == 0 ? "no violation"
                              : count_text(violations, "property", "properties") + " violated");
    for (const auto& [algorithm, property] : report.unchecked)
      print_out(
          "{}",
          wrapped(fmt::format("not checked: {} ({})", property.property, property.why), "  "));
    print_out("{}", reached_text(report));
  }
  flush_out();
  for (const auto& each : report.counterexamples) report_counterexample(invocation, each);
  if (violations > 0) {
    print_err("{} (exit code 5)\n", count_text(violations, "violation", "violations"));
    return ExitCode::violated;
  }
  if (const int signal = pending_signal()) return static_cast<ExitCode>(128 + signal);
  return ExitCode::ok;
}

ExitCode rank_losses(const FatesFlags& flags) {
  const auto scenario = scenario_of(flags.file, overrides_of(flags.variation));
  if (!scenario) return ExitCode::invalid_scenario;
  catch_signals();
  LossSweepOptions options;
  options.repetition = flags.repetition.value_or(0);
  options.jobs = threads_of(flags.jobs.value_or(0));
  options.most = flags.limit;
  std::string csv(kLossSweepHeader);
  auto json = Json::array();
  for (const AlgorithmEntry& entry : scenario->algorithms) {
    LossSweepProgress progress;
    LossSweep sweep;
    {
      const ProgressLines printer(
          flags.quiet ? ProgressStyle::none : ProgressStyle::automatic,
          {.state =
               [&] {
                 const auto done = progress.done.load(), runs = progress.runs.load();
                 ProgressState state;
                 if (runs > 0) state.done = static_cast<double>(done) / static_cast<double>(runs);
                 state.parts = {fmt::format("{} of {} runs", done, runs), entry.label};
                 return state;
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
  write_file(flags.out, csv);
  print_err("wrote {}\n", flags.out);
  return ExitCode::ok;
}

ExitCode find_fates(const FatesFlags& flags, const Invocation& invocation) {
  if (!known_property(flags.property)) return ExitCode::usage;
  if (flags.rank) return rank_losses(flags);
  return flags.random ? try_random_fates(flags, invocation) : try_every_fate(flags);
}

}  // namespace

Command fates_verb(CLI::App& verb) { return command_of(verb, find_fates); }

}  // namespace posse
