// SPDX-License-Identifier: Apache-2.0
// The TCP connections that this process has accepted at a port. CAF tells nothing of those whose
// other ends have said nothing yet, and would keep them for ever.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>

namespace posse {

class AcceptedConnections {
 public:
  explicit AcceptedConnections(std::uint16_t port) : port_(port) {}

  /// Ends those to which nothing has been sent for so long: their other ends aren't members, which
  /// are spoken to all the time. Call it often.
  void end_unused(std::chrono::milliseconds longest);
  /// Ends all: a system can't be shut down before.
  void end_all() const;

 private:
  struct Sent {
    std::uint64_t bytes = 0;
    std::uint16_t peer_port = 0;
    std::chrono::steady_clock::time_point since;
  };
  std::uint16_t port_;
  std::map<int, Sent> sent_;  // by descriptor
};

}  // namespace posse
