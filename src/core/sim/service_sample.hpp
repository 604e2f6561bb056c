// SPDX-License-Identifier: Apache-2.0
// How long the handling of one message took in wall time.
#pragma once

#include <cstdint>

#include "core/base/time.hpp"

namespace posse {

struct ServiceSample {
  /// As the properties of a ServiceRule. latency: from the sender's hands to the receiver's
  /// process.
  enum class Of : std::uint8_t { dispatch, decode, compute, encode, latency } of = Of::dispatch;
  /// Number of the message type; of a start the number of types, of a timer one more. Of latencies
  /// 0.
  std::uint16_t cause = 0;
  bool sends = false;  // compute: the reaction did
  /// Positions among the protocol's groups of nodes: whose work it is; of latencies, the sender's
  /// and the receiver's.
  std::uint16_t group = 0, to_group = 0;
  std::uint64_t evaluations = 0;  // compute: that the reaction made
  Duration time;
};

}  // namespace posse
