// SPDX-License-Identifier: Apache-2.0
#include "program/cli/run_verb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/base/outside_failure.hpp"
#include "program/base/files.hpp"
#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/compare/failures.hpp"
#include "program/compare/studied_runs.hpp"
#include "program/compare/summary.hpp"
#include "program/compare/wanted_width.hpp"
#include "program/live/watching.hpp"
#include "program/page/report.hpp"
#include "program/results/results.hpp"
#include "program/run/memory.hpp"
#include "program/run/progress.hpp"
#include "program/run/runner.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// The command that repeats this run. Links cut during the run are in the folder's scenario only.
std::string reproduce_command(const RunFlags& flags,
                              const Invocation& invocation,
                              const Scenario& scenario,
                              const RunFigures& run,
                              const std::filesystem::path& folder) {
  const bool as_recorded = run.touched && !folder.empty();
  std::string command = this_program(invocation);
  for (const auto& plugin : invocation.plugins) command += " --plugin " + shell_quoted(plugin);
  command += " run " +
             shell_quoted(as_recorded ? (folder / "scenario.toml").string() : flags.scenario.file);
  if (!as_recorded)
    for (const auto& assignment : flags.scenario.set)
      command += " --set " + shell_quoted(assignment);
  return command +
         fmt::format(" --seed {} --repetition {} --trace messages", scenario.seed, run.repetition);
}

/// Where the results are, and what failed while writing them.
struct Kept {
  std::filesystem::path folder;  // empty if they could not be written
  std::string unwritten, unreported;
  std::optional<std::string> text;  // in place of the summary
};

void report_run(const RunFlags& flags,
                const Invocation& invocation,
                const Scenario& scenario,
                const Execution& execution,
                const Kept& kept) {
  const auto& [result, summary, metadata, signal] = execution;
  if (flags.json)
    print_out("{}", results_json(scenario, result, summary));
  else if (!flags.quiet)
    print_out("{}",
              kept.text       ? *kept.text
              : flags.details ? details_text(summary)
                              : brief_text(summary));
  flush_out();
  if (signal == 0)
    print_err("{}", failures_text(scenario, result, [&](const RunFigures& run) {
                return reproduce_command(flags, invocation, scenario, run, kept.folder);
              }));
  else
    print_err("stopped by a signal (exit code {})\n", 128 + signal);
  report_thresholds(summary.thresholds);
  if (!flags.until.until_ci.empty() && metadata.exit_code == ExitCode::undecided)
    report_unreached_width(flags.until);
  if (!flags.verbose) return;
  for (const auto& run : result.figures)
    print_err("{}, repetition {}: {:.3f} s of wall time, {} events{}{}\n",
              scenario.algorithms[run.algorithm].label,
              run.repetition,
              run.wall_s,
              run.events,
              run.note.empty() ? "" : "; ",
              run.note);
}

/// Throws std::invalid_argument for what needs virtual time.
void check_wall_clock(const RunFlags& flags) {
  const char* flag = flags.kernel != "actors" ? "--kernel or --light"
                     : flags.pace > 0         ? "--pace"
                     : flags.paused           ? "--paused"
                     : flags.trace == "all"   ? "--trace all"
                                              : nullptr;
  if (flag != nullptr)
    throw std::invalid_argument(fmt::format("{} needs virtual time, not the wall clock", flag));
}

/// Throws std::invalid_argument that names the flag and says what is allowed.
WatchOptions watch_options(const RunFlags& flags, Kernel kernel) {
  if (kernel == Kernel::wall) check_wall_clock(flags);
  if (flags.pace > 0 && kernel != Kernel::actors)
    throw std::invalid_argument("--pace needs actors: leave out --kernel and --light");
  auto watch = parse_watch_options(flags.metrics, flags.page, flags.linger, flags.push);
  if ((watch.page || flags.paused) && kernel != Kernel::actors && kernel != Kernel::wall)
    throw std::invalid_argument("--serve and --paused need actors: leave out --kernel and --light");
  if (flags.paused && !watch.page)
    throw std::invalid_argument("--paused needs --serve: the run is started from the live page");
  return watch;
}

