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
constexpr double kSteepest = 3;  // of a slope's growth that still counts as none

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

/// y = a + b (x - mean) + c q(x), q the part of (x - mean)^2 that is no line.
struct Parabola {
  double slope = 0, bend = 0, half_width = 0;  // of the bend's 95 % interval
};
/// Nothing with fewer than four points, or fewer than three different x.
std::optional<Parabola> fit_parabola(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  if (x.size() < 4) return std::nullopt;
  const double mean = statistics(x).mean;
  std::vector<double> squares;
  for (const double each : x) squares.push_back((each - mean) * (each - mean));
  const auto line = fit_line(x, y), curve = fit_line(x, squares);
  if (!line || !curve) return std::nullopt;
  double qq = 0, qy = 0;
  std::vector<double> q;
  for (std::size_t i = 0; i < x.size(); ++i) {
    q.push_back(squares[i] - curve->at_zero - curve->slope * x[i]);
    qq += q[i] * q[i];
    qy += q[i] * y[i];
  }
  if (!(qq > 1e-9)) return std::nullopt;
  Parabola fit{line->slope, qy / qq, 0};
  double rest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = y[i] - line->at_zero - line->slope * x[i] - fit.bend * q[i];
    rest += off * off;
  }
  fit.half_width = math::student_t_quantile(n - 3, 0.975) * std::sqrt(rest / (n - 3) / qq);
  return fit;
}

}  // namespace

Judgement judge_one(const Sublinear& check, const RunData& run) {
  const auto* algorithm = run.find(check.algorithm);
  std::vector<double> exponents;
  double end = 0;
  if (algorithm != nullptr)
    for (const auto& repetition : algorithm->repetitions)
      if (const auto* curve = curve_of(repetition, check.measure)) {
        end = std::max(end, curve->back().evaluations);
        if (const auto exponent = last_exponent(*curve)) exponents.push_back(*exponent);
      }
  if (exponents.empty()) return undecided(nothing_of({check.algorithm}));
  const auto values = statistics(exponents);
  return {below(values, kSublinearExponent),
          fmt::format("from {} to {} evaluations it grows with exponent {}",
                      pretty_number(end / 10),
                      pretty_number(end),
                      with_interval(values, ""))};
}

Judgement judge_one(const Logarithmic& check, const std::vector<RunData>& settings) {
  std::vector<double> x, rounds;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.algorithm);
    if (algorithm == nullptr || algorithm->repetitions.empty()) continue;
    std::vector<double> own;
    for (const auto& repetition : algorithm->repetitions)
      own.push_back(repetition.finals["rounds"].value());
    const double clients = check.per_client ? 1 : static_cast<double>(algorithm->clients);
    x.push_back(math::log(clients * algorithm->repetitions.front().evaluations_per_client));
    rounds.push_back(statistics(own).mean);
  }
  if (x.empty()) return undecided(nothing_of({check.algorithm}));
  const auto line = fit_line(x, rounds);
  const auto fit = fit_parabola(x, rounds);
  if (!line || !fit) return undecided("needs four settings that differ in evaluations");
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  const double range = *most - *least, high = fit->bend + fit->half_width,
               low = fit->bend - fit->half_width;
  // The slope goes from b - c R to b + c R over the range R.
  const double limit = fit->slope * (kSteepest - 1) / (kSteepest + 1) / range;
  Judgement judgement;
  if (low > std::max(0.0, limit))
    judgement.verdict = Verdict::not_reproduced;
  else if (fit->slope > 0 && high < limit)
    judgement.verdict = Verdict::reproduced;
  judgement.measured = fmt::format(
      "{} settings, {} from {} to {}: {} rounds per unit of its logarithm; from first to last this "
      "slope changes from {} to {} (bend {:.3g}, 95 % interval {:.3g} to {:.3g}; {:.3g} would "
      "triple it)",
      x.size(),
      check.per_client ? "evaluations per client" : "m n",
      pretty_number(rounded(math::exp(*least), 3)),
      pretty_number(rounded(math::exp(*most), 3)),
      line->interval ? fmt::format("{} ({} to {})",
                                   rounded(line->slope, 3),
                                   rounded(line->interval->low, 3),
                                   rounded(line->interval->high, 3))
                     : fmt::format("{}", rounded(line->slope, 3)),
      rounded(fit->slope - fit->bend * range, 3),
      rounded(fit->slope + fit->bend * range, 3),
      fit->bend,
      low,
      high,
      limit);
  return judgement;
}

Judgement judge_one(const PowerLaw& check, const std::vector<RunData>& settings) {
  struct Points {
    std::vector<double> x, y;
  };
  std::map<std::uint32_t, Points> by_repetition;
  double least = 0, most = 0;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.algorithm);
    const auto key = run.keys.find(check.key);
    if (algorithm == nullptr || key == run.keys.end()) continue;
    const auto x = parse_number<double>(key->second);
    if (!x) continue;
    least = least == 0 ? *x : std::min(least, *x);
    most = std::max(most, *x);
    for (const auto& repetition : algorithm->repetitions)
      if (const auto value = repetition.finals[check.measure]) {
        by_repetition[repetition.repetition].x.push_back(*x);
        by_repetition[repetition.repetition].y.push_back(*value);
      }
  }
  std::vector<double> exponents;
  for (const auto& [repetition, points] : by_repetition)
    if (const auto exponent = exponent_of(points.x, points.y)) exponents.push_back(*exponent);
  if (exponents.empty()) return undecided(nothing_of({check.algorithm}));
  const auto values = statistics(exponents);
  return {below(values, check.exponent + kExponentTolerance),
          fmt::format("{}: from {} to {} it grows with exponent {}; claimed: at most {}",
                      check.algorithm,
                      pretty_number(least),
                      pretty_number(most),
                      with_interval(values, ""),
                      rounded(check.exponent, 3))};
}

}  // namespace posse
