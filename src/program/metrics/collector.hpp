// SPDX-License-Identifier: Apache-2.0
// Copies a scenario's plain counters into prometheus-cpp's families on each scrape, and serves them
// over HTTP. It reads snapshots only, so runs are independent of it.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <functional>
#include <string>
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

 private:
  std::function<ScenarioView()> view_;
};

/// In Prometheus' text format 0.0.4 (kTextFormatContentType).
std::string metrics_text(const prometheus::Collectable& metrics);

/// GET /metrics; GET / names that path; anything else is 404 or 405. `metrics` must outlive the
/// handler. `scraped`, if there is one, is called for each GET of /metrics, after its answer is
/// made.
HttpHandler metrics_handler(const prometheus::Collectable& metrics,
                            std::function<void()> scraped = {});

}  // namespace posse
