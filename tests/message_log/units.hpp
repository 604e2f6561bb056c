// SPDX-License-Identifier: Apache-2.0
// Numbers with units, as scenarios have them, and times as message logs have them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace message_log {

/// What makes a run folder unreadable.
struct Unreadable : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Virtual time and durations.
using Nanoseconds = std::int64_t;

double number(std::string_view text);
std::uint64_t whole_number(std::string_view text, int base = 10);

/// "20 ms"
Nanoseconds duration(std::string_view text);
/// "64 kB"
std::uint64_t size_bytes(std::string_view text);
/// "10 Mbit/s"
double bits_per_second(std::string_view text);
/// A cell in seconds.
Nanoseconds seconds(std::string_view text);
/// Values of a column such as latency_ms.
Nanoseconds duration_in(std::string_view column, std::string_view text);

}  // namespace message_log
