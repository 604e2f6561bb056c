// SPDX-License-Identifier: Apache-2.0
// Messages that were lost or given up and will not be repeated, for the report of a stalled run.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/network.hpp"

namespace posse {

struct LostMessage {
  Time left;  // first transmission
  NodeId from, to;
  std::uint16_t type = 0;
  Round round;
  DropCause cause = DropCause::none;
  std::uint32_t tries = 0;  // > 0: the transport gave up after so many transmissions
};

/// The lost messages that are most relevant to a report: those of the latest rounds, and within a
/// round the first. The choice does not depend on the order of additions, nor on their distribution
/// over several lists.
class LostMessages {
 public:
  void add(const LostMessage& message);
  bool empty() const { return heap_.empty(); }
  /// The most relevant first.
  std::vector<LostMessage> sorted() const;

 private:
  static constexpr std::size_t kKept = 4096;
  std::vector<LostMessage> heap_;  // the least relevant on top
};

}  // namespace posse
