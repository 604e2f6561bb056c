// SPDX-License-Identifier: Apache-2.0
// The memory that runs need, and that there is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "program/scenario/scenario.hpp"

namespace posse {

/// An estimate of what one run needs. Nothing is built for it but one client.
struct MemoryForecast {
  struct Part {
    std::string what;  // "100 000 000 nodes"
    double bytes = 0;
  };
  std::vector<Part> parts;

  double bytes() const;
};
MemoryForecast forecast_memory(const Scenario& scenario, const AlgorithmEntry& entry);

/// Measured: what is kept of a run beyond those whose details are kept.
inline constexpr double kBytesOfFigures = 4.4e3;

/// What this process can still have, in bytes: the least of what the machine has, its control group
/// allows (cgroup v1 and v2) and its address space (ulimit -v). Nothing if nobody tells.
std::optional<double> available_memory();

/// The largest that this process had, in bytes, since it was forgotten. Nothing if nobody tells.
std::optional<double> peak_memory();
/// Gives back what is free, and begins anew. Without effect where the system has no such thing.
void forget_peak_memory();

/// Why a run can't be had in `available` bytes, in a sentence that names the largest part; else "".
std::string memory_refusal(const MemoryForecast& forecast, double available);

/// Lets as many runs work at a time as there is memory for. Thread-safe.
class MemoryGate {
 public:
  explicit MemoryGate(double available) : available_(available) {}
  double available() const { return available_; }

  /// Waits until the run fits beside those that work. Throws OutsideFailure if it can't fit, and
  /// Interrupted. Otherwise leave() must follow.
  void enter(const MemoryForecast& forecast);
  void leave(const MemoryForecast& forecast);

 private:
  const double available_;
  std::mutex mutex_;
  std::condition_variable left_;
  double taken_ = 0;
};

}  // namespace posse
