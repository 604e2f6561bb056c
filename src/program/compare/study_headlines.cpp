// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study_headlines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "program/base/text.hpp"

namespace posse {
namespace {

/// Whether the winner's difference to the runner-up is shown: as in the tables, which have those to
/// the first algorithm; else corrected for as many comparisons.
bool is_shown(const StudyComparison& comparison,
              std::size_t quantity,
              std::size_t setting,
              const Winner& won,
              const PairedEffect& effect) {
  const MeasureComparison* measure = comparison.find(quantity);
  if (measure == nullptr) return false;
  if (won.algorithm == 0 || won.runner_up == 0) {
    const auto& cell = measure->cells[setting][std::max(won.algorithm, won.runner_up)];
    return cell && cell->to_first_algorithm && cell->to_first_algorithm->shown;
  }
  const auto comparisons = static_cast<double>(measure->comparisons);
  return p_value_of_mean(effect.difference) * comparisons <= 1 - kLevel;
}

/// The algorithm that is next in all of these settings, or "the next best".
std::string next_best(const Study& study,
                      const std::vector<std::size_t>& settings,
                      const std::vector<Winner>& winners) {
  const std::size_t next = winners[settings.front()].runner_up;
  const bool everywhere =
      std::ranges::all_of(settings, [&](std::size_t s) { return winners[s].runner_up == next; });
  return everywhere ? study.algorithms[next] : std::string("the next best");
}

/// "; hct takes 76 times the payload and 1.2 times the rounds": the runner-up's costs in those of
/// the winner, over all given settings; "720 messages instead of none" where that has none.
std::string cost_text(const Study& study,
                      const StudyComparison& comparison,
                      const std::vector<std::size_t>& settings,
                      const std::vector<Winner>& winners,
                      std::size_t measure) {
  std::vector<std::string> parts, open;
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    const Quantity& quantity = quantity_at(q);
    const MeasureComparison* compared = comparison.find(q);
    if (!quantity.ranked() || !quantity.in_headline || q == measure || compared == nullptr ||
        (quantity.is_regret && !has_row(comparison, *compared)))
      continue;
    std::vector<double> ratios, amounts;
    bool equal = true, shown = false;
    for (const auto setting : settings) {
      const Winner& won = winners[setting];
      const auto effect =
          effect_of(*study.find(setting, won.runner_up), *study.find(setting, won.algorithm), q);
      if (!effect) continue;
      if (quantity.is_regret || effect->ratio) {
        equal = equal && effect->equal();
        shown = shown || is_shown(comparison, q, setting, won, *effect);
      }
      if (quantity.is_regret) continue;
      if (!effect->ratio) {
        if (!effect->equal()) amounts.push_back(effect->difference.mean);
        continue;
      }
      ratios.push_back(effect->ratio->value);
    }
    if (quantity.is_regret) {  // those that are shown to differ: reversals()
      if (!equal && !shown) open.emplace_back(quantity.label);
      continue;
    }
    if (!amounts.empty())
      parts.push_back(
          fmt::format("{} {} instead of none", range_text(amounts, quantity.unit), quantity.label));
    if (ratios.empty()) continue;
    const bool none = std::all_of(ratios.begin(), ratios.end(), [](double x) { return x == 0; });
    if (equal)
      parts.push_back(fmt::format("the same {}", quantity.label));
    else if (none)
      parts.push_back(fmt::format("no {}", quantity.label));
    else if (shown)
      parts.push_back(fmt::format("{} times the {}", range_text(ratios), quantity.label));
    else
      open.emplace_back(quantity.label);
  }
  std::string text;
  if (!parts.empty())
    text = fmt::format("; {} takes {}", next_best(study, settings, winners), listed(parts));
  if (!open.empty()) text += fmt::format("; no difference shown in {}", listed(open));
  return text;
}

/// How the lead of a winner reads.
std::string lead_text(const Study& study,
                      const std::vector<std::size_t>& settings,
                      const std::vector<Winner>& winners,
                      std::size_t measure) {
  const Quantity& quantity = quantity_at(measure);
  const auto& first = winners[settings.front()];
  const auto whose = next_best(study, settings, winners) + "'s";
  if (settings.size() == 1) {
    const PairedEffect& lead = first.lead;
    const double by = quantity.as_cost(lead.difference.mean);
    auto text = fmt::format("{} {} is {} by {}",
                            whose,
                            quantity.label,
                            quantity.worse(),
                            pretty(rounded(by, 3), quantity.unit));
    if (lead.interval && lead.difference.sd > 0) {
      const auto [low, high] = std::minmax(
          {quantity.as_cost(lead.interval->low), quantity.as_cost(lead.interval->high)});
      const auto shown = shown_interval(by, {low, high}, quantity.unit);
      text = fmt::format("{} {} is {} by {} ({} to {})",
                         whose,
                         quantity.label,
                         quantity.worse(),
                         shown.mean,
                         shown.low,
                         shown.high);
    }
    if (lead.ratio)
      text += fmt::format(", {} times as high", pretty(rounded(lead.ratio->value, 3), ""));
    return text;
  }
  std::vector<double> ratios;
  for (const auto s : settings)
    if (winners[s].lead.ratio) ratios.push_back(winners[s].lead.ratio->value);
  return ratios.empty()
             ? fmt::format("{} {} is {}", whose, quantity.label, quantity.worse())
             : fmt::format("{} {} is {} times as high", whose, quantity.label, range_text(ratios));
}

/// Repetitions that would show a difference if it is as large as it looks now.
std::string more_text(const PairedEffect& lead) {
  if (lead.difference.n < 2) return "; a single repetition shows nothing";
  if (lead.difference.mean == 0) return "";
  const auto needed = repetitions_for(lead.difference.sd, std::abs(lead.difference.mean), kLevel);
  if (!needed) return "; a million repetitions would not tell";
  const auto more = *needed > lead.difference.n ? *needed - lead.difference.n : 1;
  return fmt::format(
      "; about {} more {} should suffice if the true difference is as large as observed",
      more,
      more == 1 ? "repetition" : "repetitions");
}

/// Who has the same values as the best in all repetitions.
std::string equal_text(const Study& study, const MeasureComparison& measure, std::size_t setting) {
  std::vector<std::string> equal;
  std::size_t all = 0;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    const auto* cell = study.find(setting, a);
    if (cell == nullptr || cell->finished.empty()) continue;
    ++all;
    const auto& measured = measure.cells[setting][a];
    if (measured && measured->to_best && measured->to_best->equal())
      equal.push_back(study.algorithms[a]);
  }
  if (equal.size() == all) return "all are equal";
  return fmt::format(
      "{} are {}, and equal", listed(equal), quantity_at(measure.quantity).best_place());
}

