// SPDX-License-Identifier: Apache-2.0
// When a fault takes place: once, at regular intervals, or at random.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/time.hpp"
#include "core/random/stream.hpp"

namespace posse {

/// Regular: `at`, `lasting`, `every`, `until`. Random: exponential gaps and lengths with the means
/// `mean_gap` and `lasting`, from `at` until `until`, which are both needed.
struct FaultTimes {
  Time at;                           // the first beginning; if random: the earliest
  std::optional<Duration> lasting;   // each time; without end if not given
  std::optional<Duration> every;     // from one beginning to the next, > lasting; once if not given
  std::optional<Duration> mean_gap;  // from an end to the next beginning
  std::optional<Time> until;         // no beginning at this time or later
  bool operator==(const FaultTimes&) const = default;
};

/// The beginning of occurrence `i` from 0; nothing if there are fewer. `free`: the end of the one
/// before, or `times.at` (used if random). Random times use draws 2 i (gap) and 2 i + 1 (length) of
/// `stream`.
std::optional<Time> occurrence_begin(const FaultTimes& times,
                                     StreamKey stream,
                                     std::uint64_t i,
                                     Time free);
/// The end of occurrence `i`, which begins at `begin`; Time::max() if it has none.
Time occurrence_end(const FaultTimes& times, StreamKey stream, std::uint64_t i, Time begin);

/// [begin, end)
struct FaultInterval {
  Time begin, end;
  bool operator==(const FaultInterval&) const = default;
};

/// When nodes are down, by name: disjoint intervals in order. From a recorded trace.
using DownTimes = std::map<std::string, std::vector<FaultInterval>, std::less<>>;

/// The occurrences of a fault: disjoint intervals in order.
class Occurrences {
 public:
  using Interval = FaultInterval;
  Occurrences(const FaultTimes& times, StreamKey stream);

  /// Occurrence `i` from 0, if there are so many.
  std::optional<Interval> number(std::uint64_t i) const;
  /// The occurrence that covers `time`.
  std::optional<Interval> covering(Time time) const;
  /// How many have begun at `time` or before.
  std::uint64_t begun(Time time) const;
  /// Ends the occurrence that covers `time`, and makes it the last one.
  void end_at(Time time);

  static constexpr std::uint64_t kMost = 1'000'000;
  static constexpr std::uint64_t kMostRecorded = 10'000;

 private:
  FaultTimes times_;
  std::vector<Interval> drawn_;  // random times only
};

}  // namespace posse
