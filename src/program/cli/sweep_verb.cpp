// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/cli/comparison_output.hpp"
#include "program/cli/shared_flags.hpp"
#include "program/compare/study_report.hpp"
#include "program/compare/threshold_verdicts.hpp"
#include "program/compare/wanted_width.hpp"
#include "program/live/watching.hpp"
#include "program/page/serve.hpp"
#include "program/page/sweep_page.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/decision_report.hpp"
#include "program/sweep/setting_names.hpp"
#include "program/sweep/shard.hpp"
#include "program/sweep/study_reader.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;

struct SweepFlags {
  ScenarioFlags scenario;
  std::string store;
  std::size_t jobs = 0;
  MemoryFlag memory;
  std::string shard;
  bool fail_fast = false;
  std::optional<std::string> decide;  // the error
  std::string measure;
  UntilFlags until;
  std::optional<std::string> page;  // address to listen at, or ""
  std::string linger, progress = "auto";
  bool json = false, quiet = false;

  void add_to(CLI::App& verb) {
    scenario.add_to(verb);
    verb.add_option("--store", store, "directory of the runs (default: sweeps/NAME)");
    add_jobs_flag(verb, jobs);
    memory.add_to(verb);
    verb.add_option(
        "--shard",
        shard,
        "run only part I of N (I/N), or the part that Slurm, LSF, PBS, Grid Engine or GNU "
        "parallel asks for (auto, auto/N)");
    verb.add_flag("--fail-fast", fail_fast, "start no further run after a failed one");
    verb.add_option(
            "--decide",
            decide,
            "repetitions, up to --repeat, only until it is known who is best in each setting "
            "(with one algorithm: which setting is); the probability that any of these "
            "verdicts is wrong is at most ERROR (default: 0.05)")
        ->type_name("[=ERROR]");
    add_measure_flag(verb, measure);
    until.add_to(verb);
    verb.add_option("--serve", page, "serve a page of the sweep; default address 127.0.0.1:8470")
        ->type_name("[=ADDR]");
    verb.add_option("--linger", linger, "keep serving after the sweep, e.g. 60s");
    add_progress_flag(verb, progress);
    verb.add_flag("--json", json, "print the summary as JSON");
    verb.add_flag("--quiet", quiet, "print no progress and no summary");
  }
};

std::string reproduce_command(const SweepFlags& flags,
                              const Invocation& invocation,
                              const SweepPlan& plan,
                              const PlannedRun& run) {
  std::string command =
      this_program(invocation) + " run " + shell_quoted(flags.scenario.file) + " --set sweep=";
  for (const auto& assignment : flags.scenario.set) command += " --set " + shell_quoted(assignment);
  for (const auto& assignment : plan.assignments(run.setting))
    command += " --set " + shell_quoted(assignment);
  return command + fmt::format(" --seed {} --repetition {}", plan.seed(), run.repetition);
}

/// "160 runs: 120 were there, 40 made in 12.3 s (3.25 runs/s); 2 failed"
std::string outcome_text(const SweepOutcome& outcome) {
  auto text = count_text(outcome.planned, "run", "runs");
  text += fmt::format(": {} there before, {} made", outcome.present, outcome.made);
  if (outcome.made > 0)
    text +=
        fmt::format(" in {} ({} runs/s)",
                    pretty_seconds(rounded(outcome.wall_s, 3)),
                    pretty_number(rounded(static_cast<double>(outcome.made) / outcome.wall_s, 3)));
  if (!outcome.failed.empty()) text += fmt::format("; {} failed", outcome.failed.size());
  return text;
}

/// Judges the thresholds of a complete sweep. The exit code, with that of runs that did not finish.
ExitCode judge_sweep(const SweepPlan& plan,
                     const Collection& collection,
                     const fs::path& out,
                     bool failed) {
  const auto verdicts = plan.thresholds().empty()
                            ? std::vector<ThresholdVerdict>()
                            : judge_study(plan.thresholds(), read_study({out}));
  report_thresholds(verdicts);
  const ExitCode judged = exit_code_of(verdicts);
  if (judged == ExitCode::threshold) return judged;
  return failed || collection.unfinished > 0 ? ExitCode::some_failed : judged;
}

