// SPDX-License-Identifier: Apache-2.0
#include "program/study/study_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/base/csv.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace {

constexpr double kFamilyError = 0.05;

/// Pairs of values from the repetitions that both cells have.
struct Pairs {
  std::vector<double> b, a, differences;
};

Pairs pairs_of(const StudyCell& b, const StudyCell& a, std::size_t quantity) {
  Pairs pairs;
  for (const auto& [seed, finals] : b.finished) {
    const auto other = a.finished.find(seed);
    if (other == a.finished.end()) continue;
    const auto x = finals[quantity], y = other->second[quantity];
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y)) continue;
    pairs.b.push_back(*x);
    pairs.a.push_back(*y);
    pairs.differences.push_back(*x - *y);
  }
  return pairs;
}

bool work_differs(const StudyCell& b, const StudyCell& a) {
  return posse::work_differs(evaluations_of(b), evaluations_of(a));
}

std::vector<double> finals_in_cell(const StudyCell& cell, std::size_t quantity) {
  std::vector<double> values;
  for (const auto& [seed, finals] : cell.finished)
    if (finals[quantity] && std::isfinite(*finals[quantity])) values.push_back(*finals[quantity]);
  return values;
}

/// Whether a ratio of these means says something. A regret of 0 or less is none of an amount, and
/// one against an assumed maximum is known but for a constant.
bool has_ratio(
    const StudyCell& b, const StudyCell& a, std::size_t quantity, double mean_b, double mean_a) {
  if (mean_a <= 0 || mean_b < 0) return false;
  if (!kQuantities[quantity].is_regret) return true;
  const auto unknown = [](const StudyCell& cell) {
    return cell.warnings.has(kAboveMaximum) || cell.warnings.has(kAssumedMaximum);
  };
  return mean_b > 0 && !unknown(b) && !unknown(a);
}

/// Whether work differs between algorithms in some setting, or between settings of one algorithm.
bool work_differs_between_algorithms(const Study& study) {
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      for (std::size_t b = a + 1; b < study.algorithms.size(); ++b)
        if (const auto* one = study.find(s, a), *other = study.find(s, b);
            one != nullptr && other != nullptr && work_differs(*one, *other))
          return true;
  return false;
}
bool work_differs_between_settings(const Study& study) {
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    for (std::size_t s = 1; s < study.settings.size(); ++s)
      if (const auto* one = study.find(s, a), *other = study.find(0, a);
          one != nullptr && other != nullptr && work_differs(*one, *other))
        return true;
  return false;
}

void correct(MeasureComparison& measure) {
  std::vector<PairedEffect*> effects;
  for (auto& setting : measure.cells)
    for (auto& cell : setting)
      if (cell)
        for (auto* effect : {&cell->to_first_algorithm, &cell->to_first_setting})
          if (*effect) effects.push_back(&**effect);
  std::vector<double> p_values;
  p_values.reserve(effects.size());
  for (const auto* effect : effects) p_values.push_back(p_value_of_mean(effect->difference));
  const auto shown = holm(p_values, kFamilyError);
  for (std::size_t i = 0; i < effects.size(); ++i) effects[i]->shown = shown[i];
  measure.comparisons = effects.size();
}

/// The standard deviation of what a width is stated for, and the mean that a share refers to.
struct Spread {
  std::size_t n = 0;
  double sd = 0, reference = 0;
};

std::vector<Spread> spreads(const Study& study, std::size_t quantity) {
  std::vector<Spread> all;
  const auto add_difference = [&](const StudyCell* b, const StudyCell* a) {
    if (b == nullptr || a == nullptr) return;
    const Pairs pairs = pairs_of(*b, *a, quantity);
    if (pairs.a.empty()) return;
    all.push_back({pairs.a.size(), statistics(pairs.differences).sd, statistics(pairs.a).mean});
  };
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 1; a < study.algorithms.size(); ++a)
      add_difference(study.find(s, a), study.find(s, 0));
  if (study.algorithms.size() == 1)
    for (std::size_t s = 1; s < study.settings.size(); ++s)
      add_difference(study.find(s, 0), study.find(0, 0));
  if (study.algorithms.size() == 1 && study.settings.size() == 1) {
    const Statistics values = statistics(finals_in_cell(*study.find(0, 0), quantity));
    if (values.n > 0) all.push_back({values.n, values.sd, values.mean});
  }
  return all;
}

