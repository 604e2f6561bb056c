// SPDX-License-Identifier: Apache-2.0
// Reading and writing whole files; errors name the file and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/base/parameters.hpp"

namespace posse {

/// A file or directory that can't be read or written, or has the wrong content: exit code 11.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& path, const std::string& problem);
};

/// Larger files are not read whole.
inline constexpr std::uintmax_t kLargestFileBytes = std::uintmax_t{4} << 30;

/// Letters, digits, '-', '_', '.', up to 100, not '.' or '-' first: it can name a folder.
bool is_folder_name(std::string_view name);

/// Opens a file for reading and returns its descriptor. Only regular files: reading a device or a
/// pipe may block or never end. Throws FileError.
int open_regular_file(const std::filesystem::path& path);
/// Throws FileError, also for a file with more than `most_bytes`.
std::string read_file(const std::filesystem::path& path,
                      std::uintmax_t most_bytes = kLargestFileBytes);
/// The whole file or, after a FileError, what was there before: it is written beside its place,
/// then renamed. Only what isn't a regular file (/dev/stdout) is written to directly.
void write_file(const std::filesystem::path& path, std::string_view content);
/// The name of a file beside `path` that will be renamed to it. Removes first what killed programs
/// of this machine left under such names.
std::filesystem::path unfinished_name(const std::filesystem::path& path);
/// Of this machine: letters, digits, '.' and '_'.
std::string host_name();

/// Calls `action`; InputErrors become FileErrors that name the file.
template <class Action>
auto naming_file(const std::filesystem::path& path, const Action& action) {
  try {
    return action();
  } catch (const InputError& problem) {
    throw FileError(path, std::string("can't be read: ") + problem.what());
  }
}

/// A new file, written part by part: what is too large to be made in memory first. Throws
/// FileError.
void write_stream(const std::filesystem::path& path,
                  const std::function<void(std::ostream&)>& write);

/// Waits until all files below `folder`, and their names, are on disk. Throws FileError.
void synchronise(const std::filesystem::path& folder);

/// Of all files below a folder, in blocks of 4 KiB.
double bytes_on_disk(const std::filesystem::path& folder);

}  // namespace posse
