#include "program/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "program/diagnostics.hpp"
#include "program/execution.hpp"
#include "program/files.hpp"
#include "program/help_pages.hpp"
#include "program/live/watching.hpp"
#include "program/page/document.hpp"
#include "program/page/report.hpp"
#include "program/page/serve.hpp"
#include "program/plan.hpp"
#include "program/plot/plot_verb.hpp"
#include "program/progress.hpp"
#include "program/reproduce/reproduce.hpp"
#include "program/results.hpp"
#include "program/run_data.hpp"
#include "program/runner.hpp"
#include "program/scenario.hpp"
#include "program/summary.hpp"
#include "program/version.hpp"

namespace posse {
namespace {

/// What the flags said.
struct Arguments {
  std::vector<std::string> command_line;
  std::string file, name;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> repeat, repetition;
  std::size_t threads = 0;  // 0: one per core
  double pace = 0;
  std::string out = "runs";
  std::string trace = "none", progress = "auto", kernel = "actors";
  std::vector<std::string> runs;             // report, plot
  std::string page_address, page_out;        // serve, report
  std::optional<std::string> metrics, page;  // run: where to listen, maybe ""
  std::string linger, push;
  bool paused = false;
  std::string kind, plot_out, plot_algorithm;  // plot
  std::optional<double> plot_regret;
  bool local = false, logarithmic = false;
  bool quick = false;  // reproduce
  bool json = false, quiet = false, verbose = false;
};

int code(ExitCode exit_code) { return static_cast<int>(exit_code); }

/// Environment, then --set, then flags: later ones win.
std::vector<Override> overrides_of(const Arguments& arguments) {
  std::vector<Override> all;
  for (const auto& [variable, key] : {std::pair{"POSSE_SEED", "seed"}, {"POSSE_REPEAT", "repeat"}})
    if (const char* value = std::getenv(variable))
      all.push_back({fmt::format("environment {}:", variable), fmt::format("{}={}", key, value)});
  for (const auto& assignment : arguments.set) all.push_back({"--set", assignment});
  if (arguments.seed) all.push_back({"--seed:", fmt::format("seed={}", *arguments.seed)});
  if (arguments.repeat) all.push_back({"--repeat:", fmt::format("repeat={}", *arguments.repeat)});
  return all;
}

/// True if there is nothing to report; else all of it is printed.
bool report(const Diagnostics& diagnostics) {
  if (diagnostics.empty()) return true;
  const auto count = diagnostics.all().size();
  fmt::print(stderr,
             "{}{} {} (exit code 3)\n",
             diagnostics.text(),
             count,
             count == 1 ? "error" : "errors");
  return false;
}

/// The scenario, or nothing after printing all that is wrong with it.
std::optional<Scenario> load(const Arguments& arguments) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(arguments.file, overrides_of(arguments), diagnostics);
  return report(diagnostics) ? std::optional(std::move(scenario)) : std::nullopt;
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_-./=:,%+").find(c) != std::string_view::npos;
  });
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// This program as the user called it, so that commands we suggest work as they stand.
std::string this_program(const Arguments& arguments) {
  return shell_quoted(arguments.command_line.front());
}

/// The one command that repeats this run. What was cut by hand is in the folder's scenario only.
std::string reproduce_command(const Arguments& arguments,
                              const Scenario& scenario,
                              const RunRecord& run,
                              const std::filesystem::path& folder) {
  const bool as_recorded = !run.result.interventions.empty() && !folder.empty();
  std::string command =
      this_program(arguments) + " run " +
      shell_quoted(as_recorded ? (folder / "scenario.toml").string() : arguments.file);
  if (!as_recorded)
    for (const auto& assignment : arguments.set) command += " --set " + shell_quoted(assignment);
  return command +
         fmt::format(" --seed {} --repetition {} --trace messages", scenario.seed, run.repetition);
}

