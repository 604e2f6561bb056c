// SPDX-License-Identifier: Apache-2.0
#include "program/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

#include "program/scenario/diagnostics.hpp"

namespace posse {
namespace {

constexpr double kFamilyError = 0.05;

bool work_differs(const StudyCell& b, const StudyCell& a) {
  return posse::work_differs(evaluations_of(b), evaluations_of(a));
}

/// Whether a ratio of these means says something. A regret of 0 or less is none of an amount, and
/// one against an assumed maximum is known but for a constant.
bool has_ratio(
    const StudyCell& b, const StudyCell& a, std::size_t quantity, double mean_b, double mean_a) {
  if (mean_a <= 0 || mean_b < 0) return false;
  if (!quantity_at(quantity).is_regret) return true;
  const auto unknown = [](const StudyCell& cell) {
    return cell.warnings.has(kAboveMaximum) || cell.warnings.has(kAssumedMaximum);
  };
  return mean_b > 0 && !unknown(b) && !unknown(a);
}

/// At the end of the runs.
std::optional<PairedEffect> final_effect(const StudyCell& b,
                                         const RunValues& b_values,
                                         const StudyCell& a,
                                         const RunValues& a_values,
                                         std::size_t quantity) {
  if (per_evaluation(quantity) && work_differs(b, a)) return std::nullopt;
  const Pairs pairs = pairs_of(b_values, a_values);
  auto effect = paired_effect(pairs);
  if (effect && has_ratio(b, a, quantity, statistics(pairs.b).mean, statistics(pairs.a).mean))
    effect->ratio = paired_ratio(pairs.b, pairs.a, kLevel);
  const auto negative = [](double value) { return value < 0; };
  if (effect && effect->ratio && effect->ratio->interval &&
      std::ranges::none_of(pairs.b, negative) && std::ranges::none_of(pairs.a, negative))
    effect->ratio->interval->low = std::max(0.0, effect->ratio->interval->low);
  return effect;
}

/// The evaluations of each cell of the study; nothing where there is none.
std::vector<std::vector<std::optional<double>>> work_of(const Study& study) {
  std::vector<std::vector<std::optional<double>>> work(
      study.settings.size(), std::vector<std::optional<double>>(study.algorithms.size()));
  for (const auto& [at, cell] : study.cells) work[at.first][at.second] = evaluations_of(cell);
  return work;
}

bool work_differs(const std::optional<double>& evaluations, const std::optional<double>& others) {
  return evaluations && others && posse::work_differs(*evaluations, *others);
}

/// Whether work differs between algorithms in some setting, or between settings of one algorithm.
bool work_differs_between_algorithms(const Study& study) {
  for (const auto& of_setting : work_of(study))
    for (std::size_t a = 0; a < of_setting.size(); ++a)
      for (std::size_t b = a + 1; b < of_setting.size(); ++b)
        if (work_differs(of_setting[a], of_setting[b])) return true;
  return false;
}
bool work_differs_between_settings(const Study& study) {
  const auto work = work_of(study);
  for (const auto& of_setting : work)
    for (std::size_t a = 0; a < of_setting.size(); ++a)
      if (work_differs(of_setting[a], work.front()[a])) return true;
  return false;
}

/// By algorithm.
using SettingValues = std::vector<RunValues>;
struct RunOf {
  std::size_t setting, algorithm;
};
using EffectOf = std::function<std::optional<PairedEffect>(RunOf b, RunOf a)>;

/// The values of a quantity by setting and algorithm; not corrected. `effect` is called for those
/// that have values.
MeasureComparison compare(std::size_t quantity,
                          const std::vector<SettingValues>& values,
                          const EffectOf& effect) {
  MeasureComparison comparison;
  comparison.quantity = quantity;
  const Quantity& measured = quantity_at(quantity);
  const auto cost = [&](const MeasuredCell& cell) { return measured.as_cost(cell.values.mean); };
  comparison.best.resize(values.size());
  for (std::size_t s = 0; s < values.size(); ++s) {
    auto& cells = comparison.cells.emplace_back(values[s].size());
    auto& best = comparison.best[s];
    for (std::size_t a = 0; a < values[s].size(); ++a) {
      if (values[s][a].empty()) continue;
      MeasuredCell& cell = cells[a].emplace();
      cell.values = statistics_of(values[s][a]);
      if (a > 0 && !values[s][0].empty()) cell.to_first_algorithm = effect({s, a}, {s, 0});
      if (s > 0 && !values[0][a].empty()) cell.to_first_setting = effect({s, a}, {0, a});
      if (measured.ranked() && (!best || cost(cell) < cost(*cells[*best]))) best = a;
    }
    for (std::size_t a = 0; a < cells.size(); ++a)
      if (best && cells[a]) cells[a]->to_best = effect({s, a}, {s, *best});
  }
  return comparison;
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

}  // namespace

std::optional<std::size_t> find_measure(std::string_view name) {
  const auto quantity = quantity_named(name);
  return quantity && quantity_at(*quantity).is_measure() ? quantity : std::nullopt;
}

std::vector<std::string> measure_names() {
  std::vector<std::string> names;
  for (auto& name : quantity_names())
    if (find_measure(name)) names.push_back(std::move(name));
  return names;
}

bool work_differs(double evaluations, double others) {
  const auto [least, most] = std::minmax(evaluations, others);
  return least > 0 && most > kEqualWork * least;
}

double evaluations_of(const StudyCell& cell) {
  return statistics_of(cell.values(*quantity_named("evaluations_per_client"))).mean;
}

std::size_t comparable_measure(const Study& study, std::size_t quantity) {
  const auto instead = per_evaluation(quantity);
  if (!instead) return quantity;
  const bool differs = study.algorithms.size() > 1 ? work_differs_between_algorithms(study)
                                                   : work_differs_between_settings(study);
  return differs ? *instead : quantity;
}

const MeasureComparison* StudyComparison::find(std::size_t quantity) const {
  const auto it = std::ranges::find(measures, quantity, &MeasureComparison::quantity);
  return it == measures.end() ? nullptr : &*it;
}
const MeasureComparison* StudyComparison::find(std::string_view name) const {
  const auto quantity = quantity_named(name);
  return quantity ? find(*quantity) : nullptr;
}

Sign PairedEffect::sign() const {
  if (!interval) return Sign::unclear;
  if (interval->low > 0) return Sign::positive;
  if (interval->high < 0) return Sign::negative;
  return interval->low == interval->high ? Sign::none : Sign::unclear;
}

Pairs pairs_of(const RunValues& b, const RunValues& a) {
  Pairs pairs;
  auto other = a.begin();
  for (const auto& [repetition, value] : b) {
    while (other != a.end() && other->first < repetition) ++other;
    if (other == a.end() || other->first != repetition) continue;
    pairs.b.push_back(value);
    pairs.a.push_back(other->second);
  }
  return pairs;
}

std::optional<PairedEffect> paired_effect(const Pairs& pairs) {
  if (pairs.a.empty()) return std::nullopt;
  std::vector<double> differences(pairs.a.size());
  std::ranges::transform(pairs.b, pairs.a, differences.begin(), std::minus<>());
  PairedEffect effect;
  effect.difference = statistics(differences);
  effect.interval = interval_of_mean(effect.difference, kLevel);
  return effect;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] < values[b];
  });
  std::vector<double> out(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first + 1;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    // Places first + 1 … end, averaged.
    const double shared = (static_cast<double>(first) + 1 + static_cast<double>(end)) / 2;
    for (std::size_t i = first; i < end; ++i) out[order[i]] = shared;
    first = end;
  }
  return out;
}

