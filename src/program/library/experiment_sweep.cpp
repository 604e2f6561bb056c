// SPDX-License-Identifier: Apache-2.0
#include "program/library/experiment_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

#include "program/base/files.hpp"
#include "program/compare/study_report.hpp"
#include "program/library/reported_wait.hpp"
#include "program/page/sweep_page.hpp"
#include "program/sweep/collect.hpp"
#include "program/sweep/study_reader.hpp"

namespace posse {
namespace {

/// Counts, and tells a page if there is one.
class SweepWatcher final : public SweepObserver {
 public:
  explicit SweepWatcher(SweepPage* page) : page_(page) {}

  void begins(const std::vector<const PlannedRun*>& runs, const std::string& note) override {
    planned_ = runs.size();
    if (page_ != nullptr) page_->begins(runs, note);
  }
  void has(const PlannedRun& run, const std::filesystem::path& folder) override {
    ++present_;
    if (page_ != nullptr) page_->has(run, folder);
  }
  void made(const PlannedRun& run, const RunRecord& record) override {
    ++made_;
    if (page_ != nullptr) page_->made(run, record);
  }
  ExperimentSweepProgress progress(std::string address) const {
    return {planned_, present_, made_, std::move(address)};
  }

 private:
  SweepPage* page_;
  std::atomic<std::size_t> planned_ = 0, present_ = 0, made_ = 0;
};

}  // namespace

ExperimentSweepResults run_experiments(const SweepPlan& plan,
                                       const std::filesystem::path& store,
                                       const ExperimentSweepOptions& options) {
  const RunStore runs(store);
  const StoreWriter probe(runs);  // an unwritable store is found before the first run
  write_plan(runs, plan);
  std::filesystem::remove(store / kDecisionsFile);  // of another plan
  std::optional<SweepPage> page;
  std::optional<HttpServer> server;
  std::string address;
  if (options.page) {
    page.emplace(plan, runs, std::nullopt);
    server.emplace(*options.page, page->handler());
    address = fmt::format("page: {}/\n", server->url());
  }
  SweepWatcher watcher(page ? &*page : nullptr);
  std::stop_source stop;
  SweepOptions sweep_options;
  sweep_options.jobs =
      options.threads ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  sweep_options.progress = ProgressStyle::none;
  sweep_options.observer = &watcher;
  sweep_options.stop = stop.get_token();

  const auto report = [&] {
    if (options.progress && !options.progress(watcher.progress(address))) stop.request_stop();
  };
  SweepOutcome outcome = wait_reporting(
      std::async(std::launch::async, [&] { return run_sweep(plan, runs, sweep_options); }),
      options.interval_s,
      report,
      [&] { stop.request_stop(); });
  collect({runs}, store);
  auto failures = failures_text(plan, outcome);
  return {store, std::move(outcome), std::move(failures)};
}

std::string ExperimentSweepResults::text() const {
  return to_text(study_report(read_study({store_}))) + failures_;
}

std::string ExperimentSweepResults::plot(const DrawingRequest& request) const {
  DrawnRuns runs({store_.string()}, {});
  return compact_json(drawing_json(draw(request, runs)));
}

MemoryTable ExperimentSweepResults::summary() const {
  return table_of_csv(read_file(store_ / "summary.csv"));
}

}  // namespace posse
