// SPDX-License-Identifier: Apache-2.0
#include "program/live/live_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "program/base/threads.hpp"
#include "program/live/control.hpp"
#include "program/live/live_document.hpp"
#include "program/page/page_answer.hpp"

namespace posse {
namespace {

constexpr std::chrono::milliseconds kBetweenSamples{250};
constexpr int kRestPerEffort = 200;
constexpr std::chrono::seconds kLongestRest{2};
constexpr auto kLongestEffort = std::chrono::milliseconds(kLongestRest) / kRestPerEffort;

std::string event(std::string_view name, std::string_view data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

/// Constant-time comparison.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() != b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

}  // namespace

/// Measures the time spent with the mutex held; observers then wait in proportion.
class LivePage::Effort {
 public:
  explicit Effort(LivePage& page) : page_(page), start_(Clock::now()) {
    if (start_ >= page.quiet_until_) ++page.batch_;
  }
  ~Effort() {
    const auto end = Clock::now();
    page_.quiet_until_ = std::min(
        std::max(page_.quiet_until_, end) + kRestPerEffort * (end - start_), end + kLongestRest);
  }
  Effort(const Effort&) = delete;
  Effort& operator=(const Effort&) = delete;
  /// True if the rest of the updates should wait for the next batch.
  bool enough() const { return Clock::now() - start_ >= kLongestEffort; }

 private:
  using Clock = std::chrono::steady_clock;
  LivePage& page_;
  Clock::time_point start_;
};

/// The events for one observer.
class LivePage::Feed final : public EventFeed {
 public:
  explicit Feed(LivePage& page) : page_(page) {}

  std::string next() override {
    const std::lock_guard lock(page_.mutex_);
    if (finished_) return {};
    if (page_.final_) {
      finished_ = true;
      return event("document", *page_.final_) + event("finished", "{}");
    }
    // All observers get the same batches; requests of others delay updates only briefly.
    const auto now = std::chrono::steady_clock::now();
    const bool resting =
        now < page_.quiet_until_ && batch_ == page_.batch_ && now - sent_at_ < kLongestRest;
    if (!seen_.empty() && head_ == page_.head_version_ && resting) return {};
    if (!seen_.empty() && resting) {  // interventions are sent at once, other changes wait
      head_ = page_.head_version_;
      std::string updates = event("head", page_.head_text());
      for (std::size_t i = 0; i < std::min(page_.runs_.size(), kMostRunsInDocument); ++i)
        if (seen_[i] < page_.runs_[i].urgent_version) updates += run_event(i);
      return updates;
    }
    std::optional<Effort> effort(page_);
    batch_ = page_.batch_;
    sent_at_ = now;
    if (seen_.empty()) {
      for (const auto& run : page_.runs_) seen_.push_back(run.version);
      head_ = page_.head_version_;
      auto document = event("document", page_.document_text());
      drawn_ = page_.charts_text_version_;
      return document;
    }
    std::string updates;
    if (head_ != page_.head_version_) {
      head_ = page_.head_version_;
      updates += event("head", page_.head_text());
    }
    const auto shown = std::min(page_.runs_.size(), kMostRunsInDocument);
    for (std::size_t left = shown; left > 0 && !effort->enough(); --left) {
      const std::size_t i = next_run_;
      next_run_ = (next_run_ + 1) % shown;  // round robin, so that no run starves
      if (seen_[i] != page_.runs_[i].version) updates += run_event(i);
    }
    effort.reset();
    if (drawn_ != page_.charts_version_ && page_.charts_may_be_made(now)) {
      updates += event("drawn", page_.charts_text());
      drawn_ = page_.charts_text_version_;
    }
    return updates;
  }

 private:
  std::string run_event(std::size_t i) {
    seen_[i] = page_.runs_[i].version;
    return event("run", fmt::format("{{\"index\":{},\"run\":{}}}", i, page_.run_text(i)));
  }

  LivePage& page_;
  std::vector<std::uint64_t> seen_;  // version by run; empty before the document was sent
  std::size_t next_run_ = 0;
  std::uint64_t batch_ = 0;  // the latest one sent
  std::chrono::steady_clock::time_point sent_at_{};
  std::uint64_t head_ = 0, drawn_ = 0;  // versions
  bool finished_ = false;
};

LivePage::LivePage(const Scenario& scenario, Spectator& spectator, const HttpAddress& address)
    : scenario_(scenario),
      spectator_(spectator),
      base_(live_base(scenario)),
      token_(random_token()),
      charts_(scenario) {
  for (auto& view : spectator_.look().runs) {
    runs_.emplace_back();
    runs_.back().view = std::move(view);
    runs_.back().version = 1;
  }
  server_.emplace(address, [this](const HttpRequest& request) { return answer(request); });
  sampler_ = helping_thread([this] { keep_sampling(); });
}

LivePage::~LivePage() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  sampler_.reset();
  server_.reset();  // feeds refer to this object
}

std::string LivePage::url() const { return fmt::format("{}/#token={}", server_->url(), token_); }

void LivePage::keep_sampling() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, kBetweenSamples, [&] { return stop_; })) {
    lock.unlock();
    try {
      sample();
    } catch (const std::exception&) {
      // For example out of memory: perhaps the next one.
    }
    lock.lock();
  }
}

