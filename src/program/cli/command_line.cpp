// SPDX-License-Identifier: Apache-2.0
#include "program/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "program/base/quantities.hpp"
#include "program/base/version.hpp"
#include "program/cli/verbs.hpp"
#include "program/plot/plot_verb.hpp"
#include "program/scenario/external_objective.hpp"

namespace posse {
namespace {

std::string version_text() {
  return fmt::format("posse {}\ncommit {}\ncompiler {}\nlibraries {}",
                     version(),
                     commit(),
                     compiler(),
                     fmt::join(libraries(), ", "));
}

/// CLI11's own checks accept NaN and print the limits of the type.
CLI::Validator number_from(double least, bool itself) {
  return {
      [=](const std::string& text) {
        const auto number = parse_number<double>(text);
        if (number && std::isfinite(*number) && (*number > least || (itself && *number == least)))
          return std::string();
        return fmt::format(
            "'{}' is not a number {} {}", text, itself ? "of at least" : "above", least);
      },
      "NUMBER"};
}

/// TOML's whole numbers are signed.
CLI::Validator seed() {
  return {[](const std::string& text) {
            constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
            const auto number = parse_number<std::int64_t>(text);
            if (number && *number >= 0) return std::string();
            return fmt::format("'{}' is not a whole number from 0 to {}", text, kMost);
          },
          "SEED"};
}

CLI::Validator count_from_one() {
  return {[](const std::string& text) {
            const auto count = parse_number<std::uint32_t>(text);
            if (count && *count > 0) return std::string();
            return fmt::format("'{}' is not a whole number of at least 1", text);
          },
          "COUNT"};
}

void add_set_flag(CLI::App& verb, Arguments& a) {
  verb.add_option(
          "--set", a.set, "a.b=v: override the value of a key; a.b=: remove it (repeatable)")
      ->allow_extra_args(false);
}

void add_external_flag(CLI::App& verb) {
  verb.add_flag_callback("--allow-external",
                         allow_external_programs,
                         "start the external program of a scenario that belongs to another user or "
                         "lies in a run folder");
}

void add_variation_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  add_set_flag(verb, a);
  verb.add_option("--seed", a.seed, "seed, overrides the scenario's")->check(seed());
  verb.add_option("--repeat", a.repeat, "number of repetitions, overrides the scenario's")
      ->check(count_from_one());
}

void add_scenario_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("FILE", a.file, "scenario file")->required();
  add_variation_flags(verb, a);
}

void add_thread_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--threads",
                  a.threads,
                  "number of threads (default: one per core); does not affect results")
      ->envname("POSSE_THREADS")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--progress", a.progress, "auto | bar | lines | none")
      ->envname("POSSE_PROGRESS")
      ->check(CLI::IsMember({"auto", "bar", "lines", "none"}));
}

void add_memory_flag(CLI::App& verb, Arguments& a) {
  verb.add_flag("--any-memory", a.any_memory, "skip the memory check");
}

void add_execution_flags(CLI::App& verb, Arguments& a) {
  add_thread_flags(verb, a);
  verb.add_option("--out", a.out, "directory for results (default: runs)")->envname("POSSE_OUT");
}

void add_until_flags(CLI::App& verb, Arguments& a) {
  verb.add_option(
      "--until-ci",
      a.until_ci,
      "MEASURE=0.01 or MEASURE=5%: more repetitions until the 95 % interval of every difference "
      "has this half width; a share is of the mean of the first algorithm (of one algorithm: of "
      "the first setting)");
  verb.add_option("--most-repetitions", a.most_repetitions, "of --until-ci (default: 1000)")
      ->check(CLI::Range(1, 1000000));
}

