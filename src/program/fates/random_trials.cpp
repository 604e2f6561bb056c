// SPDX-License-Identifier: Apache-2.0
#include "program/fates/random_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "program/base/files.hpp"
#include "program/base/threads.hpp"
#include "program/fates/features.hpp"

namespace posse {
namespace {

constexpr std::string_view kRunningFile = "running-";

class RandomTrials {
 public:
  RandomTrials(const TrialsOptions& options, const TrialsHooks& hooks, TrialsProgress& progress)
      : options_(options), hooks_(hooks), progress_(progress) {
    std::filesystem::create_directories(options_.folder);
    for (const auto& group : feature_groups())
      for (const auto& feature : group.features) report_.features[feature.name] = 0;
  }

  TrialsReport run() {
    work_together(options_.jobs, [this](std::size_t job) { work(job); });
    report_.seconds = seconds();
    std::stable_sort(report_.failures.begin(),
                     report_.failures.end(),
                     [](const auto& a, const auto& b) { return a.seed < b.seed; });
    return std::move(report_);
  }

 private:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  bool over(std::uint64_t number) const {
    if (progress_.stop) return true;
    return options_.seconds ? seconds() >= *options_.seconds : number >= options_.count;
  }

  /// What goes wrong in a job ends them all.
  void work(std::size_t job) {
    try {
      check_scenarios(job);
    } catch (...) {
      progress_.stop = true;
      throw;
    }
  }

  void check_scenarios(std::size_t job) {
    const auto running = options_.folder / fmt::format("{}{}.toml", kRunningFile, job);
    for (std::uint64_t number = next_++; !over(number); number = next_++) {
      const std::uint64_t seed = options_.first + number;
      const auto text = hooks_.draw(seed);
      write_file(running, text);
      check(seed, job, make_trial(text));
      ++progress_.done;
    }
    std::filesystem::remove(running);
  }

  void check(std::uint64_t seed, std::size_t job, const Trial& trial) {
    auto violations = violations_of(trial, options_.property);
    std::vector<std::string> features;
    if (trial.mistakes.empty())
      for (const auto& group : feature_groups())
        for (const auto& feature : group.features)
          if (feature.has(trial)) features.push_back(feature.name);
    if (hooks_.look) hooks_.look(seed, job, trial, violations, features);
    const std::lock_guard lock(mutex_);
    ++report_.scenarios;
    for (const auto& name : features) ++report_.features[name];
    for (auto& violation : violations) {
      report_.failures.push_back({seed, std::move(violation.property), std::move(violation.what)});
      ++progress_.failures;
      if (hooks_.fail) hooks_.fail(report_.failures.back(), trial);
    }
  }

  const TrialsOptions& options_;
  const TrialsHooks& hooks_;
  TrialsProgress& progress_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;
  TrialsReport report_;
};

}  // namespace

TrialsReport run_trials(const TrialsOptions& options,
                        const TrialsHooks& hooks,
                        TrialsProgress& progress) {
  return RandomTrials(options, hooks, progress).run();
}

std::vector<std::filesystem::path> crashed_trials(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with(kRunningFile)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace posse
