#include "actors/pacer.hpp"

#include <algorithm>

namespace posse {
namespace {

constexpr std::chrono::milliseconds kLookForCancellation{100};

}  // namespace

Pacer::Pacer(double pace, const Progress* progress)
    : pace_(pace),
      progress_(progress),
      timer_(context_),
      start_(std::chrono::steady_clock::now()) {}

void Pacer::wait_until(Time time) {
  if (time == Time::max()) return;
  const auto due = start_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                std::chrono::duration<double>(time.to_seconds() / pace_));
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= due || (progress_ != nullptr && progress_->cancel.load())) return;
    timer_.expires_at(std::min(due, now + kLookForCancellation));
    boost::system::error_code interrupted;  // by a signal: look again
    timer_.wait(interrupted);
  }
}

}  // namespace posse
