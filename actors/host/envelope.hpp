// SPDX-License-Identifier: Apache-2.0
// A message copy on its way between node actors in wall time, in this process or another: plain
// numbers, texts and bytes.
#pragma once

#include <caf/all.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/sim/event.hpp"
#include "core/sim/message_types.hpp"

namespace posse {

struct Envelope {
  std::uint32_t from = 0, to = 0, round = 0;
  std::string type;            // the name of its message type
  std::vector<char> content;   // as MessageType::encode writes it; nothing for acknowledgements
  std::uint32_t sequence = 0;  // number of the transmission on the link
  std::uint32_t number = 0;    // of the message on the link, if the transport is reliable
  std::uint8_t tries = 0;      // Event::tries
  std::int64_t departed_ns = 0;
  /// When it was encoded, or, if the network made it wait longer, when its latency began.
  std::int64_t left_ns = 0;
  std::uint32_t sent_number = 0;  // Payload::number
  std::vector<char> path;         // what led to its sending, if paths are followed
};

/// `copy`: an ArrivalEvent.
Envelope to_envelope(const Event& copy, const MessageTypes& types);

/// The copy's arrival, without a time. Nothing if the type is unknown or the bytes are not those of
/// a message of that type. Whether the nodes exist and are linked is not checked.
std::optional<Event> from_envelope(const Envelope& envelope, const MessageTypes& types);

/// The last segments of a path, in a few bytes each.
std::vector<char> encode_path(const Path& path);
/// Nothing if the bytes are not those of a path.
std::optional<Path> decode_path(const std::vector<char>& bytes);

}  // namespace posse

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(posse::Envelope)