void report_failures(const Arguments& arguments,
                     const Scenario& scenario,
                     const ScenarioResult& result,
                     const std::filesystem::path& folder) {
  constexpr std::size_t kShown = 3;
  std::size_t failures = 0;
  for (const auto& run : result.runs) {
    const auto exit_code = exit_code_of(run);
    if (exit_code == ExitCode::ok || ++failures > kShown) continue;
    const auto& outcome = run.result.outcome;
    fmt::print(stderr,
               "{}, repetition {}: {} (exit code {})\n",
               scenario.algorithms[run.algorithm].label,
               run.repetition,
               to_string(outcome.status),
               code(exit_code));
    if (!outcome.report.empty()) fmt::print(stderr, "  {}\n", outcome.report);
    for (const auto& figure : run.figures)
      if (violated(figure))
        fmt::print(stderr,
                   "  violated: {} = {}, but its bound is {} ({})\n",
                   figure.name,
                   figure.measured,
                   figure.bound->value,
                   figure.bound->note);
    fmt::print(stderr, "  to reproduce: {}\n", reproduce_command(arguments, scenario, run, folder));
  }
  if (failures > kShown) fmt::print(stderr, "… and {} more runs that failed\n", failures - kShown);
}

ProgressStyle progress_style(const Arguments& arguments) {
  if (arguments.quiet || arguments.progress == "none") return ProgressStyle::none;
  if (arguments.progress == "bar") return ProgressStyle::bar;
  return arguments.progress == "lines" ? ProgressStyle::lines : ProgressStyle::automatic;
}

ExecutionOptions execution_options(const Arguments& arguments) {
  ExecutionOptions options;
  options.run.threads =
      arguments.threads ? arguments.threads : std::max(1U, std::thread::hardware_concurrency());
  options.run.pace = arguments.pace;
  options.run.kernel = arguments.kernel == "serial"   ? Kernel::serial
                       : arguments.kernel == "window" ? Kernel::windows
                                                      : Kernel::actors;
  options.run.trace_messages = arguments.trace == "messages";
  options.run.only_repetition = arguments.repetition;
  options.progress = progress_style(arguments);
  options.kernel_name = arguments.kernel;
  options.command_line = arguments.command_line;
  return options;
}

void report_run(const Arguments& arguments,
                const Scenario& scenario,
                const Execution& execution,
                const std::filesystem::path& folder) {
  const auto& [result, summary, metadata, signal] = execution;
  if (arguments.json)
    fmt::print("{}", results_json(scenario, result, summary));
  else if (!arguments.quiet)
    fmt::print("{}", to_text(summary, scenario, result));
  std::fflush(stdout);
  if (signal == 0)
    report_failures(arguments, scenario, result, folder);
  else
    fmt::print(stderr, "stopped by a signal (exit code {})\n", 128 + signal);
  if (!arguments.verbose) return;
  for (const auto& run : result.runs)
    fmt::print(stderr,
               "{}, repetition {}: {:.3f} s of wall time, {} events{}{}\n",
               scenario.algorithms[run.algorithm].label,
               run.repetition,
               run.wall_s,
               run.result.outcome.events,
               run.result.note.empty() ? "" : "; ",
               run.result.note);
}

