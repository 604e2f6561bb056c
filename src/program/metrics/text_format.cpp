// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/text_format.hpp"

#include <fmt/format.h>
#include <prometheus/client_metric.h>

#include <cmath>
#include <iterator>
#include <ostream>

namespace posse {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricType;

std::string escaped(std::string_view text, bool quotes) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    out += c;
  }
  return out;
}

std::string_view name_of(MetricType type) {
  switch (type) {
    case MetricType::Counter:
      return "counter";
    case MetricType::Gauge:
      return "gauge";
    case MetricType::Histogram:
      return "histogram";
    case MetricType::Summary:
      return "summary";
    case MetricType::Untyped:
      break;
  }
  return "untyped";
}

/// Writes the lines of one family into a buffer.
class FamilyWriter {
 public:
  FamilyWriter(fmt::memory_buffer& out, const prometheus::MetricFamily& family)
      : out_(out), family_(family) {}

  void write() {
    add("# HELP {} {}\n# TYPE {} {}\n",
        family_.name,
        escaped_help(family_.help),
        family_.name,
        name_of(family_.type));
    for (const auto& metric : family_.metric) {
      labels_.clear();
      for (const auto& label : metric.label)
        labels_ += fmt::format(
            "{}{}=\"{}\"", labels_.empty() ? "" : ",", label.name, escaped_label(label.value));
      write(metric);
    }
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void line(std::string_view suffix, std::string_view label, std::string_view value) {
    add("{}{}", family_.name, suffix);
    if (!labels_.empty() || !label.empty())
      add("{{{}{}{}}}", labels_, labels_.empty() || label.empty() ? "" : ",", label);
    add(" {}\n", value);
  }

  void write(const ClientMetric& metric) {
    switch (family_.type) {
      case MetricType::Counter:
        return line("", "", metric_number(metric.counter.value));
      case MetricType::Gauge:
        return line("", "", metric_number(metric.gauge.value));
      case MetricType::Untyped:
        return line("", "", metric_number(metric.untyped.value));
      case MetricType::Histogram:
        return write(metric.histogram);
      case MetricType::Summary:
        break;  // not used by Posse's metrics
    }
  }
  void write(const ClientMetric::Histogram& histogram) {
    const auto bucket = [&](double bound, std::uint64_t count) {
      line("_bucket", bound_label(bound), fmt::format("{}", count));
    };
    bool any_infinite = false;
    for (const auto& [count, bound] : histogram.bucket) {
      bucket(bound, count);
      any_infinite = any_infinite || std::isinf(bound);
    }
    if (!any_infinite) bucket(HUGE_VAL, histogram.sample_count);
    line("_sum", "", metric_number(histogram.sample_sum));
    line("_count", "", fmt::format("{}", histogram.sample_count));
  }

  fmt::memory_buffer& out_;
  const prometheus::MetricFamily& family_;
  std::string labels_;
};

}  // namespace

std::string metric_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string bound_label(double bound_s) {
  auto text = metric_number(bound_s);
  if (text.find_first_of(".eI") == std::string::npos) text += ".0";
  return fmt::format("le=\"{}\"", text);
}

std::string escaped_help(std::string_view text) { return escaped(text, false); }
std::string escaped_label(std::string_view value) { return escaped(value, true); }

void ExactTextSerializer::Serialize(std::ostream& out,
                                    const std::vector<prometheus::MetricFamily>& families) const {
  for (const auto& family : families) {
    fmt::memory_buffer buffer;
    FamilyWriter(buffer, family).write();
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  }
}

}  // namespace posse
