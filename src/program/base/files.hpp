// Reading and writing whole files; errors name the file and the reason.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace posse {

/// A file or directory that can't be read or written, or has the wrong content: exit code 11.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& problem);
};

std::string read_file(const std::filesystem::path& path);
/// The whole file or, after a FileError, what was there before: it is written beside its place,
/// then renamed. Only what isn't a regular file (/dev/stdout) is written to directly.
void write_file(const std::filesystem::path& path, std::string_view content);
/// Waits until all files below `folder`, and their names, are on disk. Throws FileError.
void synchronise(const std::filesystem::path& folder);

}  // namespace posse
