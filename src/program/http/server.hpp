// SPDX-License-Identifier: Apache-2.0
// A small HTTP/1.1 server for browsers and scrapers: pages, JSON, server-sent events.
//
// It has a thread of its own and does not trust its clients: the size and duration of requests and
// the number of connections are bounded, and requests with a foreign Host (DNS rebinding) or from a
// page of another origin are refused. Clients reach a run only through the handler.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posse {

/// The address to listen at. The default is the loopback interface: only this machine can connect.
struct HttpAddress {
  std::string host = "127.0.0.1";  // an IP address
  std::uint16_t port = 0;          // 0: any free port
  bool loopback() const;
};
/// "8080", ":8080", "127.0.0.1:8080", "[::1]:0", "localhost"; missing parts come from
/// `fallback`. Throws std::invalid_argument that names the allowed forms.
HttpAddress parse_http_address(std::string_view text, const HttpAddress& fallback);

struct HttpRequest {
  std::string method;                                      // GET, HEAD or POST
  std::string path;                                        // percent-decoded, begins with '/'
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::string authorization;                               // header, empty if absent
  std::string accept, accept_encoding;                     // headers or empty; several are joined
  std::string body;
  /// The query's value for `name`, or empty.
  std::string_view parameter(std::string_view name) const;
};

/// A stream of server-sent events to one client. It is asked for more only after its earlier events
/// were written: a slow reader skips updates instead of filling a queue.
class EventFeed {
 public:
  virtual ~EventFeed() = default;
  /// Whole events in the wire format ("event: run\ndata: {…}\n\n"), or empty if nothing has
  /// changed.
  virtual std::string next() = 0;
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // further ones
  std::unique_ptr<EventFeed> feed;  // not null: text/event-stream, `body` isn't sent
};

/// Called on the server's thread, one at a time; must return promptly. An exception becomes a 500
/// without details.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpLimits {
  // Above it the longest idle connection is closed; if none is idle, one that has waited for the
  // rest of a request for more than a second; if there is none, one that has been reading its
  // answer for more than ten; if there is none, the new one.
  std::size_t connections = 256;
  // Of these, streams of events. Above it the oldest one is closed: browsers connect again.
  std::size_t streams = 64;
  std::size_t header_bytes = 8192;
  std::size_t body_bytes = 4096;
  // From connecting, or from the last answer, to the end of a request.
  std::chrono::milliseconds request_time{5000};
  std::chrono::milliseconds write_time{30000};  // without progress
  std::chrono::milliseconds heartbeat{15000};   // a comment on streams without events
  // When the server stops: for answers in progress and the last events of feeds.
  std::chrono::milliseconds farewell{1000};
};

class HttpServer {
 public:
  /// Listens when this returns. Throws std::system_error (its message names the address) if the
  /// port can't be bound.
  HttpServer(const HttpAddress& address, HttpHandler handler, HttpLimits limits = {});
  /// Closes all connections, after at most `limits.farewell`.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  /// "http://127.0.0.1:8080": for a browser on this machine, also if the server listens on all
  /// interfaces.
  std::string url() const;
  /// Number of open connections. Thread-safe.
  std::size_t connections() const;
  /// Asks all feeds for new events. Thread-safe, cheap, does not block.
  void wake();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace posse