void add_run_flags(CLI::App& verb, Arguments& a) {
  add_execution_flags(verb, a);
  add_memory_flag(verb, a);
  add_until_flags(verb, a);
  verb.add_option("--repetition", a.repetition, "run only this repetition, counted from 0");
  verb.add_option("--label", a.label, "a note on the run, shown with its results");
  verb.add_option(
          "--ties", a.ties, "fair | source | reversed | KEY: order of equal times, as network.ties")
      ->type_name("ORDER");
  verb.add_option("--pace",
                  a.pace,
                  "virtual seconds per second of wall time (default: as fast as possible)")
      ->check(number_from(0, false));
  verb.add_option("--clock",
                  a.clock,
                  "virtual | wall: actors that really wait, send and compute, in real time (no "
                  "fingerprint)")
      ->check(CLI::IsMember({"virtual", "wall"}));
  verb.add_option(
          "--metrics", a.metrics, "serve metrics for Prometheus; default address 127.0.0.1:9464")
      ->type_name("[=ADDR]");
  verb.add_option("--serve", a.page, "serve a live page of the run; default address 127.0.0.1:8470")
      ->type_name("[=ADDR]");
  verb.add_flag("--paused", a.paused, "wait to be started from the live page (needs --serve)");
  verb.add_option(
      "--linger", a.linger, "keep serving after the run: a time (30s), or until-scraped");
  verb.add_option("--push", a.push, "push the final metrics to the Pushgateway at this URL");
  verb.add_option(
          "--trace",
          a.trace,
          "record a trace: none | rounds (a line per round on standard error) | messages | all (a "
          "timeline for Perfetto, and what whatif needs)")
      ->check(CLI::IsMember({"none", "rounds", "messages", "all"}));
  auto* kernel =
      verb.add_option("--kernel", a.kernel, "actors | serial | window: kernels with equal results");
  kernel->check(CLI::IsMember({"actors", "serial", "window"}))->group("Advanced");
  verb.add_flag_callback(
          "--light",
          [&a] { a.kernel = "window"; },
          "no actors, for runs with millions of nodes: less memory per node, the same results")
      ->excludes(kernel);
  verb.add_flag("--json", a.json, "print results.json instead of the table");
  verb.add_flag("--quiet", a.quiet, "print neither table nor progress");
  verb.add_flag("-v,--verbose", a.verbose, "print wall time, events and notes of every run");
}

std::string measures() {
  std::string names;
  for (const auto& quantity : kQuantities)
    if (quantity.ranked) names += fmt::format("{}{}", names.empty() ? "" : ", ", quantity.name);
  return names + " (default: cumulative_regret)";
}

void add_plot_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option(
          "RUN",
          a.runs,
          "run folders, directories that contain `latest`, or stores of sweeps; several are "
          "drawn together, named by what differs")
      ->required();
  std::vector<std::string> kinds;
  for (const auto& kind : picture_kinds()) kinds.push_back(kind.name);
  verb.add_option("--kind",
                  a.kind,
                  fmt::format("{} (default: all that the data allow)", fmt::join(kinds, " | ")));
  verb.add_flag("--local", a.local, "plot local regret: against each client's own maximum");
  verb.add_option("--algorithm",
                  a.plot_algorithm,
                  "algorithm, for kinds that show one: arms, heat-map, sequence (default: the "
                  "first), sweep (default: all)");
  verb.add_option(
      "--x", a.plot_x, "sweep, heat-map: swept key (default: the one with most values)");
  verb.add_option("--y", a.plot_y, "heat-map: second swept key");
  verb.add_option(
      "--measure", a.measure, "sweep, heat-map, break-even: what is measured: " + measures());
  verb.add_option(
      "--against", a.plot_against, "heat-map: show the ratio to this algorithm's measure");
  verb.add_option("--cost",
                  a.plot_cost,
                  "pareto, break-even: evaluations, rounds, messages, payload_bytes or virtual_s "
                  "(default: payload_bytes)");
  verb.add_option(
          "--where", a.plot_where, "KEY=VALUE: only settings with this value, e.g. loss=0.05")
      ->allow_extra_args(false);
  verb.add_option(
      "--repetition", a.repetition, "sequence: repetition, counted from 0 (default: 0)");
  verb.add_option("--rounds", a.plot_rounds, "sequence: a round, or from a round to another: 3..5");
  verb.add_option("--from", a.plot_from, "sequence: begin at this virtual time, e.g. 20ms");
  verb.add_option("--until", a.plot_until, "sequence: end at this virtual time");
  verb.add_flag("--log", a.logarithmic, "logarithmic axes");
  verb.add_option("--band",
                  a.plot_band,
                  "bands and bars: interval, the 95 % interval of the mean (default), or sd, one "
                  "standard deviation to either side")
      ->check(CLI::IsMember({"interval", "sd"}));
  verb.add_option(
          "--regret",
          a.plot_regret,
          "regret to reach, for time-to-regret and speed-up (default: the smallest that all reach)")
      ->check(number_from(0, true));
  verb.add_option("--out",
                  a.plot_out,
                  "SVG or PDF file; without --kind a directory (default: RUN/plots, for several "
                  "runs plots)");
  verb.add_flag("--pdf", a.plot_pdf, "PDF instead of SVG");
  verb.add_option("--width", a.plot_width, "width of charts: 3.3in, 84mm, 600px (default: 760px)");
  verb.add_option("--font-size", a.plot_font_size, "of charts: 8pt (default: 9pt)");
  verb.add_flag("--no-title", a.plot_no_title, "without title and subtitle, for a caption instead");
  verb.add_flag("--json", a.json, "print the files' names as JSON");
}

