// SPDX-License-Identifier: Apache-2.0
// A network in user space between nodes: what passes is delayed, and messages are dropped.
//
// Every chunk of bytes that comes on a connection leaves it after `delay`, and up to `jitter` more,
// in order. Of frames that carry a message of a run, a share is dropped whole; all others, and what
// isn't such a frame (TLS), pass. Bytes that came are acknowledged by
// this machine's TCP, so the delay is that of a long line without loss.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/time.hpp"
#include "core/random/stream.hpp"
#include "program/http/server.hpp"

namespace posse {

struct ProxyOptions {
  HttpAddress listen, to;
  Duration delay{};
  Duration jitter{};      // uniform, added to the delay
  double loss = 0;        // [0, 1], of messages of a run
  Seed seed{1};           // of jitter and losses: by connection and direction
  bool tls_only = false;  // ends connections that don't begin with TLS
};

class Proxy {
 public:
  /// Passes on from now, on a thread of its own. Throws std::system_error (its message names the
  /// address) if it can't listen.
  explicit Proxy(const ProxyOptions& options);
  /// Ends all connections.
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  std::uint16_t port() const;
  struct Counts {
    std::uint64_t connections = 0;    // so far
    std::uint64_t up = 0, down = 0;   // bytes that came: from whom connects, from whom listens
    std::uint64_t message_bytes = 0;  // of these, frames with messages of a run
    std::uint64_t dropped = 0;        // messages
  };
  /// Thread-safe.
  Counts counts() const;

 private:
  class Connection;
  struct State;
  std::unique_ptr<State> state_;
};

/// Finds the frames in the bytes of a connection between nodes.
class PieceReader {
 public:
  /// A frame, or bytes that belong to none.
  struct Piece {
    std::string bytes;
    bool message = false;  // of a run
  };
  void add(const char* bytes, std::size_t size) { waiting_.append(bytes, size); }
  /// False if there is no complete one.
  bool next(Piece& piece);

 private:
  std::string waiting_;
  bool began_ = false;  // with a frame of the handshake
  bool lost_ = false;   // this is no connection between nodes, or an encrypted one
};

}  // namespace posse
