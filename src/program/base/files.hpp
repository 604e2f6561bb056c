// Reading and writing whole files; errors name the file and the reason.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace posse {

/// A file or directory that can't be read or written, or has the wrong content: exit code 11.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& problem);
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace posse
