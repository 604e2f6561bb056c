// SPDX-License-Identifier: Apache-2.0
// Progress of a sweep on standard error: runs, rate, time left.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

#include "program/run/progress.hpp"

namespace posse {

/// What a running sweep counts.
struct SweepCounts {
  std::atomic<std::size_t> made{0}, present{0}, failed{0};
};

struct SweepStart {
  std::size_t planned = 0, present = 0;
  std::string note;
};

/// The note, then "312 of 2000 runs, 41 runs/s, 2 failed".
ProgressState sweep_progress(const SweepStart& start,
                             std::size_t made,
                             std::size_t present,
                             std::size_t failed,
                             double seconds);

/// Prints from its own thread. `stop`, `keep_rest`: see ProgressLines::Work.
class SweepProgress {
 public:
  SweepProgress(const SweepStart& start,
                const SweepCounts& counts,
                ProgressStyle style,
                std::function<void()> stop,
                std::function<bool()> keep_rest);

 private:
  SweepStart start_;
  const SweepCounts& counts_;
  ProgressLines lines_;
};

}  // namespace posse
