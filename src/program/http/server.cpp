// SPDX-License-Identifier: Apache-2.0
#include "program/http/server.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "program/http/address.hpp"
#include "program/http/connection.hpp"

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using namespace std::chrono_literals;

/// For the rest of a request, if others want the connection.
constexpr auto kRequestPatience = std::chrono::seconds(1);
/// For the reader of an answer, if others want the connection.
constexpr auto kAnswerPatience = std::chrono::seconds(10);
constexpr auto kPauseAfterFailure = 100ms;  // before accepting again, when out of descriptors

[[noreturn]] void fail(const HttpAddress& address, const error_code& error) {
  throw std::system_error(error.value(),
                          std::system_category(),
                          host_and_port(address.host, address.port) + " can't be bound");
}

/// Child processes do not inherit it.
template <class Socket>
void keep_from_children(Socket& socket) {
  fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

tcp::acceptor bound(asio::io_context& io, const HttpAddress& address) {
  error_code error;
  const auto ip = asio::ip::make_address(address.host, error);
  if (error) fail(address, error);
  const tcp::endpoint endpoint(ip, address.port);
  tcp::acceptor acceptor(io);
  const auto checked = [&] {
    if (error) fail(address, error);
  };
  acceptor.open(endpoint.protocol(), error);
  checked();
  keep_from_children(acceptor);
  // So that a server can restart while connections of the previous one are closing.
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  checked();
  acceptor.bind(endpoint, error);
  checked();
  acceptor.listen(tcp::acceptor::max_listen_connections, error);
  checked();
  return acceptor;
}

/// Blocks signals: other threads handle them.
template <class Body>
std::thread thread_without_signals(Body body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread;
  try {
    thread = std::thread(std::move(body));
  } catch (const std::system_error& problem) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw std::system_error(problem.code(), "the server gets no thread");
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const HttpAddress& address, HttpHandler handler, HttpLimits limits)
      : shared_{.address = address,
                .handler = std::move(handler),
                .limits = limits,
                .shutdown_timer = asio::steady_timer(io_)},
        acceptor_(bound(io_, address)),
        pause_(io_) {
    shared_.address.port = acceptor_.local_endpoint().port();
    accept();
    thread_ = thread_without_signals([this] { run(); });
  }
  ~Impl() {
    asio::post(io_, [this] { stop(); });
    thread_.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const HttpAddress& address() const { return shared_.address; }
  std::size_t connections() const { return shared_.open; }

  void wake() {
    if (woken_.exchange(true)) return;  // already scheduled
    asio::post(io_, [this] {
      woken_ = false;
      for (const auto& connection : all()) connection->wake();
    });
  }

 private:
  void run() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (...) {
        // For example out of memory: its timer ends this connection, others continue.
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](const error_code& error, tcp::socket socket) {
      if (shared_.stopping) return;
      if (!error) {
        accept();
        return welcome(std::move(socket));
      }
      // Most likely the process has too many open descriptors.
      make_room();
      pause_.expires_after(kPauseAfterFailure);
      pause_.async_wait([this](const error_code& cancelled) {
        if (!cancelled) accept();
      });
    });
  }

  void welcome(tcp::socket socket) {
    keep_from_children(socket);
    if (shared_.connections.size() >= shared_.limits.connections) make_room();
    if (shared_.connections.size() >= shared_.limits.connections) return;
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), shared_);
    shared_.add(connection);
    connection->start();
  }

  /// Closes the connection that has been idle longest, or else the one that has waited longest for
  /// the rest of a request, or else the one that has read its answer longest: these end within
  /// moments, unless somebody holds up the server.
  void make_room() {
    std::shared_ptr<HttpConnection> oldest;
    int least = 3;
    for (const auto& connection : shared_.connections) {
      const int rank = connection->idle()                                 ? 0
                       : connection->waits_for_rest(kRequestPatience)     ? 1
                       : connection->answers_longer_than(kAnswerPatience) ? 2
                                                                          : 3;
      if (rank == 3 || rank > least ||
          (rank == least && oldest->waits_since() < connection->waits_since()))
        continue;
      least = rank;
      oldest = connection;
    }
    if (oldest) oldest->close();
  }

  void stop() {
    shared_.stopping = true;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (const auto& connection : all()) connection->finish();
    if (shared_.connections.empty()) return;
    shared_.shutdown_timer.expires_after(shared_.limits.farewell);
    shared_.shutdown_timer.async_wait([this](const error_code&) {
      for (const auto& connection : all()) connection->close();
    });
  }

  /// A copy: connections leave the set when they close.
  std::vector<std::shared_ptr<HttpConnection>> all() const {
    return {shared_.connections.begin(), shared_.connections.end()};
  }

  asio::io_context io_{1};
  HttpShared shared_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::atomic<bool> woken_ = false;
  std::thread thread_;
};

HttpServer::HttpServer(const HttpAddress& address, HttpHandler handler, HttpLimits limits)
    : impl_(std::make_unique<Impl>(address, std::move(handler), limits)) {}
HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return impl_->address().port; }

std::string HttpServer::url() const {
  std::string host = impl_->address().host;
  if (const auto ip = IpAddress::parse(host); ip && ip->any())
    host = ip->is_v6() ? "::1" : "127.0.0.1";
  return "http://" + host_and_port(host, port());
}

std::size_t HttpServer::connections() const { return impl_->connections(); }

void HttpServer::wake() { impl_->wake(); }

}  // namespace posse
