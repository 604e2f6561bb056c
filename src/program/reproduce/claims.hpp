// A paper's claims about a figure, as statements that a run can decide.
//
// Every check is a number per repetition, paired where two algorithms meet, and its 95 % interval
// (Student's t): reproduced if the whole interval agrees with the claim, not reproduced if the
// whole interval contradicts it, undecided otherwise or with one repetition. Numbers that can't
// vary, such as counts that every repetition shares, have an interval without width.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/results/run_data.hpp"

namespace posse {

enum class Verdict { reproduced, not_reproduced, undecided };
std::string_view to_string(Verdict verdict);

/// Quantities are those of kQuantities, at the end of the runs; algorithms are labels.

/// `first` is below `second`.
struct Below {
  std::string_view quantity, first, second;
};
/// `algorithm` is below every other. Not reproduced if one other is below it.
struct Smallest {
  std::string_view quantity, algorithm;
};
/// The two differ by at most this share of the larger mean.
struct Similar {
  std::string_view quantity, first, second;
  double share = 0.1;
};
/// Over the whole run, not just at its end: the mean over logarithmic time of ln(first / second) is
/// below 0, for a simple regret ("metric" as in regret.csv).
struct LowerCurve {
  std::string_view metric, first, second;
};
/// A cumulative regret grows as a power of the evaluations with exponent below 1: the slope of
/// least squares of ln regret on ln evaluations over the last decade.
struct Sublinear {
  std::string_view metric, algorithm;
};
/// `first` needs fewer evaluations per client than `second` to end the deepest round that both end
/// in every repetition; at least `factor` times fewer, if given.
struct FewerEvaluations {
  std::string_view first, second;
  double factor = 1;
};
/// With `sends`, messages are sent after this share of the budget; else none are.
struct SendsLate {
  std::string_view algorithm;
  bool sends = true;
  double after = 0.5;
};
/// A measurement ("rounds") is within its theoretical bound in every repetition.
/// A vacuous bound shows nothing: undecided.
struct WithinBound {
  std::string_view measurement, algorithm;
};

using Check = std::variant<Below,
                           Smallest,
                           Similar,
                           LowerCurve,
                           Sublinear,
                           FewerEvaluations,
                           SendsLate,
                           WithinBound>;

struct Claim {
  std::string_view text;  // the paper's statement, paraphrased
  Check check;
};

struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string measured;  // the numbers as text
};
Judgement judge(const Check& check, const RunData& run);

/// The labels of the algorithms in the check.
std::vector<std::string_view> algorithms_of(const Check& check);

}  // namespace posse