/// The tables, the comparison and the thresholds. `made`: ok, or some_failed.
ExitCode show_sweep(const SweepFlags& flags,
                    const SweepPlan& plan,
                    const Collection& collection,
                    const fs::path& out,
                    ExitCode made) {
  report_collection(collection, out);
  if (!flags.quiet || flags.json)
    print_comparison({out}, flags.measure, flags.until.until_ci, flags.json);
  return judge_sweep(plan, collection, out, made == ExitCode::some_failed);
}

SweepOptions sweep_options(const SweepFlags& flags, const Invocation& invocation) {
  SweepOptions options;
  options.jobs = threads_of(flags.jobs);
  options.progress = progress_style(flags.progress, flags.quiet);
  options.command_line = invocation.command_line;
  options.fail_fast = flags.fail_fast;
  if (!flags.shard.empty())
    options.shard = parse_shard(flags.shard, [](const char* name) { return std::getenv(name); });
  return options;
}

/// Makes the missing runs of the plan and reports the failed ones.
SweepOutcome make_runs(const SweepFlags& flags,
                       const Invocation& invocation,
                       const SweepPlan& plan,
                       const RunStore& store,
                       const SweepOptions& options) {
  SweepOutcome outcome;
  try {
    outcome = run_sweep(plan, store, options);
  } catch (const FileError&) {
    print_err("{}: finished runs are kept; the same command goes on\n", store.root().string());
    throw;
  }
  print_err("{}", failures_text(plan, outcome, [&](const PlannedRun& run) {
              return reproduce_command(flags, invocation, plan, run);
            }));
  for (const auto& conflict : outcome.conflicts)
    print_err("'{}' is another result of a run that the store has\n", conflict.string());
  return outcome;
}

/// The exit code that stops the sweep, or ok or some_failed.
ExitCode code_of(const SweepOutcome& outcome) {
  if (outcome.signal != 0) {
    print_err("stopped by a signal (exit code {}); the same command goes on\n",
              128 + outcome.signal);
    return static_cast<ExitCode>(128 + outcome.signal);
  }
  if (!outcome.conflicts.empty()) return ExitCode::differs;
  return outcome.failed.empty() ? ExitCode::ok : ExitCode::some_failed;
}

/// All runs of the plan, which becomes the store's.
ExitCode make_all_runs(const SweepFlags& flags,
                       const Invocation& invocation,
                       const SweepPlan& plan,
                       const RunStore& store,
                       const SweepOptions& options) {
  write_plan(store, plan);
  fs::remove(store.root() / kDecisionsFile);  // of another plan
  const SweepOutcome outcome = make_runs(flags, invocation, plan, store, options);
  print_err("{}: {}\n", store.root().string(), outcome_text(outcome));
  return code_of(outcome);
}

bool goes_on(ExitCode code) { return code == ExitCode::ok || code == ExitCode::some_failed; }

/// Passes with more and more repetitions, until the width is reached.
ExitCode sweep_until(SweepFlags flags,
                     const Invocation& invocation,
                     const SweepOptions& options,
                     const RunStore& store,
                     const WantedWidth& wanted) {
  for (;;) {
    const auto plan = plan_of(flags.scenario, flags.until);
    if (!plan) return ExitCode::invalid_scenario;
    const ExitCode made = make_all_runs(flags, invocation, *plan, store, options);
    if (!goes_on(made)) return made;
    const Collection collection = collect({store}, store.root());
    const auto next = next_repetitions(read_study({store.root()}), wanted, plan->repeat());
    if (!next || *next > flags.until.most_repetitions) {
      const ExitCode shown = show_sweep(flags, *plan, collection, store.root(), made);
      if (next) report_unreached_width(flags.until);
      return next && shown == ExitCode::ok ? ExitCode::undecided : shown;
    }
    if (!flags.quiet) tell_of_next_pass(flags.until, plan->repeat(), *next);
    flags.scenario.repeat = next;
  }
}

