// SPDX-License-Identifier: Apache-2.0
#include "program/cli/pilot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/base/math.hpp"
#include "core/objective/problem.hpp"
#include "program/base/files.hpp"
#include "program/base/signals.hpp"
#include "program/base/temporary_folder.hpp"
#include "program/compare/summary.hpp"
#include "program/results/results.hpp"
#include "program/run/memory.hpp"
#include "program/run/runner.hpp"
#include "program/run/workload_cache.hpp"
#include "program/sweep/run_key.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// Of more kinds only the largest are tried.
constexpr std::size_t kMostKinds = 12;
/// A run that was stopped before it had done so much says nothing.
constexpr double kLeastPart = 0.02;
/// Even the last run may take so long, if the others took all the time.
constexpr double kLeastSeconds = 0.5;
/// A run is tried again until so much time has gone, for quick ones vary much; at most so often.
constexpr double kSampleSeconds = 0.1;
constexpr std::size_t kMostSamples = 5;

double seconds_of_pilot_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

/// Runs of one algorithm in settings of one kind.
struct PilotKind {
  std::size_t algorithm = 0;
  std::vector<std::size_t> settings;  // by size
  double size = 0;                    // of all its runs
};

/// The words among the values that a setting chooses, without its numbers: "garland star".
std::string kind_of(const SweepPlan& plan, std::size_t setting) {
  std::string kind;
  for (std::size_t axis = 0; axis < plan.axes().size(); ++axis) {
    const auto text = plan.text(setting, axis);
    const auto word = text.substr(0, text.find(' '));
    if (word.find_first_of("0123456789") == 0 || word.starts_with('-')) continue;
    kind += word + " ";
  }
  return kind;
}

