// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/open_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/role/checkpoints.hpp"
#include "program/metrics/definitions.hpp"
#include "program/metrics/samples.hpp"
#include "program/metrics/shown_buckets.hpp"
#include "program/metrics/text_format.hpp"

namespace posse {
namespace {

constexpr std::size_t kRoundsOneByOne = 250;

/// Nanoseconds to Prometheus' milliseconds, towards the past.
std::int64_t milliseconds(Time time) { return time.ns / 1'000'000; }
std::int64_t milliseconds(double virtual_s) {
  return milliseconds(Time{} + Duration::seconds(virtual_s));
}

/// A series' points; their times never step back.
template <class Value>
class History {
 public:
  struct Point {
    std::int64_t ms = 0;
    Value value{};
  };
  /// A value at the same millisecond as the last point, or an earlier one, replaces its value.
  void add(std::int64_t ms, Value value) {
    if (points_.empty() || ms > points_.back().ms)
      points_.push_back({ms, std::move(value)});
    else
      points_.back().value = std::move(value);
  }
  void clear() { points_.clear(); }
  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};
using Numbers = History<double>;
using Histograms = History<DurationHistogram>;

/// The values of a run's metrics between its beginning and its end.
class RunHistory {
 public:
  RunHistory(const Scenario& scenario, const RunRecord& record)
      : record_(record),
        outcome_(record.result.outcome),
        clients_(scenario.algorithms[record.algorithm].spec->needs_problem
                     ? scenario.algorithms[record.algorithm].clients
                     : 1) {
    choose_rounds();
    if (!record.result.faults.empty())
      network_ = make_network(scenario, scenario.algorithms[record.algorithm], record.repetition);
  }

  /// The points of the series of `metric` with these labels, the end left out.
  void numbers(Metric metric, const std::vector<std::string>& labels, Numbers& out) const {
    switch (metric) {
      case Metric::rounds:
        return by_round(out, [this](std::size_t i) { return as_real(complete_rounds(i)); });
      case Metric::round_bytes:
        return by_round(out, [this](std::size_t i) { return as_real(row(i).bytes_so_far); });
      case Metric::round_values:
        return by_round(out, [this](std::size_t i) { return as_real(row(i).values_so_far); });
      case Metric::active_cells:
        return by_round(out, [this](std::size_t i) { return as_real(row(i).active_cells); });
      case Metric::round_phase:
        return phase(labels[1], out);
      case Metric::evaluations:
        return evaluations(out);
      case Metric::faults:
      case Metric::faults_active:
        return faults(labels[1], metric == Metric::faults_active, out);
      case Metric::cumulative_regret:
        return regret("cumulative_regret", labels[2], out);
      case Metric::simple_regret:
        return regret("simple_regret", labels[2], out);
      case Metric::arm_pulls:
        return arm(labels[1], out, [](const ArmPoint& point) { return as_real(point.pulls); });
      case Metric::arm_confidence_bound:
        return arm(labels[1], out, [&](const ArmPoint& point) {
          return record_.result.outcome.arms.confidence_bound(point.best, point.bound);
        });
      case Metric::arm_best_value:
        return arm(labels[1], out, [](const ArmPoint& point) { return point.best; });
      default:
        return;
    }
  }

  void round_durations(Histograms& out) const {
    DurationHistogram sum;
    Checkpoints checkpoints;
    std::int64_t latest = 0;
    for (std::size_t i = 0; i < rows_in_full(); ++i) {
      sum.add(row(i).ended - row(i).began);
      latest = std::max(latest, milliseconds(row(i).ended));
      if (checkpoints.reached(i + 1)) out.add(latest, sum);
    }
  }

 private:
  const RoundRecord& row(std::size_t i) const { return outcome_.rounds[i]; }

