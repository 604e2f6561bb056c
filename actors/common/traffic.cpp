// SPDX-License-Identifier: Apache-2.0
#include "actors/common/traffic.hpp"

#include <cstdint>
#include <optional>

#include "actors/common/common_measurements.hpp"

namespace posse {

double Traffic::sum(double TypeTraffic::*column) const {
  double sum = 0;
  for (const auto& row : rows_) sum += row.*column;
  return sum;
}

void Traffic::measure(const RunOutcome& outcome,
                      const TrafficNotes& notes,
                      bool exact,
                      std::vector<Measurement>& measurements) const {
  const auto add = [&](std::string_view name,
                       std::string_view unit,
                       std::string_view note,
                       std::optional<Direction> direction,
                       const auto& measured,
                       double TypeTraffic::*column) {
    if (note.empty()) return;
    std::uint64_t count = 0;
    double formula = 0;
    for (const auto& row : rows_) {
      if (direction && row.format.direction != *direction) continue;
      count += measured(row.format.type);
      formula += row.*column;
    }
    measurements.push_back(
        identity(std::string(name), std::string(unit), count, formula, std::string(note), exact));
  };
  const auto sent = [&](std::string_view type) { return outcome.total(&TypeAccount::sent, type); };
  const auto values = [&](std::string_view type) {
    return outcome.total(&TypeAccount::values, type);
  };
  const auto bytes = [&](std::string_view type) { return payload_bytes(outcome, type); };
  const auto up = Direction::up;
  const auto down = Direction::down;
  add("messages", "", notes.messages, {}, sent, &TypeTraffic::messages);
  add("values up", "", notes.values_up, up, values, &TypeTraffic::values);
  add("values down", "", notes.values_down, down, values, &TypeTraffic::values);
  add("payload", "bytes", notes.payload, {}, bytes, &TypeTraffic::bytes);
  add("payload up", "bytes", notes.payload_up, up, bytes, &TypeTraffic::bytes);
  add("payload down", "bytes", notes.payload_down, down, bytes, &TypeTraffic::bytes);
}

}  // namespace posse
