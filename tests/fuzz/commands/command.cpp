// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/commands/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "core/base/shown_text.hpp"
#include "program/base/exit_codes.hpp"
#include "program/base/files.hpp"
#include "program/cli/verb.hpp"
#include "tests/support/executable.hpp"

namespace posse::fuzz {
namespace {

/// In the child: only what is safe after fork in a program with threads.
[[noreturn]] void become(char* const* words, const char* folder, const Limits& limits) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (limits.memory_bytes > 0) {
    const rlimit memory{limits.memory_bytes, limits.memory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  if (chdir(folder) != 0) _exit(127);
  const int in = open("/dev/null", O_RDONLY);
  const int out = open("out.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int err = open("err.txt", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (in < 0 || out < 0 || err < 0) _exit(127);
  dup2(in, 0);
  dup2(out, 1);
  dup2(err, 2);
  execv(words[0], words);
  _exit(127);
}

}  // namespace

Ended run_program(const std::vector<std::string>& arguments,
                  const std::filesystem::path& folder,
                  const Limits& limits) {
  const std::string program = test::posse_executable(), directory = folder.string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) become(words.data(), directory.c_str(), limits);
  setpgid(child, child);  // in the parent and the child, whichever is first
  const auto end = std::chrono::steady_clock::now() + limits.time;
  Ended ended;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    if (std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    ended.out_of_time = true;
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    break;
  }
  kill(-child, SIGKILL);  // what it has left behind
  if (WIFEXITED(status))
    ended.code = WEXITSTATUS(status);
  else
    ended.signal = WTERMSIG(status);
  ended.err = read_file(folder / "err.txt");
  return ended;
}

std::string fault_in(const Ended& ended) {
  if (!ended.out_of_time && ended.signal != 0)
    return fmt::format("was ended by signal {}", ended.signal);
  for (const ExitCode code : {ExitCode::internal, ExitCode::violated})
    if (ended.code == to_int(code)) return fmt::format("ended with exit code {}", ended.code);
  if (ended.code > to_int(ExitCode::files))
    return fmt::format("ended with exit code {}", ended.code);
  for (const std::string_view words :
       {"check failed", "internal failure", "terminate called", "runtime error:", "Sanitizer"})
    if (ended.err.find(words) != std::string::npos) return fmt::format("says '{}'", words);
  constexpr std::size_t kLongestError = 20'000;
  if (ended.err.size() > kLongestError) return "says too much";
  if (printable(ended.err) != ended.err) return "says what is not printable";
  return "";
}

std::string command_text(const std::vector<std::string>& arguments) {
  std::string text = "posse";
  for (const auto& argument : arguments) text += " " + shell_quoted(argument);
  return text;
}

}  // namespace posse::fuzz
