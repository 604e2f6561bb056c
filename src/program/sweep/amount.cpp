// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/amount.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/base/csv.hpp"
#include "program/base/units.hpp"
#include "program/scenario/schema.hpp"

namespace posse {

std::optional<Amount> amount_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data))
    return Amount{static_cast<double>(*whole), BaseUnit::none};
  if (const auto* real = std::get_if<double>(&value.data)) return Amount{*real, BaseUnit::none};
  if (const auto* truth = std::get_if<bool>(&value.data))
    return Amount{*truth ? 1.0 : 0.0, BaseUnit::none};
  const auto* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) return std::nullopt;
  if (const auto duration = parse_duration(*text).value)
    return Amount{duration->to_seconds(), BaseUnit::seconds};
  if (const auto size = parse_size(*text).value)
    return Amount{static_cast<double>(*size), BaseUnit::bytes};
  if (const auto rate = parse_rate(*text).value) return Amount{*rate, BaseUnit::bits_per_second};
  if (const auto share = parse_share(*text).value) return Amount{*share, BaseUnit::share};
  return std::nullopt;
}

std::optional<Amount> amount_of_text(const std::string& text) {
  if (const auto number = parse_number<double>(text)) return Amount{*number, BaseUnit::none};
  return amount_of(Value{{}, text});
}

bool same_text(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = amount_of_text(a), y = amount_of_text(b);
  if (!x || !y) return false;
  const auto comparable = [](BaseUnit unit) {
    return unit == BaseUnit::share ? BaseUnit::none : unit;
  };
  return x->value == y->value && comparable(x->unit) == comparable(y->unit);
}

Value value_with(const Amount& amount, const SourceLocation& location) {
  const double x = amount.value;
  switch (amount.unit) {
    case BaseUnit::seconds:
      return {location, format_duration(Duration::seconds(x))};
    case BaseUnit::bytes:
      return {location, format_size(static_cast<std::uint64_t>(std::llround(x)))};
    case BaseUnit::bits_per_second:
      return {location, format_rate(x)};
    case BaseUnit::share:
      return {location, fmt::format("{:.12g}%", x * 100)};
    case BaseUnit::none:
      break;
  }
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(x) == x && std::abs(x) <= kExact) return {location, static_cast<std::int64_t>(x)};
  return {location, x};
}

namespace {

constexpr std::array<std::pair<std::string_view, BaseUnit>, 3> kSuffixes{
    {{"_bits_per_s", BaseUnit::bits_per_second},
     {"_bytes", BaseUnit::bytes},
     {"_s", BaseUnit::seconds}}};

/// A key of scenarios whose own name ends like a column with this unit: network.header_bytes.
bool says_unit(std::string_view key, std::string_view suffix) {
  const auto point = key.rfind('.');
  if (!key.ends_with(suffix) || point == std::string_view::npos) return false;
  const auto* section = find_section(key.substr(0, point));
  return section != nullptr && section->key(key.substr(point + 1)) != nullptr;
}

}  // namespace

std::string column_of_key(const std::string& key, BaseUnit unit) {
  for (const auto& [suffix, own] : kSuffixes)
    if (unit == own && !says_unit(key, suffix)) return key + std::string(suffix);
  return key;
}

std::pair<std::string, BaseUnit> key_of_column(const std::string& column) {
  for (const auto& [suffix, unit] : kSuffixes) {
    if (says_unit(column, suffix)) return {column, unit};
    if (column.ends_with(suffix)) return {column.substr(0, column.size() - suffix.size()), unit};
  }
  return {column, BaseUnit::none};
}

}  // namespace posse
