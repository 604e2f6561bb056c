// SPDX-License-Identifier: Apache-2.0
// Flags that several verbs share: structs with their defaults, and what verbs make of them.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/cli/verb.hpp"
#include "program/results/execution.hpp"
#include "program/run/memory.hpp"
#include "program/run/progress.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// CLI11's own checks accept NaN and print the limits of the type. `itself`: `least` is allowed.
CLI::Validator number_from(double least, bool itself);
/// TOML's whole numbers are signed.
CLI::Validator seed_check();
CLI::Validator count_from_one();

/// --allow-external.
void add_external_flag(CLI::App& verb);
/// --set.
void add_set_flag(CLI::App& verb, std::vector<std::string>& set);
/// --jobs: as many threads, 0 for one per core.
void add_jobs_flag(CLI::App& verb,
                   std::size_t& jobs,
                   const std::string& help = "runs at a time (default: one per core)");
/// --progress.
void add_progress_flag(CLI::App& verb, std::string& progress);

/// The names of ranked measures, for the help of --measure.
std::string measures_for_help();
/// --measure: the one that decides who is best.
void add_measure_flag(CLI::App& verb, std::string& measure);
/// Nothing if none is given. Throws std::invalid_argument for a measure that there isn't.
std::optional<std::size_t> measure_of(const std::string& measure);

/// Changes to a scenario, with --allow-external.
struct VariationFlags {
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> repeat;

  void add_to(CLI::App& verb);
};
/// A scenario file with changes.
struct ScenarioFlags : VariationFlags {
  std::string file;

  void add_to(CLI::App& verb);
};

struct ThreadFlags {
  std::size_t threads = 0;  // 0: one per core
  std::string progress = "auto";

  void add_to(CLI::App& verb);
};
struct ExecutionFlags : ThreadFlags {
  std::string out = "runs";

  void add_to(CLI::App& verb);
};

struct MemoryFlag {
  bool any_memory = false;

  void add_to(CLI::App& verb);
};

struct UntilFlags {
  std::string until_ci;
  std::uint32_t most_repetitions = 1'000;

  void add_to(CLI::App& verb);
};

/// Environment, then --set, then flags: later ones win.
std::vector<Override> overrides_of(const VariationFlags& flags);
/// The scenario, or nothing after printing all its mistakes. Warns of thresholds that can't be
/// decided, unless repetitions may be added.
std::optional<Scenario> scenario_of(const std::string& file,
                                    const std::vector<Override>& overrides,
                                    const UntilFlags& until = {});
/// The runs of the file, with or without a sweep; otherwise as scenario_of.
std::optional<SweepPlan> plan_of(const ScenarioFlags& flags, const UntilFlags& until = {});
/// The directory of a sweep's runs; `given` may be empty.
std::filesystem::path store_of(const std::string& given, const SweepPlan& plan);

/// One per core if it is 0.
std::size_t threads_of(std::size_t given);
ProgressStyle progress_style(const std::string& progress, bool quiet);
ExecutionOptions execution_options(const ThreadFlags& flags,
                                   bool quiet,
                                   const Invocation& invocation);
/// What runs must fit in; null if the user doesn't mind, or nobody tells.
std::unique_ptr<MemoryGate> memory_gate(const MemoryFlag& flag);

/// Of --until-ci, on standard error: that more repetitions follow, and that they were not enough.
void tell_of_next_pass(const UntilFlags& flags, std::uint32_t now, std::uint32_t next);
void report_unreached_width(const UntilFlags& flags);

}  // namespace posse
