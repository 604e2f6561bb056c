// SPDX-License-Identifier: Apache-2.0
// The parsed command line, and what several commands derive from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/results/execution.hpp"
#include "program/run/memory.hpp"
#include "program/scenario/diagnostics.hpp"
#include "program/scenario/scenario.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

struct Arguments {
  std::vector<std::string> command_line;
  std::string file, name;
  std::vector<std::string> plugins;
  std::vector<std::string> set, each;
  bool keep_derived = false;  // whatif
  std::optional<std::string> label;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> ties;
  std::optional<std::uint32_t> repeat, repetition;
  std::size_t threads = 0;  // 0: one per core
  double pace = 0;
  std::string out = "runs";
  std::string trace = "none", progress = "auto", kernel = "actors", clock = "virtual";
  std::vector<std::string> runs;             // report, plot
  std::string page_address, page_out;        // serve, report
  std::optional<std::string> metrics, page;  // run: address to listen at, or ""
  std::string linger, push;
  bool paused = false;
  std::string kind, plot_out, plot_algorithm;  // plot
  std::optional<double> plot_regret;
  std::string plot_from, plot_until, plot_rounds;
  std::string plot_x, plot_y, plot_cost, plot_against, plot_width, plot_font_size;
  std::vector<std::string> plot_where;
  bool plot_no_title = false, plot_pdf = false;
  std::string plot_band = "interval";
  bool local = false, logarithmic = false;
  bool quick = false;   // reproduce
  bool strict = false;  // check
  std::uint64_t chaos_first = 0, chaos_count = 300;
  std::optional<double> chaos_seconds;
  std::size_t chaos_jobs = 1;
  std::string chaos_out = "runs/chaos";
  std::string chaos_property, chaos_minimised;  // minimise, fates
  std::uint64_t fates_most = 10'000;
  std::uint32_t fates_depth = 2;
  std::optional<std::uint32_t> round;  // inspect
  std::size_t sweep_limit = 2'000;     // sweep-loss
  std::string sweep_out;
  std::string store, shard;                // sweep, store
  std::vector<std::string> keys;           // store remove
  std::uint32_t most_repetitions = 1'000;  // --until-ci
  std::string measure, until_ci;           // compare and sweep; run, sweep and compare
  std::optional<std::string> decide;       // sweep: the error
  std::optional<std::size_t> pilot;        // plan: runs per algorithm
  bool fail_fast = false, stale = false, damaged = false;
  std::string listen, connect, token_file, certificate, key, authority, patience, rejoin;  // node
  std::vector<std::string> names;
  std::size_t members = 1;
  std::size_t processes = 5;  // validate, calibrate
  std::string delay, jitter;  // proxy, validate, calibrate
  bool tls_only = false;      // proxy
  double loss = 0;
  bool any_memory = false;  // run, sweep
  bool json = false, quiet = false, verbose = false;
};

/// Environment, then --set, then flags: later ones win.
std::vector<Override> overrides_of(const Arguments& arguments);
/// Prints all mistakes; true if there are none.
bool report_mistakes(const Diagnostics& diagnostics);
/// The scenario, or nothing after printing all its mistakes.
std::optional<Scenario> scenario_of(const Arguments& arguments);
/// The runs of the file, with or without a sweep, or nothing after printing all its mistakes.
std::optional<SweepPlan> plan_of(const Arguments& arguments);
/// The directory of a sweep's runs.
std::filesystem::path store_of(const Arguments& arguments, const SweepPlan& plan);
/// Carries out a verb. Files that can't be read or written, and runs with two results, end it with
/// their exit codes.
ExitCode with_file_errors(const std::function<ExitCode()>& verb);
ExecutionOptions execution_options(const Arguments& arguments);
/// What runs must fit in; null if the user doesn't mind, or nobody tells.
std::unique_ptr<MemoryGate> memory_gate(const Arguments& arguments);

/// Of --until-ci, on standard error: that more repetitions follow, and that they were not enough.
void tell_of_next_pass(const Arguments& arguments, std::uint32_t now, std::uint32_t next);
void report_unreached_width(const Arguments& arguments);

std::string shell_quoted(const std::string& word);
/// This program as the user called it, so that suggested commands work unchanged.
std::string this_program(const Arguments& arguments);

}  // namespace posse
