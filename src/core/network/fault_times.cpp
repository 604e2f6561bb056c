// SPDX-License-Identifier: Apache-2.0
#include "core/network/fault_times.hpp"

#include <algorithm>

#include "core/base/check.hpp"
#include "core/random/distributions.hpp"

namespace posse {
namespace {

Duration exponential(StreamKey stream, std::uint64_t index, Duration mean) {
  DrawEngine draws(stream, index);
  return Duration::seconds(draw_exponential(draws) * mean.to_seconds());
}

}  // namespace

std::optional<Time> occurrence_begin(const FaultTimes& times,
                                     StreamKey stream,
                                     std::uint64_t i,
                                     Time free) {
  if (i > 0 && !times.every && !times.mean_gap) return std::nullopt;
  const Time begin = times.mean_gap ? free + exponential(stream, 2 * i, *times.mean_gap)
                     : times.every  ? times.at + *times.every * i
                                    : times.at;
  if (begin == Time::max() || (times.until && begin >= *times.until)) return std::nullopt;
  return begin;
}

Time occurrence_end(const FaultTimes& times, StreamKey stream, std::uint64_t i, Time begin) {
  if (!times.lasting) return Time::max();
  if (!times.mean_gap) return begin + *times.lasting;
  return begin + std::max(Duration{1}, exponential(stream, 2 * i + 1, *times.lasting));
}

Occurrences::Occurrences(const FaultTimes& times, StreamKey stream) : times_(times) {
  if (!times_.mean_gap) return;
  POSSE_CHECK(times_.until && times_.lasting, "random times need an end and a mean length");
  Time free = times_.at;
  for (std::uint64_t i = 0; const auto begin = occurrence_begin(times_, stream, i, free); ++i) {
    POSSE_CHECK(i < kMost, "more than {} random occurrences of a fault", kMost);
    free = occurrence_end(times_, stream, i, *begin);
    drawn_.push_back({*begin, free});
  }
}

std::optional<Occurrences::Interval> Occurrences::number(std::uint64_t i) const {
  if (times_.mean_gap) return i < drawn_.size() ? std::optional(drawn_[i]) : std::nullopt;
  const auto begin = occurrence_begin(times_, {}, i, {});
  if (!begin) return std::nullopt;
  return Interval{*begin, occurrence_end(times_, {}, i, *begin)};
}

std::optional<Occurrences::Interval> Occurrences::covering(Time time) const {
  std::optional<Interval> latest;
  if (times_.mean_gap) {
    const auto after = std::upper_bound(
        drawn_.begin(), drawn_.end(), time, [](Time t, const Interval& x) { return t < x.begin; });
    if (after != drawn_.begin()) latest = *(after - 1);
  } else if (time >= times_.at) {
    const auto passed = (time - times_.at).ns;
    latest = number(times_.every ? static_cast<std::uint64_t>(passed / times_.every->ns) : 0);
  }
  if (latest && time < latest->end) return latest;
  return std::nullopt;
}

std::uint64_t Occurrences::begun(Time time) const {
  if (times_.mean_gap) {
    const auto after = std::upper_bound(
        drawn_.begin(), drawn_.end(), time, [](Time t, const Interval& x) { return t < x.begin; });
    return static_cast<std::uint64_t>(after - drawn_.begin());
  }
  if (times_.until) time = std::min(time, *times_.until - Duration{1});
  if (time < times_.at || times_.at == Time::max()) return 0;
  return times_.every ? static_cast<std::uint64_t>((time - times_.at).ns / times_.every->ns) + 1
                      : 1;
}

void Occurrences::end_at(Time time) {
  if (const auto now = covering(time)) times_ = {.at = now->begin, .lasting = time - now->begin};
  drawn_.clear();
}

}  // namespace posse
