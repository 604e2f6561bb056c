// SPDX-License-Identifier: Apache-2.0
#include "actors/host/line/line.hpp"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <utility>

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

/// A process that doesn't read what it is sent is given up.
constexpr std::size_t kMostWaiting = std::size_t{1} << 30;
constexpr std::size_t kWrittenAtOnce = 1 << 20;
constexpr auto kFarewell = 2s;
/// What was sent is acknowledged by then, or the other machine is gone.
constexpr unsigned kAcknowledgedWithinMs = 20'000;

void run(asio::io_context& io) {
  for (;;) {
    try {
      io.run();
      return;
    } catch (...) {
      // For example out of memory: time-outs end what it concerned, others continue.
    }
  }
}

}  // namespace

IoThread::IoThread() : work_(asio::make_work_guard(io_)) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(io_); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

IoThread::~IoThread() { stop(); }

void IoThread::stop() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
}

Line::Line(asio::io_context& io, OpenedLine opened)
    : socket_(io), farewell_(io), tls_(std::move(opened.tls)), frames_(std::move(opened.frames)) {
  Error error;
  socket_.assign(opened.v6 ? tcp::v6() : tcp::v4(), opened.descriptor, error);
  if (error) ::close(opened.descriptor);
  socket_.set_option(tcp::no_delay(true), error);
  setsockopt(opened.descriptor,
             IPPROTO_TCP,
             TCP_USER_TIMEOUT,
             &kAcknowledgedWithinMs,
             sizeof kAcknowledgedWithinMs);
  frames_.allow(kLongestFrame);
}

Line::~Line() = default;

void Line::start(Handlers handlers) {
  handlers_ = std::move(handlers);
  take_in("");
  read();
}

void Line::take_in(std::string_view came) {
  // No exception ends the thread: what can't be handled ends this line.
  try {
    auto state = TlsSession::State::open;
    if (tls_) {
      std::string plain;
      state = tls_->take(came, plain);
      out_ += tls_->out();
      if (!out_.empty()) write();
      frames_.add(plain);
    } else {
      frames_.add(came);
    }
    while (!closed_) {
      auto frame = frames_.next();
      if (!frame) break;
      handlers_.frame(std::move(*frame));
    }
    if (frames_.broken()) close("it sent what is no frame, or too long a one");
    if (state == TlsSession::State::ended) close(tls_->problem());
  } catch (const std::exception& problem) {
    close(problem.what());
  }
}

void Line::read() {
  if (closed_) return;
  socket_.async_read_some(
      asio::buffer(buffer_), [self = shared_from_this()](const Error& error, std::size_t size) {
        if (self->closed_) return;
        self->take_in({self->buffer_.data(), size});
        if (error)
          self->close(error == asio::error::eof || error == asio::error::connection_reset
                          ? ""
                          : error.message());
        else
          self->read();
      });
}

void Line::send(FrameKind kind, std::span<const char> content) {
  auto bytes = frame(kind, content);
  bool full = false;
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    const bool first = queue_.empty();
    waiting_ += bytes.size();
    full = waiting_ > kMostWaiting;
    over_ = full;
    queue_.push_back(std::move(bytes));
    if (!first && !full) return;  // it is being written, or will be
  }
  asio::post(socket_.get_executor(), [self = shared_from_this(), full] {
    full ? self->close("it doesn't read what is sent to it") : self->write();
  });
}

void Line::write() {
  if (writes_ || closed_) return;
  std::string bytes;
  {
    const std::lock_guard lock(mutex_);
    while (!queue_.empty() && bytes.size() < kWrittenAtOnce) {
      bytes += queue_.front();
      queue_.pop_front();
    }
    waiting_ -= bytes.size();
  }
  if (tls_ && !bytes.empty()) {
    tls_->put(bytes);
    bytes = tls_->out();
  }
  out_ += bytes;
  if (out_.empty()) {
    if (ending_) close("");
    return;
  }
  writes_ = true;
  writing_ = std::exchange(out_, {});
  asio::async_write(socket_,
                    asio::buffer(writing_),
                    [self = shared_from_this()](const Error& error, std::size_t) {
                      self->writes_ = false;
                      if (self->closed_) return;
                      error ? self->close("") : self->write();
                    });
}

void Line::end() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    {
      const std::lock_guard lock(self->mutex_);
      self->over_ = true;
    }
    if (self->closed_ || self->ending_) return;
    self->ending_ = true;
    self->farewell_.expires_after(kFarewell);
    self->farewell_.async_wait([self](const Error& error) {
      if (!error) self->close("");
    });
    self->write();
  });
}

void Line::close(const std::string& why) {
  if (closed_) return;
  closed_ = true;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    queue_.clear();
  }
  Error ignored;
  socket_.shutdown(tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
  farewell_.cancel();
  // The handlers refer to whom the line belongs to.
  const Handlers handlers = std::exchange(handlers_, {});
  if (handlers.ended) handlers.ended(why);
}

}  // namespace posse