void add_report_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("RUN", a.runs, "run folders, or directories that contain `latest`")->required();
  verb.add_option(
      "--out", a.page_out, "output file (default: RUN/report.html, for several runs report.html)");
  verb.add_flag("--json", a.json, "print the file's name as JSON");
}

void add_serve_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("DIR", a.file, "directory that contains run folders, a run folder, or a store")
      ->required();
  verb.add_option("--serve", a.page_address, "address to listen at; default 127.0.0.1:8470")
      ->type_name("[=ADDR]");
}

void add_replay_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("RUN", a.runs, "run folders, or directories that contain `latest`")->required();
  add_thread_flags(verb, a);
  verb.add_flag("--json", a.json, "print the verdicts as JSON");
  verb.add_flag("--quiet", a.quiet, "print nothing but errors");
}

void add_diff_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("RUN", a.runs, "two run folders, or directories that contain `latest`")
      ->required()
      ->expected(2);
  verb.add_option("--algorithm", a.plot_algorithm, "compare only this algorithm (a label)");
  verb.add_option("--repetition", a.repetition, "compare only this repetition, counted from 0");
  add_thread_flags(verb, a);
  verb.add_flag("--json", a.json, "print the differences as JSON");
  verb.add_flag("--quiet", a.quiet, "print nothing but errors");
}

void add_what_if_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("RUN", a.file, "run folder, or a directory that contains `latest`")->required();
  add_set_flag(verb, a);
  verb.add_option("--each",
                  a.each,
                  "a.b=[v, w]: the same with each of several values (repeatable: all combinations)")
      ->allow_extra_args(false);
  verb.add_flag("--keep-derived",
                a.keep_derived,
                "keep the time-outs that were derived from the recorded network");
  add_thread_flags(verb, a);
  verb.add_flag("--json", a.json, "print every run as JSON");
  verb.add_flag("--quiet", a.quiet, "print no progress");
}

void add_inspect_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("RUN", a.file, "run folder, or a directory that contains `latest`")->required();
  verb.add_option("--round",
                  a.round,
                  "round (default: the first that eliminates the optimum's cell, or the last)");
  verb.add_option("--algorithm", a.plot_algorithm, "algorithm, by its label (default: the first)");
  verb.add_option("--repetition", a.repetition, "repetition, counted from 0 (default: 0)");
  verb.add_flag("--json", a.json, "print the round as JSON");
}

