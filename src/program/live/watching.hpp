// What lets others look on while `posse run` runs: metrics, the live page, and what is left to do
// for them at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "program/http/server.hpp"
#include "program/live/live_page.hpp"
#include "program/live/spectator.hpp"
#include "program/metrics/collector.hpp"

namespace posse {

/// Where metrics are served unless told otherwise.
inline constexpr std::uint16_t kMetricsPort = 9464;

struct WatchOptions {
  std::optional<HttpAddress> metrics, page;
  std::string push;            // URL of a Pushgateway (parse_push_url), or empty
  double linger_s = 0;         // how long metrics and page stay after the run
  bool until_scraped = false;  // … or until the metrics have been scraped
};

/// From flags, empty ones left out. Throws std::invalid_argument that names the flag and says what
/// is allowed.
WatchOptions parse_watch_options(const std::optional<std::string>& metrics,
                                 const std::optional<std::string>& page,
                                 const std::string& linger,
                                 const std::string& push);

class Watching {
 public:
  /// Listens when this returns, and has said where on standard error. Throws std::system_error if
  /// an address can't be had. `monitor` and, until this is gone, the results must outlive it.
  Watching(const WatchOptions& options,
           const Scenario& scenario,
           const RunOptions& run_options,
           RunMonitor& monitor);

  /// The run is over, and this (document_text) is what its folder says: the page shows that.
  void show(const std::string& document);
  /// Empty, or what went wrong.
  std::string push(const std::string& instance) const;
  /// Stays as long as was asked for, or until a signal.
  void linger();

 private:
  /// Scrapes, as a descriptor that can be waited for beside signals.
  class Scraped {
   public:
    Scraped();
    ~Scraped();
    Scraped(const Scraped&) = delete;
    Scraped& operator=(const Scraped&) = delete;
    void tell() const;
    /// Can be read after the next scrape.
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
