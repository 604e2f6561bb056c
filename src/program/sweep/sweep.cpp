// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/base/threads.hpp"
#include "program/results/results.hpp"
#include "program/run/workload_cache.hpp"
#include "program/sweep/run_key.hpp"
#include "program/sweep/sweep_progress.hpp"

namespace posse {
namespace {

using Clock = std::chrono::steady_clock;

/// Scenarios of settings, the latest ones kept: making one may read files.
class SettingCache {
 public:
  explicit SettingCache(const SweepPlan& plan) : plan_(plan) {}

  std::shared_ptr<const Scenario> get(std::size_t setting) {
    const std::lock_guard lock(mutex_);
    if (const auto it = known_.find(setting); it != known_.end()) return it->second;
    if (known_.size() >= kMost) known_.erase(known_.begin());
    return known_[setting] = std::make_shared<const Scenario>(plan_.scenario(setting));
  }

 private:
  static constexpr std::size_t kMost = 256;
  const SweepPlan& plan_;
  std::mutex mutex_;
  std::map<std::size_t, std::shared_ptr<const Scenario>> known_;
};

class Sweep {
 public:
  Sweep(const SweepPlan& plan, const RunStore& store, const SweepOptions& options)
      : plan_(plan), store_(store), options_(options), writer_(store), settings_(plan) {
    std::vector<const PlannedRun*> runs, present;
    std::unordered_set<std::string> seen;
    std::size_t number = 0;
    const auto& only = options.only;
    for (std::size_t i = 0; i < (only.empty() ? plan.runs().size() : only.size()); ++i) {
      const PlannedRun& run = plan.runs()[only.empty() ? i : only[i]];
      if (!seen.insert(run.key).second) continue;
      const bool ours = !options.shard || number % options.shard->count == options.shard->index;
      ++number;
      if (!ours) continue;
      ++outcome_.planned;
      runs.push_back(&run);
      (store.has(run.key) ? present : missing_).push_back(&run);
    }
    outcome_.present = present.size();
    if (options.observer == nullptr) return;
    options.observer->begins(runs, options.progress_note);
    for (const auto* run : present) options.observer->has(*run, store.folder(run->key));
  }

  SweepOutcome run() {
    const auto began = Clock::now();
    {
      const std::stop_callback stopper(options_.stop, [this] { stop(); });
      const SweepProgress progress(
          {outcome_.planned, outcome_.present, options_.progress_note},
          counts_,
          options_.progress,
          [this] { stop(); },
          [this] { return keep_rest(); });
      const auto workers =
          std::clamp<std::size_t>(options_.jobs, 1, std::max<std::size_t>(1, missing_.size()));
      work_together(workers, [this](std::size_t) { work(); });
    }
    outcome_.signal = pending_signal();
    try {
      writer_.flush();
    } catch (...) {
      if (!problem_) problem_ = std::current_exception();
    }
    if (problem_) std::rethrow_exception(problem_);
    std::sort(outcome_.failed.begin(), outcome_.failed.end(), [](const auto& a, const auto& b) {
      return std::tie(a.run.repetition, a.run.setting, a.run.algorithm) <
             std::tie(b.run.repetition, b.run.setting, b.run.algorithm);
    });
    outcome_.conflicts = writer_.conflicts();
    outcome_.wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    return std::move(outcome_);
  }

