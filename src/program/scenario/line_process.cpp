// SPDX-License-Identifier: Apache-2.0
#include "program/scenario/line_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "program/base/signals.hpp"

namespace posse {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kErrorsKept = 2000;  // bytes
constexpr auto kEndPatience = 500ms;       // for a program to end
constexpr auto kSignalCheck = 100ms;       // interval of checks for signals
constexpr auto kGraceAfterSignal = 1s;     // an answer may still come

/// Running process groups, for kill_all_line_processes. Groups beyond its size are only ended by
/// their destructors.
std::array<std::atomic<pid_t>, 1024> g_groups;

void remember_group(pid_t group) {
  for (auto& slot : g_groups) {
    pid_t none = 0;
    if (slot.compare_exchange_strong(none, group)) return;
  }
}
void forget_group(pid_t group) {
  for (auto& slot : g_groups) {
    pid_t expected = group;
    if (slot.compare_exchange_strong(expected, 0)) return;
  }
}

std::string system_error(int error) { return std::strerror(error); }

struct Pipe {
  Descriptor read, write;
};

/// Above the standard descriptors, so that none is overwritten before it is copied.
Descriptor moved_up(int fd) {
  const Descriptor low(fd);
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (high < 0) throw ProcessFailure("can't be started: " + system_error(errno));
  return Descriptor(high);
}

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw ProcessFailure("can't be started: " + system_error(errno));
  Descriptor write(ends[1]);
  Pipe result;
  result.read = ends[0] > 2 ? Descriptor(ends[0]) : moved_up(ends[0]);
  result.write = ends[1] > 2 ? std::move(write) : moved_up(dup(ends[1]));
  return result;
}

void make_nonblocking(const Descriptor& fd) {
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

/// Blocks SIGPIPE for this thread and consumes it if it was raised; other threads and the process's
/// handlers are not affected.
class NoBrokenPipeSignal {
 public:
  NoBrokenPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipeSignal() {
    const timespec at_once{};
    if (!was_pending_)
      while (sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipeSignal(const NoBrokenPipeSignal&) = delete;
  NoBrokenPipeSignal& operator=(const NoBrokenPipeSignal&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

/// Owned settings of posix_spawn.
struct SpawnSettings {
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

LineProcess::LineProcess(const std::string& command, const std::string& folder) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  SpawnSettings settings;
  auto& actions = settings.actions;
  posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  sigset_t none, all_ours;
  sigemptyset(&none);
  sigemptyset(&all_ours);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&all_ours, signal);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all_ours);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::string shell = "/bin/sh", flag = "-c", words = command;
  char* const arguments[] = {shell.data(), flag.data(), words.data(), nullptr};
  const int error =
      posix_spawn(&pid_, shell.c_str(), &actions, &settings.attributes, arguments, environ);
  if (error != 0) {
    pid_ = -1;
    throw ProcessFailure(
        fmt::format("can't be started in the folder '{}': {}", folder, system_error(error)));
  }
  remember_group(pid_);
  in_ = std::move(in.write);
  out_ = std::move(out.read);
  err_ = std::move(err.read);
  for (const auto* end : {&in_, &out_, &err_}) make_nonblocking(*end);
}

void LineProcess::hang_up() {
  if (in_.get() >= 0) hung_up_at_ = Clock::now();
  in_.reset();
}

LineProcess::~LineProcess() {
  hang_up();
  for (auto* end : {&out_, &err_}) end->reset();
  wait_for_end(hung_up_at_ + kEndPatience);
  kill(-pid_, SIGKILL);
  forget_group(pid_);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::string LineProcess::ask(std::string_view request, std::chrono::nanoseconds timeout) {
  std::string text(request);
  text += '\n';
  std::string_view left = text;
  auto deadline = Clock::now() + timeout;
  bool signalled = false;
  for (;;) {
    if (const auto end = line_.find('\n'); end != std::string::npos) {
      std::string line = line_.substr(0, end);
      line_.erase(0, end + 1);
      return line;
    }
    if (line_.size() > kLongestLine)
      fail(fmt::format("wrote more than {} bytes without an end of line", kLongestLine));
    const auto now = Clock::now();
    if (now >= deadline) {
      if (signalled) fail("was stopped by a signal");
      if (broken_pipe_) fail("has closed its standard input and gave no answer");
      fail(fmt::format("gave no answer within {} s",
                       std::chrono::duration<double>(timeout).count()));
    }
    std::array<pollfd, 3> ends{{{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}, {-1, 0, 0}}};
    if (!left.empty() && !broken_pipe_) ends[2] = {in_.get(), POLLOUT, 0};
    const auto wait = std::min<Clock::duration>(deadline - now, kSignalCheck);
    poll(ends.data(),
         ends.size(),
         static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count()));
    if (pending_signal() != 0 && !signalled) {
      signalled = true;
      deadline = std::min(deadline, Clock::now() + kGraceAfterSignal);
    }
    if (ends[1].revents != 0) read_errors();
    if (ends[2].revents != 0) {
      write_some(left);
      if (broken_pipe_) deadline = std::min(deadline, Clock::now() + kEndPatience);
    }
    if (ends[0].revents != 0 && !read_some(out_, line_)) fail_at_end_of_output();
  }
}

void LineProcess::write_some(std::string_view& left) {
  const NoBrokenPipeSignal guard;
  const ssize_t written = write(in_.get(), left.data(), left.size());
  if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  if (written < 0 && errno != EAGAIN && errno != EINTR) broken_pipe_ = true;
}

bool LineProcess::read_some(Descriptor& from, std::string& into) {
  std::array<char, 4096> buffer;
  const ssize_t count = read(from.get(), buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

void LineProcess::read_errors() {
  if (!read_some(err_, errors_)) err_.reset();
  if (errors_.size() > 2 * kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

// Polling, because waitid has no time limit and SIGCHLD belongs to the whole program; only used
// while a program ends.
bool LineProcess::wait_for_end(Clock::time_point deadline) const {
  for (auto pause = 1ms;; pause = std::min(2 * pause, 20ms)) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid != 0)
      return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
  }
}

void LineProcess::fail_at_end_of_output() {
  if (!wait_for_end(Clock::now() + kEndPatience))
    fail("closed its standard output without an answer");
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (info.si_code == CLD_EXITED)
    fail(fmt::format("exited with status {} without an answer", info.si_status));
  fail(fmt::format("was killed by signal {} ({})", info.si_status, strsignal(info.si_status)));
}

void LineProcess::fail(const std::string& what) {
  for (bool more = true; more && err_.get() >= 0;) {
    const std::size_t before = errors_.size();
    read_errors();
    more = errors_.size() != before;
  }
  std::string text = what;
  if (!line_.empty()) text += "; its last output: " + quoted_excerpt(line_);
  if (!errors_.empty()) {
    const std::string_view all = errors_;
    text += "; on standard error: " +
            quoted_excerpt(all.substr(all.size() - std::min(all.size(), kErrorsKept)));
  }
  throw ProcessFailure(text);
}

void kill_all_line_processes() noexcept {
  for (const auto& slot : g_groups)
    if (const pid_t group = slot.load(); group > 0) kill(-group, SIGKILL);
}

std::string quoted_excerpt(std::string_view text) {
  constexpr std::size_t kShown = 300;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  // The end of a program's output is the most useful part.
  const bool cut = text.size() > kShown;
  if (cut) text.remove_prefix(text.size() - kShown);
  std::string out = cut ? "\"… " : "\"";
  for (const char c : text)
    out += c == '\n' ? std::string(" / ")
                     : std::string(1, static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c);
  return out + "\"";
}

}  // namespace posse
