// SPDX-License-Identifier: Apache-2.0
#include "program/cli/shared_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/output.hpp"
#include "program/base/quantities.hpp"
#include "program/compare/comparison.hpp"
#include "program/scenario/external_objective.hpp"
#include "program/scenario/table_reader.hpp"

namespace posse {
namespace {

/// Unless repetitions may be added.
void report_undecidable(const UntilFlags& until,
                        const std::vector<Threshold>& thresholds,
                        std::size_t repetitions) {
  if (!until.until_ci.empty()) return;
  for (const auto& text : undecidable(thresholds, repetitions)) print_err("warning: {}\n", text);
}

}  // namespace

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

CLI::Validator seed_check() {
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

void add_external_flag(CLI::App& verb) {
  verb.add_flag_callback("--allow-external",
                         allow_external_programs,
                         "start the external program of a scenario that belongs to another user or "
                         "lies in a run folder");
}

void add_set_flag(CLI::App& verb, std::vector<std::string>& set) {
  verb.add_option("--set", set, "a.b=v: override the value of a key; a.b=: remove it (repeatable)")
      ->allow_extra_args(false);
}

void add_jobs_flag(CLI::App& verb, std::size_t& jobs, const std::string& help) {
  verb.add_option("--jobs", jobs, help)->check(CLI::Range(1, 1024));
}

void add_progress_flag(CLI::App& verb, std::string& progress) {
  verb.add_option("--progress", progress, "auto | bar | lines | none")
      ->envname("POSSE_PROGRESS")
      ->check(CLI::IsMember({"auto", "bar", "lines", "none"}));
}

std::string measures_for_help() {
  return fmt::format("{}, or an own one of an algorithm (default: cumulative_regret)",
                     fmt::join(measure_names(), ", "));
}

void add_measure_flag(CLI::App& verb, std::string& measure) {
  verb.add_option(
      "--measure", measure, "the measure that decides who is best: " + measures_for_help());
}

std::optional<std::size_t> measure_of(const std::string& measure) {
  if (measure.empty()) return std::nullopt;
  return parse_measure(measure);
}

void VariationFlags::add_to(CLI::App& verb) {
  add_external_flag(verb);
  add_set_flag(verb, set);
  verb.add_option("--seed", seed, "seed, overrides the scenario's")->check(seed_check());
  verb.add_option("--repeat", repeat, "number of repetitions, overrides the scenario's")
      ->check(count_from_one());
}

void ScenarioFlags::add_to(CLI::App& verb) {
  verb.add_option("FILE", file, "scenario file")->required();
  VariationFlags::add_to(verb);
}

void ThreadFlags::add_to(CLI::App& verb) {
  verb.add_option("--threads",
                  threads,
                  "number of threads (default: one per core); does not affect results")
      ->envname("POSSE_THREADS")
      ->check(CLI::Range(1, 1024));
  add_progress_flag(verb, progress);
}

void ExecutionFlags::add_to(CLI::App& verb) {
  ThreadFlags::add_to(verb);
  verb.add_option("--out", out, "directory for results (default: runs)")->envname("POSSE_OUT");
}

void MemoryFlag::add_to(CLI::App& verb) {
  verb.add_flag("--any-memory", any_memory, "skip the memory check");
}

void UntilFlags::add_to(CLI::App& verb) {
  verb.add_option(
      "--until-ci",
      until_ci,
      "MEASURE=0.01 or MEASURE=5%: more repetitions until the 95 % interval of every difference "
      "has this half width; a share is of the mean of the first algorithm (of one algorithm: of "
      "the first setting)");
  verb.add_option("--most-repetitions", most_repetitions, "of --until-ci (default: 1000)")
      ->check(CLI::Range(1, 1000000));
}

std::vector<Override> overrides_of(const VariationFlags& flags) {
  std::vector<Override> all;
  for (const auto& [variable, key] : {std::pair{"POSSE_SEED", "seed"}, {"POSSE_REPEAT", "repeat"}})
    if (const char* value = std::getenv(variable))
      all.push_back({fmt::format("environment {}:", variable), fmt::format("{}={}", key, value)});
  for (const auto& assignment : flags.set) all.push_back({"--set", assignment});
  if (flags.seed) all.push_back({"--seed:", fmt::format("seed={}", *flags.seed)});
  if (flags.repeat) all.push_back({"--repeat:", fmt::format("repeat={}", *flags.repeat)});
  return all;
}

std::optional<Scenario> scenario_of(const std::string& file,
                                    const std::vector<Override>& overrides,
                                    const UntilFlags& until) {
  Diagnostics diagnostics;
  auto scenario = load_scenario(file, overrides, diagnostics);
  if (!report_mistakes(diagnostics)) return std::nullopt;
  report_undecidable(until, scenario.thresholds, scenario.repeat);
  return scenario;
}

std::optional<SweepPlan> plan_of(const ScenarioFlags& flags, const UntilFlags& until) {
  Diagnostics diagnostics;
  SweepPlan plan(flags.file, overrides_of(flags), diagnostics);
  if (!report_mistakes(diagnostics)) return std::nullopt;
  report_undecidable(until, plan.thresholds(), plan.repeat());
  return plan;
}

std::filesystem::path store_of(const std::string& given, const SweepPlan& plan) {
  return given.empty() ? std::filesystem::path("sweeps") / plan.name()
                       : std::filesystem::path(given);
}

std::size_t threads_of(std::size_t given) {
  return given ? given : std::max(1U, std::thread::hardware_concurrency());
}

ProgressStyle progress_style(const std::string& progress, bool quiet) {
  if (quiet || progress == "none") return ProgressStyle::none;
  if (progress == "bar") return ProgressStyle::bar;
  return progress == "lines" ? ProgressStyle::lines : ProgressStyle::automatic;
}

ExecutionOptions execution_options(const ThreadFlags& flags,
                                   bool quiet,
                                   const Invocation& invocation) {
  ExecutionOptions options;
  options.run.threads = threads_of(flags.threads);
  options.progress = progress_style(flags.progress, quiet);
  options.command_line = invocation.command_line;
  return options;
}

std::unique_ptr<MemoryGate> memory_gate(const MemoryFlag& flag) {
  const auto available = flag.any_memory ? std::nullopt : available_memory();
  return available ? std::make_unique<MemoryGate>(*available) : nullptr;
}

void tell_of_next_pass(const UntilFlags& flags, std::uint32_t now, std::uint32_t next) {
  print_err("{} is not reached with {} repetitions: going on to {}\n", flags.until_ci, now, next);
}

void report_unreached_width(const UntilFlags& flags) {
  print_err(
      "undecided: {} needs more than {} repetitions (exit code 9); --most-repetitions "
      "allows more\n",
      flags.until_ci,
      flags.most_repetitions);
}

}  // namespace posse
