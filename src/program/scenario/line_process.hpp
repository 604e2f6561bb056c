// A program in a process of its own that answers a line with a line.
//
// It runs under /bin/sh -c, in a given folder and in a process group of its own, with pipes as its
// standard input, output and error. Its standard error is read along, so that it never blocks, and
// its end is quoted when something goes wrong. Nothing else of ours is open in it. When this ends,
// its standard input is closed; what isn't gone half a second later is killed with the whole group.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace posse {

/// What went wrong, and what the program said: "exited with status 3; on standard error: …".
class ProcessFailure : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file descriptor, closed in the end.
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

  /// Throws ProcessFailure if it can't be started (for want of processes, or of the folder).
  LineProcess(const std::string& command, const std::string& folder);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Closes its standard input: the beginning of the end.
  void hang_up();
  /// Writes the request and an end of line, and waits for a line. Throws ProcessFailure; the
  /// process is of no use after that.
  std::string ask(std::string_view request, std::chrono::nanoseconds timeout);

 private:
  using Clock = std::chrono::steady_clock;

  void write_some(std::string_view& left);
  /// False at the end of the stream.
  static bool read_some(Descriptor& from, std::string& into);
  void read_errors();
  /// True if it has ended by then; it stays a zombie, so that its group's number stays its own.
  bool wait_for_end(Clock::time_point deadline) const;
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_at_end_of_output();

  pid_t pid_ = -1;
  Clock::time_point hung_up_at_{};
  Descriptor in_, out_, err_;  // our ends
  std::string line_;           // read, without an end of line so far
  std::string errors_;         // the last of its standard error
  bool broken_pipe_ = false;   // it reads no more
};

/// Kills all programs and what they have started, at once: for a signal's handler.
void kill_all_line_processes() noexcept;

/// Text of a program in quotes, short and without control characters.
std::string quoted_excerpt(std::string_view text);

}  // namespace posse
