// SPDX-License-Identifier: Apache-2.0
#include "program/study/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "program/base/text.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostSettingsInFull = 12;  // with more, only the main measure's table
constexpr std::size_t kFewRepetitions = 5;
constexpr std::size_t kMostAlgorithmColumns = 3;

const Quantity& quantity_at(std::size_t q) { return kQuantities[q]; }

/// "+3.2 (1.1 to 5.3)"
std::string difference_text(const PairedEffect& effect, std::string_view unit) {
  const double mean = effect.difference.mean;
  const auto sign = mean > 0 ? "+" : "";
  if (!effect.interval || effect.difference.sd == 0)
    return fmt::format("{}{}", sign, pretty(rounded(mean, 3), unit));
  const auto shown = shown_interval(mean, *effect.interval, unit);
  const auto text = fmt::format("{}{} ({} to {})", sign, shown.mean, shown.low, shown.high);
  return effect.shown ? text : text + " ?";
}

/// "1.085× (1.05 to 1.12)", or the difference where a ratio says nothing.
std::string effect_text(const PairedEffect& effect, std::string_view unit) {
  if (effect.equal()) return "=";
  if (!effect.ratio) return difference_text(effect, unit);
  const auto& [value, interval] = *effect.ratio;
  if (!interval) return fmt::format("{}×", pretty(rounded(value, 3), ""));
  const auto shown = shown_interval(value, *interval, "");
  const auto text = shown.low == shown.high
                        ? fmt::format("{}×", shown.mean)
                        : fmt::format("{}× ({} to {})", shown.mean, shown.low, shown.high);
  return effect.shown ? text : text + " ?";
}

/// What marks the numbers of runs that were changed by hand.
constexpr std::string_view kTouchedMark = " †";

std::string marked(std::string text, const StudyCell* cell) {
  if (cell != nullptr && cell->warnings.has(kTouched)) text += kTouchedMark;
  return text;
}

/// Numbers as a range: "0.0031", "3.1 kB to 12 kB".
std::string range_text(const std::vector<double>& numbers, std::string_view unit = "") {
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const auto low = pretty(rounded(*least, 3), unit), high = pretty(rounded(*most, 3), unit);
  return low == high ? low : low + " to " + high;
}

std::string plural(std::size_t n, std::string_view word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  std::vector<std::string> first(words.begin(), words.end() - 1);
  return fmt::format("{} and {}", fmt::join(first, ", "), words.back());
}

std::string setting_text(const Study& study, std::size_t setting) {
  const auto& name = study.settings[setting];
  return name.empty() ? fmt::format("setting {}", setting + 1) : name;
}

/// Whether the winner's difference to the runner-up is shown: as in the tables, which have those to
/// the first algorithm; else corrected for as many comparisons.
bool is_shown(const StudyComparison& comparison,
              std::size_t quantity,
              std::size_t setting,
              const Winner& won,
              const PairedEffect& effect) {
  const MeasureComparison* measure = comparison.find(quantity_at(quantity).name);
  if (measure == nullptr) return false;
  if (won.algorithm == 0 || won.runner_up == 0) {
    const auto& cell = measure->cells[setting][std::max(won.algorithm, won.runner_up)];
    return cell && cell->to_first_algorithm && cell->to_first_algorithm->shown;
  }
  const auto comparisons = static_cast<double>(measure->comparisons);
  return p_value_of_mean(effect.difference) * comparisons <= 1 - kLevel;
}