int run(const Arguments& arguments) {
  const auto scenario = load(arguments);
  if (!scenario) return code(ExitCode::invalid_scenario);
  auto options = execution_options(arguments);
  if (options.run.pace > 0 && options.run.kernel != Kernel::actors) {
    fmt::print(stderr, "--pace needs --kernel actors (exit code 2)\n");
    return code(ExitCode::usage);
  }
  WatchOptions watch;
  try {
    watch =
        parse_watch_options(arguments.metrics, arguments.page, arguments.linger, arguments.push);
  } catch (const std::invalid_argument& problem) {
    fmt::print(stderr, "{} (exit code 2)\n", problem.what());
    return code(ExitCode::usage);
  }
  if ((watch.page || arguments.paused) && options.run.kernel != Kernel::actors) {
    fmt::print(stderr, "--serve and --paused need --kernel actors (exit code 2)\n");
    return code(ExitCode::usage);
  }
  if (arguments.paused && !watch.page) {
    fmt::print(stderr, "--paused: only the page of --serve could go on (exit code 2)\n");
    return code(ExitCode::usage);
  }
  options.run.watched = watch.page.has_value();
  if (arguments.repetition && *arguments.repetition >= scenario->repeat)
    fmt::print(stderr,
               "note: repetition {} is beyond the scenario's {} (they count from 0)\n",
               *arguments.repetition,
               scenario->repeat);

  catch_signals();  // before there is a folder that they could leave behind
  std::optional<RunFolder> folder;
  try {
    folder.emplace(arguments.out, scenario->name);
  } catch (const std::exception& problem) {
    fmt::print(stderr,
               "the results can't be written to '{}': {} (exit code 11)\n",
               arguments.out,
               problem.what());
    return code(ExitCode::files);
  }
  RunMonitor monitor(number_of_runs(*scenario, options.run));
  if (arguments.paused)
    for (auto& slot : monitor.slots) slot.progress.interventions.ask({});
  std::optional<Execution> execution;  // looked at by `watching` until that is gone
  std::optional<Watching> watching;
  try {
    watching.emplace(watch, *scenario, options.run, monitor);
  } catch (const std::system_error& problem) {
    fmt::print(stderr, "{} (exit code 10)\n", problem.what());
    return code(ExitCode::port);
  }
  execution = execute(*scenario, options, monitor);
  // The folder first: whoever reads our output may stop reading before its end.
  std::filesystem::path path;
  std::string unwritten;
  try {
    folder->write(*scenario,
                  execution->result,
                  execution->summary,
                  execution->metadata,
                  options.run.trace_messages);
    path = folder->commit();
  } catch (const std::exception& problem) {
    unwritten = problem.what();
  }
  std::string unreported;
  if (unwritten.empty()) {
    try {
      const auto document = document_text(read_document(path));
      watching->show(document);
      write_report(path / "report.html", {document});
    } catch (const std::exception& problem) {
      unreported = problem.what();
    }
  }
  report_run(arguments, *scenario, *execution, path);
  if (!unwritten.empty()) {
    fmt::print(stderr, "the results can't be written: {} (exit code 11)\n", unwritten);
    return code(ExitCode::files);
  }
  if (!arguments.quiet)
    fmt::print(stderr,
               "results: {}; next: {}\n",
               path.string(),
               options.run.trace_messages
                   ? fmt::format("zcat {}", shell_quoted((path / "messages.csv.gz").string()))
               : scenario->problem || scenario->arms
                   ? fmt::format("{} plot {}, or open its report.html",
                                 this_program(arguments),
                                 shell_quoted(path.string()))
                   : fmt::format("{} run {} --trace messages, or --set KEY=VALUE to vary it",
                                 this_program(arguments),
                                 shell_quoted(arguments.file)));
  const auto unpushed = watching->push(path.filename().string());
  for (const auto& problem : {unreported, unpushed})
    if (!problem.empty())
      fmt::print(stderr, "{}; the results are in {} (exit code 11)\n", problem, path.string());
  watching->linger();
  const bool complete = unreported.empty() && unpushed.empty();
  const auto exit_code = execution->metadata.exit_code;
  return code(complete || exit_code != ExitCode::ok ? exit_code : ExitCode::files);
}

int check(const Arguments& arguments) {
  const auto scenario = load(arguments);
  if (!scenario) return code(ExitCode::invalid_scenario);
  const auto algorithms = scenario->algorithms.size();
  fmt::print("{}: valid: {} {} × {} {}\n",
             arguments.file,
             algorithms,
             algorithms == 1 ? "algorithm" : "algorithms",
             scenario->repeat,
             scenario->repeat == 1 ? "repetition" : "repetitions");
  if (arguments.verbose) fmt::print("\n{}", to_toml(*scenario));
  return code(ExitCode::ok);
}

int plan(const Arguments& arguments) {
  const auto scenario = load(arguments);
  if (!scenario) return code(ExitCode::invalid_scenario);
  const auto rows = make_plan(*scenario);
  fmt::print("{}", arguments.json ? plan_json(*scenario, rows) : plan_text(*scenario, rows));
  return code(ExitCode::ok);
}

int list(const Arguments& arguments) {
  if (arguments.name == "networks") {  // what a network is made of
    for (const auto* part : {"latencies", "losses"}) fmt::print("{}", list_page(part));
    return code(ExitCode::ok);
  }
  const auto categories = catalog_categories();
  if (!arguments.name.empty() &&
      std::find(categories.begin(), categories.end(), arguments.name) == categories.end()) {
    const auto nearest = nearest_name(arguments.name, categories);
    fmt::print(stderr,
               "there is no category '{}'\n    allowed: {}\n{}",
               arguments.name,
               fmt::join(categories, ", "),
               nearest.empty() ? "" : fmt::format("    did you mean '{}'?\n", nearest));
    return code(ExitCode::usage);
  }
  fmt::print("{}", list_page(arguments.name));
  return code(ExitCode::ok);
}

