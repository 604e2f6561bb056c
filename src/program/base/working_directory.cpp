// SPDX-License-Identifier: Apache-2.0
#include "program/base/working_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "core/base/hash.hpp"
#include "program/base/files.hpp"

namespace posse {
namespace fs = std::filesystem;
namespace {

std::string system_error() { return std::strerror(errno); }

fs::path lock_of(const fs::path& directory) { return directory.string() + ".lock"; }

/// The open and locked file, or -1 and errno. A file that another program has locked or removed
/// meanwhile is EWOULDBLOCK.
int try_lock(const fs::path& file, int flags) {
  const int descriptor = open(file.c_str(), flags | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;
  int error = 0;
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    error = errno;
  } else {
    struct stat locked {
    }, there{};
    if (fstat(descriptor, &locked) == 0 && stat(file.c_str(), &there) == 0 &&
        locked.st_ino == there.st_ino)
      return descriptor;
    error = EWOULDBLOCK;
  }
  close(descriptor);
  errno = error;
  return -1;
}

/// Removes what programs on this machine that are no more left in `parent`, under names that begin
/// with `ours`.
void remove_leftovers(const fs::path& parent, const std::string& ours) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const auto& path = entry.path();
    if (path.extension() != ".lock" || !path.filename().string().starts_with(ours)) continue;
    const int lock = try_lock(path, 0);
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(parent / path.stem(), ignored);
    fs::remove(path, ignored);
    close(lock);
  }
}

}  // namespace

WorkingDirectory::WorkingDirectory(const fs::path& parent, const std::string& prefix) {
  fs::create_directories(parent);
  remove_leftovers(parent, prefix + host_name() + "-");
  do {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const auto unique =
        hash_combine(static_cast<std::uint64_t>(now), static_cast<std::uint64_t>(getpid()));
    path_ =
        parent / fmt::format("{}{}-{}-{:08x}", prefix, host_name(), getpid(), unique & 0xffffffffU);
    lock_ = try_lock(lock_of(path_), O_CREAT);
  } while (lock_ < 0 && errno == EWOULDBLOCK);  // taken for a leftover before it was locked
  if (lock_ < 0)
    throw FileError(lock_of(path_), fmt::format("can't be locked: {}", system_error()));
  try {
    fs::create_directory(path_);
  } catch (...) {
    remove();
    throw;
  }
}

WorkingDirectory::~WorkingDirectory() { remove(); }

void WorkingDirectory::remove() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  fs::remove(lock_of(path_), ignored);
  close(lock_);
}

void WorkingDirectory::synchronise() const {
  if (syncfs(lock_) != 0)
    throw FileError(path_, fmt::format("can't be written: {}", system_error()));
}

}  // namespace posse
