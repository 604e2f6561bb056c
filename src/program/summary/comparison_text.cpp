#include "program/summary/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "program/base/csv.hpp"
#include "program/base/text.hpp"
#include "program/summary/compared_quantities.hpp"

namespace posse {
namespace {

std::string label_of(const Comparison& comparison) {
  const auto quantity = std::find_if(kQuantities.begin(), kQuantities.end(), [&](const auto& q) {
    return q.name == comparison.name;
  });
  return quantity == kQuantities.end() ? comparison.name : std::string(quantity->label);
}

/// With equal clients the local regret equals the global one and is not shown again.
bool repeats_the_other(const Comparison& local, const std::vector<Comparison>& all) {
  constexpr std::string_view kLocalPrefix = "local_";
  if (!local.name.starts_with(kLocalPrefix)) return false;
  const auto name = local.name.substr(kLocalPrefix.size());
  return std::any_of(all.begin(), all.end(), [&](const Comparison& other) {
    return other.name == name && other.evaluations == local.evaluations &&
           std::equal(other.standings.begin(),
                      other.standings.end(),
                      local.standings.begin(),
                      local.standings.end(),
                      [](const Standing& a, const Standing& b) {
                        return a.algorithm == b.algorithm && a.measured.mean == b.measured.mean &&
                               a.measured.min == b.measured.min && a.measured.max == b.measured.max;
                      });
  });
}

std::string above_the_best(const Standing& standing, const Comparison& comparison) {
  if (!comparison.ranked) return "";
  if (standing.algorithm == comparison.best) return "best";
  const auto& difference = standing.to_best;
  const double mean = difference.values.mean;
  if (!difference.interval) return pretty(rounded(mean, 4), comparison.unit);
  if (difference.sign() == Sign::none) return "equal";
  if (difference.values.sd == 0)
    return pretty(rounded(mean, 4), comparison.unit) + " in every repetition";
  const auto shown = shown_interval(mean, *difference.interval, comparison.unit);
  return fmt::format("{} ({} to {}){}",
                     shown.mean,
                     shown.low,
                     shown.high,
                     difference.sign() == Sign::unclear ? ", not significant" : "");
}

std::string rank_text(const Standing& standing, const Comparison& comparison) {
  return comparison.ranked ? fmt::format("{:.3g}", standing.mean_rank) : "";
}

/// "a is clearly best on x, y.", "None is clearly best on z."
std::string best_algorithms_text(const std::vector<const Comparison*>& shown,
                                 const std::vector<std::string>& labels) {
  std::map<std::size_t, std::string> clear;
  std::string open, equal;
  const auto add = [](std::string& list, const std::string& word) {
    list += (list.empty() ? "" : ", ") + word;
  };
  for (const auto* c : shown) {
    if (c->all_equal())
      add(equal, label_of(*c));
    else if (!c->ranked)
      continue;
    else if (c->clear())
      add(clear[c->best], label_of(*c));
    else
      add(open, label_of(*c));
  }
  std::string out;
  for (const auto& [algorithm, list] : clear)
    out += wrapped(fmt::format("{} is clearly best on {}.", labels[algorithm], list), "  ");
  if (!open.empty()) out += wrapped("None is clearly best on " + open + ".", "  ");
  if (!equal.empty()) out += wrapped("All are equal on " + equal + ".", "  ");
  return out;
}

}  // namespace

std::string comparison_text(const std::vector<Comparison>& comparisons,
                            const std::vector<std::string>& labels) {
  std::vector<const Comparison*> shown;
  for (const auto& c : comparisons)
    if (!c.evaluations && !repeats_the_other(c, comparisons)) shown.push_back(&c);
  if (shown.empty()) return "";

  const std::size_t repetitions = shown.front()->repetitions;
  const bool paired = repetitions > 1;
  std::string out =
      paired ? fmt::format("paired comparison over {} repetitions (common random numbers)\n",
                           repetitions)
             : "one repetition: differences may be due to chance\n";
  if (paired) out += best_algorithms_text(shown, labels);

  std::size_t names = 0, algorithms = 0, values = 9, differences = 14;
  for (const auto* c : shown) {
    names = std::max(names, width(label_of(*c)));
    for (const auto& s : c->standings) {
      algorithms = std::max(algorithms, width(labels[s.algorithm]));
      values = std::max(values, width(mean_and_sd(s.measured, c->unit)));
      differences = std::max(differences, width(above_the_best(s, *c)));
    }
  }
  const auto row = [&](const std::string& name,
                       const std::string& algorithm,
                       const std::string& value,
                       const std::string& difference,
                       const std::string& rank) {
    out += without_trailing_spaces(fmt::format("  {}  {}  {}  {}  {}",
                                               padded(name, names),
                                               padded(algorithm, algorithms),
                                               padded(value, values),
                                               padded(difference, differences),
                                               rank)) +
           "\n";
  };
  if (paired)
    row("", "", "mean ± sd", "above the best (95 % interval)", "rank");
  else
    row("", "", "measured", "above the best", "rank");
  for (const auto* c : shown) {
    if (c->all_equal()) {
      row(label_of(*c), "all", mean_and_sd(c->standings.front().measured, c->unit), "", "");
      continue;
    }
    auto standings = c->standings;
    if (c->ranked)
      std::stable_sort(standings.begin(), standings.end(), [](const auto& a, const auto& b) {
        return a.measured.mean < b.measured.mean;
      });
    for (const auto& s : standings)
      row(&s == &standings.front() ? label_of(*c) : "",
          labels[s.algorithm],
          mean_and_sd(s.measured, c->unit),
          above_the_best(s, *c),
          rank_text(s, *c));
  }
  return out + "\n";
}

std::string comparison_csv(const std::vector<Comparison>& comparisons,
                           const std::vector<std::string>& labels) {
  std::string out =
      "metric,evaluations,algorithm,repetitions,mean,sd,mean_rank,best,minus_best,minus_best_low,"
      "minus_best_high,reference,minus_reference,minus_reference_low,minus_reference_high\n";
  const auto difference = [](const Difference& d) {
    return d.interval ? fmt::format("{},{},{}", d.values.mean, d.interval->low, d.interval->high)
                      : fmt::format("{},,", d.values.mean);
  };
  for (const auto& c : comparisons)
    for (const auto& s : c.standings)
      out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n",
                         csv_cell(c.name),
                         c.evaluations ? fmt::format("{}", *c.evaluations) : "",
                         csv_cell(labels[s.algorithm]),
                         c.repetitions,
                         s.measured.mean,
                         s.measured.sd,
                         c.ranked ? fmt::format("{}", s.mean_rank) : "",
                         c.ranked ? (s.algorithm == c.best ? "1" : "0") : "",
                         c.ranked ? difference(s.to_best) : ",,",
                         csv_cell(labels[c.reference]),
                         difference(s.to_reference));
  return out;
}

}  // namespace posse
