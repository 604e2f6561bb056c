// SPDX-License-Identifier: Apache-2.0
// Frames: what the processes of a run send each other over a line. A frame is the length of its
// content (four bytes, highest first), its kind (one byte) and the content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace posse {

enum class FrameKind : std::uint8_t {
  // Of the handshake (handshake.hpp).
  hello = 1,
  challenge,
  proof,
  verdict,
  // Of members and the listener (process_messages.hpp).
  join,
  welcome,
  prepare,
  ready,
  ping,
  pong,
  begin,
  moved,
  message,
  report,
  answered,
  stop,
  bye,
};
inline constexpr FrameKind kLastFrameKind = FrameKind::bye;

struct Frame {
  FrameKind kind = FrameKind::hello;
  std::string content;
};

inline constexpr std::size_t kFrameHeader = 5;
/// Of a frame's content.
inline constexpr std::size_t kLongestFrame = std::size_t{256} << 20;

/// Throws OutsideFailure if the content is longer than `kLongestFrame`.
std::string frame(FrameKind kind, std::span<const char> content);

struct FrameHeader {
  FrameKind kind = FrameKind::hello;
  std::size_t length = 0;  // of the content
};
/// Of at least `kFrameHeader` bytes. Nothing if there is no such kind.
std::optional<FrameHeader> read_frame_header(std::string_view bytes);

/// Cuts the bytes of a line into frames. Memory grows with what has come, not with what a header
/// announces.
class FrameReader {
 public:
  explicit FrameReader(std::size_t longest) : longest_(longest) {}

  void allow(std::size_t longest) { longest_ = longest; }
  void add(std::string_view bytes);
  /// The next complete frame.
  std::optional<Frame> next();
  /// What came is no frame, or too long a one. Nothing follows.
  bool broken() const { return broken_; }

 private:
  std::size_t longest_;
  std::string bytes_;
  std::size_t begin_ = 0;  // of what hasn't been read
  bool broken_ = false;
};

}  // namespace posse
