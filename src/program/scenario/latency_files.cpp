#include "program/scenario/latency_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"

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
      "line 1: the column '{}' is none of latency_s, latency_ms, latency_us, latency_ns", header));
}

Duration latency_of(const CsvReader& csv, std::size_t column, double unit) {
  const auto x = parse_number<double>(csv.cell(column));
  if (!x || !std::isfinite(*x) || *x < 0)
    throw InputError(fmt::format(
        "line {}: '{}' is not a latency (a number, at least 0)", csv.line(), csv.cell(column)));
  return Duration::seconds(*x * unit);
}

}  // namespace

std::vector<Duration> parse_latency_samples(std::string_view csv_text) {
  CsvReader csv(csv_text);
  if (csv.columns().size() != 1) throw InputError("line 1: there must be one column");
  const double unit = unit_of(csv.columns()[0]);
  std::vector<Duration> samples;
  while (csv.next()) samples.push_back(latency_of(csv, 0, unit));
  if (samples.empty()) throw InputError("the file has no data rows");
  return samples;
}

LatencyMatrix parse_latency_matrix(std::string_view csv_text) {
  CsvReader csv(csv_text);
  const auto& columns = csv.columns();
  if (columns.size() != 3 || columns[0] != "from" || columns[1] != "to")
    throw InputError("line 1: the columns must be from,to,latency_ms");
  const double unit = unit_of(columns[2]);
  LatencyMatrix matrix;
  while (csv.next())
    if (!matrix.emplace(std::pair{csv.cell(0), csv.cell(1)}, latency_of(csv, 2, unit)).second)
      throw InputError(
          fmt::format("line {}: {} to {} is listed twice", csv.line(), csv.cell(0), csv.cell(1)));
  if (matrix.empty()) throw InputError("the file has no data rows");
  return matrix;
}

}  // namespace posse
