// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/check.hpp"
#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/quantities.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace {

constexpr auto kConditions =
    "\"mean < 0.01\", \"max <= bound\", \"p(90) <= 2 s\": min, mean, max or p(q); <, <=, > or >=; "
    "a "
    "number, a text with a unit, or bound";

std::string_view trimmed_of_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// A number in the quantity's base unit.
std::optional<double> limit_of(std::string_view text, const Quantity& quantity) {
  if (quantity.unit == "s") {
    const auto duration = parse_duration(text).value;
    return duration ? std::optional(duration->to_seconds()) : std::nullopt;
  }
  if (quantity.unit == "bytes") {
    const auto size = parse_size(text).value;
    return size ? std::optional(static_cast<double>(*size)) : std::nullopt;
  }
  if (text.ends_with(quantity.unit)) text.remove_suffix(quantity.unit.size());
  const auto number = parse_number<double>(trimmed_of_spaces(text));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// The problem, or "".
std::string read_condition(std::string_view text, const Quantity& quantity, Threshold& threshold) {
  text = trimmed_of_spaces(text);
  const auto relation_at = text.find_first_of("<>");
  if (relation_at == std::string_view::npos) return "has no <, <=, > or >=";
  const auto of = trimmed_of_spaces(text.substr(0, relation_at));
  const bool or_equal = relation_at + 1 < text.size() && text[relation_at + 1] == '=';
  const auto rest = trimmed_of_spaces(text.substr(relation_at + (or_equal ? 2 : 1)));
  using Relation = Threshold::Relation;
  if (text[relation_at] == '<')
    threshold.relation = or_equal ? Relation::at_most : Relation::less;
  else
    threshold.relation = or_equal ? Relation::at_least : Relation::greater;

  using Of = Threshold::Of;
  if (of == "min") {
    threshold.of = Of::min;
  } else if (of == "mean") {
    threshold.of = Of::mean;
  } else if (of == "max") {
    threshold.of = Of::max;
  } else if (of.starts_with("p(") && of.ends_with(")")) {
    const auto p = parse_number<double>(trimmed_of_spaces(of.substr(2, of.size() - 3)));
    if (!p || !(*p > 0 && *p < 100)) return "has a percentile that is not above 0 and below 100";
    threshold.of = Of::percentile;
    threshold.percentile = *p;
  } else if (of.empty()) {
    return "doesn't say of what before its <, <=, > or >=";
  } else {
    return fmt::format("begins with '{}'", of);
  }
  if (rest == "bound") return "";
  threshold.limit = limit_of(rest, quantity);
  if (threshold.limit) return "";
  if (quantity.unit == "s") return fmt::format("'{}' is no duration with a unit", rest);
  if (quantity.unit == "bytes") return fmt::format("'{}' is no size with a unit", rest);
  return fmt::format("'{}' is neither a number nor bound", rest);
}

class ThresholdReader {
 public:
  ThresholdReader(const std::vector<std::string>& labels, bool all, Diagnostics& diagnostics)
      : labels_(labels), all_labels_(all), diagnostics_(diagnostics) {}

  std::vector<Threshold> read(const Value& section) {
    const Table* table = section.table();
    if (table == nullptr) {
      add(section,
          "thresholds",
          "is not a table",
          "[thresholds] with simple_regret = \"mean < 0.01\"");
      return {};
    }
    for (const auto& [key, value] : *table) {
      const auto dot = key.rfind('.');
      if (const Table* own = value.table()) {
        if (known_label(key, value))
          for (const auto& [measure, condition] : *own) read_measure(key, measure, condition);
      } else if (dot != std::string::npos) {
        if (known_label(key.substr(0, dot), value))
          read_measure(key.substr(0, dot), key.substr(dot + 1), value);
      } else {
        read_measure(std::nullopt, key, value);
      }
    }
    if (table->empty()) add(section, "thresholds", "is empty", "simple_regret = \"mean < 0.01\"");
    return std::move(thresholds_);
  }

 private:
  void add(const Value& at,
           std::string key,
           std::string problem,
           std::string allowed,
           std::string nearest = "") {
    diagnostics_.add({at.location,
                      std::move(key),
                      std::move(problem),
                      at.table() || at.array() ? "" : describe(at),
                      std::move(allowed),
                      std::move(nearest)});
  }

  bool known_label(const std::string& label, const Value& at) {
    if (!all_labels_ || std::find(labels_.begin(), labels_.end(), label) != labels_.end())
      return true;
    add(at,
        "thresholds." + label,
        "names no algorithm",
        names_text(labels_),
        nearest_name(label, labels_));
    return false;
  }

  void read_measure(const std::optional<std::string>& label,
                    const std::string& measure,
                    const Value& value) {
    const auto key = fmt::format("thresholds.{}{}", label ? *label + "." : "", measure);
    const auto quantity = quantity_named(measure);
    if (!quantity) {
      const auto names = quantity_names();
      return add(value,
                 key,
                 "is no measure",
                 fmt::format("{}", fmt::join(names, ", ")),
                 nearest_name(measure, names));
    }
    if (const Array* several = value.array(); several != nullptr && !several->empty()) {
      for (const auto& one : *several) read_text(label, quantity_at(*quantity), key, one);
    } else {
      read_text(label, quantity_at(*quantity), key, value);
    }
  }

  void read_text(const std::optional<std::string>& label,
                 const Quantity& quantity,
                 const std::string& key,
                 const Value& value) {
    const auto* text = std::get_if<std::string>(&value.data);
    if (text == nullptr) return add(value, key, "is not a string", kConditions);
    Threshold threshold;
    threshold.algorithm = label;
    threshold.measure = std::string(quantity.name);
    threshold.condition = *text;
    threshold.location = value.location;
    if (auto problem = read_condition(*text, quantity, threshold); !problem.empty())
      return add(value, key, std::move(problem), kConditions);
    thresholds_.push_back(std::move(threshold));
  }

  const std::vector<std::string>& labels_;
  bool all_labels_;
  Diagnostics& diagnostics_;
  std::vector<Threshold> thresholds_;
};

}  // namespace

