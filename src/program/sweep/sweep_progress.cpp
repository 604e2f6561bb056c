// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sweep_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "program/base/text.hpp"
#include "program/base/units.hpp"

namespace posse {

ProgressState sweep_progress(const SweepStart& start,
                             std::size_t made,
                             std::size_t present,
                             std::size_t failed,
                             double seconds) {
  const std::size_t there = std::min(start.present + present + made, start.planned);
  ProgressState state;
  // Of the runs that this process waits for: what was there took it no time.
  const std::size_t wanted = start.planned - std::min(start.present, start.planned);
  if (wanted > 0)
    state.done =
        static_cast<double>(there - std::min(start.present, there)) / static_cast<double>(wanted);
  state.parts.push_back(fmt::format("{}{} of {} runs", start.note, there, start.planned));
  if (failed > 0) state.parts.push_back(fmt::format("{} failed", failed));
  if (made > 0 && seconds > 0)
    state.parts.push_back(
        fmt::format("{} runs/s", pretty_number(rounded(static_cast<double>(made) / seconds, 3))));
  return state;
}

SweepProgress::SweepProgress(const SweepStart& start,
                             const SweepCounts& counts,
                             ProgressStyle style,
                             std::function<void()> stop,
                             std::function<bool()> keep_rest)
    : start_(start),
      counts_(counts),
      lines_(style,
             {.state =
                  [this, began = std::chrono::steady_clock::now()] {
                    const std::chrono::duration<double> passed =
                        std::chrono::steady_clock::now() - began;
                    return sweep_progress(
                        start_, counts_.made, counts_.present, counts_.failed, passed.count());
                  },
              .stop = std::move(stop),
              .keep_rest = std::move(keep_rest)}) {}

}  // namespace posse
