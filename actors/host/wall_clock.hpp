// Wall time, the only thing in a run that knows of it: holds virtual time back (paced time, with a
// Boost.Asio timer) and ends a run that takes too long. Neither changes what happens before.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

#include "core/sim/run_control.hpp"

namespace posse {

class WallClock final : public Watch {
 public:
  /// `pace`: virtual seconds per wall second, 0 for no pace; `limit_seconds`: 0 for no limit.
  /// Starts counting now.
  WallClock(double pace, double limit_seconds);

  /// Due when wall time has reached `time` of virtual time; the time of pauses doesn't count,
  /// neither here nor for the limit.
  Waited wait(Time time, bool paused) override;
  bool paces() const override { return pace_ > 0; }
  StopReason glance() override;

 private:
  using Clock = std::chrono::steady_clock;
  double pace_;
  boost::asio::io_context context_;
  boost::asio::steady_timer timer_;
  Clock::time_point start_;
  std::optional<Clock::time_point> end_;
};

}  // namespace posse
