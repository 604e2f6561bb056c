// SPDX-License-Identifier: Apache-2.0
#include "program/plot/pdf.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace posse {
namespace {

constexpr auto kProgram = "rsvg-convert";

/// A file in memory, closed at the end.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {})
      : descriptor_(memfd_create("plot", MFD_CLOEXEC)) {
    if (descriptor_ < 0) fail();
    while (!content.empty()) {
      const auto written = ::write(descriptor_, content.data(), content.size());
      if (written < 0) fail();
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    lseek(descriptor_, 0, SEEK_SET);
  }
  ~MemoryFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string content() const {
    lseek(descriptor_, 0, SEEK_SET);
    std::string all;
    std::array<char, 1 << 16> part{};
    for (;;) {
      const auto count = ::read(descriptor_, part.data(), part.size());
      if (count < 0) fail();
      if (count == 0) return all;
      all.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  [[noreturn]] static void fail() {
    throw std::runtime_error(fmt::format("no memory for a picture: {}", std::strerror(errno)));
  }
  int descriptor_;
};

/// The present environment, with a fixed date for what is written into files.
std::vector<char*> environment() {
  static std::string date = "SOURCE_DATE_EPOCH=0";
  std::vector<char*> all;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with("SOURCE_DATE_EPOCH=")) all.push_back(*entry);
  all.push_back(date.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

std::string to_pdf(const std::string& svg) {
  const MemoryFile in(svg), out, errors;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.descriptor(), STDERR_FILENO);
  std::string program = kProgram, flag = "--format=pdf";
  std::array<char*, 3> arguments{program.data(), flag.data(), nullptr};
  auto variables = environment();
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, kProgram, &files, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    throw std::runtime_error(
        fmt::format("PDF needs the program {} ({}): apt-get install librsvg2-bin",
                    kProgram,
                    std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      throw std::runtime_error(fmt::format("{}: {}", kProgram, std::strerror(errno)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{} failed: {}", kProgram, errors.content()));
  return out.content();
}

}  // namespace posse