/// Repetitions after which an interval is as narrow as wanted. Two values that happen to be close
/// say nothing of the spread: unless all are equal it takes kFewestForSpread.
std::optional<std::size_t> repetitions_of(const Spread& spread, const WantedWidth& wanted) {
  constexpr std::size_t kFewestForSpread = 5;
  if (spread.n < 2) return std::nullopt;
  if (spread.sd == 0) return 2;
  const double width = wanted.relative ? wanted.width * std::abs(spread.reference) : wanted.width;
  const auto repetitions = repetitions_for(spread.sd, width, kLevel);
  return repetitions ? std::optional(std::max(*repetitions, kFewestForSpread)) : std::nullopt;
}

std::optional<std::size_t> find_measure(std::string_view name) {
  const auto quantity = quantity_named(name);
  return quantity && kQuantities[*quantity].ranked ? quantity : std::nullopt;
}

std::string measure_names() {
  std::vector<std::string_view> names;
  for (const auto& quantity : kQuantities)
    if (quantity.ranked) names.push_back(quantity.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool work_differs(double evaluations, double others) {
  const auto [least, most] = std::minmax(evaluations, others);
  return least > 0 && most > kEqualWork * least;
}

double evaluations_of(const StudyCell& cell) {
  const auto values = finals_in_cell(cell, *quantity_named("evaluations_per_client"));
  return values.empty() ? 0 : statistics(values).mean;
}

std::size_t comparable_measure(const Study& study, std::size_t quantity) {
  const auto instead = per_evaluation(quantity);
  if (!instead) return quantity;
  const bool differs = study.algorithms.size() > 1 ? work_differs_between_algorithms(study)
                                                   : work_differs_between_settings(study);
  return differs ? *instead : quantity;
}

const MeasureComparison* StudyComparison::find(std::string_view name) const {
  for (const auto& measure : measures)
    if (kQuantities[measure.quantity].name == name) return &measure;
  return nullptr;
}

std::optional<PairedEffect> effect_of(const StudyCell& b,
                                      const StudyCell& a,
                                      std::size_t quantity) {
  if (per_evaluation(quantity) && work_differs(b, a)) return std::nullopt;
  const Pairs pairs = pairs_of(b, a, quantity);
  if (pairs.a.empty()) return std::nullopt;
  PairedEffect effect;
  effect.difference = statistics(pairs.differences);
  effect.interval = interval_of_mean(effect.difference, kLevel);
  if (has_ratio(b, a, quantity, statistics(pairs.b).mean, statistics(pairs.a).mean))
    effect.ratio = paired_ratio(pairs.b, pairs.a, kLevel);
  return effect;
}

StudyComparison compare_study(const Study& study) {
  StudyComparison comparison;
  comparison.work_differs =
      work_differs_between_algorithms(study) || work_differs_between_settings(study);
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    MeasureComparison measure{q, {}, 0};
    measure.cells.resize(study.settings.size());
    bool any = false;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      measure.cells[s].resize(study.algorithms.size());
      for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
        const StudyCell* cell = study.find(s, a);
        if (cell == nullptr) continue;
        const auto values = finals_in_cell(*cell, q);
        if (values.empty()) continue;
        any = true;
        MeasuredCell& measured = measure.cells[s][a].emplace();
        measured.values = statistics(values);
        if (const auto* first = study.find(s, 0); a > 0 && first != nullptr)
          measured.to_first_algorithm = effect_of(*cell, *first, q);
        if (const auto* first = study.find(0, a); s > 0 && first != nullptr)
          measured.to_first_setting = effect_of(*cell, *first, q);
      }
    }
    if (!any) continue;
    if (kQuantities[q].ranked) correct(measure);
    comparison.measures.push_back(std::move(measure));
  }
  return comparison;
}