bool Threshold::holds(double value, double against) const {
  switch (relation) {
    case Relation::less:
      return value < against;
    case Relation::at_most:
      return value <= against;
    case Relation::greater:
      return value > against;
    case Relation::at_least:
      return value >= against;
  }
  return false;
}

std::vector<Threshold> read_thresholds(const Value& section,
                                       const std::vector<std::string>& labels,
                                       bool all,
                                       Diagnostics& diagnostics) {
  return ThresholdReader(labels, all, diagnostics).read(section);
}

double percentile_of(std::vector<double> values, double p) {
  POSSE_CHECK(!values.empty(), "the percentile of no values");
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(p / 100 * static_cast<double>(values.size()) * (1 - 1e-12));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

std::size_t values_for_percentile(double p) {
  if (p == 50) return 1;
  return static_cast<std::size_t>(std::ceil(100 / std::min(p, 100 - p) * (1 - 1e-12)));
}

std::vector<std::string> undecidable(const std::vector<Threshold>& thresholds,
                                     std::size_t repetitions) {
  std::vector<std::string> texts;
  for (const auto& threshold : thresholds) {
    if (threshold.of != Threshold::Of::percentile) continue;
    const auto least = values_for_percentile(threshold.percentile);
    if (repetitions >= least) continue;
    texts.push_back(fmt::format("{}: thresholds.{}{}: \"{}\" needs {} repetitions and has {}",
                                threshold.location.text(),
                                threshold.algorithm ? *threshold.algorithm + "." : "",
                                threshold.measure,
                                threshold.condition,
                                least,
                                repetitions));
  }
  return texts;
}

}  // namespace posse
