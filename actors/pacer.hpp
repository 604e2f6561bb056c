// Paced time: holds virtual time to a multiple of wall time, with a Boost.Asio timer.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

#include "core/base/time.hpp"
#include "core/sim/simulation.hpp"

namespace posse {

class Pacer {
 public:
  /// `pace`: virtual seconds per wall second, > 0. Starts counting now.
  Pacer(double pace, const Progress* progress);

  /// Returns when wall time has reached `time` of virtual time, or the run is cancelled.
  void wait_until(Time time);

 private:
  double pace_;
  const Progress* progress_;
  boost::asio::io_context context_;
  boost::asio::steady_timer timer_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace posse