/// Throws std::invalid_argument for what can't be combined.
WantedWidth wanted_width(const RunFlags& flags, const WatchOptions& watch) {
  if (flags.repetition)
    throw std::invalid_argument("--until-ci makes repetitions: it can't be used with --repetition");
  if (watch.page || watch.metrics || !watch.push.empty())
    throw std::invalid_argument(
        "--until-ci can't be used with --serve, --metrics or --push, which show a number of runs "
        "that is known when they start");
  return parse_width(flags.until.until_ci);
}

/// False after saying which algorithm's runs can't be had.
bool report_too_large(const Scenario& scenario, double available) {
  bool fit = true;
  for (const auto& entry : scenario.algorithms)
    if (const auto refusal = memory_refusal(forecast_memory(scenario, entry), available);
        !refusal.empty()) {
      print_err("{}: {}\n", entry.label, refusal);
      fit = false;
    }
  if (!fit) print_err("nothing was started; --any-memory starts it all the same (exit code 7)\n");
  return fit;
}

Kept keep(RunFolder& folder,
          const Scenario& scenario,
          const Execution& execution,
          const Traces& traces,
          const RunExtension& extension,
          Watching& watching) {
  Kept kept;
  try {
    folder.write(scenario, execution.result, execution.summary, execution.metadata, traces);
    if (extension.add_files) kept.text = extension.add_files(folder.path(), scenario, execution);
    try {
      const auto text = final_document(folder, scenario, execution);
      watching.show(text);
      write_file(folder.path() / "report.html", report_html({text}));
    } catch (const std::exception& problem) {
      kept.unreported = fmt::format("report.html is missing: {}", blame(problem).what);
    }
    kept.folder = folder.commit();
  } catch (const std::exception& problem) {
    kept.unwritten = blame(problem).what;
  }
  return kept;
}

/// Commands to go on with.
std::vector<std::string> next_steps(const RunFlags& flags,
                                    const Invocation& invocation,
                                    const Scenario& scenario,
                                    const ScenarioResult& result,
                                    const Traces& traces,
                                    const Kept& kept) {
  const auto folder = shell_quoted(kept.folder.string());
  const auto program = this_program(invocation);
  std::vector<std::string> steps;
  const bool any_finished =
      std::ranges::any_of(result.figures, [](const RunFigures& run) { return run.finished(); });
  if (any_finished && !kept.text) {
    if (!flags.details && !flags.json) steps.push_back(fmt::format("{} show {}", program, folder));
    if (traces.messages && !traces.all)
      steps.push_back(fmt::format("{} plot {} --kind sequence", program, folder));
    else if (scenario.problem || scenario.arms)
      steps.push_back(fmt::format("{} plot {}", program, folder));
    else if (!traces.all)
      steps.push_back(
          fmt::format("{} run {} --trace messages", program, shell_quoted(flags.scenario.file)));
  }
  if (traces.all) steps.push_back(fmt::format("{} whatif {} --set KEY=VALUE", program, folder));
  steps.push_back("xdg-open " + shell_quoted((kept.folder / "report.html").string()));
  return steps;
}

/// A whole number as it is.
std::string key_or_string(const std::string& text) {
  const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return whole ? text : toml_string(text);
}

ExecutionOptions options_of_run(const RunFlags& flags, const Invocation& invocation) {
  auto options = execution_options(flags.execution, flags.quiet, invocation);
  options.run.pace = flags.pace;
  options.run.kernel = flags.clock == "wall"      ? Kernel::wall
                       : flags.kernel == "serial" ? Kernel::serial
                       : flags.kernel == "window" ? Kernel::windows
                                                  : Kernel::actors;
  options.run.traces.messages = flags.trace == "messages" || flags.trace == "all";
  options.run.traces.all = flags.trace == "all";
  options.run.only_repetition = flags.repetition;
  options.kernel_name = flags.kernel;
  return options;
}

struct RunVerbFlags : RunFlags {
  void add_to(CLI::App& verb) {
    scenario.add_to(verb);
    RunFlags::add_to(verb);
    RunFlags::add_virtual_time_to(verb);
  }
};