std::optional<Winner> winner(const Study& study, std::size_t quantity, std::size_t setting) {
  struct Candidate {
    std::size_t algorithm;
    double mean;
  };
  std::vector<Candidate> candidates;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    if (const auto* cell = study.find(setting, a))
      if (const auto values = finals_in_cell(*cell, quantity); !values.empty())
        candidates.push_back({a, statistics(values).mean});
  if (candidates.size() < 2) return std::nullopt;
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) {
    return x.mean < y.mean;
  });
  Winner result;
  result.algorithm = candidates[0].algorithm;
  result.runner_up = candidates[1].algorithm;
  const auto& best = *study.find(setting, result.algorithm);
  std::vector<double> p_values;
  bool all_above = true;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const auto effect = effect_of(*study.find(setting, candidates[i].algorithm), best, quantity);
    if (!effect) return std::nullopt;
    if (i == 1) result.lead = *effect;
    all_above = all_above && effect->difference.mean > 0;
    // As many comparisons as there are settings and other algorithms.
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      p_values.push_back(p_value_of_mean(effect->difference));
  }
  const auto shown = holm(p_values, kFamilyError);
  result.clear = all_above && std::all_of(shown.begin(), shown.end(), [](bool x) { return x; });
  result.lead.shown = result.clear;
  return result;
}

std::size_t parse_measure(const std::string& name) {
  if (const auto measure = find_measure(name)) return *measure;
  throw std::invalid_argument(
      fmt::format("there is no measure '{}'; allowed: {}", name, measure_names()));
}

WantedWidth parse_width(const std::string& text) {
  const auto equals = text.find('=');
  const auto refuse = [&](const std::string& problem) {
    throw std::invalid_argument(
        fmt::format("{}: {}; allowed: MEASURE=0.01 or MEASURE=5%, where MEASURE is one of {}",
                    text,
                    problem,
                    measure_names()));
  };
  if (equals == std::string::npos) refuse("has no '='");
  const auto value = text.substr(equals + 1);
  WantedWidth wanted;
  const auto measure = find_measure(text.substr(0, equals));
  if (!measure) refuse(fmt::format("there is no measure '{}'", text.substr(0, equals)));
  wanted.quantity = *measure;
  if (const auto share = parse_share(value).value) {
    wanted.width = *share;
    wanted.relative = true;
  } else if (const auto number = parse_number<double>(value);
             number && *number > 0 && std::isfinite(*number)) {
    wanted.width = *number;
  } else {
    refuse(fmt::format("'{}' is neither a number above 0 nor a share", value));
  }
  return wanted;
}

WantedWidth comparable_width(const Study& study, WantedWidth wanted) {
  const auto quantity = comparable_measure(study, wanted.quantity);
  if (quantity == wanted.quantity) return wanted;
  double most = 0;
  for (const auto& [at, cell] : study.cells) most = std::max(most, evaluations_of(cell));
  if (!wanted.relative) wanted.width /= most;
  wanted.quantity = quantity;
  return wanted;
}

std::optional<std::size_t> repetitions_needed(const Study& study, const WantedWidth& given) {
  const auto wanted = comparable_width(study, given);
  const auto all = spreads(study, wanted.quantity);
  std::size_t needed = 2;
  for (const auto& spread : all) {
    const auto repetitions = repetitions_of(spread, wanted);
    if (!repetitions) return std::nullopt;
    needed = std::max(needed, *repetitions);
  }
  return all.empty() ? std::nullopt : std::optional(needed);
}

bool width_reached(const Study& study, const WantedWidth& given) {
  const auto wanted = comparable_width(study, given);
  const auto all = spreads(study, wanted.quantity);
  return !all.empty() && std::all_of(all.begin(), all.end(), [&](const Spread& spread) {
    const auto repetitions = repetitions_of(spread, wanted);
    return repetitions && *repetitions <= spread.n;
  });
}

std::optional<std::uint32_t> next_repetitions(const Study& study,
                                              const WantedWidth& wanted,
                                              std::uint32_t now) {
  if (width_reached(study, wanted)) return std::nullopt;
  const std::uint64_t doubled = 2 * std::uint64_t{now};
  const std::uint64_t needed = repetitions_needed(study, wanted).value_or(doubled);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(needed, now + 1, doubled));
}

}  // namespace posse
