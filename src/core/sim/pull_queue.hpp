// SPDX-License-Identifier: Apache-2.0
// Pulls of one node that wait to be booked. A node often makes the same pull again and again, in
// equal steps of time: such a run takes the memory of one pull.
#pragma once

#include <cstdint>
#include <deque>

#include "core/base/time.hpp"

namespace posse {

struct Regrets {
  double global = 0, local = 0;
  bool operator==(const Regrets&) const = default;
};

/// A client's consecutive evaluations at one point by one node, as PullsObserved.
struct Pulls {
  Time time;        // when the last evaluation is done
  Duration took{};  // from the beginning of the first
  Regrets each;
  std::uint64_t count = 0;
  std::uint32_t client = 0;
  bool operator==(const Pulls&) const = default;
};

class PullQueue {
 public:
  bool empty() const { return runs_.empty(); }
  const Pulls& front() const { return runs_.front().first; }
  void pop_front() {
    Run& run = runs_.front();
    if (run.repeats == 0) return runs_.pop_front();
    --run.repeats;
    run.first.time = run.first.time + run.step;
  }
  /// Adds pulls, whose times must not decrease.
  void push_back(const Pulls& pulls) {
    if (!runs_.empty() && extends(runs_.back(), pulls))
      ++runs_.back().repeats;
    else
      runs_.push_back({pulls});
  }

 private:
  struct Run {
    Pulls first;
    std::uint32_t repeats = 0;
    Duration step{};  // between their times
  };
  static bool extends(Run& run, const Pulls& pulls) {
    if (run.repeats == ~std::uint32_t{0}) return false;
    if (run.repeats == 0) run.step = pulls.time - run.first.time;
    Pulls last = run.first;
    last.time = run.first.time + run.step * run.repeats;
    if (pulls.time - last.time != run.step) return false;
    last.time = pulls.time;
    return last == pulls;
  }
  std::deque<Run> runs_;
};

}  // namespace posse
