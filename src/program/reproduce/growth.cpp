// SPDX-License-Identifier: Apache-2.0
// Claims about growth: over a run, and over the settings of several.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
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

std::optional<double> place_of(const RunData& run, const std::string& key) {
  const auto found = run.keys.find(key);
  if (found == run.keys.end()) return std::nullopt;
  const auto& value = found->second;
  if (!value.starts_with('[')) return parse_number<double>(value);
  return 1.0 + static_cast<double>(std::ranges::count(value, ','));
}

Judgement judge_logarithmic_rounds(const Parameters& check, const std::vector<RunData>& settings) {
  const bool of_key = !check.is_auto("key");
  std::vector<double> x, rounds;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.text("algorithm"));
    if (algorithm == nullptr || algorithm->repetitions.empty()) continue;
    std::vector<double> own;
    for (const auto& repetition : algorithm->repetitions)
      own.push_back(repetition.finals["rounds"].value());
    const double clients =
        check.boolean("per_client") ? 1 : static_cast<double>(algorithm->clients);
    const auto place = of_key ? place_of(run, check.text("key"))
                              : clients * algorithm->repetitions.front().evaluations_per_client;
    if (!place || !(*place > 0)) continue;
    x.push_back(math::log(*place));
    rounds.push_back(statistics(own).mean);
  }
  if (x.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const double slope = check.real("slope");
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  const double middle = (*least + *most) / 2;
  std::vector<double> late, late_rounds;  // the half that many rounds are claimed for
  for (std::size_t i = 0; i < x.size(); ++i)
    if (slope > 0 ? x[i] >= middle : x[i] <= middle) {
      late.push_back(x[i]);
      late_rounds.push_back(rounds[i]);
    }
  const auto line = fit_line(x, rounds), end = fit_line(late, late_rounds);
  if (!line || !end || !end->interval)
    return undecided("needs three settings in the half of its range with more rounds");
  const double low = std::min(0.0, slope), high = std::max(0.0, slope);
  Judgement judgement;
  if (end->interval->low > low && end->interval->high < high)
    judgement.verdict = Verdict::reproduced;
  else if (end->interval->low >= high || end->interval->high <= low)
    judgement.verdict = Verdict::not_reproduced;
  judgement.measured = fmt::format(
      "{} settings, {} from {} to {}: {} rounds per unit of its logarithm, {} ({} to {}) over the "
      "{} half of this range; claimed: between {} and {}{}",
      x.size(),
      of_key                        ? check.text("key")
      : check.boolean("per_client") ? "evaluations per client"
                                    : "m n",
      pretty_number(rounded(math::exp(*least), 3)),
      pretty_number(rounded(math::exp(*most), 3)),
      rounded(line->slope, 3),
      rounded(end->slope, 3),
      rounded(end->interval->low, 3),
      rounded(end->interval->high, 3),
      slope > 0 ? "upper" : "lower",
      rounded(low, 3),
      rounded(high, 3),
      judgement.verdict == Verdict::undecided ? "; more or larger budgets would decide it" : "");
  return judgement;
}

namespace {

/// A measure over a key, by repetition.
struct Growth {
  struct Points {
    std::vector<double> x, y;
  };
  std::map<std::uint32_t, Points> by_repetition;
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
};

Growth growth_of(const Parameters& check, const Settings& settings) {
  Growth growth;
  for (const auto& run : settings) {
    const auto* algorithm = run.find(check.text("algorithm"));
    const auto x = place_of(run, check.text("key"));
    if (algorithm == nullptr || !x) continue;
    growth.least = std::min(growth.least, *x);
    growth.most = std::max(growth.most, *x);
    for (const auto& repetition : algorithm->repetitions)
      if (const auto value = repetition.finals[check.text("measure")]) {
        auto& points = growth.by_repetition[repetition.repetition];
        points.x.push_back(*x);
        points.y.push_back(*value);
      }
  }
  return growth;
}

}  // namespace

Judgement judge_power_law(const Parameters& check, const Settings& settings) {
  const auto growth = growth_of(check, settings);
  std::vector<double> exponents;
  for (const auto& [repetition, points] : growth.by_repetition)
    if (const auto exponent = exponent_of(points.x, points.y)) exponents.push_back(*exponent);
  if (exponents.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto values = statistics(exponents);
  const double largest = check.real("exponent") + check.real("tolerance");
  return between(
      values,
      check.real("least"),
      largest,
      fmt::format("{}: from {} to {} it grows with exponent {}; claimed: {}, here {} to {}",
                  check.text("algorithm"),
                  pretty_number(growth.least),
                  pretty_number(growth.most),
                  with_interval(values, ""),
                  rounded(check.real("exponent"), 3),
                  rounded(check.real("least"), 3),
                  rounded(largest, 3)));
}

Judgement judge_rises(const Parameters& check, const Settings& settings) {
  const auto growth = growth_of(check, settings);
  std::vector<double> ratios;
  for (const auto& [repetition, points] : growth.by_repetition) {
    double low = 0, high = 0;
    for (std::size_t i = 0; i < points.x.size(); ++i) {
      if (points.x[i] == growth.least) low = points.y[i];
      if (points.x[i] == growth.most) high = points.y[i];
    }
    if (low > 0 && high > 0) ratios.push_back(high / low);
  }
  if (ratios.empty()) return undecided(nothing_of({check.text("algorithm")}));
  const auto values = statistics(ratios);
  return between(values,
                 check.real("factor"),
                 std::numeric_limits<double>::infinity(),
                 fmt::format("{}: from {} to {} it grows by a factor of {}; claimed: at least {}",
                             check.text("algorithm"),
                             pretty_number(growth.least),
                             pretty_number(growth.most),
                             with_interval(values, ""),
                             rounded(check.real("factor"), 3)));
}

}  // namespace posse
