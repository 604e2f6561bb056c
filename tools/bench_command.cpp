// SPDX-License-Identifier: Apache-2.0
#include "tools/bench_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace posse {

CommandCost cost_of(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {1, 2})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = -1;
  rusage usage{};
  const bool started =
      posix_spawn(&child, arguments[0], &quiet, nullptr, arguments.data(), environ) == 0 &&
      wait4(child, &status, 0, &usage) == child;
  posix_spawn_file_actions_destroy(&quiet);
  if (!started || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fmt::print(stderr, "bench: {} failed\n", fmt::join(words, " "));
    std::exit(3);
  }
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime),
          1024 * static_cast<double>(usage.ru_maxrss)};
}

}  // namespace posse
