// SPDX-License-Identifier: Apache-2.0
#include "program/page/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/files.hpp"
#include "program/base/threads.hpp"
#include "program/page/document.hpp"
#include "program/page/document_parts.hpp"
#include "program/page/explored.hpp"
#include "program/page/page_answer.hpp"
#include "program/page/report.hpp"
#include "program/results/stored_run.hpp"
#include "program/results/study_json.hpp"
#include "program/results/study_runs.hpp"
#include "program/run/quantity_values.hpp"
#include "program/sweep/setting_names.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostFailed = 20, kMostRows = 200;
constexpr auto kMakeEvery = std::chrono::seconds(2);

}  // namespace

SweepPage::SweepPage(const SweepPlan& plan,
                     const RunStore& store,
                     std::optional<std::size_t> measure)
    : store_(&store), measure_(measure) {
  study_.name = plan.name();
  study_.conditions = plan.conditions();
  study_.keys = keys_of_settings(plan);
  study_.settings = setting_names(study_.keys);
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
  verdicts_ = compact_json(verdicts);
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
    study_.add(next.run.setting, next.run.algorithm, run, {next.folder, next.run.repetition});
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
              finals_of(record),
              record.start.facts,
              record.warnings},
             {store_->folder(run.key), run.repetition});
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

template <class Make>
std::string SweepPage::from_study(FromStudy& known, const Make& make) {
  Study study;
  {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    const auto read = there_ - present_.size();
    if (!known.text.empty() && (known.runs == read || now - known.made < kMakeEvery))
      return known.text;
    known.made = now;
    known.runs = read;
    study = study_;
  }
  auto text = compact_json(make(std::move(study)));
  const std::lock_guard lock(mutex_);
  return known.text = std::move(text);
}

std::string SweepPage::comparison() {
  {
    const std::lock_guard lock(mutex_);
    if (!verdicts_.empty()) return verdicts_;
  }
  return from_study(comparison_, [this](Study study) {
    Json json = study_json(study_report(std::move(study), measure_));
    for (const auto* unused : {"measures", "settings"}) json.erase(unused);
    return json;
  });
}

std::string SweepPage::explored() {
  return from_study(explored_, [](const Study& study) { return explored_json(study); });
}

namespace {

/// The number in a query, if it is one.
std::optional<std::uint32_t> number_in(const HttpRequest& request, std::string_view name) {
  return parse_number<std::uint32_t>(request.parameter(name));
}

}  // namespace

HttpResponse SweepPage::runs(const HttpRequest& request) {
  const auto setting = number_in(request, "setting"), algorithm = number_in(request, "algorithm");
  if (!setting || !algorithm) return error_answer(422, "needs the numbers setting and algorithm");
  const std::lock_guard lock(mutex_);
  return json_answer(compact_json(runs_json(study_, *setting, *algorithm)));
}

HttpResponse SweepPage::run_page(const HttpRequest& request) {
  const auto setting = number_in(request, "setting"), algorithm = number_in(request, "algorithm"),
             repetition = number_in(request, "repetition");
  if (!setting || !algorithm || !repetition)
    return error_answer(422, "needs the numbers setting, algorithm and repetition");
  std::optional<fs::path> folder;
  {
    const std::lock_guard lock(mutex_);
    if (const auto* place = study_.place(*setting, *algorithm, *repetition)) folder = place->folder;
  }
  if (!folder) return error_answer(404, "there is no such run");
  try {
    return page_answer(report_boot({compact_json(read_document(*folder))}));
  } catch (const FileError& problem) {
    return error_answer(422, problem.what());
  }
}

HttpHandler SweepPage::handler() {
  return [this](const HttpRequest& request) {
    if (request.method == "POST") return error_answer(405, "a sweep can't be controlled");
    if (request.path == "/") return page_answer("{\"mode\":\"sweep\"}");
    if (request.path == "/api/sweep") return json_answer(compact_json(progress()));
    if (request.path == "/api/study") return json_answer(comparison());
    if (request.path == "/api/explored") return json_answer(explored());
    if (request.path == "/api/runs") return runs(request);
    if (request.path == "/run") return run_page(request);
    return error_answer(404, fmt::format("there is nothing at '{}'", request.path));
  };
}

std::string SweepPage::html() {
  return html_with(fmt::format("{{\"mode\":\"sweep\",\"sweep\":{},\"study\":{},\"explored\":{}}}",
                               compact_json(progress()),
                               comparison(),
                               explored()));
}

}  // namespace posse
