// SPDX-License-Identifier: Apache-2.0
// The fates of message copies that were decided last, for snapshots.
#pragma once

#include <cstddef>
#include <vector>

#include "core/sim/message_record.hpp"
#include "core/sim/snapshot.hpp"

namespace posse {

/// A ring of kRecentMessages records.
class RecentMessages {
 public:
  /// Returns a record to fill in: a new one, or the oldest one.
  MessageRecord& next() {
    if (ring_.size() < kRecentMessages) return ring_.emplace_back();
    MessageRecord& oldest = ring_[next_];
    next_ = (next_ + 1) % kRecentMessages;
    return oldest;
  }
  const std::vector<MessageRecord>& in_any_order() const { return ring_; }

 private:
  std::vector<MessageRecord> ring_;
  std::size_t next_ = 0;
};

}  // namespace posse
