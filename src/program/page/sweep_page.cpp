// SPDX-License-Identifier: Apache-2.0
#include "program/page/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/base/files.hpp"
#include "program/base/threads.hpp"
#include "program/page/document_parts.hpp"
#include "program/page/page_answer.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_json.hpp"
#include "program/results/study_runs.hpp"
#include "program/run/quantity_values.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostFailed = 20, kMostRows = 200;
constexpr auto kCompareEvery = std::chrono::seconds(2);

}  // namespace

SweepPage::SweepPage(const SweepPlan& plan, std::optional<std::size_t> measure)
    : measure_(measure) {
  study_.name = plan.name();
  study_.conditions = plan.conditions();
  study_.settings = names_of_settings(plan);
  study_.algorithms = plan.algorithms();
  reader_ = helping_thread([this] { read_present(); });
}

SweepPage::SweepPage(Study study) : study_(std::move(study)), state_("finished") {
  for (const auto& [at, cell] : study_.cells) {
    there_ += cell.finished.size() + cell.unfinished;
    failures_ += cell.unfinished;
  }
  planned_ = there_;
  ended_ = began_;
}

SweepPage::~SweepPage() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  reader_.reset();
}

void SweepPage::begins(const std::vector<const PlannedRun*>& runs, const std::string& note) {
  const std::lock_guard lock(mutex_);
  for (const auto* run : runs) {
    asked_.insert(run->key);
    // In their order, in whichever order they end.
    study_.repetition_of(fmt::format("{}", run->repetition));
  }
  planned_ = asked_.size();
  note_ = note.substr(0, note.find_last_not_of(" ,") + 1);
}

void SweepPage::show(const Json& verdicts) {
  const std::lock_guard lock(mutex_);
  comparison_ = compact_json(verdicts);
  has_verdicts_ = true;
}

void SweepPage::has(const PlannedRun& run, const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  if (!known_.insert(run.key).second) return;
  present_.push_back({run, folder});
  ++there_;
  wake_.notify_all();
}

void SweepPage::read_present() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return closing_ || !present_.empty(); });
    if (closing_) return;
    const Present next = std::move(present_.front());
    present_.pop_front();
    lock.unlock();
    StudyRun run;
    try {
      run = study_run(StoredRun(next.folder).runs().at(0).results);
    } catch (const FileError&) {
      // `collect` names it at the end.
    }
    run.seed = fmt::format("{}", next.run.repetition);
    lock.lock();
    study_.add(next.run.setting, next.run.algorithm, run);
  }
}

void SweepPage::made(const PlannedRun& run, const RunRecord& record) {
  const std::lock_guard lock(mutex_);
  if (!known_.insert(run.key).second) return;
  ++there_;
  ++made_;
  const RunOutcome& outcome = record.result.outcome;
  const bool finished = outcome.status == RunStatus::finished;
  study_.add(run.setting,
             run.algorithm,
             {fmt::format("{}", run.repetition),
              finished,
              finals_of(outcome),
              record.start.facts,
              record.warnings});
  if (finished) return;
  ++failures_;
  failed_.insert(failed_.begin(),
                 Json{{"setting", study_.settings[run.setting]},
                      {"algorithm", study_.algorithms[run.algorithm]},
                      {"repetition", run.repetition},
                      {"status", std::string(to_string(outcome.status))},
                      {"report", outcome.report}});
  if (failed_.size() > kMostFailed) failed_.erase(failed_.size() - 1);
}

void SweepPage::end(const std::string& state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  note_.clear();
  ended_ = Clock::now();
}

Json SweepPage::progress() {
  const std::lock_guard lock(mutex_);
  Json out{{"name", study_.name},
           {"state", state_},
           {"note", note_},
           {"planned", planned_},
           {"there", there_},
           {"made", made_},
           {"failures", failures_},
           {"failed", failed_},
           {"settings", study_.settings.size()},
           {"algorithms", study_.algorithms}};
  const std::chrono::duration<double> passed = ended_.value_or(Clock::now()) - began_;
  if (made_ > 0 && passed.count() > 0) {
    const double rate = static_cast<double>(made_) / passed.count();
    out["runs_per_s"] = rate;
    if (!ended_) out["left_s"] = static_cast<double>(planned_ - std::min(there_, planned_)) / rate;
  }
  Json rows = Json::array();
  for (std::size_t s = 0; s < std::min(kMostRows, study_.settings.size()); ++s) {
    Json counts = Json::array();
    for (std::size_t a = 0; a < study_.algorithms.size(); ++a) {
      const auto* cell = study_.find(s, a);
      counts.push_back(cell == nullptr ? 0 : cell->finished.size());
    }
    rows.push_back({{"name", study_.settings[s]}, {"finished", std::move(counts)}});
  }
  out["rows"] = std::move(rows);
  return out;
}

std::string SweepPage::comparison() {
  Study study;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (has_verdicts_ || (!comparison_.empty() && (compared_runs_ == there_ - present_.size() ||
                                                   now - compared_ < kCompareEvery)))
      return comparison_;
    compared_ = now;
    compared_runs_ = there_ - present_.size();
    study = study_;
  }
  auto text = compact_json(study_json(study_report(std::move(study), measure_)));
  const std::lock_guard lock(mutex_);
  return comparison_ = std::move(text);
}

HttpHandler SweepPage::handler() {
  return [this](const HttpRequest& request) {
    if (request.method == "POST") return error_answer(405, "a sweep can't be controlled");
    if (request.path == "/") return page_answer("{\"mode\":\"sweep\"}");
    if (request.path == "/api/sweep") return json_answer(compact_json(progress()));
    if (request.path == "/api/study") return json_answer(comparison());
    return error_answer(404, fmt::format("there is nothing at '{}'", request.path));
  };
}

}  // namespace posse
