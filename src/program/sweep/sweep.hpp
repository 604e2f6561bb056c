// SPDX-License-Identifier: Apache-2.0
// Runs a sweep's runs that its store doesn't have yet, several at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/run/progress.hpp"
#include "program/run/runner.hpp"
#include "program/sweep/run_store.hpp"
#include "program/sweep/sweep_plan.hpp"

namespace posse {

/// Part `index` of `count`, from 0. Of a plan's different runs each is in one part; parts differ by
/// one run at most.
struct Shard {
  std::uint32_t index = 0, count = 1;
};

/// Looks on; must not throw.
class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  /// A pass of these runs begins. `note` is what its lines of progress begin with.
  virtual void begins(const std::vector<const PlannedRun*>& runs, const std::string& note) = 0;
  /// The store has this run already.
  virtual void has(const PlannedRun& run, const std::filesystem::path& folder) = 0;
  /// A run was made. From any thread.
  virtual void made(const PlannedRun& run, const RunRecord& record) = 0;
};

struct SweepOptions {
  std::size_t jobs = 1;
  std::optional<Shard> shard;
  std::vector<std::size_t> only;  // positions in the plan's runs; empty: all
  bool fail_fast = false;         // start no further run after a failed one
  Kernel kernel = Kernel::serial;
  std::string kernel_name = "serial";
  ProgressStyle progress = ProgressStyle::automatic;
  std::string progress_note;  // what the lines of progress begin with
  std::vector<std::string> command_line;
  SweepObserver* observer = nullptr;
  std::stop_token stop;          // ends the sweep as a signal does
  MemoryGate* memory = nullptr;  // see RunOptions
};

/// A run that did not finish, or violated a bound.
struct FailedRun {
  PlannedRun run;
  std::string status, report;
  ExitCode exit_code = ExitCode::ok;
  bool stored = false;  // what did not finish for reasons outside the scenario is not
};

struct SweepOutcome {
  std::size_t planned = 0;        // different runs of this shard
  std::size_t present = 0;        // in the store before
  std::size_t made = 0;           // now in the store
  std::vector<FailedRun> failed;  // now; in the plan's order
  std::vector<std::filesystem::path> conflicts;
  double wall_s = 0, run_wall_s = 0;  // of all, and the sum over runs
  int signal = 0;                     // that stopped it, or 0
};

/// Runs that end for reasons of their own (finished, stalled, a limit of events or virtual time, a
/// violation) are stored; those that failed by an exception, or were stopped by a limit of wall
/// time or a signal, are not, and are tried again the next time. Signals must be caught already.
/// Throws FileError if the store can't be written, after putting finished runs in their places if
/// it can.
SweepOutcome run_sweep(const SweepPlan& plan, const RunStore& store, const SweepOptions& options);

/// The first runs that failed, each with its setting, its status and why, and how many more there
/// are; empty if there are none. `reproduce`: the command that repeats a run; may be empty.
std::string failures_text(const SweepPlan& plan,
                          const SweepOutcome& outcome,
                          const std::function<std::string(const PlannedRun&)>& reproduce = {});

}  // namespace posse
