// SPDX-License-Identifier: Apache-2.0
#include "program/http/admission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "program/http/address.hpp"

namespace posse {
namespace {

/// A refused request; thrown and caught in this file.
struct Refusal {
  unsigned status;
  std::string text;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A field that must not be repeated; empty if it is absent.
std::optional<std::string_view> single(const HttpHead& head, std::string_view name) {
  const auto values = head.values(name);
  if (values.empty()) return std::nullopt;
  if (values.size() > 1) throw Refusal{400, fmt::format("More than one {} header.\n", name)};
  return values.front();
}

/// A list; empty if it is absent.
std::string all_values(const HttpHead& head, std::string_view name) {
  return fmt::format("{}", fmt::join(head.values(name), ", "));
}

int hex_digit(char c) {
  if ('0' <= c && c <= '9') return c - '0';
  c = lower(c);
  return 'a' <= c && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '+' && plus_is_space) c = ' ';
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) throw Refusal{400, "A '%' in the address without two hex digits.\n"};
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (c == '\0') throw Refusal{400, "A zero byte in the address.\n"};
    out += c;
  }
  return out;
}

void decode_target(std::string_view target, HttpRequest& request) {
  if (!target.starts_with('/') || target.find('#') != target.npos)
    throw Refusal{400, "The request's target must be a path.\n"};
  const auto mark = std::min(target.find('?'), target.size());
  request.path = percent_decoded(target.substr(0, mark), false);
  for (auto rest = target.substr(std::min(mark + 1, target.size())); !rest.empty();) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty()) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    request.query.emplace_back(
        percent_decoded(pair.substr(0, equals), true),
        percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true));
  }
}

/// Whether a Host header names a server that listens at `self`, by an address and its port.
bool names_us(std::string_view host, const HttpAddress& self) {
  const auto bracket = host.rfind(']');
  const auto colon = host.find(':', bracket == host.npos ? 0 : bracket);
  unsigned port = 80;
  if (colon != host.npos) {
    const auto digits = host.substr(colon + 1);
    const auto* end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, port);
    if (error != std::errc{} || stopped != end) return false;
  }
  if (port != self.port) return false;
  auto name = host.substr(0, colon);
  if (equal_ignoring_case(name, "localhost")) return true;
  const bool bracketed = name.size() > 2 && name.front() == '[' && name.back() == ']';
  if (bracketed) name = name.substr(1, name.size() - 2);
  const auto ip = IpAddress::parse(name);
  if (!ip || ip->is_v6() != bracketed) return false;
  // Remote clients may use any address: of another interface, or of a router in front of us.
  return !self.loopback() || ip == IpAddress::parse(self.host) ||
         ip == IpAddress::parse("127.0.0.1") || ip == IpAddress::parse("::1");
}

void check_host(const HttpHead& head, const HttpAddress& self) {
  const auto host = single(head, "Host");
  if (!host) {
    if (!head.http_1_0) throw Refusal{400, "No Host header.\n"};
    return;
  }
  if (names_us(*host, self)) return;
  const std::string names =
      self.loopback()
          ? fmt::format("{} or localhost:{}", host_and_port(self.host, self.port), self.port)
          : fmt::format("its IP address or localhost, and port {}", self.port);
  throw Refusal{421, "Reach this server at " + names + "; the request is for another host.\n"};
}

void check_origin(const HttpHead& head) {
  const auto host = single(head, "Host");
  for (const auto origin : head.values("Origin"))
    if (!host || !equal_ignoring_case(origin, "http://" + std::string(*host)))
      throw Refusal{403, "The request comes from a page of another origin.\n"};
  const auto site = single(head, "Sec-Fetch-Site").value_or("");
  if (site == "cross-site" || site == "same-site") {
    const auto destination = single(head, "Sec-Fetch-Dest").value_or("document");
    const bool follows_a_link = head.method == "GET" && destination == "document" &&
                                single(head, "Sec-Fetch-Mode").value_or("") == "navigate";
    if (!follows_a_link) throw Refusal{403, "The request comes from a page of another site.\n"};
  }
}

/// A body with two lengths could smuggle a second request past a proxy.
void check_framing(const HttpHead& head) {
  const auto encoding = single(head, "Transfer-Encoding");
  if (!encoding) return;
  if (!head.values("Content-Length").empty())
    throw Refusal{400, "Both Content-Length and Transfer-Encoding.\n"};
  if (head.http_1_0) throw Refusal{400, "HTTP/1.0 has no Transfer-Encoding.\n"};
  if (!equal_ignoring_case(*encoding, "chunked"))
    throw Refusal{501, "The only supported Transfer-Encoding is chunked.\n"};
}

void check_method(const HttpHead& head) {
  if (head.method != "GET" && head.method != "HEAD" && head.method != "POST")
    throw Refusal{
        405, "The supported methods are GET, HEAD and POST.\n", {{"Allow", "GET, HEAD, POST"}}};
}

void check_expectation(const HttpHead& head) {
  const auto expected = single(head, "Expect");
  if (expected && !equal_ignoring_case(*expected, "100-continue"))
    throw Refusal{417, "The only supported expectation is 100-continue.\n"};
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string_view> HttpHead::values(std::string_view name) const {
  std::vector<std::string_view> found;
  for (const auto& [key, value] : fields)
    if (equal_ignoring_case(key, name)) found.emplace_back(value);
  return found;
}

std::string_view HttpRequest::parameter(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return {};
}

std::variant<HttpRequest, HttpResponse> admit(const HttpHead& head, const HttpAddress& self) {
  try {
    check_framing(head);
    check_host(head, self);
    check_method(head);
    check_origin(head);
    check_expectation(head);
    HttpRequest request;
    request.method = head.method;
    decode_target(head.target, request);
    request.authorization = std::string(single(head, "Authorization").value_or(""));
    request.accept = all_values(head, "Accept");
    request.accept_encoding = all_values(head, "Accept-Encoding");
    return request;
  } catch (Refusal& refusal) {
    HttpResponse response;
    response.status = refusal.status;
    response.body = std::move(refusal.text);
    response.headers = std::move(refusal.headers);
    return response;
  }
}

}  // namespace posse