int describe_kind(const Arguments& arguments) {
  if (const auto page = describe_page(arguments.name)) {
    fmt::print("{}", *page);
    return code(ExitCode::ok);
  }
  std::vector<std::string> kinds;
  for (const auto& entry : catalog()) kinds.push_back(entry.kind);
  const auto nearest = nearest_name(arguments.name, kinds);
  fmt::print(stderr,
             "nothing is called '{}'; `posse list` shows what there is\n{}",
             arguments.name,
             nearest.empty() ? "" : fmt::format("    did you mean '{}'?\n", nearest));
  return code(ExitCode::usage);
}

int write_new(const Arguments& arguments) {
  const auto stem = arguments.name.ends_with(".toml")
                        ? arguments.name.substr(0, arguments.name.size() - 5)
                        : arguments.name;
  const std::string path = stem + ".toml";
  const auto name = std::filesystem::path(path).stem().string();
  const auto text = new_scenario(name);
  Diagnostics diagnostics;
  read_scenario(parse_toml(text, path, diagnostics), path, diagnostics);
  if (!diagnostics.empty()) {
    fmt::print(
        stderr, "'{}' can't name a scenario: letters, digits, '-', '_', '.' (exit code 2)\n", name);
    return code(ExitCode::usage);
  }
  if (std::filesystem::exists(path)) {
    fmt::print(stderr, "'{}' is there already and stays as it is (exit code 11)\n", path);
    return code(ExitCode::files);
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    fmt::print(stderr, "'{}' can't be written (exit code 11)\n", path);
    return code(ExitCode::files);
  }
  fmt::print(
      stderr, "wrote {}; next: {} run {}\n", path, this_program(arguments), shell_quoted(path));
  return code(ExitCode::ok);
}

int plot(const Arguments& arguments) {
  try {
    return code(plot_runs({arguments.runs,
                           arguments.kind,
                           arguments.plot_algorithm,
                           arguments.plot_out,
                           arguments.local,
                           arguments.logarithmic,
                           arguments.plot_regret}));
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return code(ExitCode::files);
  }
}

int make_report(const Arguments& arguments) {
  try {
    const auto path = report_runs(arguments.runs, arguments.page_out);
    fmt::print("{}\n", path.string());
    std::fflush(stdout);
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error).lexically_normal();
    fmt::print(stderr,
               "report: {}; open it in a browser: xdg-open {}\n",
               path.string(),
               shell_quoted(error ? path.string() : absolute.string()));
    return code(ExitCode::ok);
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return code(ExitCode::files);
  }
}

int serve(const Arguments& arguments) {
  try {
    return code(serve_runs(arguments.file, arguments.page_address));
  } catch (const FileError& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return code(ExitCode::files);
  }
}

/// Among all figures, where the data are is for those that need them.
std::vector<Override> overrides_of(const Arguments& arguments, const PaperFigure& figure) {
  auto overrides = overrides_of(arguments);
  if (arguments.name == "all" && figure.data.empty()) std::erase_if(overrides, names_data);
  return overrides;
}

/// Nothing after an error on standard error.
std::optional<Reproduction> reproduce_one(const Arguments& arguments, const PaperFigure& figure) {
  Diagnostics diagnostics;
  const auto overrides = overrides_of(arguments, figure);
  const auto scenario = load_figure(figure, arguments.quick, overrides, diagnostics);
  if (!report(diagnostics)) return std::nullopt;
  auto options = execution_options(arguments);
  if (!arguments.quiet) fmt::print(stderr, "{}\n", figure.name);
  auto result = reproduce(figure, scenario, arguments.quick, arguments.out, options);
  if (!arguments.json) fmt::print("{}\n", to_text(result));
  std::fflush(stdout);
  return result;
}

