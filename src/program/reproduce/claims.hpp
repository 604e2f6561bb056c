// SPDX-License-Identifier: Apache-2.0
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
#include "program/scenario/value.hpp"

namespace posse {

enum class Verdict { reproduced, not_reproduced, undecided };
std::string_view to_string(Verdict verdict);

/// Quantities are those of kQuantities, at the end of the runs; algorithms are labels.

/// `first` is below `second`.
struct Below {
  std::string measure, first, second;
};
/// `algorithm` is below every other. Not reproduced if one other is below it.
struct Smallest {
  std::string measure, algorithm;
};
/// The two differ by at most this share of the larger mean.
struct Similar {
  std::string measure, first, second;
  double share = 0.1;
};
/// Over the whole run, not just at its end: the mean over logarithmic time of ln(first / second) is
/// below 0, for a regret with a curve.
struct LowerCurve {
  std::string measure, first, second;
};
/// A cumulative regret grows as a power of the evaluations with exponent below 0.9: the slope of
/// least squares of ln regret on ln evaluations over the last decade. An exponent between 0.9 and 1
/// can't be told from linear growth over a decade.
struct Sublinear {
  std::string measure, algorithm;
};
/// `first` needs fewer evaluations per client than `second` to end the deepest round that both end
/// in every repetition; at least `factor` times fewer, if given.
struct FewerEvaluations {
  std::string first, second;
  double factor = 1;
};
/// With `sends`, messages are sent after this share of the budget; else none are.
struct SendsLate {
  std::string algorithm;
  bool sends = true;
  double after = 0.5;
};
/// A measurement ("rounds") is within its theoretical bound in every repetition.
/// A vacuous bound shows nothing: undecided.
struct WithinBound {
  std::string measurement, algorithm;
};

/// Over the settings: rounds grow as the logarithm of the evaluations of all clients, m n, or of
/// those per client. A parabola in this logarithm is fitted to the mean rounds of each setting:
/// reproduced if the whole 95 % interval of its bend lets the slope at most triple from first to
/// last, not reproduced if the whole interval makes it more. A power with exponent above ln 3 /
/// ln(last / first) does.
struct Logarithmic {
  std::string algorithm;
  bool per_client = false;
};
/// Over the settings: a measure grows at most as this power of the key ("budget.pulls"), give or
/// take 0.1: the slope of least squares in logarithms, per repetition.
struct PowerLaw {
  std::string measure, algorithm, key;
  double exponent = 1;
};
/// Of a functional bandit: a cumulative regret grows by at most this share of its end after this
/// share of the pulls.
struct Plateau {
  std::string measure, algorithm;
  double after = 0.5, share = 0.05;
};
/// Of a functional bandit: the arm gets more pulls than any other, or this share of them.
struct MostPulled {
  std::string algorithm, arm;
  double share = 0;  // 0: more than any other
};
/// Of a functional bandit: the arm is the answer in every repetition.
struct Answers {
  std::string algorithm, arm;
};
/// Of a functional bandit: the answer's value is at most this.
struct Reaches {
  std::string algorithm;
  double value = 0;
};
/// Of functional bandits: the answered arms of `first` have the better mean rank.
struct LowerRank {
  std::string first, second;
};

using Check = std::variant<Below,
                           Smallest,
                           Similar,
                           LowerCurve,
                           Sublinear,
                           FewerEvaluations,
                           SendsLate,
                           WithinBound,
                           Logarithmic,
                           PowerLaw,
                           Plateau,
                           MostPulled,
                           Answers,
                           Reaches,
                           LowerRank>;

struct CheckSpec;  // checks.hpp

/// A statement of the paper, paraphrased, and one of its checks.
struct Claim {
  std::string text;
  Check check;
  const CheckSpec* spec = nullptr;
  Value source;      // the check's table in the claims file
  std::string path;  // of this table: "figure.0.claim.1.check.0"
};

struct Judgement {
  Verdict verdict = Verdict::undecided;
  std::string measured;  // the numbers as text
};
/// `settings`: at least one. Most checks are about a single run, the first.
Judgement judge(const Check& check, const std::vector<RunData>& settings);

}  // namespace posse