  /// Rows from the first that are all of the complete rounds up to there.
  std::size_t rows_in_full() const {
    const auto& rows = outcome_.rounds;
    if (rows.size() == outcome_.complete_rounds) return rows.size();
    const auto gap = std::find_if(rows.begin(), rows.end(), [](const RoundRecord& r) {
      return r.round.value > kRoundsInFull;
    });
    return static_cast<std::size_t>(gap - rows.begin());
  }

  /// How many rounds were complete with row i: rounds that never ended are missing from
  /// the table, as are rows of long runs that were not kept.
  std::uint64_t complete_rounds(std::size_t i) const {
    if (i < rows_in_full()) return i + 1;
    const std::uint64_t last = outcome_.rounds.back().round.value;
    const std::uint64_t never_ended = last - std::min(last, outcome_.complete_rounds);
    return std::max<std::uint64_t>(rows_in_full(), row(i).round.value - never_ended);
  }

  void choose_rounds() {
    Checkpoints checkpoints;
    for (std::size_t i = 0; i < outcome_.rounds.size(); ++i) {
      const bool at_checkpoint = checkpoints.reached(i + 1) || i >= rows_in_full();
      if (i < kRoundsOneByOne || at_checkpoint) chosen_.push_back(i);
    }
  }

  /// Several rounds may be open at once: a round counts when all before it have ended too.
  template <class ValueOf>
  void by_round(Numbers& out, const ValueOf& value_of) const {
    std::int64_t latest = 0;
    std::size_t seen = 0;
    for (const std::size_t i : chosen_) {
      for (; seen <= i; ++seen) latest = std::max(latest, milliseconds(row(seen).ended));
      out.add(latest, value_of(i));
    }
  }

  void phase(const std::string& name, Numbers& out) const {
    const auto field = name == "compute"       ? &RoundRecord::compute
                       : name == "queue"       ? &RoundRecord::queueing
                       : name == "transfer"    ? &RoundRecord::transfer
                       : name == "propagation" ? &RoundRecord::propagation
                                               : &RoundRecord::waiting;
    Duration sum;
    std::size_t seen = 0;
    std::int64_t latest = 0;
    for (const std::size_t i : chosen_) {
      if (i >= rows_in_full()) return;
      for (; seen <= i; ++seen) {
        latest = std::max(latest, milliseconds(row(seen).ended));
        sum += row(seen).*field;
      }
      out.add(latest, sum.to_seconds());
    }
  }

  std::string_view kind_of(const FaultRecord& fault) const {
    switch (fault.of) {
      case FaultOf::links:
        return to_string(network_.link_faults[fault.fault].kind);
      case FaultOf::nodes:
        return to_string(network_.node_faults[fault.fault].kind);
      case FaultOf::values:
        return "corrupt";
      case FaultOf::bursts:
        break;
    }
    return "";
  }

  void faults(std::string_view kind, bool active, Numbers& out) const {
    out.add(0, 0);
    double count = 0;
    for (const FaultRecord& fault : record_.result.faults) {
      if (kind_of(fault) != kind || (!active && !fault.begins)) continue;
      count += fault.begins ? 1 : -1;
      out.add(milliseconds(fault.at), count);
    }
  }

  void evaluations(Numbers& out) const {
    // Every point of the curve is there once per metric; any metric that has all of them will do.
    std::uint64_t most = 0;
    for (const auto& point : record_.result.regret_curve) {
      if (point.metric != "cumulative_regret") continue;
      most = std::max(most, std::min(point.evaluations * clients_, outcome_.regret.evaluations));
      out.add(milliseconds(point.virtual_s), as_real(most));
    }
  }

  void regret(const std::string& kind, std::string_view scope, Numbers& out) const {
    const auto name = (scope == "local" ? "local_" : "") + kind;
    for (const auto& point : record_.result.regret_curve)
      if (point.metric == name) out.add(milliseconds(point.virtual_s), point.value);
  }

  template <class ValueOf>
  void arm(const std::string& name, Numbers& out, const ValueOf& value_of) const {
    const auto& arms = outcome_.arms.arms;
    if (arms.size() > kMostClientsListed) return;
    for (const auto& point : record_.result.arm_curves)  // arm by arm
      if (arms[point.arm].name == name) out.add(milliseconds(point.virtual_s), value_of(point));
  }

