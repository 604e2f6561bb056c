// SPDX-License-Identifier: Apache-2.0
#include "program/live/watching.hpp"

#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "program/base/output.hpp"
#include "program/base/signals.hpp"
#include "program/base/units.hpp"
#include "program/metrics/push.hpp"
#include "program/page/serve.hpp"

namespace posse {
namespace {

template <class Parse>
auto parse_flag(std::string_view flag, Parse&& parse) {
  try {
    return parse();
  } catch (const std::invalid_argument& problem) {
    throw std::invalid_argument(fmt::format("{}: {}", flag, problem.what()));
  }
}

}  // namespace

Watching::Scraped::Scraped() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}
Watching::Scraped::~Scraped() { close(fd_); }
void Watching::Scraped::notify() const { eventfd_write(fd_, 1); }
int Watching::Scraped::wait_for_next() const {
  eventfd_t before = 0;
  eventfd_read(fd_, &before);
  return fd_;
}

WatchOptions parse_watch_options(const std::optional<std::string>& metrics,
                                 const std::optional<std::string>& page,
                                 const std::string& linger,
                                 const std::string& push) {
  WatchOptions options;
  if (metrics)
    options.metrics = parse_flag(
        "--metrics", [&] { return parse_http_address(*metrics, {.port = kMetricsPort}); });
  if (page)
    options.page =
        parse_flag("--serve", [&] { return parse_http_address(*page, {.port = kPagePort}); });
  if (!push.empty()) options.push = parse_flag("--push", [&] { return parse_push_url(push); });
  if (linger.empty()) return options;
  options.until_scraped = linger == "until-scraped";
  if (!options.metrics && (options.until_scraped || !options.page))
    throw std::invalid_argument("--linger: there is nothing to wait for without --metrics" +
                                std::string(options.until_scraped ? "" : " or --serve"));
  if (options.until_scraped) return options;
  const auto parsed = parse_duration(linger);
  if (!parsed.value)
    throw std::invalid_argument(
        fmt::format("--linger: '{}' {}; allowed: until-scraped, or a time: {}",
                    linger,
                    parsed.problem,
                    kDurationUnits));
  options.linger_s = parsed.value->to_seconds();
  return options;
}

Watching::Watching(const WatchOptions& options,
                   const Scenario& scenario,
                   const RunOptions& run_options,
                   RunMonitor& monitor)
    : options_(options) {
  if (!options.metrics && !options.page && options.push.empty()) return;
  spectator_ = std::make_unique<Spectator>(scenario, run_options, monitor);
  collector_ = std::make_unique<MetricsCollector>([this] { return spectator_->look(); });
  if (options.metrics) {
    metrics_.emplace(*options.metrics, metrics_handler(*collector_, [this] { scraped_.notify(); }));
  }
  if (options.page) {
    page_.emplace(scenario, *spectator_, *options.page);
  }
  if (options.quiet) return;
  print_err("{}", addresses());
  for (const auto& address : {options.metrics, options.page})
    if (address) warn_if_public(*address);
}

std::string Watching::addresses() const {
  std::string lines;
  if (metrics_) lines += fmt::format("metrics: {}/metrics\n", metrics_->url());
  if (page_) lines += fmt::format("page: {}\n", page_->url());
  return lines;
}

void Watching::show(const std::string& document) {
  if (page_) page_->finish(document);
}

std::string Watching::push(const std::string& instance) const {
  return options_.push.empty() ? "" : push_metrics(options_.push, instance, *collector_);
}

void Watching::linger() {
  if (options_.linger_s <= 0 && !options_.until_scraped) return;
  if (pending_signal() != 0) return;
  print_err("{}; press Ctrl-C to stop\n",
            options_.until_scraped
                ? std::string("waiting until the metrics are scraped")
                : fmt::format("serving for another {}", pretty_seconds(options_.linger_s)));
  if (options_.until_scraped)
    wait_for_signal(std::nullopt, scraped_.wait_for_next());
  else
    wait_for_signal(options_.linger_s);
}

}  // namespace posse
