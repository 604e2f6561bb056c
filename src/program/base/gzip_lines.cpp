// SPDX-License-Identifier: Apache-2.0
#include "program/base/gzip_lines.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include "program/base/files.hpp"

namespace posse {
namespace {

constexpr unsigned kChunk = 1 << 16;

gzFile handle(void* file) { return static_cast<gzFile>(file); }

}  // namespace

void GzipLines::Closer::operator()(void* file) const { gzclose(handle(file)); }

GzipLines::GzipLines(const std::filesystem::path& path) : path_(path) {
  const int descriptor = open_regular_file(path);
  file_.reset(gzdopen(descriptor, "rb"));
  if (file_ == nullptr) {
    close(descriptor);
    throw FileError(path, "can't be read");
  }
  gzbuffer(handle(file_.get()), kChunk);
}

GzipLines::~GzipLines() = default;

bool GzipLines::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + kChunk);
  const int got = gzread(handle(file_.get()), buffer_.data() + kept, kChunk);
  buffer_.resize(kept + static_cast<std::size_t>(got > 0 ? got : 0));
  if (got > 0) {
    bytes_ += static_cast<std::size_t>(got);
    return true;
  }
  int error = Z_OK;
  const char* text = gzerror(handle(file_.get()), &error);
  // A truncated file shows only at its end.
  if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
    throw FileError(path_, fmt::format("can't be unpacked: {}", text));
  return false;
}

bool GzipLines::next(std::string& line) {
  std::size_t from = at_;
  for (;;) {
    const auto end = buffer_.find('\n', from);
    if (end != std::string::npos) {
      line.assign(buffer_, at_, end - at_);
      at_ = end + 1;
      ++line_;
      return true;
    }
    const std::size_t open = buffer_.size() - at_;
    if (open > kLongestLine)
      throw FileError(path_,
                      fmt::format("line {}: is longer than {} bytes", line_ + 1, kLongestLine));
    if (!fill()) {
      if (open == 0) return false;
      line.assign(buffer_, at_, open);
      at_ = buffer_.size();
      ++line_;
      return true;
    }
    from = open;
  }
}

}  // namespace posse
