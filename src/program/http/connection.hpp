// SPDX-License-Identifier: Apache-2.0
// A client's connection to the HTTP server, and the state that connections share. Used by the
// server's thread only. (Only the server's .cpp files include this header, and with it Boost.)
//
// A connection is always in one phase, and one timer bounds every phase:
//   reading    a request, or waiting for one: request_time for the whole request, however slowly it
//   arrives answering  write_time without progress streaming  events to a client: write_time
//   without progress while writing, else heartbeats lingering  the answer is sent; further input is
//   read and discarded for a short time, because
//              closing with unread input would make the kernel drop the answer
//   closed
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "program/http/server.hpp"

namespace posse {

class HttpConnection;

struct HttpShared {
  void add(std::shared_ptr<HttpConnection> connection);
  void remove(const std::shared_ptr<HttpConnection>& connection);
  /// Closes the oldest stream if there are too many.
  void limit_streams() const;

  HttpAddress address;  // with the actual port
  HttpHandler handler;
  HttpLimits limits;
  boost::asio::steady_timer shutdown_timer;  // runs while the last connections end
  bool stopping = false;
  std::set<std::shared_ptr<HttpConnection>> connections;
  std::atomic<std::size_t> open = 0;  // number of connections
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  using Clock = std::chrono::steady_clock;

  HttpConnection(boost::asio::ip::tcp::socket socket, HttpShared& shared);
  void start() { read_request(); }
  /// Asks its feed, if it has one, for new events.
  void wake();
  /// Ends after the current write; the feed is asked once more.
  void finish();
  /// At once.
  void close();
  /// True if nothing is in progress.
  bool idle() const;
  /// True if a part of a request came longer ago than this, and the rest did not.
  bool waits_for_rest(Clock::duration longer) const {
    return phase_ == Phase::reading && Clock::now() - waits_since_ > longer;
  }
  /// True if its answer began longer ago than this, and isn't written.
  bool answers_longer_than(Clock::duration longer) const {
    return phase_ == Phase::answering && Clock::now() - waits_since_ > longer;
  }
  bool streams() const { return phase_ == Phase::streaming; }
  /// For a request, for the rest of one, for the other side to read or to close; a stream's begin.
  Clock::time_point waits_since() const { return waits_since_; }

 private:
  using Error = boost::system::error_code;
  enum class Phase { reading, answering, streaming, lingering, closed };

  void read_request();
  void on_header(Error error);
  void read_body();
  void on_body(Error error);
  void fail_reading(Error error);

  HttpResponse handled();
  void answer(HttpResponse response, bool last);
  void write(std::string head, std::string body);
  void on_written(Error error);

  void ask_feed();
  void notice_leaving();
  void linger();
  void discard();

  void set_timer(std::chrono::milliseconds time);
  void on_timer();

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  HttpShared& shared_;
  Phase phase_ = Phase::reading;
  Clock::time_point waits_since_{};

  boost::beast::flat_buffer input_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  bool timed_out_ = false;  // while reading the request
  HttpRequest request_;
  std::array<char, 1024> unwanted_{};
  std::size_t discarded_ = 0;

  std::string head_, body_;  // being written
  bool writing_ = false;
  bool last_ = false;  // closes after this answer
  std::unique_ptr<EventFeed> feed_;
  bool final_events_ = false;  // the feed's last events were requested
};

}  // namespace posse
