// SPDX-License-Identifier: Apache-2.0
// An external process that answers each line of input with a line of output.
//
// It runs under /bin/sh -c, in a given folder and in a process group of its own, with pipes as its
// standard input, output and error. Its standard error is read meanwhile, so that it never blocks,
// and its end is quoted in errors. It inherits no other descriptors. The destructor closes its
// standard input; half a second later the whole group is killed if it still runs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace posse {

/// An error, with the program's output: "exited with status 3; on standard error: …".
class ProcessFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An owned file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = other.fd_;
      other.fd_ = -1;
    }
    return *this;
  }
  int get() const { return fd_; }
  void reset();

 private:
  int fd_ = -1;
};

class LineProcess {
 public:
  /// Longer lines are a failure.
  static constexpr std::size_t kLongestLine = 1 << 16;

  /// Throws ProcessFailure if it can't be started (no more processes, no such directory).
  LineProcess(const std::string& command, const std::string& folder);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Closes its standard input, so that it ends.
  void hang_up();
  /// Writes the request and an end of line, and waits for a line. Throws ProcessFailure; the
  /// process can't be used after that.
  std::string ask(std::string_view request, std::chrono::nanoseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;

  void write_some(std::string_view& left);
  /// False at the end of the stream.
  static bool read_some(Descriptor& from, std::string& into);
  void read_errors();
  /// True if it has ended by then; it stays a zombie, so that its group id is not reused.
  bool wait_for_end(Clock::time_point deadline) const;
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_at_end_of_output();

  pid_t pid_ = -1;
  Clock::time_point hung_up_at_{};
  Descriptor in_, out_, err_;  // our ends of the pipes
  std::string line_;           // read, without an end of line so far
  std::string errors_;         // the last of its standard error
  bool broken_pipe_ = false;   // it has closed its standard input
};

/// Kills all programs and their process groups at once; safe in a signal handler.
void kill_all_line_processes() noexcept;

/// An excerpt of a program's output in quotes, without control characters.
std::string quoted_excerpt(std::string_view text);

}  // namespace posse
