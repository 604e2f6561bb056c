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
  /// Number of the message type; of a start the number of types, of a timer one more. latency: of
  /// the transmission on its link.
  std::uint32_t cause = 0;
  bool sends = false;  // compute: the reaction did
  /// Whose work it is: position among the protocol's groups of nodes. latency: the sender and the
  /// receiver.
  std::uint32_t group = 0, to = 0;
  std::uint64_t evaluations = 0;  // compute: that the reaction made
  Duration time;
};

}  // namespace posse
