// SPDX-License-Identifier: Apache-2.0
#include "program/run/quantity_values.hpp"

#include <algorithm>

#include "program/run/runner.hpp"

namespace posse {

std::uint64_t messages_sent(const RunOutcome& outcome) {
  return outcome.total(&TypeAccount::sent) - outcome.total(&TypeAccount::sent, kAcknowledgement);
}
std::uint64_t payload_bytes(const TypeAccount& account) {
  return account.type == kAcknowledgement ? 0 : account.bytes - account.header_bytes;
}
std::uint64_t payload_bytes(const RunOutcome& outcome) {
  std::uint64_t sum = 0;
  for (const auto& account : outcome.accounts) sum += payload_bytes(account);
  return sum;
}

std::optional<double> quantity_value(const RunOutcome& o, std::string_view quantity) {
  const bool evaluates = o.regret.evaluations > 0;
  const auto count = [](auto n) { return std::optional<double>(static_cast<double>(n)); };
  if (quantity == "rounds") return count(o.complete_rounds);
  if (quantity == "messages") return count(messages_sent(o));
  if (quantity == "payload_bytes") return count(payload_bytes(o));
  if (quantity == "wire_bytes") return count(o.total(&TypeAccount::wire_bytes));
  if (quantity == "virtual_s") return o.finished_at.to_seconds();
  if (quantity == "answer_value")
    return o.arms.answer && !o.arms.maximized ? std::optional(o.arms.arms[*o.arms.answer].best)
                                              : std::nullopt;
  if (!evaluates) return std::nullopt;
  if (quantity == "evaluations") return count(o.regret.evaluations);
  const auto per_client =
      static_cast<double>(o.regret.evaluations) / static_cast<double>(o.regret.clients);
  if (quantity == "evaluations_per_client") return per_client;
  if (quantity == "regret_per_evaluation") return o.regret.cumulative / per_client;
  if (quantity == "local_regret_per_evaluation") return o.regret.local_cumulative / per_client;
  if (quantity == "cumulative_regret") return o.regret.cumulative;
  if (quantity == "local_cumulative_regret") return o.regret.local_cumulative;
  if (quantity == "simple_regret") return o.regret.simple;
  return o.regret.local_simple;
}

Finals finals_of(const RunOutcome& outcome) {
  Finals finals;
  for (std::size_t q = 0; q < kQuantities.size(); ++q)
    finals[q] = quantity_value(outcome, quantity_at(q).name);
  return finals;
}

Finals finals_of(const RunRecord& run) {
  Finals finals = finals_of(run.result.outcome);
  for (const auto& measure : run.own_measures)
    if (const auto it = std::ranges::find(run.measurements, measure.name, &Measurement::name);
        it != run.measurements.end())
      finals[own_quantity(measure)] = it->measured;
  return finals;
}

}  // namespace posse
