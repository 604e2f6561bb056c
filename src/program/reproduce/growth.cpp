// SPDX-License-Identifier: Apache-2.0
// Claims about growth: over a run, and over the settings of several.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/csv.hpp"
#include "core/base/math.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/plot/rounds_law.hpp"
#include "program/reproduce/judging.hpp"

namespace posse {
namespace {

constexpr double kSublinearExponent = 0.9;
constexpr double kExponentTolerance = 0.1;

/// The slope of ln y on ln x; nothing with fewer than three points above 0.
std::optional<double> exponent_of(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> ln_x, ln_y;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0 && y[i] > 0)) continue;
    ln_x.push_back(math::log(x[i]));
    ln_y.push_back(math::log(y[i]));
  }
  if (ln_x.size() < 3) return std::nullopt;
  const auto fit = fit_line(ln_x, ln_y);
  return fit ? std::optional(fit->slope) : std::nullopt;
}

std::optional<double> last_exponent(const std::vector<CurvePoint>& points) {
  const double end = points.back().evaluations;
  std::vector<double> x, y;
  for (const auto& p : points)
    if (p.evaluations >= end / 10) {
      x.push_back(p.evaluations);
      y.push_back(p.value);
    }
  return exponent_of(x, y);
}

}  // namespace

Judgement judge_sublinear(const Parameters& check, const RunData& run) {
  const auto* algorithm = run.find(check.text("algorithm"));
  std::vector<double> exponents;
  double end = 0;
  if (algorithm != nullptr)
    for (const auto& repetition : algorithm->repetitions)
      if (const auto* curve = curve_of(repetition, check.text("measure"))) {
        end = std::max(end, curve->back().evaluations);
        if (const auto exponent = last_exponent(*curve)) exponents.push_back(*exponent);
      }
  if (exponents.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto values = statistics(exponents);
  return below(values,
               kSublinearExponent,
               fmt::format("from {} to {} evaluations it grows with exponent {}; claimed: below 1, "
                           "here below {}",
                           pretty_number(end / 10),
                           pretty_number(end),
                           with_interval(values, ""),
                           kSublinearExponent));
}

Judgement judge_logarithmic_rounds(const Parameters& check, const std::vector<RunData>& settings) {
  std::vector<double> x, rounds;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.text("algorithm"));
    if (algorithm == nullptr || algorithm->repetitions.empty()) continue;
    std::vector<double> own;
    for (const auto& repetition : algorithm->repetitions)
      own.push_back(repetition.finals["rounds"].value());
    const double clients =
        check.boolean("per_client") ? 1 : static_cast<double>(algorithm->clients);
    x.push_back(math::log(clients * algorithm->repetitions.front().evaluations_per_client));
    rounds.push_back(statistics(own).mean);
  }
  if (x.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  std::vector<double> late, late_rounds;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] >= (*least + *most) / 2) {
      late.push_back(x[i]);
      late_rounds.push_back(rounds[i]);
    }
  const auto line = fit_line(x, rounds), end = fit_line(late, late_rounds);
  if (!line || !end || !end->interval)
    return undecided("needs three settings in the upper half of its range");
  const double limit = check.real("slope");
  Judgement judgement;
  if (end->interval->low > 0 && end->interval->high < limit)
    judgement.verdict = Verdict::reproduced;
  else if (end->interval->low >= limit || end->interval->high <= 0)
    judgement.verdict = Verdict::not_reproduced;
  judgement.measured = fmt::format(
      "{} settings, {} from {} to {}: {} rounds per unit of its logarithm, {} ({} to {}) over the "
      "upper half of this range; claimed: at most {}{}",
      x.size(),
      check.boolean("per_client") ? "evaluations per client" : "m n",
      pretty_number(rounded(math::exp(*least), 3)),
      pretty_number(rounded(math::exp(*most), 3)),
      rounded(line->slope, 3),
      rounded(end->slope, 3),
      rounded(end->interval->low, 3),
      rounded(end->interval->high, 3),
      rounded(limit, 3),
      judgement.verdict == Verdict::undecided ? "; more or larger budgets would decide it" : "");
  return judgement;
}

Judgement judge_power_law(const Parameters& check, const std::vector<RunData>& settings) {
  struct Points {
    std::vector<double> x, y;
  };
  std::map<std::uint32_t, Points> by_repetition;
  double least = 0, most = 0;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.text("algorithm"));
    const auto key = run.keys.find(check.text("key"));
    if (algorithm == nullptr || key == run.keys.end()) continue;
    const auto x = parse_number<double>(key->second);
    if (!x) continue;
    least = least == 0 ? *x : std::min(least, *x);
    most = std::max(most, *x);
    for (const auto& repetition : algorithm->repetitions)
      if (const auto value = repetition.finals[check.text("measure")]) {
        by_repetition[repetition.repetition].x.push_back(*x);
        by_repetition[repetition.repetition].y.push_back(*value);
      }
  }
  std::vector<double> exponents;
  for (const auto& [repetition, points] : by_repetition)
    if (const auto exponent = exponent_of(points.x, points.y)) exponents.push_back(*exponent);
  if (exponents.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto values = statistics(exponents);
  return between(
      values,
      check.real("least"),
      check.real("exponent") + kExponentTolerance,
      fmt::format("{}: from {} to {} it grows with exponent {}; claimed: {}, here {} to {}",
                  check.text("algorithm"),
                  pretty_number(least),
                  pretty_number(most),
                  with_interval(values, ""),
                  rounded(check.real("exponent"), 3),
                  rounded(check.real("least"), 3),
                  rounded(check.real("exponent") + kExponentTolerance, 3)));
}

}  // namespace posse
