// SPDX-License-Identifier: Apache-2.0
#include "program/base/gzip_text.hpp"

#include <zlib.h>

#include <limits>
#include <new>

#include "core/base/check.hpp"

namespace posse {

std::string gzip_text(std::string_view text) {
  constexpr int kGzip = 15 + 16;  // the largest window, with gzip's header
  constexpr int kFast = 1;        // metrics shrink to a twentieth all the same
  POSSE_CHECK(text.size() <= std::numeric_limits<uInt>::max(), "a text of {} bytes", text.size());
  z_stream stream{};
  if (deflateInit2(&stream, kFast, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib doesn't write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int done = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  POSSE_CHECK(done == Z_STREAM_END, "zlib answers {}", done);
  return out;
}

}  // namespace posse