  const RunRecord& record_;
  const RunOutcome& outcome_;
  std::uint64_t clients_;
  NetworkConfig network_;            // only with faults
  std::vector<std::size_t> chosen_;  // rows
};

/// Samples are in the order of metrics.
struct ByMetric {
  bool operator()(const MetricSample& sample, Metric metric) const {
    return sample.metric < metric;
  }
  bool operator()(Metric metric, const MetricSample& sample) const {
    return metric < sample.metric;
  }
};

/// A run to write, with its final samples.
struct WrittenRun {
  RunHistory history;
  std::int64_t end_ms = 0;
  std::vector<MetricSample> final_samples;
};

bool is_info(const MetricDefinition& definition) { return definition.name.ends_with("_info"); }

/// Writes families, and in them samples of series.
class OpenMetricsWriter {
 public:
  explicit OpenMetricsWriter(std::ostream& out) : out_(out) {}
  ~OpenMetricsWriter() { flush(); }
  OpenMetricsWriter(const OpenMetricsWriter&) = delete;
  OpenMetricsWriter& operator=(const OpenMetricsWriter&) = delete;

  /// OpenMetrics has the type info for descriptions, and families of counters without _total.
  void begin(const MetricDefinition& definition) {
    definition_ = &definition;
    is_info_ = is_info(definition);
    family_ = definition.name;
    for (const std::string_view suffix : {"_info", "_total"})
      if (family_.ends_with(suffix)) family_.remove_suffix(suffix.size());
    add("# TYPE {} {}\n", family_, is_info_ ? "info" : to_string(definition.type));
    if (!definition.unit.empty()) add("# UNIT {} {}\n", family_, definition.unit);
    add("# HELP {} {}\n", family_, escaped_label(definition.help));  // quotes escaped too
  }

  /// The series of the samples that follow.
  void series(const MetricSample& sample) {
    labels_.clear();
    for (std::size_t i = 0; i < sample.labels.size(); ++i)
      labels_ += fmt::format("{}{}=\"{}\"",
                             i == 0 ? "" : ",",
                             definition_->labels[i],
                             escaped_label(sample.labels[i]));
  }
  void number(double value, std::optional<std::int64_t> ms = {}) {
    const bool counter = definition_->type == MetricType::counter;
    line(is_info_ ? "_info" : counter ? "_total" : "", "", metric_number(value), ms);
  }
  void histogram(const DurationHistogram& durations,
                 const ShownBuckets& shown,
                 std::optional<std::int64_t> ms = {}) {
    const auto total = fmt::format("{}", durations.count());
    for (const auto& [bound_s, count] : cumulative_buckets(durations, shown))
      line("_bucket", bound_label(bound_s), fmt::format("{}", count), ms);
    line("_bucket", bound_label(HUGE_VAL), total, ms);
    line("_sum", "", metric_number(static_cast<double>(durations.sum_ns()) / 1e9), ms);
    line("_count", "", total, ms);
  }

  void end() {
    add("# EOF\n");
    flush();
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > 60'000) flush();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  void line(std::string_view suffix,
            std::string_view label,
            std::string_view value,
            std::optional<std::int64_t> ms) {
    add("{}{}", family_, suffix);
    if (!labels_.empty() || !label.empty())
      add("{{{}{}{}}}", labels_, labels_.empty() || label.empty() ? "" : ",", label);
    add(" {}", value);
    if (ms) add(" {}.{:03}", *ms / 1000, *ms % 1000);
    add("\n");
  }