int reproduce_figures(const Arguments& arguments) {
  if (arguments.name.empty()) {
    fmt::print("{}", figures_page());
    return code(ExitCode::ok);
  }
  std::vector<const PaperFigure*> figures;
  std::vector<std::string> names{"all"};
  for (const auto& figure : paper_figures()) {
    names.emplace_back(figure.name);
    if (arguments.name == "all" || arguments.name == figure.name) figures.push_back(&figure);
  }
  if (figures.empty()) {
    const auto nearest = nearest_name(arguments.name, names);
    fmt::print(stderr,
               "no figure is called '{}'; `posse reproduce` lists them\n{}",
               arguments.name,
               nearest.empty() ? "" : fmt::format("    did you mean '{}'?\n", nearest));
    return code(ExitCode::usage);
  }
  catch_signals();
  std::vector<Reproduction> results;
  ExitCode worst = ExitCode::ok;
  try {
    for (const auto* figure : figures) {
      if (!has_data(*figure, overrides_of(arguments))) {
        fmt::print(stderr, "{}", missing_data_text(*figure));
        if (figures.size() == 1) return code(ExitCode::invalid_scenario);
        continue;  // left out of all
      }
      auto result = reproduce_one(arguments, *figure);
      if (!result) return code(ExitCode::invalid_scenario);
      if (worst == ExitCode::ok) worst = result->exit_code;
      results.push_back(std::move(*result));
      if (results.back().signal != 0) break;
    }
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{} (exit code 11)\n", problem.what());
    return code(ExitCode::files);
  }
  if (arguments.json) {
    std::string list;
    for (const auto& result : results) list += (list.empty() ? "" : ",\n") + to_json(result);
    fmt::print("[{}]\n", list);
  } else if (results.size() > 1) {
    fmt::print("{}", overview(results));
  }
  if (worst != ExitCode::ok)
    fmt::print(stderr,
               "some runs didn't finish or broke a bound (exit code {}): see results.json\n",
               code(worst));
  return code(worst);
}

std::string version_text() {
  return fmt::format("posse {}\ncommit {}\ncompiler {}\nlibraries {}",
                     version(),
                     commit(),
                     compiler(),
                     fmt::join(libraries(), ", "));
}

void add_variation_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--set", a.set, "a.b=v: another value for a key (repeatable)")
      ->allow_extra_args(false);
  verb.add_option("--seed", a.seed, "instead of the scenario's");
  verb.add_option("--repeat", a.repeat, "repetitions, instead of the scenario's")
      ->check(CLI::PositiveNumber);
}

void add_scenario_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("FILE", a.file, "scenario")->required();
  add_variation_flags(verb, a);
}

void add_execution_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--threads", a.threads, "threads (default: one per core); never changes a result")
      ->envname("POSSE_THREADS")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--out", a.out, "folder for results (default: runs)")->envname("POSSE_OUT");
  verb.add_option("--progress", a.progress, "auto | bar | lines | none")
      ->envname("POSSE_PROGRESS")
      ->check(CLI::IsMember({"auto", "bar", "lines", "none"}));
}

void add_run_flags(CLI::App& verb, Arguments& a) {
  add_execution_flags(verb, a);
  verb.add_option("--repetition", a.repetition, "run this repetition alone, from 0");
  verb.add_option("--pace", a.pace, "virtual seconds per second of wall time, for watching")
      ->check(CLI::PositiveNumber);
  verb.add_option("--metrics", a.metrics, "for Prometheus, at =ADDR: 127.0.0.1:9464")
      ->type_name("[=ADDR]");
  verb.add_option("--serve", a.page, "a live page of the run, at =ADDR: 127.0.0.1:8470")
      ->type_name("[=ADDR]");
  verb.add_flag("--paused", a.paused, "the run begins when the page says so (with --serve)");
  verb.add_option(
      "--linger", a.linger, "how long metrics and page stay at the end: 30s, or until-scraped");
  verb.add_option("--push", a.push, "URL of a Pushgateway, for the metrics at the end");
  verb.add_option("--trace", a.trace, "none | messages")
      ->check(CLI::IsMember({"none", "messages"}));
  verb.add_option(
          "--kernel", a.kernel, "actors | serial | window: equal results, for comparing kernels")
      ->check(CLI::IsMember({"actors", "serial", "window"}))
      ->group("Advanced");
  verb.add_flag("--json", a.json, "results.json on standard output instead of the table");
  verb.add_flag("--quiet", a.quiet, "no table, no progress");
  verb.add_flag("-v,--verbose", a.verbose, "wall time, events and notes of every run");
}

