// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/availability_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/csv.hpp"
#include "core/base/parameters.hpp"

namespace posse {
namespace {

Time down_time(const CsvReader& csv, std::size_t column) {
  const auto x = parse_number<double>(csv.cell(column));
  if (!x || !std::isfinite(*x) || *x < 0 || *x > 9e9)
    throw InputError(fmt::format("line {}: '{}' is not a time in seconds (a number from 0 to 9e9)",
                                 csv.line(),
                                 csv.shown(column)));
  return Time{} + Duration::seconds(*x);
}

}  // namespace

DownTimes parse_down_times(std::string_view csv_text) {
  CsvReader csv(csv_text);
  if (csv.columns() != std::vector<std::string>{"node", "down_s", "up_s"})
    throw InputError("line 1: the columns must be node,down_s,up_s");
  DownTimes times;
  while (csv.next()) {
    const Time begin = down_time(csv, 1);
    const Time end = csv.cell(2).empty() ? Time::max() : down_time(csv, 2);
    if (csv.cell(0).empty()) throw InputError(fmt::format("line {}: no node", csv.line()));
    if (end <= begin)
      throw InputError(fmt::format("line {}: up_s is not after down_s", csv.line()));
    auto& intervals = times[csv.cell(0)];
    if (!intervals.empty() && begin < intervals.back().end)
      throw InputError(
          fmt::format("line {}: {} is still down from the row before", csv.line(), csv.shown(0)));
    intervals.push_back({begin, end});
  }
  if (times.empty()) throw InputError("the file has no data rows");
  return times;
}

}  // namespace posse
