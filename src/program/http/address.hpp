// SPDX-License-Identifier: Apache-2.0
// IP addresses in options, URLs and Host headers.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace posse {

class IpAddress {
 public:
  /// "127.0.0.1" or "::1", no brackets, no abbreviations of IPv4, no zones. Nothing for other text.
  static std::optional<IpAddress> parse(std::string_view text);
  bool is_v6() const { return v6_; }
  bool loopback() const;
  /// 0.0.0.0 or ::, which stand for all interfaces.
  bool any() const;
  friend bool operator==(const IpAddress&, const IpAddress&) = default;

 private:
  bool v6_ = false;
  std::array<unsigned char, 16> bytes_{};  // the first four of an IPv4 address
};

/// "127.0.0.1:80", "[::1]:80"
std::string host_and_port(std::string_view host, std::uint16_t port);

}  // namespace posse
