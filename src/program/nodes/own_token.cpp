// SPDX-License-Identifier: Apache-2.0
#include "program/nodes/own_token.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "program/page/page_answer.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestToken = 200;  // bytes

std::optional<fs::path> state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return fs::path(state) / "posse";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return std::nullopt;
  return fs::path(home) / ".local/state/posse";
}

/// Makes the file. Another process may do so at the same time: then there is one, and it is
/// complete.
void make(const fs::path& file) {
  const auto unfinished = file.string() + "." + std::to_string(getpid());
  const Descriptor out(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (out.get() < 0) return;
  const auto line = random_token() + "\n";
  if (write(out.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size())) {
    std::error_code there_is_one;
    fs::create_hard_link(unfinished, file, there_is_one);
  }
  unlink(unfinished.c_str());
}

std::string read_if_private(const fs::path& file) {
  const Descriptor in(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (in.get() < 0 || fstat(in.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 077) != 0)
    return "";
  std::array<char, kLongestToken> buffer;
  const ssize_t size = read(in.get(), buffer.data(), buffer.size());
  std::string token(buffer.data(), static_cast<std::size_t>(size < 0 ? 0 : size));
  return token.substr(0, token.find('\n'));
}

}  // namespace

std::string own_token() {
  const auto folder = state_folder();
  if (!folder) return "";
  std::error_code error;
  fs::create_directories(*folder, error);
  const auto file = *folder / "node-token";
  if (!fs::exists(file, error)) make(file);
  return read_if_private(file);
}

}  // namespace posse
