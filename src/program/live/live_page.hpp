// SPDX-License-Identifier: Apache-2.0
// The live page of a scenario's runs: a page served over HTTP, with updates by server-sent events
// and control for clients that have the token.
//
//   GET  /              the page
//   GET  /api/document  the whole document (page/document.hpp)
//   GET  /api/events    events: document, then run, head and drawn (charts and bars) with what
//                       has changed; at the end document (of the run folder) and finished
//   POST /api/control   {"action": ACTION, "run": id or "" for all, …};
//                       Authorization: Bearer TOKEN
//     pause, resume
//     step    goes on by "amount" (1) of "unit": round (the default), event, virtual_s
//     until   goes on until there have been "amount" of "unit"
//     pace    "amount" of virtual seconds per second, 0 for as fast as possible
//     cut, restore
//             the links between two or more "groups", [["server"], ["client-3"]]; restore takes
//             those of the cut
//     halt, crash, forget (crash and lose the state), restart
//             nodes, as one group, [["client-3"]]; restart takes that of what stopped them
//
// A thread samples the runs four times a second, for the history. JSON is made on request. Updates
// are throttled so that serialising them costs at most 0.5 % of a core, and are sent at least every
// 2 s.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "program/http/server.hpp"
#include "program/live/control.hpp"
#include "program/live/history.hpp"
#include "program/live/live_document.hpp"
#include "program/live/spectator.hpp"
#include "program/page/document_parts.hpp"

namespace posse {

class LivePage {
 public:
  /// Serves when this returns. Throws std::system_error if the address can't be bound. All must
  /// outlive it.
  LivePage(const Scenario& scenario, Spectator& spectator, const HttpAddress& address);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// The URL of the page, with the token.
  std::string url() const;
  /// Call when the runs have ended; `document` (compact_json) is that of their folder.
  void finish(const std::string& document);

 private:
  class Feed;
  struct Run {
    std::shared_ptr<const RunView> view;
    FaultsFromOutside faults;
    LiveHistory history;
    std::uint64_t version = 0;
    std::uint64_t urgent_version = 0;  // the version of the latest intervention
    std::uint64_t text_version = 0;
    std::string text;  // JSON of text_version
  };

  HttpResponse answer(const HttpRequest& request);
  HttpResponse control(const HttpRequest& request);
  /// Measures the time spent on making JSON.
  class Effort;
  void sample();
  void keep_sampling();
  // With the mutex held:
  const std::string& run_text(std::size_t run_index);
  std::string head_text() const;
  /// Charts are of all runs and take long, so they have pauses of their own.
  bool charts_may_be_made(std::chrono::steady_clock::time_point now) const;
  /// As they are, or as they were, while they pause.
  const std::string& charts_text();
  std::string document_text();

  const Scenario& scenario_;
  Spectator& spectator_;
  const Json base_;  // of the document's head
  const std::string token_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::vector<Run> runs_;
  std::uint64_t head_version_ = 1;
  LiveCharts charts_;
  std::uint64_t charts_version_ = 1;  // changes with every run
  std::uint64_t charts_text_version_ = 0;
  std::chrono::steady_clock::time_point charts_quiet_until_{};
  std::string charts_text_;  // JSON of charts_text_version_
  std::chrono::steady_clock::time_point quiet_until_{};
  std::uint64_t batch_ = 0;           // number of the current batch of updates; a rest follows each
  std::optional<std::string> final_;  // the run folder's document, once the runs have ended
  std::optional<HttpServer> server_;
  std::optional<std::jthread> sampler_;  // nothing if there are no threads: the page stands still
};

}  // namespace posse
