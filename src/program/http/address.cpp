// SPDX-License-Identifier: Apache-2.0
#include "program/http/address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "program/http/server.hpp"

namespace posse {
namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (text.empty() || text.size() > 5 || error != std::errc{} || stopped != end)
    return std::nullopt;
  return port;
}

/// "[::1]", "127.0.0.1" or "localhost", as written before a port.
std::optional<std::string> parse_host(std::string_view text) {
  if (text == "localhost") return "127.0.0.1";
  const bool bracketed = text.size() > 2 && text.front() == '[' && text.back() == ']';
  if (bracketed) text = text.substr(1, text.size() - 2);
  const auto ip = IpAddress::parse(text);
  if (!ip || ip->is_v6() != bracketed) return std::nullopt;
  return std::string(text);
}

std::optional<HttpAddress> parsed(std::string_view text, HttpAddress address) {
  const auto bracket = text.rfind(']');
  const auto colon = text.find(':', bracket == text.npos ? 0 : bracket);
  std::string_view host = text.substr(0, colon);
  std::optional<std::string_view> port;
  if (colon != text.npos) port = text.substr(colon + 1);
  if (!port && std::all_of(host.begin(), host.end(), [](char c) { return '0' <= c && c <= '9'; })) {
    port = host;
    host = {};
  }
  if (port) {
    const auto number = parse_port(*port);
    if (!number) return std::nullopt;
    address.port = *number;
  }
  if (!host.empty()) {
    auto name = parse_host(host);
    if (!name) return std::nullopt;
    address.host = std::move(*name);
  }
  return address;
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
  IpAddress result;
  const std::string terminated(text);
  if (terminated.find('\0') != terminated.npos) return std::nullopt;
  std::array<unsigned char, 4> four{};
  if (inet_pton(AF_INET, terminated.c_str(), four.data()) == 1) {
    std::copy(four.begin(), four.end(), result.bytes_.begin());
    return result;
  }
  result.v6_ = true;
  if (inet_pton(AF_INET6, terminated.c_str(), result.bytes_.data()) == 1) return result;
  return std::nullopt;
}

bool IpAddress::loopback() const {
  if (!v6_) return bytes_[0] == 127;
  std::array<unsigned char, 16> one{};
  one[15] = 1;
  return bytes_ == one;
}

bool IpAddress::any() const {
  return std::all_of(bytes_.begin(), bytes_.end(), [](unsigned char b) { return b == 0; });
}

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool v6 = host.find(':') != host.npos;
  return v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

bool HttpAddress::loopback() const {
  const auto ip = IpAddress::parse(host);
  return ip && ip->loopback();
}

HttpAddress parse_http_address(std::string_view text, const HttpAddress& fallback) {
  if (text.empty()) return fallback;
  if (const auto address = parsed(text, fallback)) return *address;
  throw std::invalid_argument(fmt::format(
      "'{}' is not an address to listen at: give a port (0 to 65535; 0 takes any that is "
      "free), an IP address or localhost, or both, e.g. 8080, 127.0.0.1, "
      "localhost:8080, 0.0.0.0:8080, [::1]:8080",
      text));
}

}  // namespace posse
