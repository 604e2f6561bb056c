// SPDX-License-Identifier: Apache-2.0
// Claims about functional bandits: pulls, answers and ranks of arms.
#include <fmt/format.h>

#include <algorithm>

#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/reproduce/judging.hpp"

namespace posse {
namespace {

/// The repetitions of an algorithm; none if there isn't one.
const std::vector<RepetitionData>& repetitions_of(const RunData& run, std::string_view label) {
  static const std::vector<RepetitionData> none;
  const auto* algorithm = run.find(std::string(label));
  return algorithm == nullptr ? none : algorithm->repetitions;
}

double pulls_of(const std::vector<ArmRow>& rows) { return rows.empty() ? 0 : rows.back().pulls; }

}  // namespace

Judgement judge_one(const Plateau& check, const RunData& run) {
  std::vector<double> shares;
  double from = 0;
  for (const auto& repetition : repetitions_of(run, check.algorithm)) {
    const auto* curve = curve_of(repetition, check.measure);
    if (curve == nullptr) continue;
    const auto& points = *curve;
    from = check.after * points.back().evaluations;
    double before = 0;
    for (const auto& point : points)
      if (point.evaluations <= from) before = point.value;
    if (points.back().value > 0) shares.push_back(1 - before / points.back().value);
  }
  if (shares.empty()) return undecided(nothing_of({check.algorithm}));
  const auto values = statistics(shares);
  return {below(values, check.share),
          fmt::format("after {} pulls {} adds {} of its regret; claimed: nothing, here at most {}",
                      pretty_number(from),
                      check.algorithm,
                      with_interval(values, ""),
                      check.share)};
}

Judgement judge_one(const MostPulled& check, const RunData& run) {
  std::vector<double> own, lead;
  for (const auto& repetition : repetitions_of(run, check.algorithm)) {
    double all = 0, other = 0, pulls = 0;
    for (const auto& [arm, rows] : repetition.arms) {
      all += pulls_of(rows);
      if (arm == check.arm)
        pulls = pulls_of(rows);
      else
        other = std::max(other, pulls_of(rows));
    }
    if (all == 0) continue;
    own.push_back(pulls / all);
    lead.push_back(check.share > 0 ? pulls / all - check.share : (pulls - other) / all);
  }
  if (own.empty()) return undecided(nothing_of({check.algorithm}));
  std::vector<double> behind;
  for (const double each : lead) behind.push_back(-each);
  return {below(statistics(behind), 0),
          fmt::format("{} gives {} {} of its pulls; {} {}",
                      check.algorithm,
                      check.arm,
                      with_interval(statistics(own), ""),
                      check.share > 0 ? fmt::format("more than {}, by", check.share)
                                      : std::string("more than any other, by"),
                      with_interval(statistics(lead), ""))};
}

Judgement judge_one(const Answers& check, const RunData& run) {
  std::size_t all = 0, right = 0;
  for (const auto& repetition : repetitions_of(run, check.algorithm))
    if (repetition.answer) {
      ++all;
      right += *repetition.answer == check.arm;
    }
  if (all == 0) return undecided(nothing_of({check.algorithm}));
  return {
      right == all ? Verdict::reproduced : Verdict::not_reproduced,
      fmt::format("{} answers {} in {} of {} repetitions", check.algorithm, check.arm, right, all)};
}

Judgement judge_one(const Reaches& check, const RunData& run) {
  std::vector<double> values;
  for (const auto& repetition : repetitions_of(run, check.algorithm))
    if (const auto value = repetition.finals["answer_value"]) values.push_back(*value);
  if (values.empty()) return undecided(nothing_of({check.algorithm}));
  const auto all = statistics(values);
  return {below(all, check.value),
          fmt::format("{} ends at {}; claimed: at most {}",
                      check.algorithm,
                      with_interval(all, ""),
                      check.value)};
}

Judgement judge_one(const LowerRank& check, const RunData& run) {
  std::vector<double> first, second, difference;
  for (const auto& a : repetitions_of(run, check.first))
    for (const auto& b : repetitions_of(run, check.second)) {
      if (a.repetition != b.repetition || !a.answer_rank || !b.answer_rank) continue;
      first.push_back(*a.answer_rank);
      second.push_back(*b.answer_rank);
      difference.push_back(*a.answer_rank - *b.answer_rank);
    }
  if (difference.empty()) return undecided(nothing_of({check.first, check.second}));
  return {below(statistics(difference), 0),
          fmt::format("mean rank: {} {}; {} {}; difference {}",
                      check.first,
                      mean_and_sd(statistics(first), "", "sd "),
                      check.second,
                      mean_and_sd(statistics(second), "", "sd "),
                      with_interval(statistics(difference), ""))};
}

}  // namespace posse
