// SPDX-License-Identifier: Apache-2.0
#include "actors/host/connections.hpp"

#include <arpa/inet.h>
#include <linux/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace posse {
namespace {

struct Ends {
  std::uint16_t own = 0, peer = 0;  // ports
};

std::uint16_t port_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

/// Nothing if it isn't a connected socket.
std::optional<Ends> ends_of(int descriptor) {
  sockaddr_storage own{}, peer{};
  socklen_t size = sizeof own;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&own), &size) != 0) return std::nullopt;
  size = sizeof peer;
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return std::nullopt;
  return Ends{port_of(own), port_of(peer)};
}

std::vector<std::pair<int, Ends>> accepted_at(std::uint16_t port) {
  std::vector<std::pair<int, Ends>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (const auto ends = ends_of(descriptor); ends && ends->own == port)
      found.emplace_back(descriptor, *ends);
  }
  return found;
}

std::uint64_t bytes_sent(int descriptor) {
  tcp_info info{};
  socklen_t size = sizeof info;
  return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 ? info.tcpi_bytes_sent
                                                                          : 0;
}

}  // namespace

void AcceptedConnections::end_unused(std::chrono::milliseconds longest) {
  const auto now = std::chrono::steady_clock::now();
  std::map<int, Sent> still;
  for (const auto& [descriptor, ends] : accepted_at(port_)) {
    const Sent present{bytes_sent(descriptor), ends.peer, now};
    const auto known = sent_.find(descriptor);
    const bool same = known != sent_.end() && known->second.peer_port == present.peer_port &&
                      known->second.bytes == present.bytes;
    const Sent& entry = still.emplace(descriptor, same ? known->second : present).first->second;
    if (now - entry.since >= longest) shutdown(descriptor, SHUT_RDWR);
  }
  sent_ = std::move(still);
}

void AcceptedConnections::end_all() const {
  for (const auto& [descriptor, ends] : accepted_at(port_)) shutdown(descriptor, SHUT_RDWR);
}

}  // namespace posse