/// "fed-pne 3000, hct 1500": evaluations per client, by algorithm or by setting.
std::string work_text(const Study& study) {
  std::vector<std::string> parts;
  const bool of_algorithms = study.algorithms.size() > 1;
  const auto name = [&](std::size_t s, std::size_t a) {
    return of_algorithms ? study.algorithms[a] : setting_text(study, s);
  };
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::vector<double> of_settings;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto* cell = study.find(s, a);
      const double evaluations = cell == nullptr ? 0 : evaluations_of(*cell);
      if (evaluations == 0) continue;
      if (of_algorithms)
        of_settings.push_back(evaluations);
      else
        parts.push_back(fmt::format("{} {}", name(s, a), pretty(rounded(evaluations, 4), "")));
    }
    if (!of_settings.empty())
      parts.push_back(fmt::format("{} {}", study.algorithms[a], range_text(of_settings)));
  }
  constexpr std::size_t kMostNamed = 6;
  if (parts.size() <= kMostNamed) return fmt::format("{}", fmt::join(parts, ", "));
  const auto more = parts.size() - kMostNamed;
  parts.resize(kMostNamed);
  return fmt::format("{}, and {} more", fmt::join(parts, ", "), more);
}

}  // namespace

Sentences work_headline(const Study& study, const StudyComparison& comparison) {
  if (!comparison.work_differs) return {};
  return {fmt::format(
      "Evaluations per client differ ({}): cumulative regret is not compared where they do, since "
      "fewer make it smaller. Regret per evaluation is; it tends to fall while a run goes on.",
      work_text(study))};
}