/// Batches of repetitions for what is still open, until every verdict holds or can't be had.
ExitCode sweep_deciding(const SweepFlags& flags,
                        const Invocation& invocation,
                        SweepOptions options,
                        const SweepPlan& plan,
                        const RunStore& store,
                        double error,
                        SweepPage* page) {
  const auto names = names_of_settings(plan);
  SweepDecision decision(plan, error, measure_of(flags.measure));
  fs::remove(store.root() / kDecisionsFile);
  SweepOutcome all;
  bool failed = false;
  while (!decision.done()) {
    write_plan(store, plan, decision.runs());
    options.only = decision.new_runs();
    options.progress_note =
        fmt::format("{} of {} verdicts hold, ", decision.decided(), decision.verdicts().size());
    const auto repetitions = decision.repetitions();
    const SweepOutcome outcome = make_runs(flags, invocation, plan, store, options);
    const ExitCode made = code_of(outcome);
    all.planned += outcome.planned;
    all.present += outcome.present;
    all.made += outcome.made;
    all.wall_s += outcome.wall_s;
    failed = failed || !outcome.failed.empty();
    if (!goes_on(made) || (failed && options.fail_fast)) return made;
    decision.look(store);
    if (page != nullptr) page->show(decision_json(decision, names));
    store.write(kDecisionsFile,
                csv_text(decisions_table(decision)));  // a sweep that is stopped has it, too
    if (!flags.quiet)
      print_err("{} repetitions: {} of {} verdicts hold, {}\n",
                repetitions,
                decision.decided(),
                decision.verdicts().size(),
                count_text(all.planned, "run", "runs"));
  }
  print_err("{}: {}\n", store.root().string(), outcome_text(all));
  const Collection collection = collect({store}, store.root());
  report_collection(collection, store.root());
  if (flags.json)
    print_json(decision_json(decision, names));
  else if (!flags.quiet)
    print_out("{}", to_text(decision_report(decision, names)));
  flush_out();
  const ExitCode judged = judge_sweep(plan, collection, store.root(), failed);
  const bool open = decision.decided() < decision.verdicts().size();
  return judged == ExitCode::ok && open ? ExitCode::undecided : judged;
}

ExitCode sweep_once(const SweepFlags& flags,
                    const Invocation& invocation,
                    const SweepOptions& options,
                    const SweepPlan& plan,
                    const RunStore& store) {
  const ExitCode made = make_all_runs(flags, invocation, plan, store, options);
  if (!goes_on(made)) return made;
  if (!options.shard)
    return show_sweep(flags, plan, collect({store}, store.root()), store.root(), made);
  if (!flags.quiet)
    print_err("when all parts are done: {} collect {}\n",
              this_program(invocation),
              shell_quoted(store.root().string()));
  return made;
}

/// The page of a sweep with its server, while it runs and a while longer.
struct ServedSweep {
  /// Throws std::system_error if the address can't be bound.
  ServedSweep(const HttpAddress& address,
              const SweepPlan& plan,
              const RunStore& store,
              std::optional<std::size_t> measure)
      : page(plan, store, measure), server(address, page.handler()) {
    print_err("page: {}/\n", server.url());
    warn_if_public(address);
  }

  void end(const SweepFlags& flags,
           const Invocation& invocation,
           double linger_s,
           const RunStore& store) {
    page.end(pending_signal() == 0 ? "finished" : "stopped");
    if (pending_signal() != 0) return;
    if (linger_s > 0) {
      print_err("serving for another {}; press Ctrl-C to stop\n", pretty_seconds(linger_s));
      wait_for_signal(linger_s);
    } else if (!flags.quiet) {
      print_err(
          "the page ended with the sweep; to look at it: {} serve {}, or --linger 60s next "
          "time\n",
          this_program(invocation),
          shell_quoted(store.root().string()));
    }
  }

