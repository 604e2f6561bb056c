// SPDX-License-Identifier: Apache-2.0
// Where the listener's port faces strangers. A connection stays with the front, on a thread of its
// own and within limits, until it has shown a certificate and proved to know the token. Only then a
// line is made of it, on the thread of the members.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "actors/host/line/entrance.hpp"
#include "actors/host/line/line.hpp"

namespace posse {

struct FrontOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  EntranceOptions entrance;
  /// Connections that are no lines yet. One more, and of those that have come least far one goes:
  /// the oldest of the address that has most.
  std::size_t strangers = 256;
  /// Told why somebody was refused, a few times a minute.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

class Front {
 public:
  using Opened = std::function<void(std::unique_ptr<OpenedLine>)>;

  /// Listens from now on; `opened` is called on the front's thread. Throws OutsideFailure if it
  /// can't.
  Front(FrontOptions options, Opened opened);
  /// Ends all that are no lines yet.
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  using Error = boost::system::error_code;
  using Clock = std::chrono::steady_clock;
  struct Stranger {
    std::shared_ptr<Entrance> entrance;
    boost::asio::ip::address address;
  };
  using Strangers = std::list<Stranger>;  // the oldest first

  void listen();
  void accept();
  void meet(boost::asio::ip::tcp::socket socket);
  void make_room();
  void tell_of(const std::string& refusal);

  FrontOptions options_;
  Opened opened_;
  IoThread thread_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  std::uint16_t port_ = 0;
  Strangers strangers_;
  Clock::time_point told_since_{};
  std::size_t told_ = 0, untold_ = 0;  // since then
};

}  // namespace posse