void add_sweep_loss_flags(CLI::App& verb, Arguments& a) {
  add_scenario_flags(verb, a);
  verb.add_option("--repetition", a.repetition, "the repetition to look at (default: 0)");
  verb.add_option("--limit", a.sweep_limit, "largest number of messages (default: 2000), evenly")
      ->check(count_from_one());
  verb.add_option("--jobs", a.threads, "runs at a time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--out", a.sweep_out, "file for all losses as CSV");
  verb.add_flag("--json", a.json, "print all losses as JSON");
  verb.add_flag("--quiet", a.quiet, "print no progress");
}

void add_measure_flag(CLI::App& verb, Arguments& a) {
  verb.add_option("--measure", a.measure, "the measure that decides who is best: " + measures());
}

void add_sweep_flags(CLI::App& verb, Arguments& a) {
  add_scenario_flags(verb, a);
  verb.add_option("--store", a.store, "directory of the runs (default: sweeps/NAME)");
  verb.add_option("--jobs", a.threads, "runs at a time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  add_memory_flag(verb, a);
  verb.add_option(
      "--shard",
      a.shard,
      "run only part I of N (I/N), or the part that Slurm, LSF, PBS, Grid Engine or GNU "
      "parallel asks for (auto, auto/N)");
  verb.add_flag("--fail-fast", a.fail_fast, "start no further run after a failed one");
  verb.add_option("--decide",
                  a.decide,
                  "repetitions, up to --repeat, only until it is known who is best in each setting "
                  "(with one algorithm: which setting is); the probability that any of these "
                  "verdicts is wrong is at most ERROR (default: 0.05)")
      ->type_name("[=ERROR]");
  add_measure_flag(verb, a);
  add_until_flags(verb, a);
  verb.add_option("--serve", a.page, "serve a page of the sweep; default address 127.0.0.1:8470")
      ->type_name("[=ADDR]");
  verb.add_option("--linger", a.linger, "keep serving after the sweep, e.g. 60s");
  verb.add_option("--progress", a.progress, "auto | bar | lines | none")
      ->envname("POSSE_PROGRESS")
      ->check(CLI::IsMember({"auto", "bar", "lines", "none"}));
  verb.add_flag("--json", a.json, "print the summary as JSON");
  verb.add_flag("--quiet", a.quiet, "print no progress and no summary");
}

void add_collect_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("STORE", a.runs, "stores of one sweep")->required();
  verb.add_option("--out", a.page_out, "directory for the tables (default: the first store)");
  verb.add_flag("--json", a.json, "print the summary as JSON");
  verb.add_flag("--quiet", a.quiet, "print no summary");
}

void add_compare_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("RUN", a.runs, "run folders, and stores of sweeps")->required();
  add_measure_flag(verb, a);
  verb.add_option("--until-ci",
                  a.until_ci,
                  "MEASURE=0.01 or MEASURE=5%: how many more repetitions this half width of the "
                  "differences needs; a share is of the mean of the first algorithm (of one "
                  "algorithm: of the first setting)");
  verb.add_flag("--json", a.json, "print the comparison as JSON");
}

void add_store_flags(CLI::App& verb, Arguments& a) {
  verb.require_subcommand(1);
  const auto action = [&](const char* name, const char* help) {
    CLI::App* sub = verb.add_subcommand(name, help);
    sub->add_option("STORE", a.store, "directory of a sweep's runs")->required();
    sub->add_flag("--json", a.json, "print it as JSON");
    sub->callback([&a, name] { a.name = name; });
    return sub;
  };
  action("list", "the runs that are planned and there, by setting and algorithm");
  action("verify", "check every run's files against their checksums");
  auto* remove = action("remove", "remove runs");
  remove->add_option("KEY", a.keys, "keys of runs");
  remove->add_flag("--stale", a.stale, "runs that the latest sweep does not plan");
  remove->add_flag("--damaged", a.damaged, "runs with problems that `store verify` finds");
}

