#include "actors/wall_clock.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::chrono::milliseconds kLookForCancellation{100};

std::chrono::steady_clock::duration wall_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

WallClock::WallClock(double pace, double limit_seconds, const Progress* progress)
    : pace_(pace), progress_(progress), timer_(context_), start_(Clock::now()) {
  if (limit_seconds > 0) end_ = start_ + wall_duration(limit_seconds);
}

StopReason WallClock::glance() {
  return end_ && Clock::now() >= *end_ ? StopReason::wall_time : StopReason::none;
}

StopReason WallClock::wait_until(Time time) {
  const auto due = pace_ > 0 ? start_ + wall_duration(time.to_seconds() / pace_) : start_;
  for (;;) {
    const auto now = Clock::now();
    if (end_ && now >= *end_) return StopReason::wall_time;
    if (now >= due) return StopReason::none;
    if (progress_ != nullptr && progress_->cancel.load()) return StopReason::cancelled;
    timer_.expires_at(std::min({due, now + kLookForCancellation, end_.value_or(due)}));
    boost::system::error_code interrupted;  // by a signal: look again
    timer_.wait(interrupted);
  }
}

}  // namespace posse