ExitCode run_file(const RunVerbFlags& flags, const Invocation& invocation) {
  return run_with(flags, invocation, {});
}

}  // namespace

void RunFlags::add_to(CLI::App& verb) {
  execution.add_to(verb);
  memory.add_to(verb);
  until.add_to(verb);
  verb.add_option("--repetition", repetition, "run only this repetition, counted from 0");
  verb.add_option("--label", label, "a note on the run, shown with its results");
  verb.add_option(
          "--ties", ties, "fair | source | reversed | KEY: order of equal times, as network.ties")
      ->type_name("ORDER");
  verb.add_option(
          "--metrics", metrics, "serve metrics for Prometheus; default address 127.0.0.1:9464")
      ->type_name("[=ADDR]");
  verb.add_option("--serve", page, "serve a live page of the run; default address 127.0.0.1:8470")
      ->type_name("[=ADDR]");
  verb.add_option("--linger", linger, "keep serving after the run: a time (30s), or until-scraped");
  verb.add_option("--push", push, "push the final metrics to the Pushgateway at this URL");
  verb.add_option(
          "--trace",
          trace,
          "record a trace: none | rounds (a line per round on standard error) | messages | all (a "
          "timeline for Perfetto, and what whatif needs)")
      ->check(CLI::IsMember({"none", "rounds", "messages", "all"}));
  verb.add_flag("--json", json, "print results.json instead of the table");
  verb.add_flag(
      "--details",
      details,
      "print all measurements, bounds, identities and notes; `posse show RUN` prints them "
      "later");
  verb.add_flag("--quiet", quiet, "print neither table nor progress");
  verb.add_flag("-v,--verbose", verbose, "print wall time, events and notes of every run");
}

void RunFlags::add_virtual_time_to(CLI::App& verb) {
  verb.add_option(
          "--pace", pace, "virtual seconds per second of wall time (default: as fast as possible)")
      ->check(number_from(0, false));
  verb.add_option("--clock",
                  clock,
                  "virtual | wall: actors that really wait, send and compute, in real time (no "
                  "fingerprint)")
      ->check(CLI::IsMember({"virtual", "wall"}));
  verb.add_flag("--paused", paused, "wait to be started from the live page (needs --serve)");
  auto* chosen =
      verb.add_option("--kernel", kernel, "actors | serial | window: kernels with equal results");
  chosen->check(CLI::IsMember({"actors", "serial", "window"}))->group("Advanced");
  verb.add_flag_callback(
          "--light",
          [this] { kernel = "window"; },
          "no actors, for runs with millions of nodes: less memory per node, the same results")
      ->excludes(chosen);
}

std::optional<Scenario> scenario_of(const RunFlags& flags) {
  auto overrides = overrides_of(flags.scenario);
  if (flags.label)
    overrides.push_back({"--label:", fmt::format("label={}", toml_string(*flags.label))});
  if (flags.ties)
    overrides.push_back({"--ties:", fmt::format("network.ties={}", key_or_string(*flags.ties))});
  return scenario_of(flags.scenario.file, overrides, flags.until);
}

