// The wall clock of a run: slows virtual time down to a pace (with a Boost.Asio timer) and ends
// runs that take too long. Nothing else in a run reads wall time. The events of a run do not depend
// on it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>

#include "core/sim/run_control.hpp"

namespace posse {

class WallClock final : public Watch {
 public:
  /// `pace`: virtual seconds per wall second, 0 for no pace. `limit_seconds`: 0 for no limit. The
  /// clock starts now.
  WallClock(double pace, double limit_seconds);

  /// Due when wall time has reached the virtual time `time`. Pauses do not count, neither here nor
  /// for the limit.
  Waited wait(Time time, bool paused) override;
  bool paces() const override { return pace_ > 0; }
  StopReason stop_reason() override;

 private:
  using Clock = std::chrono::steady_clock;
  double pace_;
  boost::asio::io_context context_;
  boost::asio::steady_timer timer_;
  Clock::time_point start_;
  std::optional<Clock::time_point> end_;
};

}  // namespace posse
