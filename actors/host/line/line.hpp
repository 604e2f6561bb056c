// SPDX-License-Identifier: Apache-2.0
// A line between a member and the listener whose ends have proved who they are: frames in both
// directions, over TCP, encrypted if both have certificates.
#pragma once

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "actors/host/line/frames.hpp"
#include "actors/host/line/tls_module.hpp"

namespace posse {

/// A thread that runs an io_context, and takes no signals.
class IoThread {
 public:
  IoThread();
  /// Ends at once. Nothing is called any more.
  ~IoThread();
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  boost::asio::io_context& io() { return io_; }
  /// Nothing is called after it returns. Not to be called from this thread.
  void stop();

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

/// An authenticated connection, as an entrance (entrance.hpp) leaves it.
struct OpenedLine {
  int descriptor = -1;
  bool v6 = false;
  std::unique_ptr<TlsSession> tls;  // null: not encrypted
  FrameReader frames{kLongestFrame};
};

class Line : public std::enable_shared_from_this<Line> {
 public:
  struct Handlers {
    std::function<void(Frame)> frame;
    /// Called once. `why`: empty if the other end closed the line, or this one did.
    std::function<void(const std::string& why)> ended;
  };

  /// Takes the descriptor over.
  Line(boost::asio::io_context& io, OpenedLine opened);
  ~Line();
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  /// On the thread of `io`, which calls the handlers.
  void start(Handlers handlers);
  /// Never waits. Thread-safe. Frames arrive in order; none after the end.
  void send(FrameKind kind, std::span<const char> content);
  /// Ends when what was sent before has left, or soon. Thread-safe.
  void end();

 private:
  using Error = boost::system::error_code;

  void take_in(std::string_view came);
  void read();
  void write();
  void close(const std::string& why);

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer farewell_;
  std::unique_ptr<TlsSession> tls_;
  FrameReader frames_;
  Handlers handlers_;
  std::array<char, 1 << 16> buffer_;
  std::string out_, writing_;  // what is to be sent next, what is being sent
  bool writes_ = false, ending_ = false, closed_ = false;

  std::mutex mutex_;  // of what follows
  std::deque<std::string> queue_;
  std::size_t waiting_ = 0;  // bytes in the queue
  bool over_ = false;
};

}  // namespace posse
