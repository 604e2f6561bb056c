// SPDX-License-Identifier: Apache-2.0
// Headers and handshakes of protocol stacks, in bytes. They are counted, and at a rate they take
// time, as `header_bytes` do; handshakes are only counted. Nothing else of a stack is simulated: no
// congestion control, no flow control, no round trips of a handshake.
//
// docs/scenario.md ("Wire formats") says what each figure consists of, with its source.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ids.hpp"
#include "core/network/config.hpp"

namespace posse {

/// All figures in bytes. A message is cut into frames, and these, after the message's header, into
/// segments.
struct WireFormat {
  std::string_view name;
  Transport transport = Transport::datagram;
  std::uint64_t prefix = 0;           // of a message, inside its frames
  std::uint64_t frame_header = 0;     // 0: the stack has no frames
  std::uint64_t largest_frame = 1;    // content of a frame
  std::uint64_t message_header = 0;   // of a message, outside its frames
  std::uint64_t segment_header = 0;   // all headers of a segment, IP included
  std::uint64_t largest_segment = 1;  // content of a segment
  std::uint64_t acknowledgement = 0;  // a whole acknowledgement; 0: there are none
  std::uint64_t opening = 0;          // of a handshake: sent by the side that connects
  std::uint64_t accepting = 0;        // of a handshake: sent by the other side

  /// Size on the wire of a message of `payload` bytes.
  constexpr std::uint64_t size_bytes(std::uint64_t payload) const {
    const auto pieces = [](std::uint64_t bytes, std::uint64_t largest) {
      return bytes == 0 ? 1 : (bytes + largest - 1) / largest;
    };
    std::uint64_t content = payload + prefix;
    content += frame_header * pieces(content, largest_frame) + message_header;
    return content + segment_header * pieces(content, largest_segment);
  }
  /// What the sender of a link adds to a handshake with its first transmission. Leaves connect to
  /// the hub, which is node 0; in a mesh the larger number connects to the smaller.
  constexpr std::uint64_t handshake_bytes(NodeId from, NodeId to) const {
    return from.value > to.value ? opening : accepting;
  }
};

const WireFormat& wire_format(Wire wire);

}  // namespace posse
