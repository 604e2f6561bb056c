// SPDX-License-Identifier: Apache-2.0
// Lines that transmit one message after the other: when messages may have left them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "network.hpp"

namespace message_log {

/// [from, to] with slack on both sides.
struct Span {
  Nanoseconds from = 0, to = 0, slack = 0;

  Nanoseconds least() const { return from - slack; }
  Nanoseconds most() const { return to > kNever - slack ? kNever : to + slack; }
};

inline Nanoseconds plus(Nanoseconds a, Nanoseconds b) { return a > kNever - b ? kNever : a + b; }

inline Nanoseconds scaled(Nanoseconds a, double factor) {
  const double x = static_cast<double>(a) * factor;
  return a == kNever || x > 9e18 ? kNever : static_cast<Nanoseconds>(x);
}

/// A line before which messages wait: at the earliest and at the latest.
class Queue {
 public:
  explicit Queue(const Line& line) : line_(line) {}

  bool takes_time() const { return line_.bits_per_second.has_value(); }
  bool is_finite() const { return takes_time() && line_.queue_bytes.has_value(); }
  /// `others`: bytes that may have come at the same instant, before.
  bool may_overflow(const Span& entry, std::uint64_t others = 0) const {
    std::uint64_t waiting = others;
    for (const auto& item : items_)
      if (item.end_most > entry.least()) waiting += item.bytes;
    return is_finite() && waiting > *line_.queue_bytes;
  }
  bool must_overflow(const Span& entry) const {
    std::uint64_t waiting = 0;
    for (const auto& item : items_)
      if (item.start_least > entry.most()) waiting += item.bytes;
    return is_finite() && waiting > *line_.queue_bytes;
  }

  /// When a message has left the line that is the last of so many bytes, at least and at most, and
  /// of at most so many messages.
  Span left_after(const Span& entry,
                  std::uint64_t least_bytes,
                  std::uint64_t most_bytes,
                  Nanoseconds messages) const {
    if (!takes_time()) return entry;
    const Nanoseconds slack =
        (free_.to + free_.slack >= entry.from ? free_.slack : 0) + entry.slack + messages;
    return {line_.end_of(std::max(entry.from, free_.from), least_bytes),
            line_.end_of(std::max(entry.to, free_.to), most_bytes),
            slack};
  }

  /// The line is not free before these bytes have left it, at least and at most.
  void occupy(const Span& entry,
              std::uint64_t least_bytes,
              std::uint64_t most_bytes,
              Nanoseconds messages) {
    if (!takes_time() || most_bytes == 0) return;
    const Span left = left_after(entry, least_bytes, most_bytes, messages);
    while (!items_.empty() && items_.front().end_most < entry.least()) items_.pop_front();
    if (is_finite())
      items_.push_back(
          {least_bytes == most_bytes ? std::max(entry.from, free_.from) - left.slack : 0,
           left.most(),
           most_bytes});
    free_ = {least_bytes > 0 ? left.from : free_.from, left.to, left.slack};
  }

 private:
  struct Item {
    Nanoseconds start_least, end_most;
    std::uint64_t bytes;
  };

  Line line_;
  Span free_;
  std::deque<Item> items_;
};

}  // namespace message_log
