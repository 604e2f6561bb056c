// SPDX-License-Identifier: Apache-2.0
// Another program, started by a test and stopped with it: in a process group of its own, which the
// destructor kills; the kernel does so too if the test's process dies.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/test_data.hpp"

namespace posse::test {

class ChildProcess {
 public:
  /// Runs `command` (program, arguments) in `folder`; its standard output goes to the file `name`
  /// .out there, its standard error to `name`.err.
  ChildProcess(const std::vector<std::string>& command,
               const std::filesystem::path& folder,
               const std::string& name)
      : out_((folder / (name + ".out")).string()), err_((folder / (name + ".err")).string()) {
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const auto directory = folder.string();
    // What an earlier program of that name said isn't taken for this one's.
    for (const auto& file : {out_, err_}) std::filesystem::remove(file);
    const pid_t parent = getpid();
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {  // only what is safe after fork in a program with threads
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent || chdir(directory.c_str()) != 0) _exit(127);
      const int in = open("/dev/null", O_RDONLY);
      const int out = open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      const int err = open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      if (in < 0 || out < 0 || err < 0) _exit(127);
      dup2(in, 0);
      dup2(out, 1);
      dup2(err, 2);
      execv(arguments.front(), arguments.data());
      _exit(127);
    }
    setpgid(pid_, pid_);  // in the parent and the child, whichever is first
  }
  ~ChildProcess() {
    kill(-pid_, SIGKILL);
    if (!exit_code_) waitpid(pid_, nullptr, 0);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  std::string out() const { return text_of(out_); }
  std::string err() const { return text_of(err_); }
  void signal(int number) {
    if (running()) kill(pid_, number);
  }

  /// The exit code (128 + n for signal n), if it has ended by then.
  std::optional<int> wait(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      int status = 0;
      if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_)
        exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (exit_code_ || std::chrono::steady_clock::now() >= end) return exit_code_;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  bool running() { return !wait(std::chrono::milliseconds(0)); }

  /// What follows `prefix` up to the end of its line on standard error; fails the test if it
  /// doesn't come.
  std::string line_after(const std::string& prefix,
                         std::chrono::milliseconds patience = std::chrono::seconds(20)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      const bool last = !running() || std::chrono::steady_clock::now() >= end;
      const auto text = err();
      if (const auto at = text.find(prefix); at != std::string::npos)
        if (const auto stop = text.find('\n', at); stop != std::string::npos)
          return text.substr(at + prefix.size(), stop - at - prefix.size());
      if (last) FAIL("no line with '" << prefix << "' in:\n" << text);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

 private:
  std::string out_, err_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

/// Calls `condition` until it is true.
template <class Condition>
bool comes_true(const Condition& condition,
                std::chrono::milliseconds patience = std::chrono::seconds(20)) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

}  // namespace posse::test
