// SPDX-License-Identifier: Apache-2.0
// A TCP connection until both of its ends have proved who they are: TLS, then the handshake.
// Nothing else of Posse reads what comes meanwhile. Used by the thread of its io_context.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "actors/host/line/handshake.hpp"
#include "actors/host/line/line.hpp"

namespace posse {

struct EntranceOptions {
  Mac mac = nullptr;
  std::string token;
  const TlsContext* tls = nullptr;  // null: not encrypted
  bool listens = false;
  std::chrono::milliseconds time{10'000};    // for the whole entrance
  std::size_t bytes = std::size_t{1} << 16;  // that may come during the entrance
};

/// What became of an entrance.
struct Admission {
  std::unique_ptr<OpenedLine> line;  // null: the ends have not proved who they are
  std::string problem;               // of TLS, or that the handshake names
};

class Entrance : public std::enable_shared_from_this<Entrance> {
 public:
  using Ended = std::function<void(Admission)>;

  /// `socket`: connected.
  Entrance(boost::asio::ip::tcp::socket socket, const EntranceOptions& options);

  /// `ended` is called once.
  void start(Ended ended);
  /// Gives it up, if it hasn't ended.
  void close(const std::string& problem = "");
  /// How far it has come. Whoever has no certificate stays at 0.
  unsigned progress() const;

 private:
  using Error = boost::system::error_code;

  void read();
  void take(std::string_view came);
  void shake_hands(std::string_view plain);
  void write();
  void finish();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  const EntranceOptions& options_;
  Ended ended_;
  std::unique_ptr<TlsSession> tls_;
  std::unique_ptr<Handshake> handshake_;  // null: TLS comes first
  std::array<char, 4096> buffer_;
  std::size_t bytes_ = 0;
  std::string out_, writing_;
  bool writes_ = false, closed_ = false;
  enum class End { none, done, refused } end_ = End::none;
  std::string problem_;
};

}  // namespace posse
