// SPDX-License-Identifier: Apache-2.0
#include "program/nodes/proxy.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "actors/host/line/handshake.hpp"
#include "program/http/address.hpp"

namespace posse {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

/// Nothing more is read while so many bytes wait.
constexpr std::size_t kMostWaiting = std::size_t{64} << 20;

constexpr std::size_t kMostConnections = 1000;
constexpr auto kPauseBeforeAccepting = std::chrono::milliseconds(100);
/// The first bytes of a connection with TLS: a record of the handshake, version 3.
constexpr std::string_view kTls("\x16\x03", 2);

tcp::endpoint endpoint_of(const HttpAddress& address) {
  return {asio::ip::make_address(address.host), address.port};
}

}  // namespace

bool PieceReader::next(Piece& piece) {
  if (waiting_.empty()) return false;
  std::optional<FrameHeader> header;
  if (!lost_) {
    if (waiting_.size() < kFrameHeader) return false;
    header = read_frame_header(waiting_);
    const bool first = !began_;
    lost_ = !header || header->length > kLongestFrame ||
            (first && header->kind != FrameKind::hello && header->kind != FrameKind::challenge) ||
            (first && header->length > kLongestHandshakeFrame);
  }
  if (lost_) {
    piece = {std::exchange(waiting_, {}), false};
    return true;
  }
  const std::size_t size = kFrameHeader + header->length;
  if (waiting_.size() < size) return false;
  began_ = true;
  piece.bytes = waiting_.substr(0, size);
  piece.message = header->kind == FrameKind::message;
  waiting_.erase(0, size);
  return true;
}

struct Proxy::State {
  explicit State(const ProxyOptions& given) : options(given), acceptor(io), pause(io) {}

  void accept();

  ProxyOptions options;
  asio::io_context io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  std::uint16_t port = 0;
  std::set<std::shared_ptr<Connection>> connections;
  std::atomic<std::uint64_t> accepted{0}, up{0}, down{0}, message_bytes{0}, dropped{0};
  std::thread thread;
};

