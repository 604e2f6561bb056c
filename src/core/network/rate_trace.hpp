// SPDX-License-Identifier: Apache-2.0
// A rate that changes over virtual time in steps, and what a line with this rate transfers.
//
// All arithmetic is in whole numbers: a transfer ends at the nanosecond nearest to the point at
// which its last bit has left, whatever steps it spans.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/parameters.hpp"
#include "core/base/step_trace.hpp"
#include "core/base/time.hpp"

namespace posse {

class RateTrace {
 public:
  using Steps = StepTrace<std::uint64_t>;  // bits per second, at most kFastest

  static constexpr std::uint64_t kFastest = 1'000'000'000'000'000;

  /// The line may stand still (rate 0), but not for ever. `source`: the file it was read from.
  explicit RateTrace(Steps steps, InputText source = {});

  /// True if the line stands still for ever from some time on.
  static bool ends_still(const Steps& steps);

  /// Bits · 10⁹ by which the end of a transfer was rounded: what passes between its real end and
  /// that; below 0 if it was rounded down.
  __extension__ using Rest = __int128;
  /// When a transfer that begins at `begin` ends. Cost: O(log steps). `rest`: that of a transfer
  /// that ended at `begin`, or 0; then that of this one, so that ends don't drift.
  Time end_of_transfer(Time begin, std::uint64_t bytes, Rest& rest) const;
  Time end_of_transfer(Time begin, std::uint64_t bytes) const {
    Rest none = 0;
    return end_of_transfer(begin, bytes, none);
  }
  /// Whether more than so many bytes pass from `begin` to `end`. Cost: O(log steps).
  bool passes_more_than(std::uint64_t bytes, Time begin, Time end) const;

  /// 0 if the line never stands still.
  static Duration longest_standstill(const Steps& steps);

  const Steps& steps() const { return steps_; }
  const InputText& source() const { return source_; }

 private:
  /// bits · 10⁹: what passes in a nanosecond at one bit per second is 1.
  __extension__ using Work = unsigned __int128;

  static Work work_of(std::uint64_t bytes) { return Work{bytes} * 8 * 1'000'000'000; }
  /// What passes from 0 to `time`.
  Work until(Time time) const;

  Steps steps_;
  InputText source_;
  std::vector<Work> before_;  // what passes before each step of the first period
  Work in_period_ = 0;        // 0 without a period
};

}  // namespace posse
