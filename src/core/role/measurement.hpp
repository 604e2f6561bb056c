// SPDX-License-Identifier: Apache-2.0
// A measured quantity beside the bounds that theory gives for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace posse {

/// exact: all constants known; derived: from the algorithm's own schedule; rate: its constant is
/// unknown; does_not_apply: an assumption fails, which `note` names; the value of the formula is
/// still given.
enum class BoundKind { exact, derived, rate, does_not_apply };

/// Certainty of a bound. always: deterministic, so a violation is a bug and fails the run;
/// with_probability: with probability 1 - delta under assumption (A); order_only: a rate.
enum class BoundStrength { always, with_probability, order_only };

struct Bound {
  double value = 0;
  BoundKind kind = BoundKind::derived;
  BoundStrength strength = BoundStrength::with_probability;
  bool is_lower = false;     // measured must be >= value
  std::string note;          // formula and source, and the assumption that fails
  bool is_identity = false;  // measured must be == value: the same count, computed in two ways
};

struct Measurement {
  std::string name;  // "rounds", "values per player", …
  std::string unit;  // "s", "bytes", …; "" for a pure number
  double measured = 0;
  std::optional<Bound> bound;
};

/// What is better of a measure.
enum class Better { less, more, neither };

/// A measure of an algorithm's own: runs are compared by it as by those that all algorithms have,
/// in tables, plots, flags and thresholds. Its value in a run is the measurement of this name.
struct OwnMeasure {
  std::string_view name;  // "accuracy": letters, digits, '_', '-'
  std::string_view unit;  // "s", "bytes", …; "" for a pure number
  std::string_view meaning;
  Better better = Better::neither;  // neither: no algorithm is called the best
};

constexpr std::string_view to_string(Better better) {
  switch (better) {
    case Better::less:
      return "less";
    case Better::more:
      return "more";
    case Better::neither:
      return "neither";
  }
  return "?";
}

constexpr std::string_view to_string(BoundKind kind) {
  switch (kind) {
    case BoundKind::exact:
      return "exact";
    case BoundKind::derived:
      return "derived";
    case BoundKind::rate:
      return "rate";
    case BoundKind::does_not_apply:
      return "does_not_apply";
  }
  return "?";
}

constexpr std::string_view to_string(BoundStrength strength) {
  switch (strength) {
    case BoundStrength::always:
      return "always";
    case BoundStrength::with_probability:
      return "with_probability";
    case BoundStrength::order_only:
      return "order_only";
  }
  return "?";
}

/// True when an applicable `always` bound is violated; the program then exits with code 5.
inline bool violated(const Measurement& measurement) {
  if (!measurement.bound || measurement.bound->kind == BoundKind::does_not_apply ||
      measurement.bound->strength != BoundStrength::always)
    return false;
  if (measurement.bound->is_identity) return !(measurement.measured == measurement.bound->value);
  return measurement.bound->is_lower ? measurement.measured < measurement.bound->value
                                     : measurement.measured > measurement.bound->value;
}

}  // namespace posse