class Proxy::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(State& state, tcp::socket socket, std::uint64_t number)
      : state_(state),
        up_(state, std::move(socket), stream_key(state.options.seed, "proxy-up", number)),
        down_(state, tcp::socket(state.io), stream_key(state.options.seed, "proxy-down", number)) {}

  void begin() {
    down_.from.async_connect(endpoint_of(state_.options.to),
                             [self = shared_from_this()](const error_code& error) {
                               if (error) return self->end();
                               for (Way* way : {&self->up_, &self->down_}) {
                                 error_code ignored;
                                 way->from.set_option(tcp::no_delay(true), ignored);
                                 self->read(*way);
                               }
                             });
  }
  void end() {
    for (Way* way : {&up_, &down_}) {
      error_code ignored;
      way->from.close(ignored);
      way->due.cancel();
    }
    state_.connections.erase(shared_from_this());
  }

 private:
  struct Chunk {
    Clock::time_point due;
    std::string bytes;
  };
  /// What comes from one side.
  struct Way {
    Way(State& state, tcp::socket socket, StreamKey key)
        : from(std::move(socket)), due(state.io), stream(key) {}
    tcp::socket from;
    asio::steady_timer due;
    StreamKey stream;
    std::array<char, 1 << 16> buffer;
    PieceReader pieces;
    std::string first;  // bytes, if they must be those of TLS
    std::deque<Chunk> chunks;
    std::size_t waiting = 0;  // bytes
    Clock::time_point latest{};
    std::uint64_t draws = 0;
    bool reads = false, writes = false, ended = false;
  };
  tcp::socket& other(const Way& way) { return &way == &up_ ? down_.from : up_.from; }

  void read(Way& way) {
    if (way.reads || way.ended || way.waiting > kMostWaiting) return;
    way.reads = true;
    way.from.async_read_some(
        asio::buffer(way.buffer),
        [self = shared_from_this(), &way](const error_code& error, std::size_t size) {
          way.reads = false;
          if (!self->may_pass(way, size)) return self->end();
          (&way == &self->up_ ? self->state_.up : self->state_.down) += size;
          way.pieces.add(way.buffer.data(), size);
          self->take_in(way);
          way.ended = way.ended || error;
          self->write(way);
          self->read(way);
        });
  }
  /// Whoever connects speaks TLS, or nothing passes. (Who listens may answer with an alert.)
  bool may_pass(Way& way, std::size_t size) {
    if (!state_.options.tls_only || &way == &down_ || way.first.size() == kTls.size()) return true;
    way.first.append(way.buffer.data(), std::min(size, kTls.size() - way.first.size()));
    return kTls.starts_with(way.first);
  }
  void take_in(Way& way) {
    const ProxyOptions& options = state_.options;
    const auto draw = [&] { return DrawEngine(way.stream, way.draws++).uniform(); };
    PieceReader::Piece piece;
    while (way.pieces.next(piece)) {
      if (piece.message) state_.message_bytes += piece.bytes.size();
      if (piece.message && options.loss > 0 && draw() < options.loss) {
        ++state_.dropped;
        continue;
      }
      Duration delay = options.delay;
      if (options.jitter.ns > 0) delay += Duration::seconds(options.jitter.to_seconds() * draw());
      way.latest = std::max(way.latest, Clock::now() + std::chrono::nanoseconds(delay.ns));
      way.waiting += piece.bytes.size();
      way.chunks.push_back({way.latest, std::move(piece.bytes)});
    }
  }
  void write(Way& way) {
    if (way.writes) return;
    if (way.chunks.empty()) {
      if (way.ended) end();
      return;
    }
    way.writes = true;
    if (way.chunks.front().due <= Clock::now()) return pass_on(way);
    way.due.expires_at(way.chunks.front().due);
    way.due.async_wait([self = shared_from_this(), &way](const error_code& error) {
      if (error) return;
      self->pass_on(way);
    });
  }
  void pass_on(Way& way) {
    asio::async_write(other(way),
                      asio::buffer(way.chunks.front().bytes),
                      [self = shared_from_this(), &way](const error_code& error, std::size_t) {
                        if (error) return self->end();
                        way.waiting -= way.chunks.front().bytes.size();
                        way.chunks.pop_front();
                        way.writes = false;
                        self->write(way);
                        self->read(way);
                      });
  }

  State& state_;
  Way up_, down_;
};

void Proxy::State::accept() {
  acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) {
      // Most likely the process has too many open descriptors.
      pause.expires_after(kPauseBeforeAccepting);
      pause.async_wait([this](const error_code& cancelled) {
        if (!cancelled) accept();
      });
      return;
    }
    if (connections.size() < kMostConnections) {
      fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
      auto connection = std::make_shared<Connection>(*this, std::move(socket), accepted++);
      connections.insert(connection);
      connection->begin();
    }
    accept();
  });
}

Proxy::Proxy(const ProxyOptions& options) : state_(std::make_unique<State>(options)) {
  State& state = *state_;
  try {
    const auto endpoint = endpoint_of(options.listen);
    state.acceptor.open(endpoint.protocol());
    fcntl(state.acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
    state.acceptor.set_option(tcp::acceptor::reuse_address(true));
    state.acceptor.bind(endpoint);
    state.acceptor.listen();
    state.port = state.acceptor.local_endpoint().port();
  } catch (const boost::system::system_error& problem) {
    throw std::system_error(
        problem.code().value(),
        std::system_category(),
        host_and_port(options.listen.host, options.listen.port) + " can't be bound");
  }
  state.accept();
  state.thread = std::thread([&state] { state.io.run(); });
}

Proxy::~Proxy() {
  asio::post(state_->io, [this] {
    error_code ignored;
    state_->acceptor.close(ignored);
    state_->pause.cancel();
    const auto open = state_->connections;
    for (const auto& connection : open) connection->end();
  });
  state_->thread.join();
}

std::uint16_t Proxy::port() const { return state_->port; }

Proxy::Counts Proxy::counts() const {
  return {state_->accepted, state_->up, state_->down, state_->message_bytes, state_->dropped};
}

}  // namespace posse
