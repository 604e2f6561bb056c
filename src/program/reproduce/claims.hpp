// SPDX-License-Identifier: Apache-2.0
// A paper's claims about a figure, as statements that a run can decide.
//
// Every check is a number per repetition, paired where two algorithms meet, and its 95 % interval
// (Student's t): reproduced if the whole interval agrees with the claim, not reproduced if the
// whole interval contradicts it, undecided otherwise or with one repetition. Numbers that can't
// vary, such as counts that every repetition shares, have an interval without width. What is not
// reproduced in a setting that the paper doesn't state is told apart: setting unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/parameters.hpp"
#include "program/results/run_data.hpp"
#include "program/scenario/value.hpp"

namespace posse {

enum class Verdict { reproduced, not_reproduced, setting_unknown, undecided };
inline constexpr Verdict kVerdicts[] = {
    Verdict::reproduced, Verdict::not_reproduced, Verdict::setting_unknown, Verdict::undecided};
std::string_view to_string(Verdict verdict);

struct CheckSpec;  // checks.hpp

/// A kind of check with its parameters.
struct Check {
  const CheckSpec* spec = nullptr;
  Parameters parameters;
};

/// A statement of the paper, paraphrased, and one of its checks.
struct Claim {
  std::string text;
  Check check;
  Value source;      // the check's table in the claims file
  std::string path;  // of this table: "figure.0.claim.1.check.0"
};

struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string measured;  // the numbers as text
  // Of an undecided one: how many are likely to decide it; nothing if it takes something else.
  std::optional<std::uint32_t> repetitions_needed = std::nullopt;
};
/// `settings`: at least one. Most checks are about a single run, the first. Measures are those of
/// kQuantities, at the end of the runs.
Judgement judge(const Check& check, const std::vector<RunData>& settings);

}  // namespace posse
