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

/// A claim that a mean lies below a limit.
Verdict below(const Statistics& values, double limit);

Judgement undecided(std::string why);
std::string nothing_of(const std::vector<std::string_view>& labels);

/// Null if there is none, or it is empty.
const std::vector<CurvePoint>* curve_of(const RepetitionData& repetition, std::string_view metric);

// --- growth.cpp ---

Judgement judge_one(const Sublinear& check, const RunData& run);
Judgement judge_one(const Logarithmic& check, const std::vector<RunData>& settings);
Judgement judge_one(const PowerLaw& check, const std::vector<RunData>& settings);

// --- arm_claims.cpp ---

Judgement judge_one(const Plateau& check, const RunData& run);
Judgement judge_one(const MostPulled& check, const RunData& run);
Judgement judge_one(const Answers& check, const RunData& run);
Judgement judge_one(const Reaches& check, const RunData& run);
Judgement judge_one(const LowerRank& check, const RunData& run);

}  // namespace posse
