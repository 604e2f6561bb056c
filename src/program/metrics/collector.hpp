// SPDX-License-Identifier: Apache-2.0
// Copies a scenario's plain counters into prometheus-cpp's families on each scrape, and serves them
// over HTTP. It reads snapshots only, so runs are independent of it.
//
// OpenMetrics needs units and the type info, which those families don't have: it is written from
// the samples.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "program/http/server.hpp"
#include "program/run/run_view.hpp"

namespace posse {

class MetricsCollector final : public prometheus::Collectable {
 public:
  /// `view` is called once per collection, on the collecting thread; its scenario must live until
  /// the collection is done.
  explicit MetricsCollector(std::function<ScenarioView()> view) : view_(std::move(view)) {}
  /// Every metric, including those without series, in the order of the definitions.
  std::vector<prometheus::MetricFamily> Collect() const override;
  /// All metrics as OpenMetrics 1.0 text.
  std::string open_metrics() const;

 private:
  std::function<ScenarioView()> view_;
};

/// In Prometheus' text format 0.0.4 (kTextFormatContentType).
std::string metrics_text(const prometheus::Collectable& metrics);

/// Whether a client with this field Accept gets OpenMetrics: it names the type, version 1.0.0 or
/// none, and does not prefer plain text.
bool prefers_open_metrics(std::string_view accept);

/// GET /metrics, as OpenMetrics or plain text, compressed by gzip if the client accepts that; GET /
/// names that path; anything else is 404 or 405. `metrics` must outlive the handler. `scraped`, if
/// there is one, is called for each GET of /metrics, after its answer is made.
HttpHandler metrics_handler(const MetricsCollector& metrics, std::function<void()> scraped = {});

}  // namespace posse