void add_reproduce_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("FIGURE", a.name, "name of a figure, or all (default: list the figures)");
  verb.add_flag("--quick", a.quick, "run fewer repetitions with smaller budgets");
  add_variation_flags(verb, a);
  add_execution_flags(verb, a);
  verb.add_flag("--json", a.json, "print the verdicts as JSON");
  verb.add_flag("--quiet", a.quiet, "print no progress");
}

void add_chaos_flags(CLI::App& verb, Arguments& a) {
  auto* seconds = verb.add_option("--seconds", a.chaos_seconds, "run for so many seconds")
                      ->check(number_from(0, false));
  auto* count = verb.add_option("--count", a.chaos_count, "number of scenarios (default: 300)")
                    ->check(count_from_one())
                    ->excludes(seconds);
  auto* first =
      verb.add_option(
              "--first", a.chaos_first, "seed of the first scenario (default: 0); others follow")
          ->check(seed());
  verb.add_option("--seed", a.seed, "run only the scenario of this seed")
      ->check(seed())
      ->excludes(seconds)
      ->excludes(count)
      ->excludes(first);
  verb.add_option("--jobs", a.chaos_jobs, "scenarios at a time (default: 1)")
      ->check(CLI::Range(1, 1024));
  verb.add_option(
      "--out", a.chaos_out, "directory for the scenarios that fail (default: runs/chaos)");
  verb.add_flag("--quiet", a.quiet, "print failures only");
  verb.add_flag("--json", a.json, "print the counts and the failures as JSON");
}

void add_minimise_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("SCENARIO", a.file, "scenario file, or a seed of chaos")->required();
  verb.add_option(
      "--property", a.chaos_property, "the property that must stay violated (default: the first)");
  verb.add_option("-o,--out", a.chaos_minimised, "output file (default: standard output)");
  verb.add_flag(
      "--json", a.json, "print the property, how it is violated, and the scenario as JSON");
}

void add_node_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("FILE", a.file, "scenario file; with --connect, the one that must be run");
  verb.add_option("--listen", a.listen, "let members in at this address, and run the scenario")
      ->type_name("ADDR");
  verb.add_option("--connect", a.connect, "take part in the runs of the node that listens there")
      ->type_name("ADDR");
  verb.add_option(
          "--name",
          a.names,
          "with --connect, a node to be: client-3, client-0..4 (default: a share of what is "
          "left; repeatable)")
      ->allow_extra_args(false);
  verb.add_option("--members", a.members, "with --listen, members that must be there (default: 1)")
      ->check(CLI::Range(1, 10000));
  verb.add_option("--patience",
                  a.patience,
                  "with --listen, begin after this time with the members that are there; with "
                  "--connect, try to connect, again if need be, for this time (default: 0)")
      ->type_name("TIME");
  verb.add_option("--rejoin",
                  a.rejoin,
                  "with --listen, how long a run that can't go on waits for members that were lost "
                  "(default: 10 s)")
      ->type_name("TIME");
  verb.add_option("--token-file",
                  a.token_file,
                  "file with a secret that all nodes share (default: POSSE_TOKEN, or the "
                  "user's own on this machine)");
  verb.add_option("--certificate", a.certificate, "TLS certificate of this node (PEM)");
  verb.add_option("--key", a.key, "its private key (PEM)");
  verb.add_option("--ca", a.authority, "certificate of the authority that all nodes trust (PEM)");
  add_variation_flags(verb, a);
  add_run_flags(verb, a);
}

void add_line_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--delay", a.delay, "delay of all that passes, each way (default: 0)")
      ->type_name("TIME");
  verb.add_option("--jitter", a.jitter, "up to so much more, drawn (default: 0)")
      ->type_name("TIME");
  verb.add_option("--loss", a.loss, "share of the runs' messages that are dropped (default: 0)")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("P");
}