/// "; it takes 76 times the payload and 1.2 times the rounds": the runner-up's costs in those of
/// the winner, over all given settings; "720 messages instead of none" where that has none.
std::string cost_text(const Study& study,
                      const StudyComparison& comparison,
                      const std::vector<std::size_t>& settings,
                      const std::vector<Winner>& winners,
                      std::size_t measure) {
  std::vector<std::string> parts, open;
  for (std::size_t q = 0; q < kQuantities.size(); ++q) {
    const Quantity& quantity = quantity_at(q);
    if (quantity.is_regret || !quantity.ranked || !quantity.told || q == measure) continue;
    std::vector<double> ratios, amounts;
    bool equal = true, shown = false;
    for (const auto setting : settings) {
      const Winner& won = winners[setting];
      const auto effect =
          effect_of(*study.find(setting, won.runner_up), *study.find(setting, won.algorithm), q);
      if (!effect) continue;
      if (!effect->ratio) {
        if (!effect->equal()) amounts.push_back(effect->difference.mean);
        continue;
      }
      equal = equal && effect->equal();
      shown = shown || is_shown(comparison, q, setting, won, *effect);
      ratios.push_back(effect->ratio->value);
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
  const std::size_t other = winners[settings.front()].runner_up;
  const bool same_other =
      std::ranges::all_of(settings, [&](std::size_t s) { return winners[s].runner_up == other; });
  std::string text;
  if (!parts.empty())
    text = fmt::format("; {} takes {}",
                       same_other ? study.algorithms[other] : std::string("the next best"),
                       listed(parts));
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
  const auto& other = study.algorithms[first.runner_up];
  const bool same_other = std::all_of(settings.begin(), settings.end(), [&](std::size_t s) {
    return winners[s].runner_up == first.runner_up;
  });
  const auto whose = same_other ? other + "'s" : std::string("the next best's");
  if (settings.size() == 1) {
    const PairedEffect& lead = first.lead;
    auto text = fmt::format("{} {} is higher by {}",
                            whose,
                            quantity.label,
                            pretty(rounded(lead.difference.mean, 3), quantity.unit));
    if (lead.interval && lead.difference.sd > 0) {
      const auto shown = shown_interval(lead.difference.mean, *lead.interval, quantity.unit);
      text = fmt::format("{} {} is higher by {} ({} to {})",
                         whose,
                         quantity.label,
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
             ? fmt::format("{} {} is higher", whose, quantity.label)
             : fmt::format("{} {} is {} times as high", whose, quantity.label, range_text(ratios));
}

/// Repetitions that would show a difference if it is as large as it looks now.
std::string more_text(const PairedEffect& lead) {
  if (lead.difference.n < 2) return "; a single repetition shows nothing";
  if (lead.difference.mean == 0) return "";
  const auto needed = repetitions_for(lead.difference.sd, std::abs(lead.difference.mean), kLevel);
  if (!needed) return "; a million repetitions would not tell";
  const auto more = *needed > lead.difference.n ? *needed - lead.difference.n : 1;
  return fmt::format("; about {} more {} would tell, if the difference stays",
                     more,
                     more == 1 ? "repetition" : "repetitions");
}

/// Who has the same values as the lowest in all repetitions.
std::string equal_text(const Study& study,
                       std::size_t measure,
                       std::size_t setting,
                       std::size_t lowest) {
  std::vector<std::string> equal;
  std::size_t all = 0;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    const auto* cell = study.find(setting, a);
    if (cell == nullptr || cell->finished.empty()) continue;
    ++all;
    const auto effect = effect_of(*cell, *study.find(setting, lowest), measure);
    if (a == lowest || (effect && effect->equal())) equal.push_back(study.algorithms[a]);
  }
  if (equal.size() == all) return "all are equal";
  return fmt::format("{} are lowest, and equal", listed(equal));
}

using Sentences = std::vector<std::string>;

Sentences algorithms_headline(const Study& study,
                              const StudyComparison& comparison,
                              std::size_t measure) {
  if (study.algorithms.size() < 2) return {};
  const Quantity& quantity = quantity_at(measure);
  std::vector<Winner> winners(study.settings.size());
  std::map<std::size_t, std::vector<std::size_t>> won;  // settings by clear winner
  std::vector<std::size_t> open;
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    const auto found = winner(study, measure, s);
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
    in_front[first.lead.equal()
                 ? equal_text(study, measure, s, first.algorithm)
                 : fmt::format("{} is lowest, {} next", label, study.algorithms[first.runner_up])]
        .push_back(s);
  }
  constexpr std::size_t kMostSentences = 3;
  if (in_front.size() > kMostSentences) {
    std::vector<std::string> counts;
    for (const auto& [label, count] : lowest)
      counts.push_back(fmt::format("{} is lowest in {}", label, count));
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

bool is_shown(const StudyComparison& comparison, const MeasureComparison& measure);

/// Other regrets by which a clear winner is behind.
Sentences reversals(const Study& study, const StudyComparison& comparison, std::size_t measure) {
  if (!quantity_at(measure).is_regret || study.algorithms.size() < 2) return {};
  Sentences out;
  for (const auto name : {"simple_regret", "local_cumulative_regret", "local_simple_regret"}) {
    const auto* other = comparison.find(name);
    if (other == nullptr || other->quantity == measure || !is_shown(comparison, *other)) continue;
    const Quantity& quantity = quantity_at(other->quantity);
    std::map<std::pair<std::size_t, std::size_t>, std::vector<PairedEffect>> behind;
    std::size_t decided = 0;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto first = winner(study, measure, s);
      const auto best = winner(study, other->quantity, s);
      if (!first || !first->clear || !best) continue;
      ++decided;
      if (best->algorithm == first->algorithm) continue;
      const auto effect = effect_of(
          *study.find(s, first->algorithm), *study.find(s, best->algorithm), other->quantity);
      if (!effect || effect->difference.n < 2) continue;
      const bool shown = effect->difference.min > 0 && effect->difference.sd == 0
                             ? true
                             : effect->interval && effect->interval->low > 0;
      if (shown) behind[{first->algorithm, best->algorithm}].push_back(*effect);
    }
    for (const auto& [pair, effects] : behind) {
      std::vector<double> ratios, differences;
      for (const auto& effect : effects) {
        if (effect.ratio) ratios.push_back(effect.ratio->value);
        differences.push_back(effect.difference.mean);
      }
      out.push_back(fmt::format(
          "But {}'s {} is higher than {}'s{}, {}.",
          study.algorithms[pair.first],
          quantity.label,
          study.algorithms[pair.second],
          study.settings.size() > 1 ? fmt::format(" in {} of {} settings", effects.size(), decided)
                                    : "",
          ratios.size() == effects.size()
              ? fmt::format("{} times as high", range_text(ratios))
              : fmt::format("by {}", range_text(differences, quantity.unit))));
    }
  }
  return out;
}

/// Local regrets that are the global ones, and quantities that are no measures.
bool is_shown(const StudyComparison& comparison, const MeasureComparison& measure) {
  const Quantity& quantity = quantity_at(measure.quantity);
  // Beside sums over equally many evaluations, what they are per evaluation says nothing new.
  if (quantity.name.ends_with("regret_per_evaluation") && !comparison.work_differs) return false;
  constexpr std::string_view kLocal = "local_";
  if (!quantity.name.starts_with(kLocal)) return quantity.ranked;
  const auto* global = comparison.find(quantity.name.substr(kLocal.size()));
  if (global == nullptr) return true;
  for (std::size_t s = 0; s < measure.cells.size(); ++s)
    for (std::size_t a = 0; a < measure.cells[s].size(); ++a) {
      const auto &local = measure.cells[s][a], &other = global->cells[s][a];
      if (local.has_value() != other.has_value()) return true;
      if (local &&
          (local->values.mean != other->values.mean || local->values.min != other->values.min ||
           local->values.max != other->values.max))
        return true;
    }
  return false;
}

/// What the last setting changes against the first, for each algorithm.
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
      if (!cell || !cell->to_first_setting || !quantity.ranked || !is_shown(comparison, measure))
        continue;
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

/// Every run of every algorithm has the value that it has in the first setting.
bool same_in_all_settings(const MeasureComparison& measure) {
  for (std::size_t s = 1; s < measure.cells.size(); ++s)
    for (const auto& cell : measure.cells[s])
      if (!cell || !cell->to_first_setting || !cell->to_first_setting->equal()) return false;
  return true;
}

/// Adds the rows of a measure, with the algorithms below each other.
void add_algorithm_rows(const Study& study,
                        const MeasureComparison& measure,
                        std::size_t setting,
                        const std::string& name,
                        TextTable& table) {
  const auto unit = quantity_at(measure.quantity).unit;
  bool first = true;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    const auto& cell = measure.cells[setting][a];
    if (!cell) continue;
    table.add({first ? name : "",
               study.algorithms[a],
               marked(mean_and_interval(cell->values, unit), study.find(setting, a)),
               cell->to_first_algorithm ? effect_text(*cell->to_first_algorithm, unit) : ""});
    first = false;
  }
}

/// Algorithms as columns: a row per measure, or per measure and setting. More than
/// kMostAlgorithmColumns are rows instead.
TextTable algorithms_table(const Study& study,
                           const StudyComparison& comparison,
                           std::size_t main) {
  const bool one = study.settings.size() == 1;
  const bool as_rows = study.algorithms.size() > kMostAlgorithmColumns;
  std::vector<std::string> header{""};
  if (as_rows) {
    header = {"", "", "mean", fmt::format("/ {}", study.algorithms[0])};
  } else {
    for (const auto& algorithm : study.algorithms) header.push_back(algorithm);
    for (std::size_t a = 1; a < study.algorithms.size(); ++a)
      header.push_back(fmt::format("{} / {}", study.algorithms[a], study.algorithms[0]));
  }
  TextTable table(header);
  for (const auto& measure : comparison.measures) {
    const Quantity& quantity = quantity_at(measure.quantity);
    if (!is_shown(comparison, measure)) continue;
    if (study.settings.size() > kMostSettingsInFull && measure.quantity != main) continue;
    const bool same = !one && same_in_all_settings(measure);
    if (!one && !same) {
      std::vector<std::string> heading(header.size());
      heading[0] = std::string(quantity.label);
      table.add(std::move(heading));
    }
    for (std::size_t s = 0; s < (same ? 1 : study.settings.size()); ++s) {
      const std::string name = one    ? std::string(quantity.label)
                               : same ? fmt::format("{}, in every setting", quantity.label)
                                      : "  " + setting_text(study, s);
      if (as_rows) {
        add_algorithm_rows(study, measure, s, name, table);
        continue;
      }
      std::vector<std::string> row{name};
      for (std::size_t a = 0; a < measure.cells[s].size(); ++a) {
        const auto& cell = measure.cells[s][a];
        row.push_back(
            cell ? marked(mean_and_interval(cell->values, quantity.unit), study.find(s, a)) : "");
      }
      for (std::size_t a = 1; a < study.algorithms.size(); ++a) {
        const auto& cell = measure.cells[s][a];
        row.push_back(cell && cell->to_first_algorithm
                          ? effect_text(*cell->to_first_algorithm, quantity.unit)
                          : "");
      }
      table.add(std::move(row));
    }
  }
  return table;
}

/// Settings as rows, measures as columns: the first setting's means, the others over the first.
TextTable settings_table(const Study& study, const StudyComparison& comparison, std::size_t a) {
  std::vector<const MeasureComparison*> measures;
  std::vector<std::string> header{study.algorithms[a]};
  for (const auto& measure : comparison.measures)
    if (is_shown(comparison, measure)) {
      measures.push_back(&measure);
      header.emplace_back(quantity_at(measure.quantity).label);
    }
  TextTable table(header);
  for (std::size_t s = 0; s < study.settings.size(); ++s) {
    std::vector<std::string> row{setting_text(study, s)};
    for (const auto* measure : measures) {
      const auto& cell = measure->cells[s][a];
      if (!cell)
        row.emplace_back("");
      else if (s == 0)
        row.push_back(marked(mean_and_interval(cell->values, quantity_at(measure->quantity).unit),
                             study.find(s, a)));
      else
        row.push_back(
            cell->to_first_setting
                ? marked(effect_text(*cell->to_first_setting, quantity_at(measure->quantity).unit),
                         study.find(s, a))
                : "");
    }
    table.add(std::move(row));
  }
  return table;
}

/// The least and the most finished repetitions of all cells that have any, and the runs that did
/// not finish.
struct Counts {
  std::size_t least = 0, most = 0, unfinished = 0;
};
Counts counts_of(const Study& study) {
  Counts counts;
  for (const auto& [at, cell] : study.cells) {
    counts.unfinished += cell.unfinished;
    const auto n = cell.finished.size();
    if (n == 0) continue;
    counts.least = counts.most == 0 ? n : std::min(counts.least, n);
    counts.most = std::max(counts.most, n);
  }
  return counts;
}

/// "a", "b": algorithms with these facts, each once.
std::vector<std::string> algorithms_where(
    const Study& study, const std::function<bool(const ComparisonFacts&)>& condition) {
  std::vector<std::string> labels;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    for (std::size_t s = 0; s < study.settings.size(); ++s)
      if (const auto* cell = study.find(s, a); cell != nullptr && condition(cell->facts)) {
        labels.push_back(study.algorithms[a]);
        break;
      }
  return labels;
}

/// What the algorithms do not have alike.
Sentences unfairness(const Study& study, const StudyComparison& comparison) {
  Sentences out;
  const auto with = [&](Widths widths) {
    return algorithms_where(study, [=](const auto& facts) { return facts.widths == widths; });
  };
  const auto practical = with(Widths::practical), theory = with(Widths::theory);
  if (!practical.empty() && !theory.empty())
    out.push_back(
        fmt::format("{} {} practical confidence widths, {} the theory's, which are wider; part of "
                    "the difference may come from that (parameters `constants` and `c`: `posse "
                    "describe ALGORITHM`)",
                    listed(practical),
                    practical.size() == 1 ? "has" : "have",
                    listed(theory)));
  const auto random =
      algorithms_where(study, [](const auto& facts) { return facts.random_recommendation; });
  if (comparison.find("simple_regret") != nullptr && !random.empty() &&
      random.size() < study.algorithms.size())
    out.push_back(
        fmt::format("the simple regret of {} is that of a play drawn at random (recommendation = "
                    "\"uniform-play\"), not of the best that was found (\"most-pulled\")",
                    listed(random)));
  return out;
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

/// Why sums over evaluations are not compared; nothing if they are.
Sentences work_headline(const Study& study, const StudyComparison& comparison) {
  if (!comparison.work_differs) return {};
  return {fmt::format(
      "Evaluations per client differ ({}): cumulative regret is not compared where they do, since "
      "fewer make it smaller. Regret per evaluation is; it tends to fall while a run goes on.",
      work_text(study))};
}

/// Where numbers of clients differ, regrets of one client say nothing of all.
Sentences different_clients(const Study& study) {
  const std::size_t evaluations = *quantity_named("evaluations"),
                    each = *quantity_named("evaluations_per_client"),
                    regret = *quantity_named("cumulative_regret");
  struct Row {
    std::string name;
    double clients, regret;
  };
  const auto row_of = [&](std::size_t s, std::size_t a, std::string name) -> std::optional<Row> {
    const auto* cell = study.find(s, a);
    if (cell == nullptr || cell->finished.empty()) return std::nullopt;
    Row row{std::move(name), 0, 0};
    double n = 0;
    for (const auto& [seed, finals] : cell->finished) {
      if (!finals[evaluations] || !finals[each] || !finals[regret]) return std::nullopt;
      row.clients = *finals[evaluations] / *finals[each];
      row.regret += *finals[regret] * row.clients;
      ++n;
    }
    row.regret /= n;
    return row;
  };
  const auto sentence = [&](const std::vector<Row>& rows) -> Sentences {
    if (rows.empty()) return {};
    const auto [least, most] = std::ranges::minmax(rows, {}, &Row::clients);
    if (std::round(least.clients) == std::round(most.clients)) return {};
    constexpr std::size_t kMostNamed = 4;
    std::vector<std::string> parts;
    for (const Row& row : rows)
      if (parts.size() < kMostNamed)
        parts.push_back(fmt::format("{} {}", row.name, pretty(rounded(row.regret, 4), "")));
    if (rows.size() > kMostNamed) parts.push_back(fmt::format("{} more", rows.size() - kMostNamed));
    return {
        fmt::format("regrets are those of one client, and numbers of clients differ: summed over "
                    "the clients, the cumulative regrets are {}",
                    listed(parts))};
  };
  std::vector<Row> of_algorithms, of_settings;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a)
    if (auto row = row_of(0, a, study.algorithms[a])) of_algorithms.push_back(std::move(*row));
  if (auto told = sentence(of_algorithms); !told.empty()) return told;
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    if (auto row = row_of(s, 0, setting_text(study, s))) of_settings.push_back(std::move(*row));
  return sentence(of_settings);
}

/// What to keep in mind when reading the tables.
Sentences warnings(const Study& study, const StudyComparison& comparison) {
  const Counts counts = counts_of(study);
  Sentences out = warnings_of_runs(study);
  for (auto& sentence : unfairness(study, comparison)) out.push_back(std::move(sentence));
  for (auto& sentence : different_clients(study)) out.push_back(std::move(sentence));
  if (counts.unfinished > 0)
    out.push_back(
        fmt::format("{} {} not finish and {} left out; if these are the difficult ones, the means "
                    "are too good",
                    counts.unfinished,
                    counts.unfinished == 1 ? "run did" : "runs did",
                    counts.unfinished == 1 ? "is" : "are"));
  if (study.self_stopped)
    out.push_back(
        "a sweep with --decide chose the numbers of repetitions by their results: the intervals "
        "and tests here are for numbers fixed before, and too optimistic; its own verdicts, in "
        "decisions.csv, hold");
  if (counts.least < kFewRepetitions)
    out.push_back(fmt::format("only {}: verdicts of so few change easily",
                              plural(counts.least, "repetition")));
  return out;
}

bool any_without_values(const Study& study) {
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      if (const auto* cell = study.find(s, a); cell != nullptr && cell->finished.empty())
        return true;
  return false;
}

bool any_touched(const Study& study) {
  return std::any_of(study.cells.begin(), study.cells.end(), [](const auto& cell) {
    return cell.second.warnings.has(kTouched);
  });
}

std::string legend(const Study& study, const StudyComparison& comparison) {
  const auto comparisons =
      comparison.measures.empty() ? 0 : comparison.measures.front().comparisons;
  if (comparisons == 0) return "";
  return fmt::format(
      "{}; without it the value is the same in all repetitions. "
      "×: "
      "ratio of means, with its 95 % interval (Fieller), over pairs of equal seeds; the difference "
      "where a ratio says nothing. ?: not shown "
      "to "
      "differ{}.{}{}",
      kIntervalLegend,
      comparisons > 1 ? fmt::format(", corrected for the {} comparisons of a measure (Holm, 5 % in "
                                    "all)",
                                    comparisons)
                      : " (paired t-test, 5 %)",
      any_without_values(study) ? " Empty: no run has finished." : "",
      any_touched(study) ? " †: of runs that were changed by hand." : "");
}

}  // namespace

Sentences warnings_of_runs(const Study& study) {
  // Of all settings; algorithms of which the same is said share a sentence.
  std::vector<std::pair<std::string, std::vector<std::string>>> by_text;
  for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
    std::size_t runs = 0;
    std::map<std::string, CountedWarnings::Counted> all;
    for (std::size_t s = 0; s < study.settings.size(); ++s) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr) continue;
      runs += cell->finished.size();
      for (const auto& [code, counted] : cell->warnings.all()) {
        auto& sum =
            all.try_emplace(code, CountedWarnings::Counted{counted.largest, 0}).first->second;
        sum.runs += counted.runs;
        if (counted.largest.size > sum.largest.size) sum.largest = counted.largest;
      }
    }
    for (const auto& [code, counted] : all) {
      const auto text =
          runs == 1 ? counted.largest.text
          : counted.runs == runs
              ? fmt::format("in all {} runs, {}", runs, counted.largest.text)
              : fmt::format("in {} of {} runs, {}", counted.runs, runs, counted.largest.text);
      const auto same = std::find_if(
          by_text.begin(), by_text.end(), [&](const auto& other) { return other.first == text; });
      if (same == by_text.end())
        by_text.push_back({text, {study.algorithms[a]}});
      else
        same->second.push_back(study.algorithms[a]);
    }
  }
  Sentences out;
  for (const auto& [text, labels] : by_text)
    out.push_back(fmt::format("{}: {}", listed(labels), text));
  return out;
}

