// SPDX-License-Identifier: Apache-2.0
// The clocks of the benchmarks.
#pragma once

#include <time.h>

namespace posse {

inline double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
/// Of the whole process.
inline double cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
inline double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

}  // namespace posse
