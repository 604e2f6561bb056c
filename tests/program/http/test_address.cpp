// SPDX-License-Identifier: Apache-2.0
// Where a server is told to listen.
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

#include "program/http/address.hpp"
#include "program/http/server.hpp"

namespace posse::test_address {
namespace {

const HttpAddress kFallback{.host = "127.0.0.1", .port = 8470};

std::string shown(std::string_view text, const HttpAddress& fallback = kFallback) {
  const auto address = parse_http_address(text, fallback);
  return host_and_port(address.host, address.port);
}

}  // namespace

TEST_CASE("an address is a port, a host or both, and what is left out comes from the fallback") {
  CHECK(shown("") == "127.0.0.1:8470");
  CHECK(shown("8080") == "127.0.0.1:8080");
  CHECK(shown("0") == "127.0.0.1:0");
  CHECK(shown("65535") == "127.0.0.1:65535");
  CHECK(shown(":8080") == "127.0.0.1:8080");
  CHECK(shown("0.0.0.0") == "0.0.0.0:8470");
  CHECK(shown("192.168.1.7:80") == "192.168.1.7:80");
  CHECK(shown("localhost") == "127.0.0.1:8470");
  CHECK(shown("localhost:1") == "127.0.0.1:1");
  CHECK(shown("[::1]") == "[::1]:8470");
  CHECK(shown("[::1]:0") == "[::1]:0");
  CHECK(shown("[fe80::1:2]:80") == "[fe80::1:2]:80");
  CHECK(shown("9000", {.host = "::1", .port = 1}) == "[::1]:9000");
  CHECK(parse_http_address("[::1]:0", kFallback).host == "::1");
}

TEST_CASE("garbage is not an address, and the message shows what is") {
  for (const std::string text : {"65536",       "-1",          "99999999999", "8080x",
                                 ":",           "localhost:",  "example.org", "example.org:80",
                                 "127.0.0.1:x", "127.1:80",    "256.0.0.1",   "1.2.3.4:80:80",
                                 "::1",         "::1:80",      "[::1",        "[::1]80",
                                 "[::1]:",      "[127.0.0.1]", "[]:80",       "[localhost]:80",
                                 " 80",         "80 ",         "127.0.0.1 ",  "http://127.0.0.1:80",
                                 "LOCALHOST:1", "0x50",        "+80",         "[fe80::1%lo]:80"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_http_address(text, kFallback), std::invalid_argument);
  }
  CHECK_THROWS_WITH(
      parse_http_address("example.org:80", kFallback),
      "'example.org:80' is not an address to listen at: give a port (0 to 65535; 0 takes "
      "any that is free), an IP address or localhost, or both, e.g. 8080, 127.0.0.1, "
      "localhost:8080, 0.0.0.0:8080, [::1]:8080");
  CHECK_THROWS_AS(parse_http_address(std::string("127.0.0.1\0:80", 13), kFallback),
                  std::invalid_argument);
}

TEST_CASE("loopback is 127.0.0.0/8 and ::1") {
  for (const std::string host : {"127.0.0.1", "127.8.9.10", "::1", "0:0:0:0:0:0:0:1"}) {
    INFO(host);
    CHECK(HttpAddress{.host = host}.loopback());
  }
  for (const std::string host : {"0.0.0.0", "128.0.0.1", "10.0.0.1", "::", "::2", "fe80::1", "x"}) {
    INFO(host);
    CHECK_FALSE(HttpAddress{.host = host}.loopback());
  }
  CHECK(HttpAddress{}.loopback());
}

}  // namespace posse::test_address
