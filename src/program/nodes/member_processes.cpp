// SPDX-License-Identifier: Apache-2.0
#include "program/nodes/member_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/outside_failure.hpp"
#include "program/scenario/line_process.hpp"

namespace posse {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTimeToEnd = std::chrono::seconds(5);

/// Of a child, which stays a zombie.
bool ends_until(pid_t child, Clock::time_point until) {
  const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  if (process.get() < 0) return false;
  pollfd ended{process.get(), POLLIN, 0};
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
  return poll(&ended, 1, static_cast<int>(std::max<std::int64_t>(0, left))) > 0;
}

}  // namespace

MemberProcesses::MemberProcesses(std::size_t count,
                                 const std::vector<std::string>& arguments,
                                 const std::string& token) {
  std::vector<std::string> words{"posse", "node"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string own_token = "POSSE_TOKEN=" + token;
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::strncmp(*variable, "POSSE_", 6) != 0) environment.push_back(*variable);
  environment.push_back(own_token.data());
  environment.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {0, 1, 2})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  // A signal from the terminal reaches them through the process that listens.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  // Where a loader runs the program, the bundle's bin/posse says how to start another one.
  const char* bundled = std::getenv("POSSE_PROGRAM");
  const char* program = bundled != nullptr ? bundled : "/proc/self/exe";
  int error = 0;
  for (std::size_t i = 0; i < count && error == 0; ++i) {
    pid_t child = 0;
    error = posix_spawn(&child, program, &files, &attributes, argv.data(), environment.data());
    if (error == 0) children_.push_back(child);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error == 0) return;
  for (const pid_t child : children_) kill(child, SIGKILL);
  for (const pid_t child : children_) waitpid(child, nullptr, 0);
  throw OutsideFailure(fmt::format("can't start a member: {}", std::strerror(error)));
}

MemberProcesses::~MemberProcesses() {
  const auto until = Clock::now() + kTimeToEnd;
  for (const pid_t child : children_) {
    if (!ends_until(child, until)) kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace posse
