// SPDX-License-Identifier: Apache-2.0
#include "units.hpp"

#include <charconv>
#include <cmath>
#include <map>

namespace message_log {
namespace {

const std::map<std::string, double, std::less<>> kDurations{
    {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}};
const std::map<std::string, double, std::less<>> kSizes{{"B", 1},
                                                        {"kB", 1e3},
                                                        {"MB", 1e6},
                                                        {"GB", 1e9},
                                                        {"KiB", 1024},
                                                        {"MiB", 1048576},
                                                        {"GiB", 1073741824}};
const std::map<std::string, double, std::less<>> kRates{{"bit/s", 1},
                                                        {"kbit/s", 1e3},
                                                        {"Mbit/s", 1e6},
                                                        {"Gbit/s", 1e9},
                                                        {"B/s", 8},
                                                        {"kB/s", 8e3},
                                                        {"MB/s", 8e6},
                                                        {"GB/s", 8e9}};

long double with_unit(std::string_view text,
                      const std::map<std::string, double, std::less<>>& units) {
  const auto end = text.find_first_not_of("+-.0123456789eE");
  if (end == 0 || end == std::string_view::npos)
    throw Unreadable("not a number with a unit: " + std::string(text));
  auto unit = text.substr(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
  const auto factor = units.find(unit);
  if (factor == units.end()) throw Unreadable("unknown unit: " + std::string(text));
  return static_cast<long double>(number(text.substr(0, end))) * factor->second;
}

Nanoseconds rounded(long double ns) {
  return ns >= 9.2e18L ? INT64_MAX : static_cast<Nanoseconds>(std::llroundl(ns));
}

}  // namespace

double number(std::string_view text) {
  double value = 0;
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Unreadable("not a number: '" + std::string(text) + "'");
  return value;
}

std::uint64_t whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    throw Unreadable("not a whole number: '" + std::string(text) + "'");
  return value;
}

Nanoseconds duration(std::string_view text) { return rounded(with_unit(text, kDurations)); }

std::uint64_t size_bytes(std::string_view text) {
  return static_cast<std::uint64_t>(with_unit(text, kSizes));
}

double bits_per_second(std::string_view text) {
  return static_cast<double>(with_unit(text, kRates));
}

Nanoseconds seconds(std::string_view text) {
  return rounded(static_cast<long double>(number(text)) * 1e9L);
}

Nanoseconds duration_in(std::string_view column, std::string_view text) {
  const auto unit = column.substr(column.rfind('_') + 1);
  const auto factor = kDurations.find(unit);
  if (factor == kDurations.end()) throw Unreadable("unknown unit: " + std::string(column));
  return rounded(static_cast<long double>(number(text)) * factor->second);
}

}  // namespace message_log