std::string width_text(const Study& study, WantedWidth wanted) {
  wanted = comparable_width(study, wanted);
  const Quantity& quantity = quantity_at(wanted.quantity);
  const bool between_algorithms = study.algorithms.size() > 1,
             between_settings = !between_algorithms && study.settings.size() > 1;
  const auto reference = between_algorithms ? study.algorithms.front()
                         : between_settings ? setting_text(study, 0)
                                            : std::string();
  const auto subject = reference.empty()
                           ? std::string(quantity.label)
                           : fmt::format("{}, as a difference to {}'s,", quantity.label, reference);
  const auto width = wanted.relative ? fmt::format("{} % of {} mean",
                                                   rounded(wanted.width * 100, 4),
                                                   reference.empty() ? "the" : reference + "'s")
                                     : pretty(wanted.width, quantity.unit);
  const auto now = counts_of(study).least;
  if (width_reached(study, wanted))
    return fmt::format("{} is known to ±{} with {} repetitions", subject, width, now);
  const auto needed = repetitions_needed(study, wanted);
  if (!needed)
    return fmt::format("{} to ±{}: {}",
                       subject,
                       width,
                       now < 2 ? "two repetitions are needed to tell how many"
                               : "more than a million repetitions, or no values");
  return fmt::format("{} to ±{}: about {} repetitions in all, {} more than now",
                     subject,
                     width,
                     *needed,
                     *needed > now ? *needed - now : 0);
}

