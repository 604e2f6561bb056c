// SPDX-License-Identifier: Apache-2.0
#include "program/sweep/race.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/check.hpp"
#include "core/base/math.hpp"
#include "program/sweep/sequential_test.hpp"

namespace posse {
namespace {

/// Whether n equal differences are taken for the difference.
bool equal_often_enough(std::size_t n, double error) {
  return n >= kFirstRepetitions && math::exp2(1 - static_cast<double>(n)) <= error;
}

}  // namespace

Race::Race(std::size_t candidates, double error, std::uint32_t most)
    : candidates_(candidates),
      pair_error_(error / static_cast<double>(candidates - 1)),
      most_(most) {
  POSSE_CHECK(candidates >= 2 && most >= 1, "{} candidates, {} repetitions", candidates, most);
  for (auto& candidate : candidates_) candidate.repetitions = std::min(kFirstRepetitions, most);
}

std::size_t Race::repetitions_in(const Values& values, std::size_t candidate) const {
  return std::min<std::size_t>(candidates_[candidate].repetitions, values[candidate].size());
}

Statistics Race::difference(const Values& values, std::size_t b, std::size_t a) const {
  const auto common = std::min(repetitions_in(values, a), repetitions_in(values, b));
  std::vector<double> differences;
  for (std::size_t r = 0; r < common; ++r)
    if (values[a][r] && values[b][r]) differences.push_back(*values[b][r] - *values[a][r]);
  return statistics(differences);
}

std::optional<Interval> Race::interval(const Statistics& differences) const {
  if (differences.min == differences.max && !equal_often_enough(differences.n, pair_error_))
    return std::nullopt;
  return anytime_interval(differences, pair_error_);
}

void Race::look(const Values& values) {
  if (state_ != RaceState::racing) return;
  compare(values);
  const auto count = [&](auto condition) {
    return std::count_if(candidates_.begin(), candidates_.end(), condition);
  };
  const auto first = leader(values);
  const auto now = first ? candidates_[*first].repetitions : 0;
  if (first && now < most_) set_aside_hopeless(values, *first);
  const auto racing = count([](const Candidate& c) { return c.races(); });
  if (count([](const Candidate& c) { return c.in(); }) == 1)
    state_ = RaceState::decided;
  else if (now >= most_)
    state_ = RaceState::undecided;
  else if (!first || racing == 1)
    state_ = RaceState::hopeless;
  if (state_ != RaceState::racing) return;
  for (auto& candidate : candidates_)
    if (candidate.races()) candidate.repetitions = std::min(most_, now + std::max(1U, now / 4));
}

void Race::compare(const Values& values) {
  const auto before = candidates_;
  for (std::size_t a = 0; a < candidates_.size(); ++a)
    for (std::size_t b = a + 1; b < candidates_.size(); ++b) {
      if (!before[a].races() || !before[b].races()) continue;
      const Statistics s = difference(values, b, a);
      const auto mean = interval(s);
      if (!mean) continue;
      if (s.min == 0 && s.max == 0 && !candidates_[b].equal_to) candidates_[b].equal_to = a;
      if (mean->low > 0 && !candidates_[b].beaten_by) candidates_[b].beaten_by = a;
      if (mean->high < 0 && !candidates_[a].beaten_by) candidates_[a].beaten_by = b;
    }
  // Where runs have no values, pairs differ in their repetitions, and may contradict each other.
  if (std::none_of(candidates_.begin(), candidates_.end(), [](const auto& c) { return c.races(); }))
    candidates_ = before;
}

void Race::set_aside_hopeless(const Values& values, std::size_t first) {
  const auto hopeless = [&](const Statistics& s) {
    if (s.min == s.max) return s.n == 0 || !equal_often_enough(most_, pair_error_);
    const auto half = anytime_half_width(most_, s.sd, pair_error_);
    if (!half) return true;
    const auto n = static_cast<double>(s.n);
    const double to_go = s.sd * std::sqrt(1 / n - 1 / static_cast<double>(most_));
    return *half - s.mean > math::student_t_quantile(n - 1, 1 - kHopeless) * to_go;
  };
  for (std::size_t b = 0; b < candidates_.size(); ++b)
    if (b != first && candidates_[b].races())
      candidates_[b].set_aside = hopeless(difference(values, b, first));
}

std::optional<std::size_t> Race::leader(const Values& values) const {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (!candidates_[c].races()) continue;
    std::vector<double> own;
    for (std::size_t r = 0; r < repetitions_in(values, c); ++r)
      if (values[c][r]) own.push_back(*values[c][r]);
    if (own.empty()) continue;
    const double mean = statistics(own).mean;
    if (best && mean >= least) continue;
    best = c;
    least = mean;
  }
  return best;
}

}  // namespace posse
