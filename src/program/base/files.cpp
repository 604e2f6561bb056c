// SPDX-License-Identifier: Apache-2.0
#include "program/base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/csv.hpp"
#include "program/base/text.hpp"

namespace posse {
namespace fs = std::filesystem;

FileError::FileError(const fs::path& path, const std::string& problem)
    : std::runtime_error(printable(fmt::format("'{}' {}", path.string(), problem))) {}

std::string read_file(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(path, "doesn't exist");
  if (!fs::is_regular_file(status)) throw FileError(path, "is not a regular file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), {});
  if (!in || in.bad())
    throw FileError(path, fmt::format("can't be read: {}", std::strerror(errno)));
  return content;
}

namespace {

/// An open file.
class File {
 public:
  /// Throws FileError with the name `shown`.
  File(const fs::path& path, int flags, fs::path shown)
      : shown_(std::move(shown)), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
  }
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(std::string_view content) {
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void synchronise() {
    // Some file systems have no synchronisation: EINVAL.
    if (fsync(descriptor_) != 0 && errno != EINVAL) fail();
  }
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw FileError(shown_, fmt::format("can't be written: {}", std::strerror(errno)));
  }
  fs::path shown_;
  int descriptor_;
};

void write_directly(const fs::path& path, std::string_view content, const fs::path& shown) {
  File file(path, O_WRONLY | O_CREAT | O_TRUNC, shown);
  file.write(content);
  file.close();
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "host";
  std::string plain(name.data());
  for (char& c : plain)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '_';
  return plain;
}

fs::path unfinished_name(const fs::path& path) {
  const auto ours = fmt::format(".{}-{}-", path.filename().string(), host_name());
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const auto name = it->path().filename().string();
    if (!name.starts_with(ours)) continue;
    const auto process = parse_number<pid_t>(std::string_view(name).substr(ours.size()));
    std::error_code ignored;
    if (process && *process > 0 && kill(*process, 0) != 0 && errno == ESRCH)
      fs::remove(it->path(), ignored);
  }
  return path.parent_path() / fmt::format("{}{}", ours, getpid());
}

void write_file(const fs::path& path, std::string_view content) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    return write_directly(path, content, path);
  // A link stays, what it points to is replaced.
  const fs::path place = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  const fs::path unfinished = unfinished_name(place);
  try {
    write_directly(unfinished, content, path);
    fs::rename(unfinished, place, error);
    if (error) throw FileError(path, fmt::format("can't be written: {}", error.message()));
  } catch (...) {
    fs::remove(unfinished, error);
    throw;
  }
}

void synchronise(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() || entry.is_directory())
      File(entry.path(), O_RDONLY, entry.path()).synchronise();
  File(folder, O_RDONLY, folder).synchronise();
}

}  // namespace posse
