#include "actors/host/wall_clock.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::chrono::milliseconds kLongestSleep{20};

std::chrono::steady_clock::duration wall_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

WallClock::WallClock(double pace, double limit_seconds)
    : pace_(pace), timer_(context_), start_(Clock::now()) {
  if (limit_seconds > 0) end_ = start_ + wall_duration(limit_seconds);
}

StopReason WallClock::stop_reason() {
  return end_ && Clock::now() >= *end_ ? StopReason::wall_time : StopReason::none;
}

Watch::Waited WallClock::wait(Time time, bool paused) {
  if (!paused && pace_ == 0 && !end_) return {StopReason::none, true};  // no need to read the clock
  const auto now = Clock::now();
  if (!paused && end_ && now >= *end_) return {StopReason::wall_time, false};
  const auto due = pace_ > 0 ? start_ + wall_duration(time.to_seconds() / pace_) : start_;
  if (!paused && now >= due) return {StopReason::none, true};
  const auto longest = now + kLongestSleep;
  timer_.expires_at(paused ? longest : std::min({due, longest, end_.value_or(longest)}));
  boost::system::error_code interrupted;  // by a signal; the caller waits again
  timer_.wait(interrupted);
  if (paused) {
    const auto slept = Clock::now() - now;
    start_ += slept;
    if (end_) *end_ += slept;
  }
  return {};
}

}  // namespace posse
