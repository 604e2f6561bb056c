// SPDX-License-Identifier: Apache-2.0
#include "program/base/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/units.hpp"

namespace posse {
namespace fs = std::filesystem;

FileError::FileError(const fs::path& path, const std::string& problem)
    : std::runtime_error(shown_error(fmt::format("'{}' {}", path.string(), problem))) {}

namespace {

/// An open file.
class File {
 public:
  /// Throws FileError with the name `shown`.
  File(const fs::path& path, int flags, fs::path shown)
      : shown_(std::move(shown)), descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("written");
  }
  /// For reading.
  explicit File(const fs::path& path) : shown_(path), descriptor_(open_regular_file(path)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// The number of bytes read; 0 at the end.
  std::size_t read(char* to, std::size_t most) {
    for (;;) {
      const auto got = ::read(descriptor_, to, most);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail("read");
    }
  }
  void write(std::string_view content) {
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("written");
      content.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void synchronise() {
    // Some file systems have no synchronisation: EINVAL.
    if (fsync(descriptor_) != 0 && errno != EINVAL) fail("written");
  }
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("written");
  }
  std::uintmax_t size() const {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail("read");
    return static_cast<std::uintmax_t>(status.st_size);
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw FileError(shown_, fmt::format("can't be {}: {}", what, std::strerror(errno)));
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

int open_regular_file(const fs::path& path) {
  // Without waiting: opening a pipe for reading waits for its writer.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  const int error = errno;
  struct stat status {};
  const bool known =
      (descriptor >= 0 ? fstat(descriptor, &status) : stat(path.c_str(), &status)) == 0;
  const auto refuse = [&](const std::string& problem) {
    if (descriptor >= 0) close(descriptor);
    throw FileError(path, problem);
  };
  if (known && S_ISDIR(status.st_mode)) refuse("is a directory, not a file");
  if (known && !S_ISREG(status.st_mode)) refuse("is not a regular file");
  if (descriptor < 0)
    refuse(error == ENOENT ? "doesn't exist"
                           : fmt::format("can't be read: {}", std::strerror(error)));
  return descriptor;
}

bool is_folder_name(std::string_view name) {
  if (name.empty() || name.size() > 100 || name.front() == '.' || name.front() == '-') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
  });
}

std::string read_file(const fs::path& path, std::uintmax_t most_bytes) {
  File file(path);
  const auto refuse_size = [&] {
    throw FileError(path, fmt::format("is larger than {}", format_size(most_bytes)));
  };
  if (file.size() > most_bytes) refuse_size();
  // One byte more shows the end. Files of the kernel have no size, and others may grow meanwhile.
  constexpr std::size_t kChunk = 1 << 16;
  std::string content(static_cast<std::size_t>(file.size()) + 1, '\0');
  std::size_t filled = 0;
  while (const auto got = file.read(content.data() + filled, content.size() - filled)) {
    filled += got;
    if (filled > most_bytes) refuse_size();
    if (filled == content.size()) content.resize(2 * filled + kChunk);
  }
  content.resize(filled);
  return content;
}

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

double bytes_on_disk(const fs::path& folder) {
  constexpr double kBlock = 4096;
  double bytes = 0;
  for (const auto& file : fs::recursive_directory_iterator(folder))
    if (file.is_regular_file())
      bytes += std::ceil(static_cast<double>(file.file_size()) / kBlock) * kBlock;
  return bytes;
}

void write_stream(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  write(out);
  out.close();
  if (!out) throw FileError(path, fmt::format("can't be written: {}", std::strerror(errno)));
}

void synchronise(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() || entry.is_directory())
      File(entry.path(), O_RDONLY, entry.path()).synchronise();
  File(folder, O_RDONLY, folder).synchronise();
}

}  // namespace posse
