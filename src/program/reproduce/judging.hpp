// SPDX-License-Identifier: Apache-2.0
// What the judges of claims share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/base/statistics.hpp"
#include "program/reproduce/claims.hpp"

namespace posse {

/// "0.62 (95 % interval 0.55 to 0.69)"
std::string with_interval(const Statistics& values, std::string_view unit);

/// A claim that a mean lies between two limits, `least` included.
Judgement between(const Statistics& values, double least, double most, std::string measured);
/// A claim that a mean lies below a limit.
Judgement below(const Statistics& values, double limit, std::string measured);

Judgement undecided(std::string why);
std::string nothing_of(const std::vector<std::string_view>& labels);

/// Null if there is none, or it is empty.
const std::vector<CurvePoint>* curve_of(const RepetitionData& repetition, std::string_view metric);

// A judge per kind of check; what must hold is in checks.cpp.

using Settings = std::vector<RunData>;

// --- claims.cpp ---

Judgement judge_below(const Parameters& check, const RunData& run);
/// Not reproduced if one other is below it.
Judgement judge_smallest(const Parameters& check, const RunData& run);
Judgement judge_similar(const Parameters& check, const RunData& run);
/// By the mean over logarithmic time of ln(first / second).
Judgement judge_lower_curve(const Parameters& check, const RunData& run);
Judgement judge_fewer_evaluations(const Parameters& check, const RunData& run);
Judgement judge_keeps_sending(const Parameters& check, const RunData& run);
Judgement judge_stops_sending(const Parameters& check, const RunData& run);
/// A vacuous bound shows nothing: undecided.
Judgement judge_within_bound(const Parameters& check, const RunData& run);

// --- growth.cpp ---

/// By the slope of least squares of ln regret on ln evaluations. An exponent between 0.9 and 1
/// can't be told from linear growth over a decade.
Judgement judge_sublinear(const Parameters& check, const RunData& run);
/// The number that a setting has on the axis of a swept key: its value, or the length of a list.
std::optional<double> place_of(const RunData& run, const std::string& key);
/// By the slope of least squares over the settings in the half of the range of ln(m n), ln(n) or
/// the logarithm of a key that more rounds are claimed for: it must be between 0 and the given one.
/// A power has a slope that grows without end.
Judgement judge_logarithmic_rounds(const Parameters& check, const Settings& settings);
/// By the slope of least squares in logarithms, per repetition.
Judgement judge_power_law(const Parameters& check, const Settings& settings);
/// By the ratio of the ends, per repetition.
Judgement judge_rises(const Parameters& check, const Settings& settings);

// --- arm_claims.cpp ---

Judgement judge_plateau(const Parameters& check, const RunData& run);
Judgement judge_most_pulled(const Parameters& check, const RunData& run);
Judgement judge_answers(const Parameters& check, const RunData& run);
Judgement judge_reaches(const Parameters& check, const RunData& run);
Judgement judge_lower_rank(const Parameters& check, const RunData& run);

}  // namespace posse
