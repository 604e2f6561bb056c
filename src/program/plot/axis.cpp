// SPDX-License-Identifier: Apache-2.0
#include "program/plot/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/base/check.hpp"
#include "core/base/math.hpp"

namespace posse {
namespace {

constexpr std::array<double, 3> kSteps{1, 2, 5};
constexpr std::array<double, 9> kLogEnds{1, 2, 3, 4, 5, 6, 7, 8, 9};

/// 10^exponent, exact as far as doubles go.
double power_of_ten(int exponent) {
  return exponent >= 0 ? math::pow(10.0, exponent) : 1 / math::pow(10.0, -exponent);
}

/// The largest of these digits times a power of ten up to x; with `up` the smallest from x on.
double nice(double x, bool up, std::span<const double> digits) {
  const int decade = static_cast<int>(std::floor(math::log10(x)));
  double best = up ? power_of_ten(decade + 2) : power_of_ten(decade - 1);
  constexpr double kSlack = 1e-9;  // 0.3 / 0.1 and its like
  for (int d = decade - 1; d <= decade + 1; ++d)
    for (const double digit : digits) {
      const double candidate = digit * power_of_ten(d);
      if (up && candidate >= x * (1 - kSlack)) best = std::min(best, candidate);
      if (!up && candidate <= x * (1 + kSlack)) best = std::max(best, candidate);
    }
  return best;
}

int decimals_of(double step) {
  return std::max(0, -static_cast<int>(std::floor(math::log10(step) + 1e-9)));
}

/// Powers of ten up to five digits are written out, larger and smaller ones as powers.
Tick decade_tick(int exponent, bool as_powers) {
  Tick tick;
  tick.value = power_of_ten(exponent);
  tick.power = as_powers;
  tick.exponent = exponent;
  tick.label =
      as_powers ? fmt::format("1e{}", exponent) : tick_label(tick.value, std::max(0, -exponent));
  return tick;
}

}  // namespace

UnitPrefix unit_prefix(std::string_view unit, double largest) {
  struct Step {
    double from, factor;
    std::string_view unit;
  };
  constexpr std::array<Step, 4> kByteSteps{
      {{1e9, 1e9, "GB"}, {1e6, 1e6, "MB"}, {1e3, 1e3, "kB"}, {0, 1, "B"}}};
  constexpr std::array<Step, 4> kSecondSteps{
      {{10800, 3600, "h"}, {1, 1, "s"}, {1e-3, 1e-3, "ms"}, {0, 1e-6, "µs"}}};
  if (largest > 0 && (unit == "bytes" || unit == "s"))
    for (const auto& step : unit == "s" ? kSecondSteps : kByteSteps)
      if (largest >= step.from) return {step.factor, std::string(step.unit)};
  return {1, std::string(unit)};
}

std::string tick_label(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const auto point = std::min(text.find('.'), text.size());
  const std::size_t sign = text.front() == '-' ? 1 : 0;
  if (point - sign >= 5)
    for (std::size_t at = point; at > sign + 3;) text.insert(at -= 3, "\u2009");  // thin space
  return text;
}

Axis Axis::linear(double low, double high, Ends ends, int ticks) {
  POSSE_CHECK(std::isfinite(low) && std::isfinite(high), "an axis from {} to {}", low, high);
  if (high < low) std::swap(low, high);
  // Nearly nothing, or too little to count steps in doubles.
  if (const double largest = std::max(std::abs(low), std::abs(high));
      high - low <= 1e-9 * largest) {
    low -= largest / 2;
    high += largest == 0 ? 1 : largest / 2;
  }
  Axis axis;
  const double step = nice((high - low) / ticks, true, kSteps);
  const bool tight = ends == Ends::tight;
  const double first = tight ? std::ceil(low / step - 1e-9) : std::floor(low / step + 1e-9);
  const double last = tight ? std::floor(high / step + 1e-9) : std::ceil(high / step - 1e-9);
  axis.low_ = tight ? low : first * step;
  axis.high_ = tight ? high : last * step;
  const int decimals = decimals_of(step);
  for (double i = first; i <= last; ++i)
    axis.ticks_.push_back({i * step, tick_label(i * step + 0.0, decimals)});  // no -0
  return axis;
}

Axis Axis::logarithmic(double low, double high, Ends ends) {
  POSSE_CHECK(low > 0 && std::isfinite(low) && std::isfinite(high),
              "a logarithmic axis from {} to {}",
              low,
              high);
  Axis axis;
  axis.log_ = true;
  axis.low_ = ends == Ends::tight ? low : nice(low, false, kLogEnds);
  axis.high_ = ends == Ends::tight ? high : nice(std::max(high, low), true, kLogEnds);
  if (!(axis.high_ > axis.low_)) {
    axis.low_ = nice(low / 2, false, kLogEnds);
    axis.high_ = nice(high * 2, true, kLogEnds);
  }
  const int first = static_cast<int>(std::floor(math::log10(axis.low_) + 1e-9));
  const int last = static_cast<int>(std::ceil(math::log10(axis.high_) - 1e-9));
  const double decades = math::log10(axis.high_ / axis.low_);
  const bool as_powers = decades >= 0.5 && (first < -4 || last > 5);
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  for (int decade = first; decade <= last; ++decade)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * power_of_ten(decade);
      if (value < axis.low_ * (1 - 1e-9) || value > axis.high_ * (1 + 1e-9)) continue;
      Tick tick{value, "", 0, false, false};
      if (digit == 1 && decade % every == 0)
        tick = decade_tick(decade, as_powers);
      else if (!as_powers && (decades < 0.5 || ((digit == 2 || digit == 5) && decades < 2.5)))
        tick.label = tick_label(value, std::max(0, -decade));
      axis.ticks_.push_back(std::move(tick));
    }
  return axis;
}

Axis Axis::logarithmic_with_zero(double low, double high) {
  Axis axis = logarithmic(low, high);
  axis.zero_ = true;
  axis.ticks_.insert(axis.ticks_.begin(), Tick{0, "0", 0, false});
  return axis;
}

Axis Axis::of_names(const std::vector<std::string>& names) {
  Axis axis;
  axis.low_ = -0.5;
  axis.high_ = static_cast<double>(names.size()) - 0.5;
  for (std::size_t i = 0; i < names.size(); ++i)
    axis.ticks_.push_back({static_cast<double>(i), names[i]});
  return axis;
}

double Axis::position(double value) const {
  if (!log_) return (value - low_) / (high_ - low_);
  if (!(value > 0)) return zero_ ? 0 : -1e3;
  const double along = math::log(value / low_) / math::log(high_ / low_);
  return zero_ ? kZeroGap + (1 - kZeroGap) * along : along;
}

}  // namespace posse
