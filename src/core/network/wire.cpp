// SPDX-License-Identifier: Apache-2.0
#include "core/network/wire.hpp"

#include "core/base/check.hpp"

namespace posse {
namespace {

constexpr std::uint64_t kIp = 20;           // IPv4 without options, RFC 791
constexpr std::uint64_t kUdp = kIp + 8;     // RFC 768
constexpr std::uint64_t kTcp = kIp + 20;    // without options, RFC 9293
constexpr std::uint64_t kMtu = 1500;        // of Ethernet
constexpr std::uint64_t kQuicLeast = 1200;  // what QUIC needs not probe for, RFC 9000, 14.1
// Short header: flags 1, connection id 8, packet number 2 (RFC 9000, 17.3.1); AEAD tag 16 (RFC
// 9001, 5.3).
constexpr std::uint64_t kQuicPacket = 1 + 8 + 2 + 16;
constexpr std::uint64_t kStreamFrame = 1 + 1 + 4 + 2;    // RFC 9000, 19.8
constexpr std::uint64_t kAckFrame = 1 + 4 + 2 + 1 + 1;   // RFC 9000, 19.3
constexpr std::uint64_t kHttpFrame = 9;                  // RFC 9113, 4.1
constexpr std::uint64_t kHttpPreface = 24;               // RFC 9113, 3.4
constexpr std::uint64_t kHttpHeaders = kHttpFrame + 10;  // ten fields of one byte, RFC 7541, 6.1

constexpr WireFormat kUdpFormat{.name = "udp",
                                .transport = Transport::datagram,
                                .segment_header = kUdp,
                                .largest_segment = kMtu - kUdp};
constexpr WireFormat kTcpFormat{.name = "tcp",
                                .transport = Transport::reliable,
                                .segment_header = kTcp,
                                .largest_segment = kMtu - kTcp,
                                .acknowledgement = kTcp,
                                .opening = 2 * kTcp,  // SYN, ACK
                                .accepting = kTcp};   // SYN-ACK
constexpr WireFormat kQuicFormat{
    .name = "quic",
    .transport = Transport::reliable,
    .segment_header = kUdp + kQuicPacket + kStreamFrame,
    .largest_segment = kQuicLeast - kQuicPacket - kStreamFrame,
    .acknowledgement = kUdp + kQuicPacket + kAckFrame,
    .opening = 2 * (kUdp + kQuicLeast),     // each with an Initial packet: padded
    .accepting = 3 * (kUdp + kQuicLeast)};  // the most before validation, RFC 9000, 8.1
constexpr WireFormat kGrpcFormat{
    .name = "grpc",
    .transport = Transport::reliable,
    .prefix = 5,
    .frame_header = kHttpFrame,
    .largest_frame = 16384,
    .message_header = kHttpHeaders,
    .segment_header = kTcp,
    .largest_segment = kMtu - kTcp,
    .acknowledgement = kTcp,
    // SYN, ACK, preface with SETTINGS, acknowledgement of SETTINGS.
    .opening = 2 * kTcp + (kTcp + kHttpPreface + kHttpFrame) + (kTcp + kHttpFrame),
    // SYN-ACK, SETTINGS with the acknowledgement of SETTINGS.
    .accepting = kTcp + (kTcp + 2 * kHttpFrame)};

}  // namespace

const WireFormat& wire_format(Wire wire) {
  switch (wire) {
    case Wire::udp:
      return kUdpFormat;
    case Wire::tcp:
      return kTcpFormat;
    case Wire::quic:
      return kQuicFormat;
    case Wire::grpc:
      return kGrpcFormat;
  }
  POSSE_CHECK(false, "no such wire format");
}

}  // namespace posse
