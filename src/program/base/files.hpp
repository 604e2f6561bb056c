// Files read and written whole; what goes wrong says which file, and why.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace posse {

/// A file or folder that can't be read, isn't what it should be, or can't be written: exit code 11.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& problem);
};

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

}  // namespace posse
