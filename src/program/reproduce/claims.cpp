// SPDX-License-Identifier: Apache-2.0
#include "program/reproduce/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "core/base/math.hpp"
#include "program/base/quantities.hpp"
#include "program/base/text.hpp"
#include "program/base/units.hpp"
#include "program/compare/comparison.hpp"
#include "program/plot/curves.hpp"
#include "program/reproduce/judging.hpp"

namespace posse {
namespace {

constexpr std::uint32_t kLeastRepetitions = 3;
constexpr double kMostRepetitions = 100000;  // that are worth naming
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::string with_interval(const Statistics& values, std::string_view unit) {
  const auto interval = interval_95(values);
  if (!interval || values.sd == 0)
    return pretty(rounded(values.mean, 4), unit) +
           (interval ? " in every repetition" : " (one repetition: no interval)");
  const auto shown = shown_interval(values.mean, *interval, unit);
  return fmt::format("{} (95 % interval {} to {})", shown.mean, shown.low, shown.high);
}

Judgement between(const Statistics& values, double least, double most, std::string measured) {
  Judgement judgement{.measured = std::move(measured), .repetitions_needed = kLeastRepetitions};
  const auto interval = interval_95(values);
  if (!interval) return judgement;
  judgement.repetitions_needed.reset();
  if (interval->low >= least && interval->high < most) {
    judgement.verdict = Verdict::reproduced;
  } else if (interval->low >= most || interval->high < least) {
    judgement.verdict = Verdict::not_reproduced;
  } else {
    // The interval's width falls with the square root of the repetitions.
    double needed = 0;
    for (const double limit : {least, most})
      if (interval->contains(limit)) {
        const double times = (interval->high - values.mean) / (limit - values.mean);
        needed = std::max(needed, static_cast<double>(values.n) * times * times);
      }
    if (needed <= kMostRepetitions)
      judgement.repetitions_needed = static_cast<std::uint32_t>(std::ceil(needed)) + 1;
  }
  return judgement;
}

Judgement below(const Statistics& values, double limit, std::string measured) {
  return between(values, -kInfinity, limit, std::move(measured));
}

Judgement undecided(std::string why) { return {.measured = std::move(why)}; }
std::string nothing_of(const std::vector<std::string_view>& labels) {
  return fmt::format("no finished runs of {}", fmt::join(labels, " and "));
}

const std::vector<CurvePoint>* curve_of(const RepetitionData& repetition, std::string_view metric) {
  const auto it = repetition.curves.find(std::string(metric));
  return it == repetition.curves.end() || it->second.empty() ? nullptr : &it->second;
}

namespace {

std::string label_of(std::string_view measure) {
  for (const auto& known : kQuantities)
    if (known.name == measure) return std::string(known.label);
  return std::string(measure);
}

/// One measure of two algorithms, over the repetitions that both finished.
struct ComparedPair {
  Statistics first, second;
  PairedEffect above;  // second minus first
  std::string unit;
};
std::optional<ComparedPair> pair_of(const RunData& run,
                                    std::string_view measure,
                                    std::string_view first,
                                    std::string_view second) {
  const auto *one = run.find(std::string(first)), *other = run.find(std::string(second));
  if (one == nullptr || other == nullptr) return std::nullopt;
  const Pairs pairs = pairs_of(final_values(*other, measure), final_values(*one, measure));
  const auto above = paired_effect(pairs);
  if (!above) return std::nullopt;
  return ComparedPair{statistics(pairs.a),
                      statistics(pairs.b),
                      *above,
                      std::string(quantity_at(*quantity_named(measure)).unit)};
}

/// "above by 3 (95 % interval 1 to 5)"
std::string above_text(const ComparedPair& pair) {
  if (pair.above.sign() == Sign::none) return "equal";
  auto values = pair.above.difference;
  const bool below = values.mean < 0;
  values.mean = std::abs(values.mean);
  return fmt::format("{} by {}", below ? "below" : "above", with_interval(values, pair.unit));
}

/// That the second has more than the first.
Judgement judge_above(const ComparedPair& pair, std::string measured) {
  auto below = pair.above.difference;
  below.mean = -below.mean;
  return posse::below(below, 0, std::move(measured));
}

/// The values of all repetitions that both algorithms have, paired by repetition.
using PairValue =
    std::function<std::optional<double>(const RepetitionData&, const RepetitionData&)>;
std::vector<double> paired(const AlgorithmData& first,
                           const AlgorithmData& second,
                           const PairValue& value) {
  std::vector<double> values;
  for (const auto& a : first.repetitions)
    for (const auto& b : second.repetitions)
      if (a.repetition == b.repetition)
        if (const auto v = value(a, b)) values.push_back(*v);
  return values;
}

Curve over_evaluations(const std::vector<CurvePoint>& points) {
  Curve curve;
  for (const auto& p : points) curve.push_back({p.evaluations, p.value});
  return curve;
}

/// The mean over logarithmic time of ln(first / second), both held between their points, from the
/// first evaluation to the earlier end; nothing if a value isn't above 0.
std::optional<double> mean_log_ratio(const Curve& first, const Curve& second) {
  const double end = std::min(first.back().x, second.back().x);
  std::vector<double> times{1, end};
  for (const auto* curve : {&first, &second})
    for (const auto& p : *curve)
      if (p.x > 1 && p.x < end) times.push_back(p.x);
  std::sort(times.begin(), times.end());
  if (end <= 1 || first.front().x > 1 || second.front().x > 1) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const double a = value_at(first, Between::hold, times[i]),
                 b = value_at(second, Between::hold, times[i]);
    if (a <= 0 || b <= 0) return std::nullopt;
    sum += math::log(a / b) * math::log(times[i + 1] / times[i]);
  }
  return sum / math::log(end);
}

/// The deepest round that every repetition of the algorithm ends.
std::uint32_t deepest_round(const AlgorithmData& algorithm) {
  std::uint32_t deepest = std::numeric_limits<std::uint32_t>::max();
  for (const auto& repetition : algorithm.repetitions)
    deepest = std::min(deepest, repetition.rounds.empty() ? 0 : repetition.rounds.back().round);
  return algorithm.repetitions.empty() ? 0 : deepest;
}

std::optional<double> end_of_round(const RepetitionData& repetition, std::uint32_t round) {
  for (const auto& row : repetition.rounds)
    if (row.round == round) return row.evaluations;
  return std::nullopt;
}

Judgement sends_late(const Parameters& check, bool sends, const RunData& run) {
  const auto* algorithm = run.find(check.text("algorithm"));
  if (algorithm == nullptr || algorithm->repetitions.empty())
    return undecided(nothing_of({check.text("algorithm")}));
  std::size_t sending = 0;
  std::vector<double> late, total, last;
  double budget = 0;
  for (const auto& repetition : algorithm->repetitions) {
    const double from = check.real("after") * repetition.evaluations_per_client;
    budget = std::max(budget, repetition.evaluations_per_client);
    double before = 0, end = 0, all = 0;
    for (const auto& row : repetition.rounds) {
      end = std::max(end, row.evaluations);
      all = std::max(all, row.bytes);
      if (row.evaluations <= from) before = std::max(before, row.bytes);
    }
    const double bytes = all - before;
    late.push_back(bytes);
    last.push_back(end);
    total.push_back(repetition.finals["payload_bytes"].value());
    sending += bytes > 0 ? 1 : 0;
  }
  const auto n = late.size();
  const bool all = sending == n, none = sending == 0;
  return {sends ? (all    ? Verdict::reproduced
                   : none ? Verdict::not_reproduced
                          : Verdict::undecided)
                : (none ? Verdict::reproduced : Verdict::not_reproduced),
          fmt::format("after {} of {} evaluations {} sends {} of its {}, in {} of {} repetitions; "
                      "its last round ends after {}",
                      pretty_number(check.real("after") * budget),
                      pretty_number(budget),
                      check.text("algorithm"),
                      pretty(rounded(statistics(late).mean, 3), "bytes"),
                      pretty(statistics(total).mean, "bytes"),
                      sending,
                      n,
                      mean_and_sd(statistics(last), "", "sd "))};
}

}  // namespace

Judgement judge_below(const Parameters& check, const RunData& run) {
  const auto& measure = check.text("measure");
  const auto &first = check.text("first"), &second = check.text("second");
  const auto pair = pair_of(run, measure, first, second);
  if (!pair) return undecided(nothing_of({first, second}));
  return judge_above(*pair,
                     fmt::format("{}: {} {}; {} {}, {}",
                                 label_of(measure),
                                 first,
                                 mean_and_sd(pair->first, pair->unit, "sd "),
                                 second,
                                 mean_and_sd(pair->second, pair->unit, "sd "),
                                 above_text(*pair)));
}

Judgement judge_smallest(const Parameters& check, const RunData& run) {
  const auto& measure = check.text("measure");
  const auto& algorithm = check.text("algorithm");
  Judgement judgement{Verdict::reproduced, ""};
  for (const auto& other : run.algorithms) {
    if (other.label == algorithm) continue;
    const auto pair = pair_of(run, measure, algorithm, other.label);
    if (!pair) continue;
    if (judgement.measured.empty())
      judgement.measured = fmt::format(
          "{}: {} {}", label_of(measure), algorithm, mean_and_sd(pair->first, pair->unit, "sd "));
    judgement.measured += fmt::format("; {} {}, {}",
                                      other.label,
                                      mean_and_sd(pair->second, pair->unit, "sd "),
                                      above_text(*pair));
    const auto one = judge_above(*pair, "");
    if (one.verdict == Verdict::not_reproduced || judgement.verdict == Verdict::reproduced)
      judgement.verdict = one.verdict;
    judgement.repetitions_needed = std::max(judgement.repetitions_needed, one.repetitions_needed);
  }
  if (judgement.verdict != Verdict::undecided) judgement.repetitions_needed.reset();
  if (judgement.measured.empty()) return undecided(nothing_of({algorithm, "another"}));
  return judgement;
}

Judgement judge_similar(const Parameters& check, const RunData& run) {
  const auto& measure = check.text("measure");
  const auto &first = check.text("first"), &second = check.text("second");
  const auto pair = pair_of(run, measure, first, second);
  if (!pair) return undecided(nothing_of({first, second}));
  const double margin = check.real("share") * std::max(pair->first.mean, pair->second.mean);
  return between(pair->above.difference,
                 -margin,
                 margin,
                 fmt::format("{}: {} {}; {} {}, {}; similar means within {}",
                             label_of(measure),
                             first,
                             mean_and_sd(pair->first, pair->unit, "sd "),
                             second,
                             mean_and_sd(pair->second, pair->unit, "sd "),
                             above_text(*pair),
                             pretty(rounded(margin, 3), pair->unit)));
}

Judgement judge_lower_curve(const Parameters& check, const RunData& run) {
  const auto *first = run.find(check.text("first")), *second = run.find(check.text("second"));
  if (first == nullptr || second == nullptr)
    return undecided(nothing_of({check.text("first"), check.text("second")}));
  const auto values = statistics(
      paired(*first, *second, [&](const auto& a, const auto& b) -> std::optional<double> {
        const auto *x = curve_of(a, check.text("measure")), *y = curve_of(b, check.text("measure"));
        if (x == nullptr || y == nullptr) return std::nullopt;
        return mean_log_ratio(over_evaluations(*x), over_evaluations(*y));
      }));
  if (values.n == 0) return undecided(nothing_of({check.text("first"), check.text("second")}));
  const auto interval = interval_95(values);
  return below(
      values,
      0,
      fmt::format("over the whole run (geometric mean over logarithmic time) {} has {:.3g} times "
                  "the regret of {}{}",
                  check.text("first"),
                  math::exp(values.mean),
                  check.text("second"),
                  interval ? fmt::format(" (95 % interval {:.3g} to {:.3g})",
                                         math::exp(interval->low),
                                         math::exp(interval->high))
                           : ""));
}

Judgement judge_fewer_evaluations(const Parameters& check, const RunData& run) {
  const auto *first = run.find(check.text("first")), *second = run.find(check.text("second"));
  if (first == nullptr || second == nullptr)
    return undecided(nothing_of({check.text("first"), check.text("second")}));
  const auto round = std::min(deepest_round(*first), deepest_round(*second));
  if (round == 0) return undecided("no round that both end in every repetition");
  std::vector<double> own, others;
  const auto ratios = statistics(
      paired(*first, *second, [&](const auto& a, const auto& b) -> std::optional<double> {
        const auto x = end_of_round(a, round), y = end_of_round(b, round);
        if (!x || !y || *x <= 0) return std::nullopt;
        own.push_back(*x);
        others.push_back(*y);
        return *y / *x;
      }));
  if (ratios.n == 0) return undecided(nothing_of({check.text("first"), check.text("second")}));
  return between(ratios,
                 check.real("factor"),
                 kInfinity,
                 fmt::format("round {} ends after {} evaluations per client with {}, {} with {}: "
                             "fewer by a factor of {}; claimed: at least {}",
                             round,
                             mean_and_sd(statistics(own), "", "sd "),
                             check.text("first"),
                             mean_and_sd(statistics(others), "", "sd "),
                             check.text("second"),
                             with_interval(ratios, ""),
                             check.real("factor")));
}

Judgement judge_keeps_sending(const Parameters& check, const RunData& run) {
  return sends_late(check, true, run);
}

Judgement judge_stops_sending(const Parameters& check, const RunData& run) {
  return sends_late(check, false, run);
}

Judgement judge_within_bound(const Parameters& check, const RunData& run) {
  const auto* algorithm = run.find(check.text("algorithm"));
  std::vector<double> measured, bounds;
  std::size_t kept = 0, vacuous = 0;
  if (algorithm != nullptr)
    for (const auto& repetition : algorithm->repetitions)
      for (const auto& bound : repetition.bounds) {
        if (bound.measurement != check.text("measurement")) continue;
        measured.push_back(bound.measured);
        bounds.push_back(bound.value);
        const bool holds =
            bound.lower ? bound.measured >= bound.value : bound.measured <= bound.value;
        kept += holds && !bound.vacuous;
        vacuous += holds && bound.vacuous;
      }
  if (measured.empty())
    return undecided(fmt::format("no finished runs of {} with a bound on its {}",
                                 check.text("algorithm"),
                                 check.text("measurement")));
  return {kept == measured.size()             ? Verdict::reproduced
          : kept + vacuous == measured.size() ? Verdict::undecided
                                              : Verdict::not_reproduced,
          fmt::format("{}: {}, bound {}; kept in {} of {} repetitions{}",
                      check.text("measurement"),
                      mean_and_sd(statistics(measured), "", "sd "),
                      mean_and_sd(statistics(bounds), "", "sd "),
                      kept,
                      measured.size(),
                      vacuous > 0 ? fmt::format(", vacuous in {}", vacuous) : "")};
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::not_reproduced:
      return "not reproduced";
    case Verdict::setting_unknown:
      return "setting unknown";
    case Verdict::undecided:
      return "undecided";
  }
  return "?";
}

}  // namespace posse
