// SPDX-License-Identifier: Apache-2.0
#include "actors/host/envelope.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace posse {
namespace {

/// Between two nodes a round has a handful of segments.
constexpr std::size_t kMostSegmentsOnTheWay = 32;
constexpr std::uint8_t kLastPart = static_cast<std::uint8_t>(PathPart::stopped);

/// Within seventy years of the run's start: differences of such times don't overflow.
bool is_possible(std::int64_t time_ns) {
  constexpr std::int64_t kMost = std::int64_t{1} << 61;
  return time_ns >= -kMost && time_ns <= kMost;
}

/// Seven bits a byte, the lowest first.
void put(std::uint64_t number, std::vector<char>& out) {
  for (; number >= 128; number >>= 7) out.push_back(static_cast<char>(number | 128));
  out.push_back(static_cast<char>(number));
}

std::optional<std::uint64_t> take(std::span<const char>& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 63 && !in.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in = in.subspan(1);
    number |= std::uint64_t{byte & 127u} << shift;
    if (byte < 128) return number;
  }
  return std::nullopt;
}

}  // namespace

std::vector<char> encode_path(const Path& path) {
  std::vector<char> out;
  if (!path) return out;
  std::vector<PathSegment> segments;  // the last first
  path.visit_backwards([&](const PathSegment& segment) {
    segments.push_back(segment);
    return segments.size() < kMostSegmentsOnTheWay;
  });
  const Time begins = segments.empty() ? path.until() : segments.back().from;
  put(static_cast<std::uint64_t>(begins.ns), out);
  std::reverse(segments.begin(), segments.end());
  for (const PathSegment& segment : segments) {
    out.push_back(static_cast<char>(segment.part));
    put(segment.node.value, out);
    put(static_cast<std::uint64_t>((segment.until - segment.from).ns), out);
  }
  return out;
}

std::optional<Path> decode_path(const std::vector<char>& bytes) {
  if (bytes.empty()) return Path();
  std::span<const char> in(bytes);
  const auto begins = take(in);
  if (!begins) return std::nullopt;
  Time until{static_cast<std::int64_t>(*begins)};
  Path path = Path::beginning(NodeId{0}, until);
  while (!in.empty()) {
    const auto part = static_cast<std::uint8_t>(in.front());
    in = in.subspan(1);
    const auto node = take(in);
    const auto length = node ? take(in) : std::nullopt;
    if (!length || part > kLastPart || *node > ~std::uint32_t{0}) return std::nullopt;
    until = until + Duration{static_cast<std::int64_t>(*length)};  // saturates
    path.extend(static_cast<PathPart>(part), NodeId{static_cast<std::uint32_t>(*node)}, until);
  }
  return path;
}

Envelope to_envelope(const Event& copy, const MessageTypes& types) {
  Envelope envelope;
  envelope.from = copy.source.value;
  envelope.to = copy.node.value;
  envelope.round = copy.round.value;
  envelope.type = types.name(copy.type);
  envelope.sequence = copy.sequence;
  envelope.number = copy.number;
  envelope.tries = copy.tries;
  envelope.departed_ns = departure_of(copy)->ns;
  if (!copy.payload) return envelope;
  std::vector<std::byte> bytes;
  bytes.reserve(copy.payload.size_bytes());
  copy.payload.type().encode(copy.payload, bytes);
  const auto* first = reinterpret_cast<const char*>(bytes.data());
  envelope.content.assign(first, first + bytes.size());
  envelope.sent_number = copy.payload.number();
  envelope.path = encode_path(copy.payload.path());
  return envelope;
}

std::optional<Event> from_envelope(const Envelope& envelope, const MessageTypes& types) {
  const auto type = types.number_of(envelope.type);
  if (!type) return std::nullopt;
  if (!is_possible(envelope.departed_ns) || !is_possible(envelope.left_ns)) return std::nullopt;
  Event copy;
  copy.node = NodeId{envelope.to};
  copy.source = NodeId{envelope.from};
  copy.kind = ArrivalEvent{Time{envelope.departed_ns}};
  copy.tries = envelope.tries;
  copy.type = *type;
  copy.sequence = envelope.sequence;
  copy.round = Round{envelope.round};
  copy.number = envelope.number;
  if (*type == types.acknowledgement())
    return envelope.content.empty() ? std::optional(std::move(copy)) : std::nullopt;
  auto path = decode_path(envelope.path);
  auto content = types.type(*type).decode(std::as_bytes(std::span(envelope.content)));
  if (!path || !content) return std::nullopt;
  copy.payload = std::move(*content);
  if (*path) copy.payload = std::move(copy.payload).sent(std::move(*path), envelope.sent_number);
  return copy;
}

}  // namespace posse
