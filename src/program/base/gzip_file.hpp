// SPDX-License-Identifier: Apache-2.0
// Streams text into a gzip file: the traces of large runs do not fit into memory twice.
#pragma once

#include <filesystem>
#include <string_view>

namespace posse {

/// Errors are std::runtime_errors that name the file.
class GzipFile {
 public:
  explicit GzipFile(const std::filesystem::path& path);
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  void write(std::string_view text);
  /// Call it at the end; without it errors of the last bytes remain unknown.
  void close();

 private:
  [[noreturn]] void fail() const;
  std::filesystem::path path_;
  void* file_;
};

}  // namespace posse