std::vector<PilotKind> kinds_of(const SweepPlan& plan, const RunSizes& sizes) {
  std::map<std::pair<std::size_t, std::string>, PilotKind> by_name;
  for (std::size_t setting = 0; setting < plan.settings(); ++setting) {
    const auto name = kind_of(plan, setting);
    for (std::size_t a = 0; a < plan.algorithms().size(); ++a) {
      const auto runs = sizes.different[setting][a];
      if (runs == 0) continue;
      PilotKind& kind = by_name[{a, name}];
      kind.algorithm = a;
      kind.settings.push_back(setting);
      kind.size += static_cast<double>(runs) * sizes.size[setting][a];
    }
  }
  std::vector<PilotKind> kinds;
  for (auto& [name, kind] : by_name) {
    std::ranges::stable_sort(kind.settings, {}, [&](std::size_t setting) {
      return sizes.size[setting][kind.algorithm];
    });
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

/// The runs to try, small ones first. Positions in `kinds` in `of`.
std::vector<PilotRun> chosen(const std::vector<PilotKind>& kinds,
                             const RunSizes& sizes,
                             std::size_t each) {
  std::vector<PilotRun> runs;
  std::map<std::size_t, std::vector<const PilotKind*>> by_algorithm;
  for (const auto& kind : kinds) by_algorithm[kind.algorithm].push_back(&kind);
  for (auto& [algorithm, own] : by_algorithm) {
    std::ranges::stable_sort(own, std::ranges::greater{}, &PilotKind::size);
    own.resize(std::min(own.size(), kMostKinds));
    for (const auto* kind : own) {
      const std::size_t last = kind->settings.size() - 1, tried = std::min(each, last + 1);
      for (std::size_t i = 0; i < tried; ++i) {
        const auto setting = kind->settings[tried < 2 ? last : i * last / (tried - 1)];
        runs.push_back(
            {.setting = setting, .algorithm = algorithm, .size = sizes.size[setting][algorithm]});
      }
    }
  }
  std::ranges::stable_sort(runs, {}, &PilotRun::size);
  return runs;
}

/// Cancels a run after a time, or at a signal.
class PilotWatch {
 public:
  PilotWatch(Progress& progress, double seconds)
      : thread_([this, &progress, end = Clock::now() + std::chrono::duration<double>(seconds)] {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, std::chrono::milliseconds(10), [&] { return over_; }))
            if (Clock::now() >= end || pending_signal() != 0) progress.cancel = true;
        }) {}
  ~PilotWatch() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }
  PilotWatch(const PilotWatch&) = delete;
  PilotWatch& operator=(const PilotWatch&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

/// As in a sweep, which shares what settings and algorithms have in common.
struct Workloads {
  WorkloadCache cache{8};
  std::set<std::string> made;
  bool expensive =
      false;  // the latest: its objective remembers values, so that none is like the first
};

/// Makes the run and writes its results, in at most `limit` seconds or a little more.
void try_run(const SweepPlan& plan,
             const Scenario& setting,
             const fs::path& folder,
             double limit,
             Workloads& workloads,
             PilotRun& run) {
  const AlgorithmEntry& entry = setting.algorithms.at(plan.position_in(run.setting, run.algorithm));
  const Scenario one = single_run(setting, entry, 0);
  std::vector<RunRecord> runs(1);
  RunRecord& record = runs.front();
  RunOptions options;
  options.kernel = Kernel::serial;
  options.only_repetition = 0;
  RunMonitor::Slot slot;
  run.part = 1;
  forget_peak_memory();
  const auto began = Clock::now();
  {
    const PilotWatch watch(slot.progress, limit);
    run_one(
        one,
        options,
        1,
        [&](const AlgorithmEntry& of, std::uint32_t repetition) {
          const auto text = workload_text(one, of);
          run.makes_workload = workloads.made.insert(text).second;
          Workload workload = workloads.cache.get(text, one, of, repetition);
          workloads.expensive = workload.problem && workload.problem->expensive();
          return workload;
        },
        slot,
        record);
  }
  const RunOutcome& outcome = record.result.outcome;
  if (outcome.status == RunStatus::stopped) {
    const double all = expected_evaluations(one, one.algorithms.front());
    const double rounds = record.start.forecast.rounds;
    run.part = all > 0      ? static_cast<double>(slot.progress.evaluations) / all
               : rounds > 0 ? slot.progress.rounds / rounds
                            : 0;
    run.part = std::min(run.part, 1.0);
  }
  run.failed = outcome.status == RunStatus::failed;
  fs::create_directory(folder);
  const ScenarioResult result = result_of(one, std::move(runs));
  write_run_data(folder, one, result, summarise(one, result), RunMetadata{});
  run.seconds = seconds_of_pilot_since(began);
  run.disk_bytes = bytes_on_disk(folder);
  run.memory_bytes = peak_memory().value_or(0);
  fs::remove_all(folder);
}

/// Tries the run several times if it is quick; only the first time may make its workload.
template <class Limit>
void sample(const SweepPlan& plan,
            const Scenario& setting,
            const fs::path& folder,
            const Limit& limit,
            Workloads& workloads,
            PilotRun& run) {
  try_run(plan, setting, folder, limit(), workloads, run);
  const double first = run.seconds;
  const bool makes_workload = run.makes_workload;
  const auto again = [&](double spent, std::size_t samples) {
    if (run.part < 1 || run.failed || workloads.expensive || pending_signal() != 0) return false;
    return samples == 0 && makes_workload ? first < limit() / 2
                                          : spent < kSampleSeconds && samples < kMostSamples;
  };
  std::vector<double> others;
  for (double spent = first; again(spent, others.size()); spent += others.back()) {
    try_run(plan, setting, folder, limit(), workloads, run);
    others.push_back(run.seconds);
  }
  run.makes_workload = makes_workload;
  if (others.empty()) return;
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::ranges::nth_element(others, middle);
  run.seconds = *middle;
  if (makes_workload) run.workload_s = std::max(0.0, first - *middle);
}

using Points = std::vector<std::pair<double, double>>;

}  // namespace

double seconds_of(double size, std::vector<std::pair<double, double>> tried) {
  // In logarithms; runs of one size are taken together.
  std::map<double, std::vector<double>> by_size;
  for (const auto& [of, seconds] : tried) by_size[math::log(of)].push_back(math::log(seconds));
  Points points;
  for (const auto& [x, ys] : by_size) {
    double sum = 0;
    for (const double y : ys) sum += y;
    points.emplace_back(x, sum / static_cast<double>(ys.size()));
  }
  const double x = math::log(size);
  if (points.size() == 1) return math::exp(points[0].second + (x - points[0].first));
  std::size_t right = 1;
  while (right + 1 < points.size() && points[right].first < x) ++right;
  const auto [x0, y0] = points[right - 1];
  const auto [x1, y1] = points[right];
  double slope = (y1 - y0) / (x1 - x0);
  if (x < x0) slope = std::clamp(slope, 0.0, 1.0);
  if (x > x1) slope = std::clamp(slope, 0.5, 2.0);
  return x > x1 ? math::exp(y1 + slope * (x - x1)) : math::exp(y0 + slope * (x - x0));
}