  SweepPage page;
  HttpServer server;
};

/// Of --decide. Throws std::invalid_argument for what is not an error.
double parse_error(const std::string& text) {
  const auto number = parse_number<double>(text);
  const auto error = number ? number : parse_share(text).value;
  if (!error || !(*error > 0 && *error < 0.5))
    throw std::invalid_argument(fmt::format(
        "--decide: '{}' is not the probability of an error; allowed: above 0 and below 0.5, "
        "such as 0.05 or 5%",
        text));
  return *error;
}

ExitCode run_all_settings(const SweepFlags& flags, const Invocation& invocation) {
  SweepOptions options;
  const auto memory = memory_gate(flags.memory);
  std::optional<WantedWidth> wanted;
  std::optional<double> error;
  WatchOptions watch;
  try {
    options = sweep_options(flags, invocation);
    options.memory = memory.get();
    const auto measure = measure_of(flags.measure);
    if (!flags.until.until_ci.empty()) wanted = parse_width(flags.until.until_ci);
    if (wanted && options.shard)
      throw std::invalid_argument("--until-ci needs all runs: it can't be used with --shard");
    if (flags.decide) error = parse_error(*flags.decide);
    if (error && measure && !quantity_at(*measure).ranked())
      throw std::invalid_argument(fmt::format(
          "--decide: whether more or less of {} is better isn't said: none can be the best",
          flags.measure));
    if (error && options.shard)
      throw std::invalid_argument("--decide needs all runs: it can't be used with --shard");
    if (flags.page && options.shard)
      throw std::invalid_argument(
          "--serve shows the whole sweep: it can't be used with --shard; `posse serve STORE` shows "
          "what a store has");
    watch = parse_watch_options(std::nullopt, flags.page, flags.linger, "");
    if (error && wanted)
      throw std::invalid_argument(
          "--decide and --until-ci both choose the repetitions: use one of them");
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
  const auto plan = plan_of(flags.scenario, flags.until);
  if (!plan) return ExitCode::invalid_scenario;
  // Runs in the store have the other warnings themselves.
  for (const Warning& warning : plan->warnings())
    if (warning.code.starts_with(kWithoutEffect)) print_err("warning: {}\n", warning.text);
  if (error && plan->algorithms().size() > 1)
    for (std::size_t s = 0; s < plan->settings(); ++s)
      if (plan->algorithms_in(s).size() < 2) {
        print_err(
            "--decide: {} has one algorithm, and nothing to decide; needed: two or more in every "
            "setting that sweep.exclude leaves (exit code 2)\n",
            plan->setting_text(s));
        return ExitCode::usage;
      }
  if (error && plan->settings() * plan->algorithms().size() < 2) {
    print_err(
        "--decide: there is one algorithm in one setting, and nothing to decide; needed: a "
        "second [[algorithm]], or a [sweep] with two settings (exit code 2)\n");
    return ExitCode::usage;
  }
  const RunStore store(store_of(flags.store, *plan));
  catch_signals();
  const StoreWriter probe(store);  // an unwritable store is found before the first run
  std::optional<ServedSweep> served;
  try {
    if (watch.page) served.emplace(*watch.page, *plan, store, measure_of(flags.measure));
  } catch (const std::system_error& problem) {
    print_err("{}; --serve=:0 chooses a free one (exit code 10)\n", problem.what());
    return ExitCode::port;
  }
  if (served) options.observer = &served->page;
  const ExitCode code =
      error
          ? sweep_deciding(
                flags, invocation, options, *plan, store, *error, served ? &served->page : nullptr)
      : wanted ? sweep_until(flags, invocation, options, store, *wanted)
               : sweep_once(flags, invocation, options, *plan, store);
  if (served) served->end(flags, invocation, watch.linger_s, store);
  return code;
}

}  // namespace

Command sweep_verb(CLI::App& verb) { return command_of(verb, run_all_settings); }

}  // namespace posse
