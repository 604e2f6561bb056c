// SPDX-License-Identifier: Apache-2.0
#include "program/plot/break_even.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/math.hpp"
#include "program/base/text.hpp"
#include "program/plot/sweep_charts.hpp"
#include "program/sweep/setting_runs.hpp"

namespace posse {
namespace {

/// An algorithm in a setting.
struct Choice {
  std::string name;
  const StudyCell* cell = nullptr;
  double regret = 0, cost = 0;  // means
  std::size_t repetitions = 0;
};

std::vector<Choice> choices_of(const Study& study, std::size_t quantity, std::size_t cost) {
  std::vector<Choice> choices;
  for (std::size_t s = 0; s < study.settings.size(); ++s)
    for (std::size_t a = 0; a < study.algorithms.size(); ++a) {
      const auto* cell = study.find(s, a);
      if (cell == nullptr) continue;
      std::vector<double> regrets, costs;
      for (const auto& [repetition, finals] : cell->finished)
        if (finals[quantity] && finals[cost]) {
          regrets.push_back(*finals[quantity]);
          costs.push_back(*finals[cost]);
        }
      if (regrets.empty()) continue;
      choices.push_back(
          {name_in_setting(study.algorithms[a], study.algorithms.size() == 1, study.settings[s]),
           cell,
           statistics(regrets).mean,
           statistics(costs).mean,
           regrets.size()});
    }
  return choices;
}

double price_between(const Choice& from, const Choice& to) {
  return (to.regret - from.regret) / (from.cost - to.cost);
}

/// Best at price 0, then at ever higher prices.
std::vector<const Choice*> lower_envelope(const std::vector<Choice>& choices) {
  std::vector<const Choice*> envelope;
  const auto* best =
      &*std::min_element(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return std::pair(a.regret, a.cost) < std::pair(b.regret, b.cost);
      });
  while (best != nullptr) {
    envelope.push_back(best);
    const Choice* next = nullptr;
    for (const auto& choice : choices) {
      if (choice.cost >= best->cost) continue;
      const auto key = [&](const Choice& c) { return std::pair(price_between(*best, c), c.cost); };
      if (next == nullptr || key(choice) < key(*next)) next = &choice;
    }
    best = next;
  }
  return envelope;
}

std::optional<Interval> price_interval(const Choice& from,
                                       const Choice& to,
                                       std::size_t quantity,
                                       std::size_t cost) {
  std::vector<double> more_regret, less_cost;
  for (const auto& [repetition, finals] : from.cell->finished) {
    const auto other = to.cell->finished.find(repetition);
    if (other == to.cell->finished.end() || !finals[quantity] || !finals[cost] ||
        !other->second[quantity] || !other->second[cost])
      continue;
    more_regret.push_back(*other->second[quantity] - *finals[quantity]);
    less_cost.push_back(*finals[cost] - *other->second[cost]);
  }
  if (more_regret.size() < 2) return std::nullopt;
  const auto ratio = paired_ratio(more_regret, less_cost, 0.95);
  return ratio ? ratio->interval : std::nullopt;
}

/// "1.2e-05 (6.5e-06 to 1.7e-05)"
std::string price_text(const BreakEven& p) {
  const auto text = [](double price) { return pretty(rounded(price, 2), ""); };
  if (!p.interval) return text(p.price);
  return fmt::format("{} ({} to {})", text(p.price), text(p.interval->low), text(p.interval->high));
}

std::string unit_of_cost(std::size_t cost) {
  const Quantity& q = quantity_at(cost);
  if (q.unit == "bytes") return "byte";
  if (q.unit == "s") return "second of " + std::string(q.label);
  auto one = std::string(q.label);
  if (one.ends_with("s")) one.pop_back();
  return one;
}

}  // namespace

std::vector<BreakEven> break_evens(const Study& study, std::size_t quantity, std::size_t cost) {
  const auto choices = choices_of(study, quantity, cost);
  if (choices.empty()) return {};
  const auto envelope = lower_envelope(choices);
  std::vector<BreakEven> all;
  for (std::size_t i = 1; i < envelope.size(); ++i)
    all.push_back({envelope[i - 1]->name,
                   envelope[i]->name,
                   price_between(*envelope[i - 1], *envelope[i]),
                   price_interval(*envelope[i - 1], *envelope[i], quantity, cost)});
  return all;
}

MaybeChart break_even_chart(const Study& study, std::size_t quantity, std::size_t cost) {
  const auto choices = choices_of(study, quantity, cost);
  const Quantity& measure = quantity_at(quantity);
  if (measure.better != Better::less)
    return fmt::format("needs a measure of which less is better, which {} isn't", measure.name);
  if (choices.size() < 2)
    return fmt::format("needs two algorithms or settings with the measure {}", measure.name);
  if (choices.size() > kMostLines)
    return fmt::format("would have {} lines; --where KEY=VALUE chooses among them", choices.size());
  if (study.algorithms.size() > 1 && study.settings.size() > 1)
    return fmt::format(
        "needs one setting, to compare the algorithms there; --where KEY=VALUE "
        "chooses among {}",
        study.settings.size());
  const auto prices = break_evens(study, quantity, cost);
  if (prices.empty()) {
    const auto* best = lower_envelope(choices).front();
    return fmt::format(
        "needs a choice, but {} is better at any price: it has the smallest {} and "
        "the smallest {}",
        best->name,
        measure.label,
        quantity_at(cost).label);
  }
  const auto unit = unit_of_cost(cost);
  Chart chart;
  chart.id = plot_id("break-even", quantity_at(cost));
  chart.title = fmt::format("Which is best, by the price of a {}", unit);
  const double low = prices.front().price / 30, high = prices.back().price * 30;
  std::vector<std::string> sentences;
  for (const auto& p : prices) {
    sentences.push_back(
        fmt::format("{} up to a price of {}, then {}", p.from, price_text(p), p.to));
  }
  chart.subtitle =
      fmt::format("{}: {}. {}", study.name, repetitions_text(study), fmt::join(sentences, "; "));
  chart.x = {
      fmt::format("price of a {}, in units of regret per client", unit), "", "price", Scale::log};
  chart.y = {fmt::format("{} per client + price · {}{}",
                         measure.label,
                         quantity_at(cost).label,
                         quantity_at(cost).unit == "s" ? "" : " of all nodes"),
             "",
             "cost",
             Scale::log};
  constexpr int kSteps = 120;
  for (const auto& choice : choices) {
    Series line{choice.name, {}, Series::Kind::line, chart.series.size(), choice.repetitions};
    for (int i = 0; i <= kSteps; ++i) {
      const double price = low * math::pow(high / low, static_cast<double>(i) / kSteps);
      line.points.push_back(
          {price, choice.regret + price * choice.cost, std::nullopt, std::nullopt});
    }
    chart.series.push_back(std::move(line));
  }
  // From the lowest to the highest line at each break-even.
  for (const auto& p : prices) {
    Series mark{"break-even at " + price_text(p), {}, Series::Kind::guide, 0, 0};
    double least = choices.front().regret + p.price * choices.front().cost, most = least;
    for (const auto& choice : choices) {
      least = std::min(least, choice.regret + p.price * choice.cost);
      most = std::max(most, choice.regret + p.price * choice.cost);
    }
    std::optional<Around> around;
    if (p.interval) around = Around(p.price - p.interval->low, p.interval->high - p.price);
    mark.points = {{p.price, least / 2, around, std::nullopt},
                   {p.price, most * 2, around, std::nullopt}};
    chart.series.push_back(std::move(mark));
  }
  return chart;
}

}  // namespace posse