void add_proxy_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("--listen", a.listen, "where nodes connect")->type_name("ADDR")->required();
  verb.add_option("--to", a.connect, "where the node listens")->type_name("ADDR")->required();
  add_line_flags(verb, a);
  verb.add_flag("--tls-only",
                a.tls_only,
                "pass on encrypted connections only; needed for other addresses than loopback");
  verb.add_option("--seed", a.seed, "of jitter and losses (default: 1)")->check(seed());
}

void add_validate_flags(CLI::App& verb, Arguments& a) {
  add_scenario_flags(verb, a);
  add_execution_flags(verb, a);
  verb.add_option("--processes", a.processes, "processes, this one included (default: 5)")
      ->check(CLI::Range(2, 1000));
  add_line_flags(verb, a);
  verb.add_option("--repetition", a.repetition, "run only this repetition, counted from 0");
  verb.add_flag("-q,--quiet", a.quiet, "print nothing but errors");
}

void add_fates_flags(CLI::App& verb, Arguments& a) {
  add_external_flag(verb);
  verb.add_option("SCENARIO", a.file, "scenario file, or a seed of chaos")->required();
  verb.add_option("--depth", a.fates_depth, "things that go wrong in one run (default: 2)")
      ->check(CLI::Range(1, 8));
  verb.add_option("--most", a.fates_most, "largest number of runs (default: 10000)")
      ->check(count_from_one());
  verb.add_option("--property", a.chaos_property, "check only this property (default: all)");
  verb.add_flag("--json", a.json, "print the counts, and what is violated, as JSON");
  verb.add_option("-o,--out",
                  a.chaos_minimised,
                  "file for the shortest counterexample (default: standard output)");
}

void add_check_flags(CLI::App& verb, Arguments& a) {
  verb.add_flag("--strict", a.strict, "exit code 3 if there is a warning of the scenario");
  add_scenario_flags(verb, a);
  verb.add_flag("-v,--verbose", a.verbose, "print the resolved scenario");
  verb.add_flag("--json", a.json, "print the mistakes, or what the file holds, as JSON");
}

void add_plan_flags(CLI::App& verb, Arguments& a) {
  add_scenario_flags(verb, a);
  verb.add_option("--store", a.store, "directory of a sweep's runs (default: sweeps/NAME)");
  verb.add_option("--pilot",
                  a.pilot,
                  "make N runs (default: 3) of every algorithm, from the smallest to the largest, "
                  "to forecast time, memory and disk; about a minute if runs are long")
      ->expected(0, 1)
      ->default_str("3")
      ->check(CLI::Range(1, 1000))
      ->type_name("[N]");
  verb.add_option("--jobs", a.threads, "runs at a time, for the time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  verb.add_flag("--json", a.json, "print the plan as JSON");
}

void add_list_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("CATEGORY", a.name, "algorithms, objectives, networks, …, sections, exit-codes");
  verb.add_flag("--json", a.json, "print the list as JSON");
}

void add_describe_flags(CLI::App& verb, Arguments& a) {
  verb.add_option(
          "NAME",
          a.name,
          "name of a component, a figure, or a section of a scenario: network, fault, server, …")
      ->required();
  verb.add_flag("--json", a.json, "print it as JSON");
}

void add_completion_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("SHELL", a.name, "bash | zsh | fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

void add_manual_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("DIR", a.file, "directory")->required();
}

void add_new_flags(CLI::App& verb, Arguments& a) {
  verb.add_option("NAME", a.name, "name of the scenario")->required();
}

struct Verb {
  const char* name;
  const char* help;
  Command function;
  void (*add_flags)(CLI::App& verb, Arguments& a);
  bool listed = true;
};

