// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/latency_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace {

/// Seconds per unit of a column named latency_<unit>.
double unit_of(const std::string& header) {
  for (const auto& [name, factor] : {std::pair{"latency_s", 1.0},
                                     {"latency_ms", 1e-3},
                                     {"latency_us", 1e-6},
                                     {"latency_ns", 1e-9}})
    if (header == name) return factor;
  throw InputError(fmt::format(
      "line 1: the column '{}' is none of latency_s, latency_ms, latency_us, latency_ns",
      shortened(header)));
}

Duration latency_of(const CsvReader& csv, std::size_t column, double unit) {
  const auto x = parse_number<double>(csv.cell(column));
  if (!x || !std::isfinite(*x) || *x < 0)
    throw InputError(fmt::format(
        "line {}: '{}' is not a latency (a number, at least 0)", csv.line(), csv.shown(column)));
  if (*x * unit > kLongestDuration)
    throw InputError(
        fmt::format("line {}: '{}' is longer than 285 years", csv.line(), csv.shown(column)));
  return Duration::seconds(*x * unit);
}

/// Columns virtual_s and `what`; `value_of` reads the second.
template <class Value, class ValueOf>
StepTrace<Value> trace_of(CsvReader& csv,
                          std::string_view what,
                          std::optional<Duration> period,
                          const ValueOf& value_of) {
  if (csv.columns().size() != 2 || csv.columns()[0] != "virtual_s")
    throw InputError(fmt::format("line 1: the columns must be virtual_s,{}", what));
  std::vector<typename StepTrace<Value>::Step> steps;
  while (csv.next()) {
    const auto seconds = parse_number<double>(csv.cell(0));
    if (!seconds || !std::isfinite(*seconds) || *seconds < 0)
      throw InputError(fmt::format("line {}: '{}' is not a time (a number of seconds, at least 0)",
                                   csv.line(),
                                   csv.shown(0)));
    if (*seconds > kLongestDuration)
      throw InputError(
          fmt::format("line {}: the time '{}' is after 285 years", csv.line(), csv.shown(0)));
    const Time from = Time{} + Duration::seconds(*seconds);
    if (steps.empty() && from != Time{})
      throw InputError(fmt::format(
          "line {}: the first time is {}, but a trace begins at 0", csv.line(), csv.shown(0)));
    if (!steps.empty() && from <= steps.back().from)
      throw InputError(fmt::format(
          "line {}: the time {} is not after that of the line before", csv.line(), csv.shown(0)));
    if (period && from > Time{} + *period)
      throw InputError(fmt::format("line {}: the time {} is after the period of {} s",
                                   csv.line(),
                                   csv.shown(0),
                                   period->to_seconds()),
                       "period");
    steps.push_back({from, value_of()});
  }
  if (steps.empty()) throw InputError("the file has no data rows");
  return StepTrace<Value>(std::move(steps), period);
}

}  // namespace

std::vector<Duration> parse_latency_samples(std::string_view csv_text) {
  CsvReader csv(csv_text);
  if (csv.columns().size() != 1) throw InputError("line 1: there must be one column");
  std::string header = csv.columns()[0];
  constexpr std::string_view kDuration = "duration_";
  if (header.starts_with(kDuration)) header.replace(0, kDuration.size(), "latency_");
  const double unit = unit_of(header);
  std::vector<Duration> samples;
  while (csv.next()) samples.push_back(latency_of(csv, 0, unit));
  if (samples.empty()) throw InputError("the file has no data rows");
  return samples;
}

LatencyMatrix parse_latency_matrix(std::string_view csv_text) {
  CsvReader csv(csv_text);
  const auto& columns = csv.columns();
  const std::size_t first = columns.size() == 4 && columns[0] == "moment" ? 1 : 0;
  if (columns.size() != first + 3 || columns[first] != "from" || columns[first + 1] != "to")
    throw InputError(
        "line 1: the columns must be from,to,latency_ms, or moment,from,to,latency_ms");
  const double unit = unit_of(columns[first + 2]);
  LatencyMatrix matrix;
  while (csv.next()) {
    const std::string &from = csv.cell(first), &to = csv.cell(first + 1);
    auto& latencies = matrix[{from, to}];
    if (first == 0 && !latencies.empty())
      throw InputError(fmt::format(
          "line {}: {} to {} is listed twice", csv.line(), shortened(from), shortened(to)));
    if (first == 1 && parse_number<std::uint64_t>(csv.cell(0)) != latencies.size())
      throw InputError(fmt::format("line {}: the moment '{}' is not {}, the next one of {} to {}",
                                   csv.line(),
                                   csv.shown(0),
                                   latencies.size(),
                                   shortened(from),
                                   shortened(to)));
    latencies.push_back(latency_of(csv, first + 2, unit));
  }
  if (matrix.empty()) throw InputError("the file has no data rows");
  const auto& [pair, listed] = *matrix.begin();
  for (const auto& [other, latencies] : matrix)
    if (latencies.size() != listed.size())
      throw InputError(fmt::format("{} to {} has {} moments, {} to {} has {}",
                                   shortened(pair.first),
                                   shortened(pair.second),
                                   listed.size(),
                                   shortened(other.first),
                                   shortened(other.second),
                                   latencies.size()));
  return matrix;
}

StepTrace<Duration> parse_latency_trace(std::string_view csv_text, std::optional<Duration> period) {
  CsvReader csv(csv_text);
  const double unit = csv.columns().size() == 2 ? unit_of(csv.columns()[1]) : 1;
  return trace_of<Duration>(csv, "latency_ms", period, [&] { return latency_of(csv, 1, unit); });
}

StepTrace<double> parse_factor_trace(std::string_view csv_text, std::optional<Duration> period) {
  CsvReader csv(csv_text);
  if (csv.columns().back() != "factor")
    throw InputError("line 1: the columns must be virtual_s,factor");
  return trace_of<double>(csv, "factor", period, [&] {
    const auto x = parse_number<double>(csv.cell(1));
    if (!x || !std::isfinite(*x) || *x <= 0)
      throw InputError(fmt::format(
          "line {}: '{}' is not a factor (a number above 0)", csv.line(), csv.shown(1)));
    return *x;
  });
}

RateTrace::Steps parse_rate_trace(std::string_view csv_text, std::optional<Duration> period) {
  CsvReader csv(csv_text);
  if (csv.columns().back() != "bits_per_second")
    throw InputError("line 1: the columns must be virtual_s,bits_per_second");
  auto steps = trace_of<std::uint64_t>(csv, "bits_per_second", period, [&] {
    const auto x = parse_number<double>(csv.cell(1));
    if (!x || !(*x >= 0 && *x <= static_cast<double>(RateTrace::kFastest)) || *x != std::floor(*x))
      throw InputError(fmt::format(
          "line {}: '{}' is not a rate (a whole number of bits per second, 0 to {:.0e})",
          csv.line(),
          csv.shown(1),
          static_cast<double>(RateTrace::kFastest)));
    return static_cast<std::uint64_t>(*x);
  });
  if (RateTrace::ends_still(steps))
    throw InputError(period ? "the rate is 0 throughout the period"
                            : "the last rate is 0: the line would stand still for ever");
  return steps;
}

}  // namespace posse
