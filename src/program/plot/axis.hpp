// SPDX-License-Identifier: Apache-2.0
// An axis: limits, nice ticks, and where a value lies between its ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace posse {

struct Tick {
  double value = 0;
  std::string label;  // empty for a minor tick
  int exponent = 0;   // with `power`: the label is 10 to this
  bool power = false;
  bool main = true;  // written in preference to others
};

/// Values are divided by `factor` and shown with `unit`.
struct UnitPrefix {
  double factor = 1;
  std::string unit;
};
/// The prefix for values up to `largest`, of "bytes" or "s"; other units as they are.
UnitPrefix unit_prefix(std::string_view unit, double largest);

/// Whether an axis ends at the next tick or with the data.
enum class Ends { widened, tight };

class Axis {
 public:
  /// From low to high, about `ticks` ticks at multiples of 1, 2 or 5 times a power of ten. A range
  /// that is empty or reversed is widened around its value.
  static Axis linear(double low, double high, Ends ends = Ends::widened, int ticks = 6);
  /// low above 0; labels at powers of ten, also at 2 and 5 when less than two decades are shown,
  /// and at every digit when it is less than half a decade.
  static Axis logarithmic(double low, double high, Ends ends = Ends::widened);
  /// As logarithmic, with a separate position for 0 left of (below) the rest.
  static Axis logarithmic_with_zero(double low, double high);

  /// Names at 0, 1, …, each in the middle of its share of the axis.
  static Axis of_names(const std::vector<std::string>& names);

  bool is_log() const { return log_; }
  bool has_zero() const { return zero_; }
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  /// 0 at the low end, 1 at the high end, outside [0, 1] beyond them. On a logarithmic axis values
  /// <= 0 lie at the position of 0, or far below the low end.
  double position(double value) const;

 private:
  double low_ = 0, high_ = 1;
  bool log_ = false, zero_ = false;
  std::vector<Tick> ticks_;
};

/// The position where an axis begins beside a position for 0.
inline constexpr double kZeroGap = 0.1;

/// "10 000", "0.25": as many decimals as the step between ticks needs, thousands separated.
std::string tick_label(double value, int decimals);

}  // namespace posse