Pilot make_pilot(const SweepPlan& plan, const RunSizes& sizes, std::size_t each, double seconds) {
  const auto kinds = kinds_of(plan, sizes);
  auto runs = chosen(kinds, sizes, each);
  const TemporaryFolder folder;
  Pilot pilot;
  Workloads workloads;
  std::map<std::size_t, Scenario> settings;
  const auto began = Clock::now();
  for (std::size_t i = 0; i < runs.size() && pending_signal() == 0; ++i) {
    if (!settings.contains(runs[i].setting))
      settings.emplace(runs[i].setting, plan.scenario(runs[i].setting));
    const Scenario& setting = settings.at(runs[i].setting);
    const auto limit = [&] {
      return std::max(
          kLeastSeconds,
          (seconds - seconds_of_pilot_since(began)) / static_cast<double>(runs.size() - i));
    };
    if (i == 0) {  // caches are cold
      Workloads own;
      try_run(plan,
              plan.scenario(runs[i].setting),
              folder.path() / "run",
              kSampleSeconds,
              own,
              runs[i]);
    }
    sample(plan, setting, folder.path() / "run", limit, workloads, runs[i]);
    pilot.failed += runs[i].failed;
    pilot.runs.push_back(runs[i]);
  }

  std::map<std::size_t, Points> of_algorithm_s, of_algorithm_bytes;
  const auto points_of = [&](const PilotKind& kind, bool bytes) {
    Points points;
    for (const auto& run : pilot.runs)
      if (run.algorithm == kind.algorithm && !run.failed && run.part >= kLeastPart &&
          std::ranges::find(kind.settings, run.setting) != kind.settings.end())
        points.emplace_back(run.size, bytes ? run.disk_bytes : run.seconds / run.part);
    return points;
  };
  for (const auto& kind : kinds)
    for (const bool bytes : {false, true})
      for (const auto& point : points_of(kind, bytes))
        (bytes ? of_algorithm_bytes : of_algorithm_s)[kind.algorithm].push_back(point);
  for (const auto& kind : kinds) {
    auto in_time = points_of(kind, false), on_disk = points_of(kind, true);
    Points workloads_s;
    for (const auto& run : pilot.runs)
      if (run.algorithm == kind.algorithm && run.workload_s > 0 &&
          std::ranges::find(kind.settings, run.setting) != kind.settings.end())
        workloads_s.emplace_back(run.size, run.workload_s);
    double tried = 0;
    for (const auto& [size, _] : in_time) tried = std::max(tried, size);
    if (in_time.empty()) {  // of a kind that was not tried: as all the others
      in_time = of_algorithm_s[kind.algorithm];
      on_disk = of_algorithm_bytes[kind.algorithm];
    }
    const double largest = sizes.size[kind.settings.back()][kind.algorithm];
    pilot.largest_tried = std::min(pilot.largest_tried, tried / largest);
    if (in_time.empty()) {
      pilot.unknown = true;
      continue;
    }
    for (const auto setting : kind.settings) {
      const double size = sizes.size[setting][kind.algorithm];
      const auto different = static_cast<double>(sizes.different[setting][kind.algorithm]);
      const double takes = seconds_of(size, in_time);
      pilot.seconds += different * takes;
      if (sizes.makes_workload[setting][kind.algorithm] && !workloads_s.empty())
        pilot.seconds += different * seconds_of(size, workloads_s);
      pilot.disk_bytes += different * seconds_of(size, on_disk);
      if (takes <= pilot.longest_s) continue;
      pilot.longest_s = takes;
      pilot.longest = plan.algorithms()[kind.algorithm];
      if (const auto text = plan.setting_text(setting); !text.empty())
        pilot.longest += " with " + text;
    }
  }
  for (const auto& run : pilot.runs)
    pilot.memory_bytes = std::max(pilot.memory_bytes, run.memory_bytes);
  return pilot;
}

}  // namespace posse
