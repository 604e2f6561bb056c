// SPDX-License-Identifier: Apache-2.0
// Waiting for work on another thread, with reports by the thread that waits.
#pragma once

#include <chrono>
#include <future>

namespace posse {

/// The result of `work`. Calls report() at the begin, every `interval_s` seconds, and at the end;
/// if it throws, calls stop(), waits for the end of the work and rethrows.
template <class Result, class Report, class Stop>
Result wait_reporting(std::future<Result> work, double interval_s, Report report, Stop stop) {
  const auto interval = std::chrono::duration<double>(interval_s);
  try {
    do report();
    while (work.wait_for(interval) != std::future_status::ready);
    report();
  } catch (...) {
    stop();
    work.wait();
    throw;
  }
  return work.get();
}

}  // namespace posse
