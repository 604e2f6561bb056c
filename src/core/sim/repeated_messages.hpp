// SPDX-License-Identifier: Apache-2.0
// Messages that a node has sent again, to tell which repetitions were needless: an acknowledgement
// of an earlier copy reached the sender later (as the Eifel detection algorithm of RFC 3522 tells;
// Ludwig and Meyer, 2003).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/link_map.hpp"
#include "core/sim/event.hpp"

namespace posse {

class RepeatedMessages {
 public:
  struct Message {
    Time sent;  // at first
    std::uint16_t type = 0;
    std::uint32_t last = 0;    // number of the latest copy, from 0
    std::uint32_t needed = 0;  // the copies after this one were needless
  };
  /// Repetitions from `first` to `last` of a message that was first sent at `sent`.
  struct Needless {
    Time sent;
    std::uint16_t type = 0;
    std::uint32_t first = 0, last = 0;
    std::uint32_t count() const { return last + 1 - first; }
  };

  /// The message was sent again, as copy `message.last`. Of the latest `kept` messages a record is
  /// kept.
  void sent(const Message& message, LinkId link, std::uint32_t number, std::size_t kept);
  /// Nothing if it was not sent again, or no record is kept any more.
  const Message* find(LinkId link, std::uint32_t number) const;
  /// An acknowledgement of copy `tries` has come, at most kManyTries. The repetitions that turn out
  /// to be needless.
  std::optional<Needless> acknowledged(LinkId link, std::uint32_t number, std::uint8_t tries);
  /// What was sent on the link.
  void forget(LinkId link);

 private:
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // link and number
  std::map<Key, Message> messages_;
  std::deque<Key> by_age_;  // some are no longer in messages_
};

}  // namespace posse
