// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/sweep_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "program/base/text.hpp"
#include "program/base/units.hpp"

namespace posse {

std::string sweep_progress_text(const SweepStart& start,
                                std::size_t made,
                                std::size_t present,
                                std::size_t failed,
                                double seconds) {
  const std::size_t there = start.present + present + made;
  auto text = fmt::format("{}{} of {} runs", start.note, there, start.planned);
  if (made > 0 && seconds > 0) {
    const double rate = static_cast<double>(made) / seconds;
    const auto left = static_cast<double>(start.planned - std::min(there, start.planned)) / rate;
    text += fmt::format(", {} runs/s, about {} left",
                        pretty_number(rounded(rate, 3)),
                        pretty_seconds(rounded(left, 2)));
  }
  if (failed > 0) text += fmt::format(", {} failed", failed);
  return text;
}

SweepProgress::SweepProgress(const SweepStart& start,
                             const SweepCounts& counts,
                             ProgressStyle style,
                             std::function<void()> stop,
                             std::function<bool()> keep_rest)
    : start_(start),
      counts_(counts),
      lines_(style,
             {.line =
                  [this, began = std::chrono::steady_clock::now()] {
                    const std::chrono::duration<double> passed =
                        std::chrono::steady_clock::now() - began;
                    return sweep_progress_text(
                        start_, counts_.made, counts_.present, counts_.failed, passed.count());
                  },
              .stop = std::move(stop),
              .keep_rest = std::move(keep_rest)}) {}

}  // namespace posse
