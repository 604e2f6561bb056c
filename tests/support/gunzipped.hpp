// SPDX-License-Identifier: Apache-2.0
// Reads gzip in memory.
#pragma once

#include <zlib.h>

#include <array>
#include <stdexcept>
#include <string>

namespace posse::test {

/// Throws if these bytes are not one whole gzip member.
inline std::string gunzipped(std::string packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) throw std::runtime_error("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  int state = Z_OK;
  while (state == Z_OK) {
    std::array<char, 65536> buffer;
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!whole) throw std::runtime_error("this is not gzip");
  return text;
}

}  // namespace posse::test
