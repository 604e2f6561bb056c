// SPDX-License-Identifier: Apache-2.0
// A value that changes over virtual time in steps: each holds from its time on until the next one.
// The trace may repeat with a period; otherwise its last value holds for ever.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/time.hpp"

namespace posse {

template <class Value>
class StepTrace {
 public:
  struct Step {
    Time from;
    Value value;
  };

  /// `steps` begin at 0 and ascend. The period is above 0 and not below the last step, which never
  /// holds if both are equal.
  explicit StepTrace(std::vector<Step> steps, std::optional<Duration> period = {})
      : steps_(std::move(steps)), period_(period) {
    POSSE_CHECK(!steps_.empty() && steps_.front().from == Time{});
    for (std::size_t i = 1; i < steps_.size(); ++i)
      POSSE_CHECK(steps_[i - 1].from < steps_[i].from);
    POSSE_CHECK(!period_ || (period_->ns > 0 && period_->ns >= steps_.back().from.ns));
  }

  /// The value at this time, which is not negative. Cost: O(log steps).
  const Value& at(Time time) const { return steps_[index(in_period(time))].value; }

  const std::vector<Step>& steps() const { return steps_; }
  const std::optional<Duration>& period() const { return period_; }
  /// The time since the period began.
  Time in_period(Time time) const { return period_ ? Time{time.ns % period_->ns} : time; }
  /// The last step that begins at `time` or earlier.
  std::size_t index(Time time) const {
    const auto next = std::upper_bound(
        steps_.begin(), steps_.end(), time, [](Time t, const Step& s) { return t < s.from; });
    return static_cast<std::size_t>(next - steps_.begin()) - 1;
  }

 private:
  std::vector<Step> steps_;
  std::optional<Duration> period_;
};

}  // namespace posse