/// --metrics and --serve take an address after '=' only: what follows them is the scenario. The
/// parser wants words in reverse order and without the program's name.
std::vector<std::string> with_default_addresses(const std::vector<std::string>& command_line) {
  std::vector<std::string> words(command_line.rbegin(), command_line.rend() - 1);
  for (auto& word : words)
    if (word == "--metrics" || word == "--serve") word += "=127.0.0.1";  // and the usual port
  return words;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  Arguments arguments;
  arguments.command_line.assign(argv, argv + argc);
  CLI::App app("Distributed bandit algorithms over a simulated, faulty network", "posse");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  int (*command)(const Arguments&) = nullptr;
  const auto verb = [&](const char* name, const char* help, int (*function)(const Arguments&)) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->callback([&command, function] { command = function; });
    return sub;
  };
  CLI::App* run_verb = verb("run", "run a scenario, its repetitions and algorithms", run);
  add_scenario_flags(*run_verb, arguments);
  add_run_flags(*run_verb, arguments);
  CLI::App* check_verb = verb("check", "validate a scenario only", check);
  add_scenario_flags(*check_verb, arguments);
  check_verb->add_flag("-v,--verbose", arguments.verbose, "print the resolved scenario");
  CLI::App* plan_verb = verb("plan", "forecast evaluations, rounds, messages, bytes, memory", plan);
  add_scenario_flags(*plan_verb, arguments);
  plan_verb->add_flag("--json", arguments.json, "as JSON");
  verb("list", "what a scenario can name", list)
      ->add_option("CATEGORY", arguments.name, "algorithms, objectives, …, exit-codes");
  verb("describe", "parameters, defaults, units, paper", describe_kind)
      ->add_option("NAME", arguments.name, "a kind")
      ->required();
  CLI::App* plot_verb = verb("plot", "draw finished runs: SVG and the CSV behind it", plot);
  plot_verb
      ->add_option("RUN",
                   arguments.runs,
                   "run folder, or a folder with `latest` in it; several for kinds that say so")
      ->required();
  std::vector<std::string> kinds;
  for (const auto& kind : picture_kinds()) kinds.push_back(kind.name);
  plot_verb->add_option(
      "--kind",
      arguments.kind,
      fmt::format("{} (default: all that there is data for)", fmt::join(kinds, " | ")));
  plot_verb->add_flag(
      "--local", arguments.local, "local regret: against each client's own maximum");
  plot_verb->add_option("--algorithm",
                        arguments.plot_algorithm,
                        "whose arms, for kinds about one algorithm (default: the first)");
  plot_verb->add_flag("--log", arguments.logarithmic, "logarithmic axes");
  plot_verb
      ->add_option("--regret",
                   arguments.plot_regret,
                   "for time-to-regret and speed-up (default: the least that all reach)")
      ->check(CLI::NonNegativeNumber);
  plot_verb->add_option("--out",
                        arguments.plot_out,
                        "the SVG's name; without --kind a folder (default: RUN/plots; of several "
                        "runs plots)");
  CLI::App* report_verb = verb(
      "report", "one or several runs as one page in one file, which opens from disk", make_report);
  report_verb->add_option("RUN", arguments.runs, "run folders, or folders with `latest` in them")
      ->required();
  report_verb->add_option("--out",
                          arguments.page_out,
                          "the file (default: RUN/report.html; of several runs report.html)");
  CLI::App* serve_verb = verb("serve", "the page on the finished runs below a folder", serve);
  serve_verb->add_option("DIR", arguments.file, "a folder with run folders in it, or one of those")
      ->required();
  serve_verb->add_option("--serve", arguments.page_address, "where to listen: =127.0.0.1:8470")
      ->type_name("[=ADDR]");
  CLI::App* reproduce_verb =
      verb("reproduce",
           "a paper's figure from its shipped scenario: claims, numbers, verdicts",
           reproduce_figures);
  reproduce_verb->add_option("FIGURE", arguments.name, "its name, or all (default: list them)");
  reproduce_verb->add_flag("--quick", arguments.quick, "fewer repetitions, smaller budgets");
  add_variation_flags(*reproduce_verb, arguments);
  add_execution_flags(*reproduce_verb, arguments);
  reproduce_verb->add_flag("--json", arguments.json, "verdicts as JSON on standard output");
  reproduce_verb->add_flag("--quiet", arguments.quiet, "no progress");
  verb("new", "write a commented scenario", write_new)
      ->add_option("NAME", arguments.name, "its name")
      ->required();
  try {
    app.parse(with_default_addresses(arguments.command_line));
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : code(ExitCode::usage);
  }
  try {
    return command(arguments);
  } catch (const std::exception& problem) {
    std::string words;
    for (const auto& word : arguments.command_line) words += " " + shell_quoted(word);
    fmt::print(
        stderr, "internal failure: {} (exit code 1)\n  to reproduce:{}\n", problem.what(), words);
    return code(ExitCode::internal);
  }
}

}  // namespace posse
