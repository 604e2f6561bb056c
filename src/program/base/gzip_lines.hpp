// SPDX-License-Identifier: Apache-2.0
// Reads a gzip file line by line; traces are too large to unpack into memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

namespace posse {

class GzipLines {
 public:
  /// Throws FileError if the file can't be opened.
  explicit GzipLines(const std::filesystem::path& path);
  ~GzipLines();
  GzipLines(const GzipLines&) = delete;
  GzipLines& operator=(const GzipLines&) = delete;

  /// The next line without its end; false at the file's end. Throws FileError if the file is
  /// damaged, or a line longer than kLongestLine.
  bool next(std::string& line);
  /// Number of the line read last, from 1.
  std::size_t line() const { return line_; }
  /// Bytes unpacked so far.
  std::size_t bytes() const { return bytes_; }

  static constexpr std::size_t kLongestLine = 1 << 16;

 private:
  bool fill();

  struct Closer {
    void operator()(void* file) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<void, Closer> file_;
  std::string buffer_;
  std::size_t at_ = 0, line_ = 0, bytes_ = 0;
};

}  // namespace posse
