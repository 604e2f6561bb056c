// SPDX-License-Identifier: Apache-2.0
#include "program/base/gzip_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "program/base/files.hpp"

namespace posse {

GzipFile::GzipFile(const std::filesystem::path& path)
    : path_(path), file_(gzopen(path.c_str(), "wb6")) {
  if (file_ == nullptr) fail();
}
GzipFile::~GzipFile() {
  if (file_ != nullptr) gzclose(static_cast<gzFile>(file_));
}

void GzipFile::write(std::string_view text) {
  if (text.empty()) return;  // gzwrite returns 0 for errors, too
  const auto size = static_cast<unsigned>(text.size());
  if (gzwrite(static_cast<gzFile>(file_), text.data(), size) != static_cast<int>(size)) fail();
}

void GzipFile::close() {
  const int error = gzclose(static_cast<gzFile>(file_));
  file_ = nullptr;
  if (error != Z_OK) fail();
}

void GzipFile::fail() const {
  throw FileError(path_, fmt::format("can't be written: {}", std::strerror(errno)));
}

}  // namespace posse