std::vector<RunValues> in_common(std::vector<RunValues> lists) {
  std::vector<RunValues*> all;
  for (auto& list : lists)
    if (!list.empty()) all.push_back(&list);
  const auto keep_only = [](RunValues& list, const RunValues& other) {
    auto at = other.begin();
    std::erase_if(list, [&](const auto& value) {
      while (at != other.end() && at->first < value.first) ++at;
      return at == other.end() || at->first != value.first;
    });
  };
  if (all.empty()) return lists;
  for (const auto* list : all) keep_only(*all.front(), *list);
  for (auto* list : all) keep_only(*list, *all.front());
  return lists;
}

std::vector<std::vector<double>> ranks_by_repetition(const std::vector<RunValues>& lists) {
  std::vector<std::size_t> ranked;
  for (std::size_t i = 0; i < lists.size(); ++i)
    if (!lists[i].empty()) ranked.push_back(i);
  std::vector<std::vector<double>> all(lists.size());
  if (ranked.empty()) return all;
  std::vector<double> together(ranked.size());
  for (const auto& [repetition, value] : lists[ranked.front()]) {
    for (std::size_t k = 0; k < ranked.size(); ++k) together[k] = lists[ranked[k]].at(repetition);
    const auto places = ranks(together);
    for (std::size_t k = 0; k < ranked.size(); ++k) all[ranked[k]].push_back(places[k]);
  }
  return all;
}

