// SPDX-License-Identifier: Apache-2.0
// Numbers and texts with units, as one thing: what a sweep steps through, what its constraint
// computes with, and what stands in columns of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "program/scenario/value.hpp"

namespace posse {

enum class BaseUnit { none, seconds, bytes, bits_per_second, share };

/// A number in its base unit: "50 ms" is 0.05 seconds, "80%" a share of 0.8.
struct Amount {
  double value = 0;
  BaseUnit unit = BaseUnit::none;
};
/// The amount that a value states; nothing for other texts, tables and lists. true is 1, false 0.
std::optional<Amount> amount_of(const Value& value);
/// The amount that a text states, or a plain number: "0.05".
std::optional<Amount> amount_of_text(const std::string& text);

/// Equal texts, or equal amounts: "0.2 s" and "200 ms", "5%" and "0.05".
bool same_text(const std::string& a, const std::string& b);

/// The amount as a scenario takes it. Durations are rounded to nanoseconds, sizes to bytes.
/// Numbers without a unit: whole ones as integers, others as reals.
Value value_with(const Amount& amount, const SourceLocation& location);

/// The name of a swept key's column: it says the unit, as in network.latency_s.
std::string column_of_key(const std::string& key, BaseUnit unit);
/// The key and the unit of such a column.
std::pair<std::string, BaseUnit> key_of_column(const std::string& column);

}  // namespace posse
