// SPDX-License-Identifier: Apache-2.0
#include "actors/host/wall_clock.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::chrono::milliseconds kLongestSleep{20};

std::chrono::steady_clock::duration wall_duration(double seconds) {
  constexpr double kLongest = 1e9;  // 30 years
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(seconds, kLongest)));
}

}  // namespace

WallLimit::WallLimit(double seconds) {
  using Clock = std::chrono::steady_clock;
  if (seconds > 0) end_ = (Clock::now() + wall_duration(seconds)).time_since_epoch().count();
}

std::optional<std::chrono::steady_clock::time_point> WallLimit::end() const {
  using Clock = std::chrono::steady_clock;
  const Ticks end = end_;
  if (end == kNone) return std::nullopt;
  return Clock::time_point(Clock::duration(end));
}

void WallLimit::postpone(std::chrono::steady_clock::duration by) {
  if (any()) end_ = end_ + by.count();
}

WallClock::WallClock(double pace, WallLimit& limit)
    : pace_(pace), timer_(context_), start_(Clock::now()), limit_(limit) {}

StopReason WallClock::stop_reason() {
  return limit_.reached() ? StopReason::wall_time : StopReason::none;
}

void WallClock::set_pace(double pace, Time now) {
  // Virtual time may still be on its way to `now`, the next event's.
  const auto at = Clock::now();
  double virtual_s = now.to_seconds();
  if (pace_ > 0)
    virtual_s = std::min(virtual_s, pace_ * std::chrono::duration<double>(at - start_).count());
  pace_ = pace;
  if (pace > 0) start_ = at - wall_duration(virtual_s / pace);
}

Watch::Waited WallClock::wait(Time time, bool paused) {
  const auto end = limit_.end();
  if (!paused && pace_ == 0 && !end) return {StopReason::none, true};  // no need to read the clock
  const auto now = Clock::now();
  if (!paused && end && now >= *end) return {StopReason::wall_time, false};
  const auto due = pace_ > 0 ? start_ + wall_duration(time.to_seconds() / pace_) : start_;
  if (!paused && now >= due) return {StopReason::none, true};
  const auto longest = now + kLongestSleep;
  timer_.expires_at(paused ? longest : std::min({due, longest, end.value_or(longest)}));
  boost::system::error_code interrupted;  // by a signal; the caller waits again
  timer_.wait(interrupted);
  if (paused) {
    const auto slept = Clock::now() - now;
    start_ += slept;
    limit_.postpone(slept);
  }
  return {};
}

}  // namespace posse
