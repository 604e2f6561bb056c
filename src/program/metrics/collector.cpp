// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/collector.hpp"

#include <prometheus/client_metric.h>

#include <iterator>
#include <utility>

#include "program/metrics/definitions.hpp"
#include "program/metrics/samples.hpp"
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

prometheus::ClientMetric::Histogram library_histogram(const DurationHistogram& durations) {
  prometheus::ClientMetric::Histogram histogram;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < DurationHistogram::kBounds.size(); ++i) {
    count += durations.counts()[i];
    histogram.bucket.push_back(
        {count, Duration::nanoseconds(DurationHistogram::kBounds[i]).to_seconds()});
  }
  histogram.sample_count = durations.count();
  histogram.sample_sum = static_cast<double>(durations.sum_ns()) / 1e9;
  return histogram;
}

prometheus::ClientMetric library_metric(const MetricDefinition& definition, MetricSample sample) {
  prometheus::ClientMetric metric;
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    metric.label.push_back({std::string(definition.labels[i]), std::move(sample.labels[i])});
  if (definition.type == MetricType::histogram)
    metric.histogram = library_histogram(std::get<DurationHistogram>(sample.value));
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
  const auto add = [&](std::vector<MetricSample> samples) {
    for (auto& sample : samples) {
      auto& family = families[static_cast<std::size_t>(sample.metric)];
      const auto& definition = definition_of(sample.metric);
      family.metric.push_back(library_metric(definition, std::move(sample)));
    }
  };

  const ScenarioView view = view_();
  add(overall_samples(view));
  for (const std::size_t i : runs_with_series(view))
    add(run_samples(*view.scenario, *view.runs[i]));
  return families;
}

std::string metrics_text(const prometheus::Collectable& metrics) {
  const prometheus::Serializer& serializer = ExactTextSerializer();
  return serializer.Serialize(metrics.Collect());
}

HttpHandler metrics_handler(const prometheus::Collectable& metrics, std::function<void()> scraped) {
  return [&metrics, scraped = std::move(scraped)](const HttpRequest& request) {
    HttpResponse response;
    if (request.method != "GET" && request.method != "HEAD") {
      response.status = 405;
      response.headers.emplace_back("Allow", "GET, HEAD");
      response.body = "Only GET and HEAD are allowed.\n";
    } else if (request.path == "/metrics") {
      response.content_type = kTextFormatContentType;
      response.body = metrics_text(metrics);
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
