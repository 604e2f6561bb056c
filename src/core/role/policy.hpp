// SPDX-License-Identifier: Apache-2.0
// When a node that gathers answers closes a round, and what it makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/time.hpp"

namespace posse {

enum class PolicyKind { all, quorum, deadline };

constexpr std::string_view to_string(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::all:
      return "all";
    case PolicyKind::quorum:
      return "quorum";
    case PolicyKind::deadline:
      return "deadline";
  }
  return "?";
}

/// What a server that averages its clients' values makes of them, value by value. trimmed_mean: the
/// mean without the `trim` share of the answers at either end, rounded down. Median and trimmed
/// mean are robust (Yin, Chen, Kannan & Bartlett 2018); no theory here covers them.
enum class Aggregate { mean, median, trimmed_mean };

constexpr std::string_view to_string(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::mean:
      return "mean";
    case Aggregate::median:
      return "median";
    case Aggregate::trimmed_mean:
      return "trimmed-mean";
  }
  return "?";
}

/// all: when every answer has arrived. quorum: when `quorum` answers have arrived. deadline: when
/// `deadline` has passed since the round's messages left, or earlier if every answer has arrived.
/// If fewer than `quorum` answers (default 1) have arrived by then, the round goes on until they
/// have.
struct Policy {
  PolicyKind kind = PolicyKind::all;
  std::uint32_t quorum = 1;  // answers, >= 1, <= members
  Duration deadline{};
  Aggregate aggregate = Aggregate::mean;
  double trim = 0.1;  // [0, 0.5)
};

/// Protocol::why_order_matters at a node that gathers answers under this policy.
constexpr std::string_view why_order_matters(const Policy& policy) {
  return policy.kind == PolicyKind::all ? ""
                                        : "only the answers that come before a round closes count";
}

}  // namespace posse
