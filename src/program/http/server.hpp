// A small HTTP/1.1 server for people and scrapers on this machine: pages, JSON, server-sent events.
//
// One thread of its own. It never trusts what comes in: requests are bounded in size and in time,
// connections in number, and a request whose Host isn't this server's (DNS rebinding) or that a
// page of another origin sends is refused. Nothing that a client does reaches a run but through the
// handler.
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

/// Where to listen. The default is the loopback interface: nobody else can connect.
struct HttpAddress {
  std::string host = "127.0.0.1";  // an IP address
  std::uint16_t port = 0;          // 0: any that is free
  bool loopback() const;
};
/// "8080", ":8080", "127.0.0.1:8080", "[::1]:0", "localhost"; what is left out comes from
/// `fallback`. Throws std::invalid_argument that says what is allowed.
HttpAddress parse_http_address(std::string_view text, const HttpAddress& fallback);

struct HttpRequest {
  std::string method;                                      // GET, HEAD or POST
  std::string path;                                        // percent-decoded, begins with '/'
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::string authorization;                               // header, empty if absent
  std::string body;
  /// The query's value for `name`, or empty.
  std::string_view parameter(std::string_view name) const;
};

/// A stream of server-sent events to one watcher. Asked for more only when all that it gave was
/// written: who reads slowly skips what happened meanwhile and never makes anything grow.
class EventFeed {
 public:
  virtual ~EventFeed() = default;
  /// Whole events in the wire format ("event: run\ndata: {…}\n\n"), or empty if there is no news.
  virtual std::string next() = 0;
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // further ones
  std::unique_ptr<EventFeed> feed;  // not null: text/event-stream, `body` isn't sent
};

/// Called on the server's thread, one at a time; must return promptly. What it throws becomes a 500
/// without details.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

struct HttpLimits {
  // The longest idle give way; if none is idle, further ones are closed at once.
  std::size_t connections = 256;
  std::size_t header_bytes = 8192;
  std::size_t body_bytes = 4096;
  // From connecting, or from the last answer, to the end of a request.
  std::chrono::milliseconds request_time{5000};
  std::chrono::milliseconds write_time{30000};  // without progress
  std::chrono::milliseconds heartbeat{15000};   // a comment to watchers who get no news
};

class HttpServer {
 public:
  /// Listens when this returns. Throws std::system_error (its message names the address) if the
  /// port can't be bound.
  HttpServer(const HttpAddress& address, HttpHandler handler, HttpLimits limits = {});
  /// Closes all connections, after writing what feeds and answers under way have, for at most a
  /// second.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;
  /// "http://127.0.0.1:8080": where a browser on this machine finds it, also if it listens on all
  /// interfaces.
  std::string url() const;
  /// Open right now. Thread-safe.
  std::size_t connections() const;
  /// Feeds may have news: ask them. Thread-safe, cheap, never waits.
  void wake();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace posse
