// SPDX-License-Identifier: Apache-2.0
#include "tests/chaos/command_line_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <vector>

#include "program/base/exit_codes.hpp"
#include "program/base/files.hpp"
#include "program/fates/draws.hpp"
#include "program/results/stored_run.hpp"

namespace posse {
namespace {

/// Starts a program without input and output; its process id.
pid_t start_silently(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int descriptor : {0, 1, 2})
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  pid_t child = -1;
  const int error = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error(fmt::format("'{}' can't be started", words[0]));
  return child;
}

/// The exit code, or 128 + the signal that killed it.
int exit_code_of_child(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string fingerprint_below(const std::filesystem::path& out) {
  return StoredRun(out).results().text("fingerprint");
}

/// What is wrong with the replay of a run folder.
std::optional<std::string> replay_violation(const std::string& program,
                                            const std::filesystem::path& results) {
  const int code =
      exit_code_of_child(start_silently({program, "replay", results.string(), "--quiet"}));
  if (code == 0) return std::nullopt;
  return fmt::format("its folder is not what replay gives: exit code {}", code);
}

}  // namespace

bool goes_through_command_line(std::uint64_t seed) {
  return Draws(seed, "command-line").below(50) == 0;
}

CommandLineCheck check_command_line(const Trial& trial,
                                    const std::string& program,
                                    const std::filesystem::path& folder) {
  Draws draws(trial.scenario.seed, "interrupt");
  const bool interrupt = draws.below(3) == 0;
  const auto file = folder / "scenario.toml", out = folder / "out";
  write_file(file, trial.text);
  std::vector<std::string> command{program,
                                   "run",
                                   file.string(),
                                   "--out",
                                   out.string(),
                                   "--quiet",
                                   "--threads",
                                   std::to_string(draws.whole(1, 3))};
  if (interrupt) {  // drawn out to a tenth of a second, so that it is not over too soon
    const double virtual_s = trial.result.runs.front().result.outcome.last_event.to_seconds();
    command.insert(command.end(),
                   {"--pace", fmt::format("{:.6f}", 10 * std::max(virtual_s, 1e-3))});
  }
  const pid_t child = start_silently(std::move(command));
  if (interrupt) {
    std::this_thread::sleep_for(std::chrono::microseconds(draws.below(150'000)));
    kill(child, SIGINT);
  }
  const int code = exit_code_of_child(child);

  CommandLineCheck check;
  const int expected = to_int(exit_code_of(trial.result));
  check.interrupted = interrupt && code == to_int(ExitCode::interrupted);
  const auto results = out / trial.scenario.name;
  if (check.interrupted) {
    // What was written must be readable.
    if (std::filesystem::exists(results / "latest")) fingerprint_below(results);
  } else if (code != expected) {
    check.violation = fmt::format("exit code {}, in process {}", code, expected);
  } else {
    const auto stored = fingerprint_below(results);
    const auto own = fmt::format("{:016x}", trial.result.fingerprint);
    const bool reproducible = !reached_event_limit(trial.scenario, trial.result.runs.front());
    if (reproducible && stored != own)
      check.violation = fmt::format("fingerprint {}, in process {}", stored, own);
    else if (reproducible)
      check.violation = replay_violation(program, results);
  }
  std::filesystem::remove_all(out);
  std::filesystem::remove(file);
  return check;
}

}  // namespace posse