Sentences algorithms_headline(const Study& study,
                              const StudyComparison& comparison,
                              std::size_t measure) {
  const MeasureComparison* compared = comparison.find(measure);
  if (study.algorithms.size() < 2 || compared == nullptr) return {};
  const Quantity& quantity = quantity_at(measure);
  if (!quantity.ranked())
    return {fmt::format("Whether more or less of {} is better isn't said: none is best on it.",
                        quantity.label)};
  std::set<std::size_t> measured;  // algorithms with values
  for (const auto& of_setting : compared->cells)
    for (std::size_t a = 0; a < of_setting.size(); ++a)
      if (of_setting[a]) measured.insert(a);
  if (measured.size() == 1)
    return {fmt::format("Only {} has values of {}: there is none to compare it with.",
                        study.algorithms[*measured.begin()],
                        quantity.label)};
  std::vector<Winner> winners(study.settings.size());
  std::map<std::size_t, std::vector<std::size_t>> won;  // settings by clear winner
  std::vector<std::size_t> open;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    const auto found = winner(*compared, s);
    if (!found) continue;
    winners[s] = *found;
    if (found->clear)
      won[found->algorithm].push_back(s);
    else
      open.push_back(s);
  }
  const bool one = study.settings.size() == 1;
  const auto where = [&](const std::vector<std::size_t>& settings) {
    if (one) return std::string();
    if (settings.size() == study.settings.size())
      return settings.size() == 2 ? std::string(" in both settings")
                                  : fmt::format(" in all {} settings", settings.size());
    if (settings.size() > 4)
      return fmt::format(" in {} of {} settings", settings.size(), study.settings.size());
    std::vector<std::string> names;
    names.reserve(settings.size());
    for (const auto s : settings) names.push_back(setting_text(study, s));
    return fmt::format(" at {}", fmt::join(names, "; "));
  };
  Sentences out;
  for (const auto& [algorithm, settings] : won)
    out.push_back(fmt::format("{} is best on {}{}: {}{}.",
                              study.algorithms[algorithm],
                              quantity.label,
                              where(settings),
                              lead_text(study, settings, winners, measure),
                              cost_text(study, comparison, settings, winners, measure)));
  const auto undecided = [&](const std::vector<std::size_t>& settings, const std::string& because) {
    return fmt::format(
        "None is clearly best on {}{}: {}.", quantity.label, where(settings), because);
  };
  // Settings with the same two in front share a sentence.
  std::map<std::string, std::vector<std::size_t>> in_front;
  std::map<std::string, std::size_t> lowest;
  for (const auto s : open) {
    const Winner& first = winners[s];
    const auto& label = study.algorithms[first.algorithm];
    ++lowest[label];
    in_front[first.lead.equal() ? equal_text(study, *compared, s)
                                : fmt::format("{} is {}, {} next",
                                              label,
                                              quantity.best_place(),
                                              study.algorithms[first.runner_up])]
        .push_back(s);
  }
  constexpr std::size_t kMostSentences = 3;
  if (in_front.size() > kMostSentences) {
    std::vector<std::string> counts;
    for (const auto& [label, count] : lowest)
      counts.push_back(fmt::format("{} is {} in {}", label, quantity.best_place(), count));
    out.push_back(undecided(open, fmt::format("{}", fmt::join(counts, ", "))));
    return out;
  }
  // The setting that needs most repetitions speaks for all.
  const auto needs_fewer = [&](std::size_t s, std::size_t t) {
    const auto &a = winners[s].lead.difference, &b = winners[t].lead.difference;
    return a.sd * std::abs(b.mean) < b.sd * std::abs(a.mean);
  };
  for (const auto& [text, settings] : in_front) {
    const auto& lead =
        winners[*std::max_element(settings.begin(), settings.end(), needs_fewer)].lead;
    out.push_back(undecided(settings, lead.equal() ? text : text + more_text(lead)));
  }
  return out;
}