ExitCode run_with(const RunFlags& flags,
                  const Invocation& invocation,
                  const RunExtension& extension) {
  auto scenario = scenario_of(flags);
  if (!scenario) return ExitCode::invalid_scenario;
  auto options = options_of_run(flags, invocation);
  if (extension.make_host) options.run.kernel = Kernel::wall;
  WatchOptions watch;
  std::optional<WantedWidth> wanted;
  try {
    watch = watch_options(flags, options.run.kernel);
    if (!flags.until.until_ci.empty()) wanted = wanted_width(flags, watch);
  } catch (const std::invalid_argument& problem) {
    print_err("{} (exit code 2)\n", problem.what());
    return ExitCode::usage;
  }
  const auto memory = memory_gate(flags.memory);
  options.run.memory = memory.get();
  if (memory && !report_too_large(*scenario, memory->available())) return ExitCode::no_progress;
  options.run.watched = watch.page.has_value();
  if (flags.repetition && *flags.repetition >= scenario->repeat)
    print_err("note: repetition {} is beyond the scenario's {} repetitions (counted from 0)\n",
              *flags.repetition,
              scenario->repeat);

  catch_signals();  // before the temporary folder, so that no signal leaves it behind
  std::optional<RunFolder> folder;
  try {
    folder.emplace(flags.execution.out, scenario->name);
  } catch (const std::exception& problem) {
    print_err("the results can't be written to '{}': {} (exit code 11)\n",
              flags.execution.out,
              problem.what());
    return ExitCode::files;
  }
  std::unique_ptr<RunHost> host;
  if (extension.make_host) host = extension.make_host(*scenario, options);
  options.run.host = host.get();
  RunMonitor monitor(number_of_runs(*scenario, options.run));
  if (flags.paused)
    for (auto& slot : monitor.slots) slot.progress.interventions.ask({});
  std::optional<Execution> execution;  // `watching` reads it until it is destroyed
  std::optional<Watching> watching;
  try {
    watching.emplace(watch, *scenario, options.run, monitor);
  } catch (const std::system_error& problem) {
    print_err("{}; --serve=:0 and --metrics=:0 choose free ones (exit code 10)\n", problem.what());
    return ExitCode::port;
  }
  if (watch.page && !flags.quiet && !flags.paused && flags.pace == 0 && watch.linger_s <= 0 &&
      !watch.until_scraped)
    print_err(
        "the page ends with the runs, which may be soon: --paused waits for it, --pace 1 slows "
        "them down, --linger 60s keeps it\n");
  options.keep_rest = [&](const Execution& so_far) {
    const Kept kept = keep(*folder, *scenario, so_far, options.run.traces, {}, *watching);
    report_run(flags, invocation, *scenario, so_far, kept);
    if (!kept.unwritten.empty())
      print_err("the results can't be written: {}\n", kept.unwritten);
    else if (!flags.quiet)
      print_err("results: {}\n", kept.folder.string());
    flush_out();
  };
  if (wanted)
    execution = execute_until(*scenario,
                              options,
                              *wanted,
                              flags.until.most_repetitions,
                              [&](std::uint32_t now, std::uint32_t next) {
                                if (!flags.quiet) tell_of_next_pass(flags.until, now, next);
                              });
  else
    execution = execute(*scenario, options, monitor);
  // The folder first: a reader of standard output may close it early.
  const Kept kept = keep(*folder, *scenario, *execution, options.run.traces, extension, *watching);
  if (flags.trace == "rounds") print_err("{}", rounds_text(*scenario, execution->result));
  report_run(flags, invocation, *scenario, *execution, kept);
  if (!kept.unwritten.empty()) {
    print_err("the results can't be written: {} (exit code 11)\n", kept.unwritten);
    return ExitCode::files;
  }
  if (wanted && !flags.quiet)
    print_err("{}\n", width_text(study_of(*scenario, execution->result), *wanted));
  if (!flags.quiet)
    print_err(
        "results: {}\nnext:    {}\n",
        kept.folder.string(),
        fmt::join(
            next_steps(flags, invocation, *scenario, execution->result, options.run.traces, kept),
            "\n         "));
  const bool lingers = watch.linger_s > 0 || watch.until_scraped;
  if (!flags.quiet && watch.page && !lingers)
    print_err(
        "the page ended with the run; to look at it: {} serve {}, or --linger 60s next time\n",
        this_program(invocation),
        shell_quoted(kept.folder.string()));
  const auto unpushed = watching->push(kept.folder.filename().string());
  for (const auto& problem : {kept.unreported, unpushed})
    if (!problem.empty())
      print_err("{}; the results are in {} (exit code 11)\n", problem, kept.folder.string());
  watching->linger();
  const bool complete = kept.unreported.empty() && unpushed.empty();
  const auto exit_code = execution->metadata.exit_code;
  return complete || exit_code != ExitCode::ok ? exit_code : ExitCode::files;
}

Command run_verb(CLI::App& verb) { return command_of(verb, run_file); }

}  // namespace posse