constexpr Verb kVerbs[] = {
    {"run",
     "run a scenario",
     run_verb,
     [](CLI::App& verb, Arguments& a) {
       add_scenario_flags(verb, a);
       add_run_flags(verb, a);
     }},
    {"node",
     "run a scenario for real over several processes or machines: one listens, the others connect",
     node_verb,
     add_node_flags},
    {"proxy", "a slow and lossy network between nodes", proxy_verb, add_proxy_flags},
    {"validate",
     "run a scenario for real in several processes of this machine, simulate it with the times "
     "that were measured, and compare",
     validate_verb,
     add_validate_flags},
    {"calibrate",
     "run a scenario for real in several processes of this machine, and write it with the "
     "latencies and service times that were measured",
     calibrate_verb,
     add_validate_flags},
    {"check", "validate a scenario without running it", check_verb, add_check_flags},
    {"plan",
     "print upper limits of evaluations, rounds, messages and bytes, and the memory and disk "
     "needed",
     plan_verb,
     add_plan_flags},
    {"list",
     "list algorithms, objectives and everything else that a scenario can use",
     list_verb,
     add_list_flags},
    {"describe",
     "show parameters, defaults, units and paper of a component, or the keys of a section",
     describe_verb,
     add_describe_flags},
    {"schema",
     "print the JSON schema of scenario files, for editors",
     schema_verb,
     [](CLI::App&, Arguments&) {}},
    {"plot", "plot finished runs as SVG, with the data as CSV", plot_verb, add_plot_flags},
    {"report",
     "write a report of one or several runs as a single HTML file",
     report_verb,
     add_report_flags},
    {"serve", "browse the finished runs in a directory", serve_verb, add_serve_flags},
    {"replay",
     "run finished runs again and compare their fingerprints",
     replay_verb,
     add_replay_flags},
    {"diff", "run two finished runs again and show where they part", diff_verb, add_diff_flags},
    {"whatif",
     "what finished runs would have been on another network; exact and without running them again "
     "where every node waits for all messages",
     what_if_verb,
     add_what_if_flags},
    {"inspect",
     "why a round of a finished run ended as it did: cells, means, and who was missing",
     inspect_verb,
     add_inspect_flags},
    {"sweep-loss",
     "run a scenario without each of its messages, one at a time: which of them mattered?",
     sweep_loss_verb,
     add_sweep_loss_flags},
    {"sweep",
     "run all settings of a scenario's [sweep] that its store doesn't have yet",
     sweep_verb,
     add_sweep_flags},
    {"collect",
     "merge the stores of a sweep into summary.csv and summary.sqlite",
     collect_verb,
     add_collect_flags},
    {"compare",
     "who is best, by how much and at what cost: runs and sweeps, paired by seed",
     compare_verb,
     add_compare_flags},
    {"store", "list, verify or remove the runs of a store", store_verb, add_store_flags},
    {"reproduce",
     "rerun a figure of a paper and judge its claims",
     reproduce_verb,
     add_reproduce_flags},
    {"chaos",
     "run random scenarios with faults and check what must hold in every run",
     chaos_verb,
     add_chaos_flags},
    {"minimise",
     "make a scenario that fails in chaos as small as possible",
     minimise_verb,
     add_minimise_flags},
    {"fates",
     "run a small scenario with every loss, delay and crash, then with every pair of them",
     fates_verb,
     add_fates_flags},
    {"completion",
     "print completion for a shell: posse completion bash",
     completion_verb,
     add_completion_flags},
    {"manual", "write the manual pages into a directory", manual_verb, add_manual_flags, false},
    {"new", "write a new scenario with comments", new_verb, add_new_flags},
};

}  // namespace

void add_verbs(CLI::App& app,
               Arguments& arguments,
               Command& command,
               const std::vector<std::string>* words) {
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.fallthrough();
  app.add_option(
         "--plugin",
         arguments.plugins,
         "load algorithms from a shared library, which may do whatever you may (repeatable; "
         "works with every verb)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  for (const auto& verb : kVerbs) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.help);
    if (!verb.listed) sub->group("");
    sub->callback([&command, function = verb.function] { command = function; });
    if (words == nullptr || std::find(words->begin(), words->end(), verb.name) != words->end())
      verb.add_flags(*sub, arguments);
  }
}

}  // namespace posse
