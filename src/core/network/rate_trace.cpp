// SPDX-License-Identifier: Apache-2.0
#include "core/network/rate_trace.hpp"

#include <algorithm>
#include <utility>

namespace posse {

RateTrace::RateTrace(Steps steps, InputText source)
    : steps_(std::move(steps)), source_(std::move(source)) {
  POSSE_CHECK(!ends_still(steps_), "the line stands still for ever");
  const auto& list = steps_.steps();
  before_.assign(list.size(), 0);
  for (std::size_t i = 0; i + 1 < list.size(); ++i)
    before_[i + 1] = before_[i] + Work{list[i].value} * static_cast<std::uint64_t>(
                                                            list[i + 1].from.ns - list[i].from.ns);
  for (const auto& step : list) POSSE_CHECK(step.value <= kFastest);
  if (steps_.period())
    in_period_ =
        before_.back() + Work{list.back().value} *
                             static_cast<std::uint64_t>(steps_.period()->ns - list.back().from.ns);
}

bool RateTrace::ends_still(const Steps& steps) {
  const auto& list = steps.steps();
  if (!steps.period()) return list.back().value == 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto end = i + 1 < list.size() ? list[i + 1].from.ns : steps.period()->ns;
    if (list[i].value > 0 && list[i].from.ns < end) return false;
  }
  return true;
}

Duration RateTrace::longest_standstill(const Steps& steps) {
  const auto& list = steps.steps();
  // Twice a period: the last standstill may go on in the next one.
  std::int64_t longest = 0, so_far = 0;
  for (int round = 0; round < (steps.period() ? 2 : 1); ++round)
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool last = i + 1 == list.size();
      if (last && !steps.period()) break;
      const std::int64_t end = last ? steps.period()->ns : list[i + 1].from.ns;
      so_far = list[i].value == 0      ? so_far + end - list[i].from.ns
               : end > list[i].from.ns ? 0
                                       : so_far;
      longest = std::max(longest, so_far);
    }
  return {longest};
}

RateTrace::Work RateTrace::until(Time time) const {
  const Time within = steps_.in_period(time);
  const std::size_t i = steps_.index(within);
  Work work = before_[i] + Work{steps_.steps()[i].value} *
                               static_cast<std::uint64_t>(within.ns - steps_.steps()[i].from.ns);
  if (steps_.period())
    work += in_period_ * static_cast<std::uint64_t>(time.ns / steps_.period()->ns);
  return work;
}

bool RateTrace::passes_more_than(std::uint64_t bytes, Time begin, Time end) const {
  return until(end) - until(begin) > work_of(bytes);
}

Time RateTrace::end_of_transfer(Time begin, std::uint64_t bytes, Rest& rest) const {
  if (bytes == 0) return begin;
  // The end is the first time by which this much has passed since 0.
  const Work total = until(begin) + work_of(bytes) - static_cast<Work>(rest);
  rest = 0;
  Work target = total;
  Time period_begin;
  if (steps_.period()) {
    const Work periods = (target - 1) / in_period_;  // whole ones before the end
    target -= periods * in_period_;
    if (periods > static_cast<std::uint64_t>(Time::max().ns / steps_.period()->ns))
      return Time::max();
    period_begin = Time{} + *steps_.period() * static_cast<std::uint64_t>(periods);
  }
  // The last step before which less has passed; its rate is above 0, since the target is reached.
  const auto next = std::lower_bound(before_.begin(), before_.end(), target);
  const auto i = static_cast<std::size_t>(next - before_.begin()) - 1;
  const Work rate = steps_.steps()[i].value;
  const Work ns = (target - before_[i] + rate / 2) / rate;
  if (ns > static_cast<std::uint64_t>(Time::max().ns)) return Time::max();
  const Time end = period_begin + (steps_.steps()[i].from - Time{}) +
                   Duration{static_cast<std::int64_t>(static_cast<std::uint64_t>(ns))};
  if (end < begin) return begin;
  rest = static_cast<Rest>(until(end) - total);
  return end;
}

}  // namespace posse