 private:
  void work() {
    while (!stopped_) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= missing_.size()) return;
      try {
        run_one_of(*missing_[i]);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!problem_) problem_ = std::current_exception();
        stopped_ = true;
      }
    }
  }

  void run_one_of(const PlannedRun& planned) {
    if (store_.has(planned.key)) {  // another program made it meanwhile
      if (options_.observer) options_.observer->has(planned, store_.folder(planned.key));
      const std::lock_guard lock(mutex_);
      ++outcome_.present;
      ++counts_.present;
      return;
    }
    const auto setting = settings_.get(planned.setting);
    const AlgorithmEntry& entry =
        setting->algorithms.at(plan_.position_in(planned.setting, planned.algorithm));
    if (RunKeys(*setting, entry).of(planned.repetition) != planned.key)
      throw FileError(setting->file, "or a file that it names, was changed while the sweep ran");
    const Scenario one = single_run(*setting, entry, planned.repetition);

    std::vector<RunRecord> runs(1);
    RunRecord& record = runs.front();
    record.repetition = planned.repetition;
    RunOptions options;
    options.kernel = options_.kernel;
    options.only_repetition = planned.repetition;
    options.memory = options_.memory;
    RunMonitor::Slot slot;
    RunMetadata metadata;
    metadata.command_line = options_.command_line;
    metadata.kernel = options_.kernel_name;
    metadata.started = utc_now();
    {
      const Running running(*this, slot);
      if (stopped_) return;
      run_one(
          one,
          options,
          1,
          [&](const AlgorithmEntry& of, std::uint32_t repetition) {
            return workloads_.get(workload_text(one, of), one, of, repetition);
          },
          slot,
          record);
    }
    const ScenarioResult result = result_of(one, std::move(runs));
    metadata.ended = utc_now();
    metadata.wall_s = record.wall_s;
    metadata.exit_code = exit_code_of(record);
    const RunOutcome& outcome = record.result.outcome;
    const bool by_chance = outcome.status == RunStatus::failed ||
                           !unrepeatable_end(to_string(outcome.status), outcome.report).empty();
    if (stopped_ && outcome.status == RunStatus::stopped) return;
    if (!by_chance)
      writer_.add(planned.key, [&](const std::filesystem::path& folder) {
        write_run_data(folder, one, result, summarise(one, result), metadata);
      });
    if (options_.observer) options_.observer->made(planned, record);
    const std::lock_guard lock(mutex_);
    outcome_.run_wall_s += record.wall_s;
    outcome_.made += !by_chance;
    ++counts_.made;
    if (metadata.exit_code == ExitCode::ok) return;
    ++counts_.failed;
    outcome_.failed.push_back({planned,
                               std::string(to_string(outcome.status)),
                               outcome.report,
                               metadata.exit_code,
                               !by_chance});
    if (options_.fail_fast) stopped_ = true;
  }

  /// From now on no run starts, and those that run stop.
  void stop() {
    stopped_ = true;
    const std::lock_guard lock(mutex_);
    for (auto* slot : running_) slot->progress.cancel = true;
  }

  /// Finished runs come into the store, unless runs that were stopped are being ended.
  bool keep_rest() {
    {
      const std::lock_guard lock(mutex_);
      if (std::all_of(running_.begin(), running_.end(), [](const auto* slot) {
            return slot->progress.ending.load();
          }))
        return false;
    }
    writer_.flush();
    return true;
  }

  struct Running {
    Running(Sweep& sweep, RunMonitor::Slot& slot) : sweep_(sweep) {
      const std::lock_guard lock(sweep_.mutex_);
      place_ = sweep_.running_.insert(sweep_.running_.end(), &slot);
    }
    ~Running() {
      const std::lock_guard lock(sweep_.mutex_);
      sweep_.running_.erase(place_);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    Sweep& sweep_;
    std::list<RunMonitor::Slot*>::iterator place_;
  };

  const SweepPlan& plan_;
  const RunStore& store_;
  const SweepOptions& options_;
  StoreWriter writer_;
  SettingCache settings_;
  WorkloadCache workloads_{8};
  std::vector<const PlannedRun*> missing_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stopped_{false};
  SweepCounts counts_;
  std::mutex mutex_;
  std::list<RunMonitor::Slot*> running_;
  SweepOutcome outcome_;
  std::exception_ptr problem_;
};

}  // namespace

SweepOutcome run_sweep(const SweepPlan& plan, const RunStore& store, const SweepOptions& options) {
  return Sweep(plan, store, options).run();
}

std::string failures_text(const SweepPlan& plan,
                          const SweepOutcome& outcome,
                          const std::function<std::string(const PlannedRun&)>& reproduce) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, outcome.failed.size()); ++i) {
    const FailedRun& failed = outcome.failed[i];
    text += fmt::format("{}{}, repetition {}: {} (exit code {}){}\n",
                        plan.algorithms()[failed.run.algorithm],
                        plan.axes().empty() ? "" : " with " + plan.setting_text(failed.run.setting),
                        failed.run.repetition,
                        failed.status,
                        to_int(failed.exit_code),
                        failed.stored ? "" : ", will be tried again");
    if (!failed.report.empty()) text += fmt::format("  {}\n", failed.report);
    if (reproduce) text += fmt::format("  to reproduce: {}\n", reproduce(failed.run));
  }
  if (outcome.failed.size() > kShown)
    text += fmt::format("… and {} more failed runs\n", outcome.failed.size() - kShown);
  return text;
}

}  // namespace posse