void LivePage::sample() {
  {
    const std::lock_guard lock(mutex_);
    if (final_) return;
  }
  auto view = spectator_.look();
  const std::lock_guard lock(mutex_);
  if (final_) return;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run& run = runs_[i];
    auto& now = view.runs[i];
    if (now == run.view) continue;
    const bool state_changed = now->state != run.view->state;
    const bool interventions_changed =
        now->snapshot->interventions.size() != run.view->snapshot->interventions.size();
    const bool events_changed = now->snapshot->outcome.events != run.view->snapshot->outcome.events;
    if (state_changed || interventions_changed) ++head_version_;
    if (now->figures != nullptr || i >= kMostRunsInDocument)
      run.history = {};  // not needed any more
    else if (events_changed)
      run.history.add(*now);
    if (state_changed || interventions_changed || events_changed) {
      ++run.version;
      ++charts_version_;
    }
    const bool pause_changed =
        state_changed && (now->state == RunState::paused || run.view->state == RunState::paused);
    if (pause_changed || interventions_changed) run.urgent_version = run.version;
    run.view = std::move(now);
  }
  server_->wake();
}

const std::string& LivePage::run_text(std::size_t run_index) {
  Run& run = runs_[run_index];
  if (run.text_version != run.version) {
    run.text = compact_json(live_run(scenario_, *run.view, run.history));
    run.text_version = run.version;
  }
  return run.text;
}

std::string LivePage::head_text() const {
  ScenarioView view;
  view.scenario = &scenario_;
  for (const auto& run : runs_) view.runs.push_back(run.view);
  return compact_json(live_head(base_, view));
}

bool LivePage::charts_may_be_made(std::chrono::steady_clock::time_point now) const {
  return charts_text_version_ == charts_version_ || now >= charts_quiet_until_;
}

const std::string& LivePage::charts_text() {
  const auto start = std::chrono::steady_clock::now();
  if (charts_may_be_made(start) && charts_text_version_ != charts_version_) {
    for (std::size_t i = 0; i < std::min(runs_.size(), kMostRunsInDocument); ++i)
      charts_.update(i, *runs_[i].view, runs_[i].history);
    charts_text_ = compact_json(charts_.json());
    charts_text_version_ = charts_version_;
    const auto end = std::chrono::steady_clock::now();
    charts_quiet_until_ = end + std::min<std::chrono::steady_clock::duration>(
                                    kRestPerEffort * (end - start), kLongestRest);
  }
  return charts_text_;
}

std::string LivePage::document_text() {
  std::string text = head_text();
  text.pop_back();                                                  // the closing brace
  text += "," + charts_text().substr(1, charts_text().size() - 2);  // without the braces
  text += ",\"runs\":[";
  for (std::size_t i = 0; i < runs_.size() && i < kMostRunsInDocument; ++i)
    text += (i ? "," : "") + run_text(i);
  return text + "]}";
}

void LivePage::finish(const std::string& document) {
  const std::lock_guard lock(mutex_);
  final_ = document;
  server_->wake();
}

HttpResponse LivePage::answer(const HttpRequest& request) {
  if (request.path == "/api/control")
    return request.method == "POST" ? control(request) : error_answer(405, "POST only");
  if (request.method == "POST") return error_answer(405, "GET only");
  if (request.path == "/") return page_answer("{\"mode\":\"live\"}");
  if (request.path == "/api/document") {
    const std::lock_guard lock(mutex_);
    const Effort effort(*this);
    return json_answer(final_ ? *final_ : document_text());
  }
  if (request.path == "/api/events") {
    HttpResponse response;
    response.feed = std::make_unique<Feed>(*this);
    return response;
  }
  return error_answer(404, "there is no such page");
}

HttpResponse LivePage::control(const HttpRequest& request) {
  if (!same_secret(request.authorization, "Bearer " + token_))
    return error_answer(401, "control needs the token that posse printed on standard error");
  ControlRequest asked;
  try {
    asked = parse_control(request.body);
  } catch (const std::invalid_argument& problem) {
    return error_answer(400, problem.what());
  }
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> targets;
  for (std::size_t i = 0; i < runs_.size(); ++i)
    if ((asked.run.empty() || runs_[i].view->id == asked.run) && spectator_.interventions(i))
      targets.push_back(i);
  if (targets.empty()) return error_answer(409, "no such run is waiting or in progress");
  for (const auto i : targets)
    if (const auto refusal = refusal_of(*runs_[i].view, asked.intervention, runs_[i].faults))
      return error_answer(refusal->status, refusal->reason);
  for (const auto i : targets) {
    if (auto* queue = spectator_.interventions(i)) queue->ask(asked.intervention);
    note(asked.intervention, runs_[i].faults);
  }
  HttpResponse done;
  done.status = 204;
  return done;
}

}  // namespace posse