std::size_t main_measure(const StudyComparison& comparison) {
  for (const auto name : kMainMeasures)
    if (const auto* measure = comparison.find(name)) return measure->quantity;
  return comparison.measures.empty() ? 0 : comparison.measures.front().quantity;
}

StudyReport study_report(Study given,
                         std::optional<std::size_t> measure,
                         const std::optional<WantedWidth>& wanted) {
  StudyReport report{std::move(given), {}, {}, {}, {}, {}, {}, {}, wanted};
  const Study& study = report.study;
  report.comparison = compare_study(study);
  const StudyComparison& comparison = report.comparison;
  if (comparison.measures.empty()) {
    report.title = "no run has finished: there is nothing to compare";
    return report;
  }
  const std::size_t main = comparable_measure(study, measure.value_or(main_measure(comparison)));
  if (report.wanted) report.wanted = comparable_width(study, *report.wanted);
  const Counts counts = counts_of(study);
  report.title = fmt::format(
      "{}: {}{}, {}{}",
      study.name,
      study.settings.size() > 1 ? plural(study.settings.size(), "setting") + " × " : "",
      plural(study.algorithms.size(), "algorithm"),
      counts.least == counts.most ? plural(counts.least, "repetition")
                                  : fmt::format("{} to {} repetitions", counts.least, counts.most),
      counts.most > 1 ? ", paired by seed" : "");
  report.headline = work_headline(study, comparison);
  for (auto& sentence : algorithms_headline(study, comparison, main))
    report.headline.push_back(std::move(sentence));
  for (auto& sentence : reversals(study, comparison, main))
    report.headline.push_back(std::move(sentence));
  for (auto& sentence : settings_headline(study, comparison))
    report.headline.push_back(std::move(sentence));
  if (study.algorithms.size() > 1 || study.settings.size() == 1)
    report.tables.push_back(algorithms_table(study, comparison, main));
  if (study.settings.size() > 1)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a)
      report.tables.push_back(settings_table(study, comparison, a));
  report.warnings = warnings(study, comparison);
  report.legend = legend(study, comparison);
  return report;
}

std::string to_text(const StudyReport& report) {
  auto out = report.title + "\n";
  if (!report.conditions.empty()) out += wrapped(report.conditions, "");
  if (!report.tables.empty()) out += "\n";
  for (const auto& sentence : report.headline) out += wrapped(sentence, "");
  for (const auto& warning : report.warnings) out += wrapped("warning: " + warning, "");
  if (!report.headline.empty() || !report.warnings.empty()) out += "\n";
  for (const auto& table : report.tables) out += table.text() + "\n";
  if (!report.legend.empty()) out += wrapped(report.legend, "");
  if (report.wanted && !report.comparison.measures.empty())
    out += wrapped(width_text(report.study, *report.wanted), "");
  return out;
}

}  // namespace posse
