// SPDX-License-Identifier: Apache-2.0
// The page of a sweep, or of a store when it is finished: progress, the comparison of the runs so
// far, failed runs.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "program/compare/study_report.hpp"
#include "program/http/server.hpp"
#include "program/results/results_json.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {

/// All functions from any thread.
class SweepPage final : public SweepObserver {
 public:
  /// Of a sweep that runs; `measure`: the one of the headline, as in study_report().
  SweepPage(const SweepPlan& plan, std::optional<std::size_t> measure);
  /// Of a store that was collected.
  explicit SweepPage(Study study);
  ~SweepPage() override;
  SweepPage(const SweepPage&) = delete;
  SweepPage& operator=(const SweepPage&) = delete;

  void begins(const std::vector<const PlannedRun*>& runs, const std::string& note) override;
  /// The folder is read later, in a thread of the page.
  void has(const PlannedRun& run, const std::filesystem::path& folder) override;
  void made(const PlannedRun& run, const RunRecord& record) override;
  /// In place of the comparison: the verdicts of a sweep that stops itself, in the same form.
  void show(const Json& verdicts);
  /// "finished" or "stopped".
  void end(const std::string& state);

  /// For `page`, `api/sweep` and `api/study`.
  HttpHandler handler();

 private:
  using Clock = std::chrono::steady_clock;
  struct Present {
    PlannedRun run;
    std::filesystem::path folder;
  };
  void read_present();
  Json progress();
  std::string comparison();

  std::mutex mutex_;
  Study study_;
  std::size_t planned_ = 0, there_ = 0, made_ = 0;
  std::set<std::string> known_, asked_;  // keys: of runs that are there, of all
  Json failed_ = Json::array();          // the latest
  std::size_t failures_ = 0;
  std::string state_ = "running", note_;
  std::optional<std::size_t> measure_;
  Clock::time_point began_ = Clock::now();
  std::optional<Clock::time_point> ended_;
  std::string comparison_;  // as JSON
  bool has_verdicts_ = false;
  Clock::time_point compared_{};
  std::size_t compared_runs_ = 0;

  std::deque<Present> present_;  // to be read
  std::condition_variable wake_;
  bool closing_ = false;
  std::optional<std::jthread> reader_;
};

}  // namespace posse
