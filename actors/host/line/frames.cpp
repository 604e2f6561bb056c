// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/frames.hpp"

#include <fmt/format.h>

#include "core/base/outside_failure.hpp"

namespace posse {
namespace {

constexpr std::size_t kLengthBytes = 4;
/// What has been read is dropped in pieces of at least this size.
constexpr std::size_t kDropped = 1 << 16;

}  // namespace

std::string frame(FrameKind kind, std::span<const char> content) {
  if (content.size() > kLongestFrame)
    throw OutsideFailure(
        fmt::format("a message of {} bytes between processes is too long: at most {}",
                    content.size(),
                    kLongestFrame));
  std::string bytes;
  bytes.reserve(kFrameHeader + content.size());
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    bytes += static_cast<char>(content.size() >> 8 * (kLengthBytes - 1 - i) & 255u);
  bytes += static_cast<char>(kind);
  bytes.append(content.data(), content.size());
  return bytes;
}

std::optional<FrameHeader> read_frame_header(std::string_view bytes) {
  FrameHeader header;
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    header.length = header.length << 8 | static_cast<unsigned char>(bytes[i]);
  const auto kind = static_cast<unsigned char>(bytes[kLengthBytes]);
  if (kind == 0 || kind > static_cast<unsigned char>(kLastFrameKind)) return std::nullopt;
  header.kind = static_cast<FrameKind>(kind);
  return header;
}

void FrameReader::add(std::string_view bytes) {
  if (!broken_) bytes_ += bytes;
}

std::optional<Frame> FrameReader::next() {
  const auto left = std::string_view(bytes_).substr(begin_);
  if (broken_ || left.size() < kFrameHeader) return std::nullopt;
  const auto header = read_frame_header(left);
  if (!header || header->length > longest_) {
    broken_ = true;
    bytes_ = {};
    begin_ = 0;
    return std::nullopt;
  }
  if (left.size() < kFrameHeader + header->length) return std::nullopt;
  Frame frame{header->kind, std::string(left.substr(kFrameHeader, header->length))};
  begin_ += kFrameHeader + header->length;
  if (begin_ == bytes_.size() || begin_ >= kDropped) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  return frame;
}

}  // namespace posse
