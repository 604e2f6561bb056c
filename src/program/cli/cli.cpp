#include "program/cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "core/base/csv.hpp"
#include "program/base/version.hpp"
#include "program/cli/verbs.hpp"
#include "program/plot/plot_verb.hpp"

namespace posse {
namespace {

std::string version_text() {
  return fmt::format("posse {}\ncommit {}\ncompiler {}\nlibraries {}",
                     version(),
                     commit(),
                     compiler(),
                     fmt::join(libraries(), ", "));
}

/// CLI11's own checks let NaN through and print bounds that nobody wants to read.
CLI::Validator number_from(double least, bool itself) {
  return {
      [=](const std::string& text) {
        const auto number = parse_number<double>(text);
        if (number && std::isfinite(*number) && (*number > least || (itself && *number == least)))
          return std::string();
        return fmt::format("'{}' is no number {} {}", text, itself ? "from" : "above", least);
      },
      "NUMBER"};
}

CLI::Validator count_from_one() {
  return {[](const std::string& text) {
            const auto count = parse_number<std::uint32_t>(text);
            if (count && *count > 0) return std::string();
            return fmt::format("'{}' is no whole number from 1", text);
          },
          "COUNT"};
}

void add_variation_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--set", a.set, "a.b=v: another value for a key (repeatable)")
      ->allow_extra_args(false);
  verb.add_option("--seed", a.seed, "instead of the scenario's");
  verb.add_option("--repeat", a.repeat, "repetitions, instead of the scenario's")
      ->check(count_from_one());
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
      ->check(number_from(0, false));
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

void add_plot_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("RUN",
                  a.runs,
                  "run folder, or a folder with `latest` in it; several for kinds that say so")
      ->required();
  std::vector<std::string> kinds;
  for (const auto& kind : picture_kinds()) kinds.push_back(kind.name);
  verb.add_option("--kind",
                  a.kind,
                  fmt::format("{} (default: all that there is data for)", fmt::join(kinds, " | ")));
  verb.add_flag("--local", a.local, "local regret: against each client's own maximum");
  verb.add_option("--algorithm",
                  a.plot_algorithm,
                  "whose arms, for kinds about one algorithm (default: the first)");
  verb.add_flag("--log", a.logarithmic, "logarithmic axes");
  verb.add_option("--regret",
                  a.plot_regret,
                  "for time-to-regret and speed-up (default: the least that all reach)")
      ->check(number_from(0, true));
  verb.add_option("--out",
                  a.plot_out,
                  "the SVG's name; without --kind a folder (default: RUN/plots; of several "
                  "runs plots)");
}

void add_report_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("RUN", a.runs, "run folders, or folders with `latest` in them")->required();
  verb.add_option(
      "--out", a.page_out, "the file (default: RUN/report.html; of several runs report.html)");
}

void add_serve_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("DIR", a.file, "a folder with run folders in it, or one of those")->required();
  verb.add_option("--serve", a.page_address, "where to listen: =127.0.0.1:8470")
      ->type_name("[=ADDR]");
}

void add_reproduce_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("FIGURE", a.name, "its name, or all (default: list them)");
  verb.add_flag("--quick", a.quick, "fewer repetitions, smaller budgets");
  add_variation_flags(verb, a);
  add_execution_flags(verb, a);
  verb.add_flag("--json", a.json, "verdicts as JSON on standard output");
  verb.add_flag("--quiet", a.quiet, "no progress");
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
  ExitCode (*command)(const Arguments&) = nullptr;
  const auto verb =
      [&](const char* name, const char* help, ExitCode (*function)(const Arguments&)) -> CLI::App& {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->callback([&command, function] { command = function; });
    return *sub;
  };
  auto& run = verb("run", "run a scenario, its repetitions and algorithms", run_verb);
  add_scenario_flags(run, arguments);
  add_run_flags(run, arguments);
  auto& check = verb("check", "validate a scenario only", check_verb);
  add_scenario_flags(check, arguments);
  check.add_flag("-v,--verbose", arguments.verbose, "print the resolved scenario");
  auto& plan = verb("plan", "forecast evaluations, rounds, messages, bytes, memory", plan_verb);
  add_scenario_flags(plan, arguments);
  plan.add_flag("--json", arguments.json, "as JSON");
  verb("list", "what a scenario can name", list_verb)
      .add_option("CATEGORY", arguments.name, "algorithms, objectives, …, exit-codes");
  verb("describe", "parameters, defaults, units, paper", describe_verb)
      .add_option("NAME", arguments.name, "a kind")
      ->required();
  add_plot_flags(verb("plot", "draw finished runs: SVG and the CSV behind it", plot_verb),
                 arguments);
  add_report_flags(verb("report",
                        "one or several runs as one page in one file, which opens from disk",
                        report_verb),
                   arguments);
  add_serve_flags(verb("serve", "the page on the finished runs below a folder", serve_verb),
                  arguments);
  add_reproduce_flags(verb("reproduce",
                           "a paper's figure from its shipped scenario: claims, numbers, verdicts",
                           reproduce_verb),
                      arguments);
  verb("new", "write a commented scenario", new_verb)
      .add_option("NAME", arguments.name, "its name")
      ->required();
  try {
    app.parse(with_default_addresses(arguments.command_line));
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : to_int(ExitCode::usage);
  }
  try {
    return to_int(command(arguments));
  } catch (const std::exception& problem) {
    std::string words;
    for (const auto& word : arguments.command_line) words += " " + shell_quoted(word);
    fmt::print(
        stderr, "internal failure: {} (exit code 1)\n  to reproduce:{}\n", problem.what(), words);
    return to_int(ExitCode::internal);
  }
}

}  // namespace posse