std::optional<PairedEffect> effect_of(const StudyCell& b,
                                      const StudyCell& a,
                                      std::size_t quantity) {
  return final_effect(b, b.values(quantity), a, a.values(quantity), quantity);
}

std::optional<CommonComparison> compare_in_common(std::size_t quantity,
                                                  std::optional<std::uint64_t> evaluations,
                                                  const std::vector<RunValues>& values) {
  CommonComparison common{{}, evaluations, {}};
  std::vector<SettingValues> one_setting(1);
  SettingValues& own = one_setting.front();
  for (std::size_t a = 0; a < values.size(); ++a)
    if (!values[a].empty()) {
      common.algorithms.push_back(a);
      own.push_back(values[a]);
    }
  if (own.size() < 2) return std::nullopt;
  own = in_common(std::move(own));
  if (own.front().empty()) return std::nullopt;
  common.measure = compare(quantity, one_setting, [&](RunOf b, RunOf a) {
    return paired_effect(pairs_of(own[b.algorithm], own[a.algorithm]));
  });
  if (!common.measure.best.front()) return common;
  for (auto& list : own)
    for (auto& [repetition, value] : list) value = quantity_at(quantity).as_cost(value);
  const auto places = ranks_by_repetition(own);
  for (std::size_t a = 0; a < places.size(); ++a)
    common.measure.cells.front()[a]->mean_rank = statistics(places[a]).mean;
  return common;
}

StudyComparison compare_study(const Study& study) {
  StudyComparison comparison;
  comparison.work_differs =
      work_differs_between_algorithms(study) || work_differs_between_settings(study);
  for (const auto q : study.quantities()) {
    std::vector<SettingValues> values;
    bool any = false;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      auto& of_setting = values.emplace_back(study.algorithms.size());
      for (std::size_t a = 0; a < study.algorithms.size(); ++a)
        if (const StudyCell* cell = study.find(s, a)) of_setting[a] = cell->values(q);
      any = any || std::ranges::any_of(of_setting, [](const auto& v) { return !v.empty(); });
    }
    if (!any) continue;
    auto& measure = comparison.measures.emplace_back(compare(q, values, [&](RunOf b, RunOf a) {
      return final_effect(*study.find(b.setting, b.algorithm),
                          values[b.setting][b.algorithm],
                          *study.find(a.setting, a.algorithm),
                          values[a.setting][a.algorithm],
                          q);
    }));
    if (quantity_at(q).is_measure()) correct(measure);
  }
  return comparison;
}

std::optional<Winner> winner(const MeasureComparison& measure, std::size_t setting) {
  const auto& best = measure.best[setting];
  if (!best) return std::nullopt;
  const auto& cells = measure.cells[setting];
  const Quantity& quantity = quantity_at(measure.quantity);
  Winner result;
  result.algorithm = *best;
  std::optional<std::size_t> next;
  std::vector<double> p_values;
  bool all_above = true;
  for (std::size_t a = 0; a < cells.size(); ++a) {
    if (!cells[a] || a == *best) continue;
    const auto& effect = cells[a]->to_best;
    if (!effect) return std::nullopt;
    if (!next ||
        quantity.as_cost(cells[a]->values.mean) < quantity.as_cost(cells[*next]->values.mean))
      next = a;
    all_above = all_above && quantity.as_cost(effect->difference.mean) > 0;
    // As many comparisons as there are settings and other algorithms.
    p_values.insert(p_values.end(), measure.cells.size(), p_value_of_mean(effect->difference));
  }
  if (!next) return std::nullopt;
  result.runner_up = *next;
  result.lead = *cells[*next]->to_best;
  const auto shown = holm(p_values, kFamilyError);
  result.clear = all_above && std::all_of(shown.begin(), shown.end(), [](bool x) { return x; });
  result.lead.shown = result.clear;
  return result;
}

std::size_t parse_measure(const std::string& name) {
  if (const auto measure = find_measure(name)) return *measure;
  throw std::invalid_argument(
      fmt::format("there is no measure '{}'{}", name, allowed_names(name, measure_names())));
}

}  // namespace posse
