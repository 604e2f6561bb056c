// SPDX-License-Identifier: Apache-2.0
// The fate of one message copy, for traces and observers.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/network.hpp"

namespace posse {

enum class MessageOutcome : std::uint8_t { delivered, discarded, dropped, in_flight };

constexpr std::string_view to_string(MessageOutcome outcome) {
  switch (outcome) {
    case MessageOutcome::delivered:
      return "delivered";
    case MessageOutcome::discarded:
      return "discarded";
    case MessageOutcome::dropped:
      return "dropped";
    case MessageOutcome::in_flight:
      return "in_flight";
  }
  return "";
}

struct MessageRecord {
  std::uint64_t id = 0;  // in results: position in the order (sent, from, to, transmission),
                         // from 0; in snapshots: transmission number on the link
  std::string_view type;
  Round round;
  NodeId from, to;
  std::uint64_t bytes = 0;
  Time sent;       // when it left its sender
  Time delivered;  // undefined unless it has arrived
  MessageOutcome outcome = MessageOutcome::delivered;
  DropCause cause = DropCause::none;  // of a dropped one
  std::uint32_t transmission = 0;     // its number on the link, from 0
  std::uint32_t number = 0;           // of the message on the link, if the transport is reliable
  std::uint8_t tries = 0;             // reliable transport: earlier transmissions; at most 255
  bool needless = false;              // an acknowledgement of an earlier copy came later
  std::uint32_t order = 0;    // of a copy handed to its role: among those of the node, from 1
  std::uint64_t content = 0;  // hash of the payload; of acknowledgements 0

  bool arrived() const {
    return outcome == MessageOutcome::delivered || outcome == MessageOutcome::discarded;
  }
};

/// Repetitions of a message that turned out to be needless: MessageRecord::tries from `first` to
/// `last`.
struct NeedlessCopies {
  NodeId from, to;
  std::uint32_t number = 0;
  std::uint32_t first = 0, last = 0;
};

}  // namespace posse
