// SPDX-License-Identifier: Apache-2.0
#include "program/compare/study_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "program/base/text.hpp"

namespace posse {
namespace {

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

}  // namespace

std::optional<double> clients_of(const Finals& run) {
  const auto &all = run["evaluations"], &each = run["evaluations_per_client"];
  return all && each ? std::optional(*all / *each) : std::nullopt;
}

std::string effect_text(const PairedEffect& effect, std::string_view unit) {
  if (effect.equal()) return "=";
  if (!effect.ratio) return difference_text(effect, unit);
  const auto& [value, interval] = *effect.ratio;
  if (!interval)  // of several repetitions: it has no end
    return fmt::format("{}×{}",
                       pretty(rounded(value, 3), ""),
                       effect.difference.n > 1 && !effect.shown ? " ?" : "");
  const auto shown = shown_interval(value, *interval, "");
  const auto text = shown.low == shown.high
                        ? fmt::format("{}×", shown.mean)
                        : fmt::format("{}× ({} to {})", shown.mean, shown.low, shown.high);
  return effect.shown ? text : text + " ?";
}

std::string range_text(const std::vector<double>& numbers, std::string_view unit) {
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

bool has_row(const StudyComparison& comparison, const MeasureComparison& measure) {
  const Quantity& quantity = quantity_at(measure.quantity);
  // Beside sums over equally many evaluations, what they are per evaluation says nothing new.
  if (quantity.name.ends_with("regret_per_evaluation") && !comparison.work_differs) return false;
  constexpr std::string_view kLocal = "local_";
  if (!quantity.name.starts_with(kLocal)) return quantity.is_measure();
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

StudyCounts counts_of(const Study& study) {
  StudyCounts counts;
  for (const auto& [at, cell] : study.cells) {
    counts.unfinished += cell.unfinished;
    const auto n = cell.finished.size();
    if (n == 0) continue;
    counts.least = counts.most == 0 ? n : std::min(counts.least, n);
    counts.most = std::max(counts.most, n);
  }
  return counts;
}

}  // namespace posse
