// The page of runs that go on: served over HTTP, told of news by server-sent events, with control
// for whoever has the token.
//
//   GET  /              the page
//   GET  /api/document  the whole document (page/document.hpp)
//   GET  /api/events    events: document, then run and head with what has changed; at the end
//                       document (of the run folder) and finished
//   POST /api/control   {"action": pause | resume | step | cut | mend, "run": id or "" for all,
//                       "groups": [["server"], ["client-3"]]}; Authorization: Bearer TOKEN
//                       a cut is mended by the groups that it was made with
//
// A thread samples the runs four times a second, for the history; JSON is made when somebody looks,
// and news are as frequent, and tell of as many runs at a time, as keeps the making of them to half
// a hundredth of one core; there are some at least every two seconds.
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
#include "program/live/history.hpp"
#include "program/live/spectator.hpp"
#include "program/page/document_parts.hpp"

namespace posse {

class LivePage {
 public:
  /// Serves when this returns. Throws std::system_error if the address can't be had. All must
  /// outlive it.
  LivePage(const Scenario& scenario, Spectator& spectator, const HttpAddress& address);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// With the token.
  std::string url() const;
  /// The runs are over, and this (document_text) is what their folder says.
  void finish(const std::string& document);

 private:
  class Feed;
  struct Run {
    std::shared_ptr<const RunView> view;
    std::vector<std::vector<std::vector<NodeSelector>>>
        cuts;  // groups of those asked for, not mended
    LiveHistory history;
    std::uint64_t version = 0;
    std::uint64_t urgent_version = 0;  // since when somebody paused, stepped, cut or mended
    std::uint64_t text_version = 0;
    std::string text;  // of text_version
  };

  HttpResponse answer(const HttpRequest& request);
  HttpResponse control(const HttpRequest& request);
  /// Counts the time that it takes to make JSON.
  class Effort;
  void sample();
  void keep_sampling();
  // With the mutex held:
  const std::string& run_text(std::size_t run);
  std::string head_text() const;
  std::string document_text();

  const Scenario& scenario_;
  Spectator& spectator_;
  const std::string token_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::vector<Run> runs_;
  std::uint64_t head_version_ = 1;
  std::chrono::steady_clock::time_point quiet_until_{};
  std::uint64_t portion_ = 0;         // of news; after each there is a rest
  std::optional<std::string> final_;  // the document, once there is one
  std::optional<HttpServer> server_;
  std::thread sampler_;
};

}  // namespace posse