Sentences reversals(const Study& study, const StudyComparison& comparison, std::size_t measure) {
  const MeasureComparison* compared = comparison.find(measure);
  if (study.algorithms.size() < 2 || compared == nullptr) return {};
  std::vector<const MeasureComparison*> aims;  // what algorithms are run for; the rest are costs
  for (const auto name : {"cumulative_regret",
                          "regret_per_evaluation",
                          "simple_regret",
                          "local_cumulative_regret",
                          "local_simple_regret",
                          "answer_value"})
    if (const auto* other = comparison.find(name)) aims.push_back(other);
  for (const auto& other : comparison.measures)
    if (quantity_at(other.quantity).is_own) aims.push_back(&other);
  Sentences out;
  for (const auto* other : aims) {
    if (other->quantity == measure || !has_row(comparison, *other)) continue;
    const Quantity& quantity = quantity_at(other->quantity);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<PairedEffect>> behind;
    const auto common = [&](std::size_t a, std::size_t b) {  // settings that have both
      std::size_t count = 0;
      for (std::size_t s = 0; s < study.settings.size(); ++s)
        count += study.find(s, a) != nullptr && study.find(s, b) != nullptr;
      return count;
    };
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto first = winner(*compared, s);
      const auto best = winner(*other, s);
      if (!first || !best) continue;
      std::vector<std::size_t> in_front{first->algorithm};
      if (!first->clear) in_front.push_back(first->runner_up);
      for (const std::size_t a : in_front) {
        if (a == best->algorithm) continue;
        const Winner against{best->algorithm, a, {}, false};
        const auto effect =
            effect_of(*study.find(s, a), *study.find(s, best->algorithm), other->quantity);
        if (effect && is_shown(comparison, other->quantity, s, against, *effect))
          behind[{a, best->algorithm}].push_back(*effect);
      }
    }
    for (const auto& [pair, effects] : behind) {
      std::vector<double> ratios, differences;
      for (const auto& effect : effects) {
        if (effect.ratio) ratios.push_back(effect.ratio->value);
        differences.push_back(quantity.as_cost(effect.difference.mean));
      }
      out.push_back(fmt::format(
          "But {}'s {} is {} than {}'s{}, {}.",
          study.algorithms[pair.first],
          quantity.label,
          quantity.worse(),
          study.algorithms[pair.second],
          study.settings.size() > 1
              ? fmt::format(
                    " in {} of {} settings", effects.size(), common(pair.first, pair.second))
              : "",
          ratios.size() == effects.size()
              ? fmt::format("{} times as high", range_text(ratios))
              : fmt::format("by {}", range_text(differences, quantity.unit))));
    }
  }
  return out;
}

Sentences settings_headline(const Study& study, const StudyComparison& comparison) {
  const std::size_t last = study.settings.size() - 1;
  if (last == 0) return {};
  Sentences out;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::vector<std::string> changed, equal, open;
    // Between the ends it may be otherwise.
    const auto with_exception = [&](const MeasureComparison& measure, const Quantity& quantity) {
      std::string text(quantity.label);
      double largest = 0;
      for (std::size_t s = 1; s < last; ++s) {
        const auto& between = measure.cells[s][a];
        if (!between || !between->to_first_setting || !between->to_first_setting->shown) continue;
        const PairedEffect& effect = *between->to_first_setting;
        const double size = std::abs(effect.difference.mean);
        if (size <= largest) continue;
        largest = size;
        text = fmt::format("{} (but {} at {})",
                           quantity.label,
                           effect_text(effect, quantity.unit),
                           setting_text(study, s));
      }
      return text;
    };
    for (const auto& measure : comparison.measures) {
      const Quantity& quantity = quantity_at(measure.quantity);
      const auto& cell = measure.cells[last][a];
      if (!cell || !cell->to_first_setting || !has_row(comparison, measure)) continue;
      const PairedEffect& effect = *cell->to_first_setting;
      if (effect.equal())
        equal.push_back(with_exception(measure, quantity));
      else if (effect.shown)
        changed.push_back(fmt::format("{} {}", quantity.label, effect_text(effect, quantity.unit)));
      else
        open.push_back(with_exception(measure, quantity));
    }
    if (changed.empty() && equal.empty() && open.empty()) continue;
    std::vector<std::string> parts;
    if (!changed.empty()) parts.push_back(fmt::format("{}", fmt::join(changed, ", ")));
    if (!equal.empty()) parts.push_back("unchanged " + listed(equal));
    if (!open.empty()) parts.push_back("no change shown in " + listed(open));
    out.push_back(fmt::format("From {} to {}, {}: {}.",
                              setting_text(study, 0),
                              setting_text(study, last),
                              study.algorithms[a],
                              fmt::join(parts, "; ")));
  }
  return out;
}

}  // namespace posse
