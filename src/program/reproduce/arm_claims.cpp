// SPDX-License-Identifier: Apache-2.0
// Claims about functional bandits: pulls, answers and ranks of arms.
#include <fmt/format.h>

#include <limits>

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

Judgement judge_plateau(const Parameters& check, const RunData& run) {
  std::vector<double> shares;
  double from = 0;
  for (const auto& repetition : repetitions_of(run, check.text("algorithm"))) {
    const auto* curve = curve_of(repetition, check.text("measure"));
    if (curve == nullptr) continue;
    const auto& points = *curve;
    from = check.real("after") * points.back().evaluations;
    double before = 0;
    for (const auto& point : points)
      if (point.evaluations <= from) before = point.value;
    if (points.back().value > 0) shares.push_back(1 - before / points.back().value);
  }
  if (shares.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto values = statistics(shares);
  return below(
      values,
      check.real("share"),
      fmt::format("after {} pulls {} adds {} of its regret; claimed: nothing, here at most {}",
                  pretty_number(from),
                  check.text("algorithm"),
                  with_interval(values, ""),
                  check.real("share")));
}

Judgement judge_most_pulled(const Parameters& check, const RunData& run) {
  const auto& algorithm = check.text("algorithm");
  std::vector<double> shares;
  for (const auto& repetition : repetitions_of(run, algorithm)) {
    double all = 0, own = 0;
    for (const auto& [arm, rows] : repetition.arms) {
      all += pulls_of(rows);
      if (arm == check.text("arm")) own = pulls_of(rows);
    }
    if (all > 0) shares.push_back(own / all);
  }
  if (shares.empty()) return undecided(nothing_of({algorithm}));
  const auto values = statistics(shares);
  return between(values,
                 check.real("share"),
                 std::numeric_limits<double>::infinity(),
                 fmt::format("{} gives {} {} of its pulls; claimed: at least {}",
                             algorithm,
                             check.text("arm"),
                             with_interval(values, ""),
                             check.real("share")));
}

Judgement judge_answers(const Parameters& check, const RunData& run) {
  std::size_t all = 0, right = 0;
  for (const auto& repetition : repetitions_of(run, check.text("algorithm")))
    if (repetition.answer) {
      ++all;
      right += *repetition.answer == check.text("arm");
    }
  if (all == 0) return undecided(nothing_of({check.text("algorithm")}));
  return {right == all ? Verdict::reproduced : Verdict::not_reproduced,
          fmt::format("{} answers {} in {} of {} repetitions",
                      check.text("algorithm"),
                      check.text("arm"),
                      right,
                      all)};
}

Judgement judge_reaches(const Parameters& check, const RunData& run) {
  std::vector<double> values;
  for (const auto& repetition : repetitions_of(run, check.text("algorithm")))
    if (const auto value = repetition.finals["answer_value"]) values.push_back(*value);
  if (values.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto all = statistics(values);
  return between(
      all,
      check.real_or("least", -std::numeric_limits<double>::infinity()),
      check.real("value"),
      fmt::format("{} ends at {}; claimed: {}at most {}",
                  check.text("algorithm"),
                  with_interval(all, ""),
                  check.is_auto("least") ? "" : fmt::format("at least {}, ", check.real("least")),
                  check.real("value")));
}

Judgement judge_lower_rank(const Parameters& check, const RunData& run) {
  std::vector<double> first, second, difference;
  for (const auto& a : repetitions_of(run, check.text("first")))
    for (const auto& b : repetitions_of(run, check.text("second"))) {
      if (a.repetition != b.repetition || !a.answer_rank || !b.answer_rank) continue;
      first.push_back(*a.answer_rank);
      second.push_back(*b.answer_rank);
      difference.push_back(*a.answer_rank - *b.answer_rank);
    }
  if (difference.empty()) return undecided(nothing_of({check.text("first"), check.text("second")}));
  return below(statistics(difference),
               0,
               fmt::format("mean rank: {} {}; {} {}; difference {}",
                           check.text("first"),
                           mean_and_sd(statistics(first), "", "sd "),
                           check.text("second"),
                           mean_and_sd(statistics(second), "", "sd "),
                           with_interval(statistics(difference), "")));
}

}  // namespace posse
