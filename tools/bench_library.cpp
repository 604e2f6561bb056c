// SPDX-License-Identifier: Apache-2.0
// The program, linked to the shared library, beside the same code linked statically: its start, and
// a run.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/median.hpp"
#include "program/library/experiment.hpp"
#include "tools/bench_clocks.hpp"
#include "tools/bench_sections.hpp"

namespace posse {
namespace {

double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// CPU seconds of a command, whose output is not shown.
double command_seconds(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {1, 2})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  const double before = children_seconds();
  pid_t child = 0;
  int status = -1;
  const bool started =
      posix_spawn(&child, arguments[0], &quiet, nullptr, arguments.data(), environ) == 0 &&
      waitpid(child, &status, 0) == child;
  posix_spawn_file_actions_destroy(&quiet);
  if (!started || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fmt::print(stderr, "bench: {} failed\n", fmt::join(words, " "));
    std::exit(3);
  }
  return children_seconds() - before;
}

}  // namespace

void library_bench(const std::string& scenario_file) {
  const auto program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "posse").string();
  fmt::print(
      "\nlibrary: the program with the shared library, beside this one without; CPU time of one "
      "thread\n");
  std::vector<double> start, nothing, shared, linked, ratio;
  for (int i = 0; i < 15; ++i) {
    start.push_back(command_seconds({program, "--version"}));
    nothing.push_back(command_seconds({"/bin/true"}));
  }
  fmt::print(
      "  start: {:.1f} ms; /bin/true {:.1f} ms\n", 1e3 * median(start), 1e3 * median(nothing));
  const auto out = std::filesystem::temp_directory_path() / fmt::format("posse-bench-{}", getpid());
  Experiment experiment(scenario_file);
  experiment.set("repeat", "20");
  for (int i = 0; i < 7; ++i) {
    shared.push_back(command_seconds({program,
                                      "run",
                                      scenario_file,
                                      "--repeat",
                                      "20",
                                      "--threads",
                                      "1",
                                      "--quiet",
                                      "--out",
                                      out.string()}) -
                     median(start));
    const double before = cpu_seconds();
    experiment.run({.threads = 1}).write(out);
    linked.push_back(cpu_seconds() - before);
    ratio.push_back(shared.back() / linked.back());
  }
  std::filesystem::remove_all(out);
  fmt::print("  run of 20 repetitions of {}: shared {:.3f} s, static {:.3f} s, ratio {:.2f}\n",
             std::filesystem::path(scenario_file).stem().string(),
             median(shared),
             median(linked),
             median(ratio));
}

}  // namespace posse
