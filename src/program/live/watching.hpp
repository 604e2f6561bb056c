// SPDX-License-Identifier: Apache-2.0
// Observation of `posse run`: metrics, the live page, and what follows the end of the run (push,
// linger).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "program/http/server.hpp"
#include "program/live/live_page.hpp"
#include "program/live/spectator.hpp"
#include "program/metrics/collector.hpp"

namespace posse {

/// Default port of the metrics.
inline constexpr std::uint16_t kMetricsPort = 9464;

struct WatchOptions {
  std::optional<HttpAddress> metrics, page;
  std::string push;            // URL of a Pushgateway (parse_push_url), or empty
  double linger_s = 0;         // how long metrics and page are served after the run
  bool until_scraped = false;  // … or until the metrics have been scraped
  bool quiet = false;          // don't print addresses
};

/// From the flags; empty ones are absent. Throws std::invalid_argument that names the flag and what
/// is allowed.
WatchOptions parse_watch_options(const std::optional<std::string>& metrics,
                                 const std::optional<std::string>& page,
                                 const std::string& linger,
                                 const std::string& push);

class Watching {
 public:
  /// Listens when this returns, and has printed the addresses on standard error, unless it is
  /// quiet. Throws std::system_error if an address can't be bound. `monitor` and the results must
  /// outlive this.
  Watching(const WatchOptions& options,
           const Scenario& scenario,
           const RunOptions& run_options,
           RunMonitor& monitor);

  /// Lines with the addresses, each with its name: "page: http://…".
  std::string addresses() const;
  /// Call when the run has ended: the page then shows `document` (compact_json), its folder's.
  void show(const std::string& document);
  /// Pushes the metrics, if asked for. Empty, or the error.
  std::string push(const std::string& instance) const;
  /// Serves for the time asked for, or until a signal.
  void linger();

 private:
  /// Scrapes as a file descriptor, so that one poll can wait for a scrape or a signal.
  class Scraped {
   public:
    Scraped();
    ~Scraped();
    Scraped(const Scraped&) = delete;
    Scraped& operator=(const Scraped&) = delete;
    void notify() const;
    /// A descriptor that becomes readable with the next scrape.
    int wait_for_next() const;

   private:
    int fd_;
  };

  WatchOptions options_;
  std::unique_ptr<Spectator> spectator_;
  std::unique_ptr<MetricsCollector> collector_;
  Scraped scraped_;
  std::optional<HttpServer> metrics_;
  std::optional<LivePage> page_;
};

}  // namespace posse
