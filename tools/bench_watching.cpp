// SPDX-License-Identifier: Apache-2.0
// The cost of observing a run: metrics and the live view.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/base/median.hpp"
#include "program/http/server.hpp"
#include "program/live/live_page.hpp"
#include "program/live/spectator.hpp"
#include "program/metrics/collector.hpp"
#include "program/run/runner.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::socket connect(asio::io_context& io, std::uint16_t port) {
  tcp::socket socket(io);
  socket.connect({asio::ip::address_v4::loopback(), port});
  return socket;
}

void ask(tcp::socket& socket, std::uint16_t port, const char* target) {
  asio::write(socket,
              asio::buffer(fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                                       "Connection: close\r\n\r\n",
                                       target,
                                       port)));
}

/// Bytes of the answer.
std::size_t get(std::uint16_t port, const char* target) {
  asio::io_context io;
  auto socket = connect(io, port);
  ask(socket, port, target);
  std::vector<char> answer;
  boost::system::error_code end;
  return asio::read(socket, asio::dynamic_buffer(answer), end);
}

std::uint16_t port_of(const std::string& url) {
  const auto colon = url.rfind(':');
  return static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1)));
}

Scenario load(const std::string& file, const std::vector<std::string>& set) {
  std::vector<Override> overrides;
  overrides.reserve(set.size());
  for (const auto& assignment : set) overrides.push_back({"bench", assignment});
  Diagnostics diagnostics;
  auto scenario = load_scenario(file, overrides, diagnostics);
  if (!diagnostics.empty()) throw std::runtime_error(diagnostics.text());
  return scenario;
}

struct Watched {
  double cpu_s = 0;  // of the whole process: run, servers and clients
  std::uint64_t fingerprint = 0;
  std::size_t scrapes = 0;
  double longest_scrape_s = 0;
  double bytes = 0;  // of the last scrape
};

/// One run; `every` > 0: scraped that often, with a page that is open all the time.
Watched run(const Scenario& scenario, std::chrono::milliseconds every) {
  Watched watched;
  RunOptions options;
  options.threads = 2;
  options.watched = every.count() > 0;
  RunMonitor monitor(number_of_runs(scenario, options));
  const double start = cpu_seconds();
  if (every.count() == 0) {
    watched.fingerprint = run_scenario(scenario, options, monitor).fingerprint;
    watched.cpu_s = cpu_seconds() - start;
    return watched;
  }
  ScenarioResult result;  // outlives its observers
  {
    Spectator spectator(scenario, options, monitor);
    const MetricsCollector collector([&] { return spectator.look(); });
    const HttpServer metrics({}, metrics_handler(collector));
    std::optional<LivePage> page(std::in_place, scenario, spectator, HttpAddress{});
    std::atomic<bool> over{false};
    const auto port = port_of(page->url().substr(0, page->url().find("/#")));
    std::thread observer([port] {
      asio::io_context io;
      auto socket = connect(io, port);
      ask(socket, port, "/api/events");
      std::vector<char> buffer(1 << 16);
      boost::system::error_code gone;
      while (!gone) socket.read_some(asio::buffer(buffer), gone);
    });
    std::thread scraper([&] {
      while (!over) {
        const double before = wall_seconds();
        watched.bytes = static_cast<double>(get(metrics.port(), "/metrics"));
        watched.longest_scrape_s = std::max(watched.longest_scrape_s, wall_seconds() - before);
        ++watched.scrapes;
        for (auto slept = std::chrono::milliseconds(0); slept < every && !over;
             slept += std::chrono::milliseconds(10))
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    });
    result = run_scenario(scenario, options, monitor);
    watched.cpu_s = cpu_seconds() - start;
    over = true;
    scraper.join();
    page.reset();  // ends the observer's stream
    observer.join();
  }
  watched.fingerprint = result.fingerprint;
  return watched;
}

void compare(const char* name, const Scenario& scenario) {
  constexpr int kPairs = 7;
  std::vector<double> alone, watched, ratios;
  Watched last;
  bool equal = true;
  for (int i = 0; i < kPairs; ++i) {
    Watched off;
    const bool first = i % 2 == 0;  // alternate the order, since memory depends on the previous run
    if (first) off = run(scenario, std::chrono::milliseconds(0));
    last = run(scenario, std::chrono::seconds(1));
    if (!first) off = run(scenario, std::chrono::milliseconds(0));
    equal = equal && off.fingerprint == last.fingerprint;
    alone.push_back(off.cpu_s);
    watched.push_back(last.cpu_s);
    ratios.push_back(last.cpu_s / off.cpu_s);
  }
  fmt::print("{:<44} {:>8.2f} {:>8.2f} {:>7.3f} {:>8} {:>9.1f} {:>8}\n",
             name,
             median(alone),
             median(watched),
             median(ratios),
             last.scrapes,
             1e3 * last.longest_scrape_s,
             equal ? "equal" : "DIFFER");
  std::fflush(stdout);
}

}  // namespace

void watching_bench(const std::string& scenarios) {
  fmt::print(
      "\nwatching: CPU seconds alone, and scraped once a second with a page open (servers and "
      "clients in the same process)\n\n{:<44} {:>8} {:>8} {:>7} {:>8} {:>9} {:>8}\n",
      "",
      "alone",
      "watched",
      "ratio",
      "scrapes",
      "worst ms",
      "prints");
  const auto quickstart = scenarios + "/quickstart.toml";
  compare("fed-pne and parallel, 60 nodes, lossy",
          load(quickstart,
               {"population.clients=60", "repeat=40", "budget.evaluations_per_client=100000"}));
  compare("fed-pne, 20 000 clients, lossy",
          load(quickstart, {"algorithm.1.clients=2", "population.clients=20000", "repeat=1"}));
  compare("F-LCB, 400 000 pulls through arm actors",
          load(scenarios + "/papers/flcb_smooth.toml", {"budget.pulls=400000", "repeat=8"}));
  const auto million = load(quickstart,
                            {"algorithm.1.clients=2",
                             "population.clients=1000000",
                             "budget.evaluations_per_client=100",
                             "repeat=1"});
  const auto alone = run(million, std::chrono::milliseconds(0));
  const auto scraped = run(million, std::chrono::milliseconds(100));
  fmt::print(
      "\na million clients, a page open, scraped every 100 ms: {} scrapes, the slowest {:.1f} ms, "
      "fingerprints {}; CPU {:.1f} s, alone {:.1f} s\n",
      scraped.scrapes,
      1e3 * scraped.longest_scrape_s,
      scraped.fingerprint == alone.fingerprint ? "equal" : "DIFFER",
      scraped.cpu_s,
      alone.cpu_s);
}

}  // namespace posse
