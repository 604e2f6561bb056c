// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/collector.hpp"

#include <prometheus/client_metric.h>

#include <algorithm>
#include <utility>

#include "program/base/gzip_text.hpp"
#include "program/http/negotiation.hpp"
#include "program/metrics/definitions.hpp"
#include "program/metrics/open_metrics.hpp"
#include "program/metrics/samples.hpp"
#include "program/metrics/shown_buckets.hpp"
#include "program/metrics/text_format.hpp"

namespace posse {
namespace {

prometheus::MetricType library_type(MetricType type) {
  switch (type) {
    case MetricType::counter:
      return prometheus::MetricType::Counter;
    case MetricType::gauge:
      return prometheus::MetricType::Gauge;
    case MetricType::histogram:
      return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

prometheus::ClientMetric::Histogram library_histogram(const DurationHistogram& durations,
                                                      const ShownBuckets& shown) {
  prometheus::ClientMetric::Histogram histogram;
  for (const auto& [bound_s, count] : cumulative_buckets(durations, shown))
    histogram.bucket.push_back({count, bound_s});
  histogram.sample_count = durations.count();
  histogram.sample_sum = static_cast<double>(durations.sum_ns()) / 1e9;
  return histogram;
}

prometheus::ClientMetric library_metric(const MetricDefinition& definition,
                                        MetricSample sample,
                                        const ScrapedBuckets& buckets) {
  prometheus::ClientMetric metric;
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    metric.label.push_back({std::string(definition.labels[i]), std::move(sample.labels[i])});
  if (definition.type == MetricType::histogram)
    metric.histogram =
        library_histogram(std::get<DurationHistogram>(sample.value), buckets.of(definition.metric));
  else if (definition.type == MetricType::counter)
    metric.counter.value = sample.number();
  else
    metric.gauge.value = sample.number();
  return metric;
}

}  // namespace

std::vector<prometheus::MetricFamily> MetricsCollector::Collect() const {
  std::vector<prometheus::MetricFamily> families;
  for (const auto& definition : metric_definitions())
    families.push_back({std::string(definition.name),
                        std::string(definition.help),
                        library_type(definition.type),
                        {}});
  const ScenarioView view = view_();
  auto samples = all_samples(view);
  const ScrapedBuckets buckets(*view.scenario, samples);
  for (auto& sample : samples) {
    auto& family = families[static_cast<std::size_t>(sample.metric)];
    const auto& definition = definition_of(sample.metric);
    family.metric.push_back(library_metric(definition, std::move(sample), buckets));
  }
  return families;
}

std::string MetricsCollector::open_metrics() const { return open_metrics_text(view_()); }

std::string metrics_text(const prometheus::Collectable& metrics) {
  const prometheus::Serializer& serializer = ExactTextSerializer();
  return serializer.Serialize(metrics.Collect());
}

bool prefers_open_metrics(std::string_view accept) {
  const auto accepted = preferences(accept);
  double open_metrics = 0;
  for (const auto& each : accepted) {
    if (each.name != "application/openmetrics-text") continue;
    const bool fits =
        std::all_of(each.parameters.begin(), each.parameters.end(), [](const auto& parameter) {
          return parameter.first != "version" || parameter.second == "1.0.0";
        });
    if (fits) open_metrics = std::max(open_metrics, each.quality);
  }
  const double text = quality_of(accepted, {"text/plain", "text/*", "*/*"}).value_or(0);
  return open_metrics > 0 && open_metrics >= text;
}

HttpHandler metrics_handler(const MetricsCollector& metrics, std::function<void()> scraped) {
  return [&metrics, scraped = std::move(scraped)](const HttpRequest& request) {
    HttpResponse response;
    if (request.method != "GET" && request.method != "HEAD") {
      response.status = 405;
      response.headers.emplace_back("Allow", "GET, HEAD");
      response.body = "Only GET and HEAD are allowed.\n";
    } else if (request.path == "/metrics") {
      const bool open = prefers_open_metrics(request.accept);
      response.content_type = open ? kOpenMetricsContentType : kTextFormatContentType;
      response.body = open ? metrics.open_metrics() : metrics_text(metrics);
      response.headers.emplace_back("Vary", "Accept, Accept-Encoding");
      if (prefers_gzip(request.accept_encoding)) {
        response.headers.emplace_back("Content-Encoding", "gzip");
        response.body = gzip_text(response.body);
      }
      if (scraped && request.method == "GET") scraped();
    } else if (request.path == "/") {
      response.body = "The metrics of this Posse run are at /metrics.\n";
    } else {
      response.status = 404;
      response.body = "There is nothing here; the metrics are at /metrics.\n";
    }
    return response;
  };
}

}  // namespace posse
