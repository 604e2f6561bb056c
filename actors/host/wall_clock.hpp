// SPDX-License-Identifier: Apache-2.0
// The wall clock of a run: slows virtual time down to a pace (with a Boost.Asio timer) and ends
// runs that take too long. Nothing else in a run reads wall time. The events of a run do not depend
// on it.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <limits>
#include <optional>

#include "core/sim/run_control.hpp"

namespace posse {

/// The end of a run's time. It starts now, and may be read by any thread.
class WallLimit {
 public:
  /// `seconds`: 0 for no limit.
  explicit WallLimit(double seconds);

  bool any() const { return end_.load() != kNone; }
  /// Nothing if there is no limit.
  std::optional<std::chrono::steady_clock::time_point> end() const;
  bool reached() const { return any() && std::chrono::steady_clock::now() >= *end(); }
  /// One thread.
  void postpone(std::chrono::steady_clock::duration by);

 private:
  using Ticks = std::chrono::steady_clock::rep;
  static constexpr Ticks kNone = std::numeric_limits<Ticks>::max();
  std::atomic<Ticks> end_{kNone};
};

class WallClock final : public Watch {
 public:
  /// `pace`: as in Watch::pace. The clock starts now. `limit` must outlive it.
  WallClock(double pace, WallLimit& limit);

  /// Due when wall time has reached the virtual time `time`. Pauses do not count, neither here nor
  /// for the limit.
  Waited wait(Time time, bool paused) override;
  bool paces() const override { return pace_ > 0; }
  double pace() const override { return pace_; }
  void set_pace(double pace, Time now) override;
  StopReason stop_reason() override;

 private:
  using Clock = std::chrono::steady_clock;
  double pace_;
  boost::asio::io_context context_;
  boost::asio::steady_timer timer_;
  Clock::time_point start_;
  WallLimit& limit_;
};

}  // namespace posse
