// SPDX-License-Identifier: Apache-2.0
// Why one run took longer, sent more or had more regret than another: the difference, split into
// causes and into rounds, and what weighs most in it.
//
// The parts of a split add up to the difference. Times are split along the critical path of each
// round; what happens between rounds and after the last one are parts of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/run/runner.hpp"

namespace posse {

/// One of two runs that are compared, with the fate of every message.
struct ExplainedRun {
  std::string name;
  const Scenario* scenario = nullptr;
  const RunRecord* record = nullptr;

  const RunOutcome& outcome() const { return record->result.outcome; }
};

/// A part of what both runs have, in the amounts of its Explanation.
struct ExplainedPart {
  std::string name;
  double difference = 0;                // second - first
  std::optional<double> first, second;  // none where only the difference can be split
};

/// A split of one quantity. Amounts are whole nanoseconds, whole bytes, or regrets.
struct Explanation {
  std::string_view measure;  // of kQuantities
  double per_unit = 1;       // amounts in a unit of the measure: 1e9 for seconds
  double first = 0, second = 0;
  std::vector<ExplainedPart> causes;  // the largest share of the difference first
  std::vector<ExplainedPart> rounds;  // in their order; regret: intervals of evaluations
  std::vector<ExplainedPart> types;   // of bytes: by type and direction of messages
  /// What weighs most: the round, the message or client, the node that was waited for.
  std::vector<std::string> sentences;

  double difference() const { return second - first; }
};

/// Of the virtual time, the bytes on the wire and, if both have it, the cumulative regret.
std::vector<Explanation> explain(const ExplainedRun& first, const ExplainedRun& second);

}  // namespace posse
