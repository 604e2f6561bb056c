// SPDX-License-Identifier: Apache-2.0
#include "program/chaos/chaos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>

#include "core/sim/branches.hpp"
#include "program/base/files.hpp"
#include "program/base/threads.hpp"
#include "program/chaos/command_line_check.hpp"
#include "program/chaos/features.hpp"
#include "program/chaos/random_scenario.hpp"

namespace posse {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Chaos {
 public:
  Chaos(const ChaosOptions& options, ChaosProgress& progress)
      : options_(options), progress_(progress) {
    std::filesystem::create_directories(options_.folder);
    for (const auto& name : all_features()) report_.features[name] = 0;
    for (const auto name : kBranchNames) report_.features[std::string(name)] = 0;
  }

  ChaosReport run() {
    work_together(options_.jobs, [this](std::size_t job) { work(job); });
    report_.seconds = seconds_since(begin_);
    std::sort(report_.failures.begin(), report_.failures.end(), [](const auto& a, const auto& b) {
      return a.seed < b.seed;
    });
    return std::move(report_);
  }

 private:
  bool over(std::uint64_t number) const {
    if (progress_.stop) return true;
    return options_.seconds ? seconds_since(begin_) >= *options_.seconds : number >= options_.count;
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
    const auto running = options_.folder / fmt::format("running-{}", job);
    for (std::uint64_t number = next_++; !over(number); number = next_++) {
      const std::uint64_t seed = options_.first + number;
      write_file(running, fmt::format("{}\n", seed));
      one(seed, job);
      ++progress_.done;
    }
    std::filesystem::remove(running);
  }

  void one(std::uint64_t seed, std::size_t job) {
    const Trial trial = make_trial(random_scenario(seed));
    auto violations = violations_of(trial);
    CommandLineCheck check;
    const bool on_command_line =
        !options_.program.empty() && trial.mistakes.empty() && goes_through_command_line(seed);
    if (on_command_line) {
      const auto folder = options_.folder / fmt::format("command-line-{}", job);
      std::filesystem::create_directories(folder);
      check = check_command_line(trial, options_.program, folder);
      std::filesystem::remove_all(folder);
    }
    if (check.violation)
      violations.push_back({std::string(kCommandLineProperty), std::move(*check.violation)});
    auto features = features_of(trial);
    for (auto& name : branches_of(trial)) features.push_back(std::move(name));
    const std::lock_guard lock(mutex_);
    ++report_.scenarios;
    report_.on_command_line += on_command_line;
    report_.interrupted += check.interrupted;
    for (const auto& name : features) ++report_.features[name];
    for (auto& violation : violations) keep(seed, trial, std::move(violation));
  }

  void keep(std::uint64_t seed, const Trial& trial, ChaosViolation violation) {
    const auto file = options_.folder / fmt::format("seed-{}.toml", seed);
    write_file(file, trial.text);
    report_.failures.push_back(
        {seed, std::move(violation.property), std::move(violation.what), file});
    ++progress_.failures;
  }

  const ChaosOptions& options_;
  ChaosProgress& progress_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<std::uint64_t> next_{0};
  std::mutex mutex_;
  ChaosReport report_;
};

}  // namespace

ChaosReport run_chaos(const ChaosOptions& options, ChaosProgress& progress) {
  return Chaos(options, progress).run();
}

std::string chaos_statistics(const ChaosReport& report) {
  std::string text = fmt::format("{} scenarios in {:.1f} s, {:.1f} per second\n",
                                 report.scenarios,
                                 report.seconds,
                                 static_cast<double>(report.scenarios) / report.seconds);
  text += fmt::format("{:>8}  through the command line\n", report.on_command_line);
  text += fmt::format("{:>8}  of them ended by an interrupt\n", report.interrupted);
  for (const auto& name : all_features())
    text += fmt::format("{:>8}  {}\n", report.features.at(name), name);
  for (const auto name : kBranchNames)
    text += fmt::format("{:>8}  {}\n", report.features.at(std::string(name)), name);
  return text;
}

}  // namespace posse