  std::ostream& out_;
  fmt::memory_buffer buffer_;
  const MetricDefinition* definition_ = nullptr;
  bool is_info_ = false;
  std::string_view family_;
  std::string labels_;
};

void write_numbers(const MetricSample& sample,
                   std::int64_t end_ms,
                   const RunHistory* history,
                   OpenMetricsWriter& writer) {
  const MetricDefinition& definition = definition_of(sample.metric);
  const bool counter = definition.type == MetricType::counter, info = is_info(definition);
  const double final_value = sample.number();
  if (std::isnan(final_value)) return;  // never defined
  Numbers points;
  if (counter || info) points.add(0, info ? 1 : 0);
  if (history != nullptr) history->numbers(sample.metric, sample.labels, points);
  points.add(std::max(end_ms, points.points().empty() ? 0 : points.points().back().ms),
             final_value);
  for (const auto& [ms, value] : points.points())
    writer.number(counter ? std::min(value, final_value) : value, ms);
}

void write_histograms(const MetricSample& sample,
                      std::int64_t end_ms,
                      const RunHistory* history,
                      const ShownBuckets& shown,
                      OpenMetricsWriter& writer) {
  Histograms points;
  points.add(0, {});
  if (history != nullptr && sample.metric == Metric::round_duration)
    history->round_durations(points);
  points.add(std::max(end_ms, points.points().back().ms),
             std::get<DurationHistogram>(sample.value));
  for (const auto& [ms, durations] : points.points()) writer.histogram(durations, shown, ms);
}

}  // namespace

void write_open_metrics(std::ostream& out, const Scenario& scenario, const ScenarioResult& result) {
  ScenarioView view{&scenario, {}};
  for (const auto& record : result.runs)
    view.runs.push_back(std::make_shared<RunView>(view_of_record(scenario, record)));
  std::vector<WrittenRun> runs;
  std::int64_t last_ms = 0;
  for (const std::size_t i : runs_with_series(view)) {
    const RunView& run = *view.runs[i];
    if (run.record == nullptr) continue;  // it never began
    runs.push_back(
        {RunHistory(scenario, *run.record), milliseconds(run.now()), run_samples(scenario, run)});
    last_ms = std::max(last_ms, runs.back().end_ms);
  }
  const auto overall = overall_samples(view);

  OpenMetricsWriter writer(out);
  for (const auto& definition : metric_definitions()) {
    writer.begin(definition);
    const auto each = [&](const std::vector<MetricSample>& samples, const auto& visit) {
      const auto [first, last] =
          std::equal_range(samples.begin(), samples.end(), definition.metric, ByMetric{});
      for (auto sample = first; sample != last; ++sample) visit(*sample);
    };
    ShownBuckets shown;
    if (definition.type == MetricType::histogram)
      for (const auto& run : runs)
        each(run.final_samples, [&](const MetricSample& sample) {
          shown.add_needed(std::get<DurationHistogram>(sample.value));
        });
    const auto write = [&](const std::vector<MetricSample>& samples,
                           std::int64_t end_ms,
                           const RunHistory* history) {
      each(samples, [&](const MetricSample& sample) {
        writer.series(sample);
        if (definition.type == MetricType::histogram)
          write_histograms(sample, end_ms, history, shown, writer);
        else
          write_numbers(sample, end_ms, history, writer);
      });
    };
    write(overall, last_ms, nullptr);
    for (const auto& run : runs) write(run.final_samples, run.end_ms, &run.history);
  }
  writer.end();
}

std::string open_metrics_text(const ScenarioView& view) {
  const auto samples = all_samples(view);
  const ScrapedBuckets buckets(*view.scenario, samples);
  std::ostringstream out;
  OpenMetricsWriter writer(out);
  auto sample = samples.begin();
  for (const auto& definition : metric_definitions()) {
    writer.begin(definition);
    for (; sample != samples.end() && sample->metric == definition.metric; ++sample) {
      writer.series(*sample);
      if (const auto* durations = std::get_if<DurationHistogram>(&sample->value))
        writer.histogram(*durations, buckets.of(definition.metric));
      else
        writer.number(sample->number());
    }
  }
  writer.end();
  return std::move(out).str();
}

}  // namespace posse
