// SPDX-License-Identifier: Apache-2.0
// The messages that a run sends, as a table with a row per type. The counts of messages, values and
// bytes that results print beside the measured ones follow from it, and so do forecasts.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/role/measurement.hpp"
#include "core/role/outcome.hpp"

namespace posse {

struct Content {
  double bytes = 0;   // of payload
  double values = 0;  // as the papers count
};

/// A message of n elements (cells, arms, rewards) carries `fixed` and n times `element`.
struct MessageFormat {
  std::string_view type;
  Direction direction = Direction::peer;
  Content fixed;
  Content element = {};

  constexpr double bytes(double elements) const { return fixed.bytes + element.bytes * elements; }
};

/// All messages of one type.
struct TypeTraffic {
  MessageFormat format;
  double messages = 0;
  double values = 0;
  double bytes = 0;

  TypeTraffic(const MessageFormat& of, double count = 0, double elements = 0) : format(of) {
    add(count, elements);
  }
  /// Adds `count` messages with `elements` elements in all.
  void add(double count, double elements = 0) {
    messages += count;
    values += format.fixed.values * count + format.element.values * elements;
    bytes += format.fixed.bytes * count + format.element.bytes * elements;
  }
};

/// The formulas of the counts in words. A count without a text is left out.
struct TrafficNotes {
  std::string_view messages = {};
  std::string_view values_up = {};
  std::string_view values_down = {};
  std::string_view payload = {};
  std::string_view payload_up = {};
  std::string_view payload_down = {};
};

/// One row per type, even if none is sent. A type has a single direction: the measured counts are
/// those of the type in all directions.
class Traffic {
 public:
  Traffic(std::initializer_list<TypeTraffic> rows) : rows_(rows) {}

  double messages() const { return sum(&TypeTraffic::messages); }
  double bytes() const { return sum(&TypeTraffic::bytes); }

  /// Adds the counts of a run that have a note, each beside the table's if it is `exact` for this
  /// run.
  void measure(const RunOutcome& outcome,
               const TrafficNotes& notes,
               bool exact,
               std::vector<Measurement>& measurements) const;

 private:
  double sum(double TypeTraffic::*column) const;

  std::vector<TypeTraffic> rows_;
};

}  // namespace posse
