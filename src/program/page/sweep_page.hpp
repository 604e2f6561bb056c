// SPDX-License-Identifier: Apache-2.0
// The page of a sweep, or of a store when it is finished: progress, the comparison of the runs so
// far, failed runs, and the settings to explore.
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
#include "program/sweep/run_store.hpp"
#include "program/sweep/sweep.hpp"

namespace posse {

/// All functions from any thread.
class SweepPage final : public SweepObserver {
 public:
  /// Of a sweep that runs into a store; `measure`: the one of the headline, as in study_report().
  SweepPage(const SweepPlan& plan, const RunStore& store, std::optional<std::size_t> measure);
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

  /// For the page, its data (`api/sweep`, `api/study`, `api/explored`, `api/runs`), and the pages
  /// of runs.
  HttpHandler handler();
  /// The page with its data, as they are, as a file.
  std::string html();

 private:
  using Clock = std::chrono::steady_clock;
  struct Present {
    PlannedRun run;
    std::filesystem::path folder;
  };
  void read_present();
  Json progress();
  /// A text that follows from the study, made anew at most every two seconds.
  struct FromStudy {
    std::string text;  // JSON
    Clock::time_point made{};
    std::size_t runs = 0;  // of which it was made
  };
  template <class Make>
  std::string from_study(FromStudy& known, const Make& make);
  std::string comparison();
  std::string explored();
  HttpResponse runs(const HttpRequest& request);
  HttpResponse run_page(const HttpRequest& request);

  const RunStore* store_ = nullptr;  // of a sweep that runs
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
  FromStudy comparison_, explored_;
  std::string verdicts_;  // JSON; empty: none

  std::deque<Present> present_;  // to be read
  std::condition_variable wake_;
  bool closing_ = false;
  std::optional<std::jthread> reader_;
};

}  // namespace posse
