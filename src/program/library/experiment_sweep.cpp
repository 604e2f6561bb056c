// SPDX-License-Identifier: Apache-2.0
#include "program/library/experiment_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <stop_token>
#include <thread>
#include <utility>

#include "program/base/files.hpp"
#include "program/compare/study_reader.hpp"
#include "program/page/sweep_page.hpp"
#include "program/study/study_report.hpp"
#include "program/sweep/collect.hpp"

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
  runs.write("plan.csv", plan_csv(plan));
  std::filesystem::remove(store / kDecisionsFile);  // of another plan
  std::optional<SweepPage> page;
  std::optional<HttpServer> server;
  std::string address;
  if (options.page) {
    page.emplace(plan, std::nullopt);
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
  auto working =
      std::async(std::launch::async, [&] { return run_sweep(plan, runs, sweep_options); });
  const auto interval = std::chrono::duration<double>(options.interval_s);
  try {
    do report();
    while (working.wait_for(interval) != std::future_status::ready);
    report();
  } catch (...) {
    stop.request_stop();
    working.wait();
    throw;
  }
  SweepOutcome outcome = working.get();
  collect({runs}, store);
  return {store, std::move(outcome)};
}

std::string ExperimentSweepResults::text() const {
  std::string text = to_text(study_report(read_study({store_})));
  constexpr std::size_t kShown = 3;
  const auto& failed = outcome_.failed;
  for (std::size_t i = 0; i < std::min(kShown, failed.size()); ++i)
    text += fmt::format("setting {}, repetition {}: {}\n  {}\n",
                        failed[i].run.setting + 1,
                        failed[i].run.repetition,
                        failed[i].status,
                        failed[i].report);
  if (failed.size() > kShown)
    text += fmt::format("… and {} more failed runs\n", failed.size() - kShown);
  return text;
}

DataTable ExperimentSweepResults::summary() const {
  return table_of_csv(read_file(store_ / "summary.csv"));
}

}  // namespace posse
