// SPDX-License-Identifier: Apache-2.0
// How means travel: as doubles, or rounded to fewer bytes.
//
//   f64  8 bytes, unchanged
//   f32  4 bytes, the nearest float; at most ±FLT_MAX
//   u16  2 bytes, one of 2^16 values from `low` to `high`, both included, at equal distances
//   u8   1 byte, one of 2^8 such values
//
// u16 and u8 round to one of the two neighbours, at random, so that the expected value is the mean
// itself: the error is below one step, (high - low) / 65535 or (high - low) / 255, and its variance
// at most a quarter of a step squared. A mean outside [low, high] is clipped, which biases it.
// (Unbiased rounding as in Alistarh et al., QSGD (2017), with a fixed range in place of a norm.)
//
// A mean is rounded once, by the node that made it, which goes on with the rounded value itself.
// Stream: `rounding/<node>`, draw i for the node's i-th mean, from 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/ids.hpp"
#include "core/random/stream.hpp"

namespace posse {

enum class MeanFormat { f64, f32, u16, u8 };

inline constexpr std::array kMeanFormats{
    MeanFormat::f64, MeanFormat::f32, MeanFormat::u16, MeanFormat::u8};

constexpr std::string_view to_string(MeanFormat format) {
  switch (format) {
    case MeanFormat::f64:
      return "f64";
    case MeanFormat::f32:
      return "f32";
    case MeanFormat::u16:
      return "u16";
    case MeanFormat::u8:
      return "u8";
  }
  return "?";
}

/// What stands for a mean in a message.
template <class Code>
concept MeanCode = std::is_same_v<Code, float> || std::is_same_v<Code, std::uint16_t> ||
    std::is_same_v<Code, std::uint8_t>;

struct MeanEncoding {
  MeanFormat format = MeanFormat::f64;
  double low = 0, high = 1;  // of u16 and u8; at most 10^6 in size, high - low >= 0.001

  bool is_exact() const { return format == MeanFormat::f64; }
  /// Rounds at random to a fixed grid.
  bool has_grid() const { return format == MeanFormat::u16 || format == MeanFormat::u8; }
  std::uint32_t bytes_per_mean() const;
  /// Steps of the grid: its values are 0 … steps.
  std::uint32_t steps() const { return format == MeanFormat::u16 ? 65535 : 255; }

  /// Value `number` of the grid. The ends are exact.
  double grid_value(std::uint32_t number) const;
  /// The nearest value's number; outside the range, that of an end.
  std::uint32_t nearest(double value) const;
  /// The number of the value to which `mean`, not NaN, is rounded with u in (0, 1).
  std::uint32_t rounded(double mean, double u) const;

  /// Between values that `MeanRounding::round` returned and what stands for them.
  template <MeanCode Code>
  Code code_of(double value) const {
    if constexpr (std::is_same_v<Code, float>)
      return static_cast<float>(value);
    else
      return static_cast<Code>(nearest(value));
  }
  template <MeanCode Code>
  double value_of(Code code) const {
    if constexpr (std::is_same_v<Code, float>)
      return double{code};
    else
      return grid_value(code);
  }
};

/// Rounds the means of one node.
class MeanRounding {
 public:
  MeanRounding(const MeanEncoding& encoding, Seed seed, std::string_view node)
      : encoding_(encoding), stream_(stream_key(seed, "rounding", node)) {}

  /// The value that takes the place of `mean`, which must not be NaN unless it travels as f64.
  double round(double mean);
  /// Means so far that were outside the range.
  std::uint64_t clipped() const { return clipped_; }
  /// Goes on after at most `means` that were rounded before this object.
  void go_on_after(std::uint64_t means) { rounded_ = means; }

 private:
  double clip(double mean, double low, double high);

  MeanEncoding encoding_;
  UniformStream stream_;
  std::uint64_t rounded_ = 0, clipped_ = 0;
};

}  // namespace posse
