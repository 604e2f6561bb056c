// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/push.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <exception>
#include <stdexcept>

#include "core/base/module.hpp"
#include "core/base/shown_text.hpp"
#include "program/base/signals.hpp"
#include "program/metrics/collector.hpp"
#include "program/metrics/curl_module.hpp"
#include "program/metrics/text_format.hpp"

namespace posse {
namespace {

/// The answer's first line without control characters.
std::string shown(std::string_view answer) {
  const auto line = printable(answer.substr(0, answer.find_first_of("\r\n")));
  return line.empty() ? line : ": " + line;
}

bool is_loopback(std::string_view url) {
  const auto host = url.substr(url.find("://") + 3);
  return host.starts_with("127.") || host.starts_with("[::1]") || host == "localhost" ||
         host.starts_with("localhost:") || host.starts_with("localhost/");
}

std::string send(const std::string& url,
                 const std::string& text,
                 std::chrono::milliseconds patience) {
  const auto answer = module<CurlModule>().put(
      {url, std::string(kTextFormatContentType), text, patience, is_loopback(url), pending_signal});
  if (!answer.problem.empty()) return answer.problem;
  if (answer.status >= 200 && answer.status < 300) return "";
  return fmt::format("HTTP status {}{}", answer.status, shown(answer.begin));
}

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' ||
         c == '~';
}

/// RFC 4648, section 5, without padding: how the gateway takes values with a slash.
std::string base64url(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0;
  int held = 0;  // bits not written yet
  for (const char c : text) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += kDigits[bits >> (held - 6) & 63];
  }
  if (held > 0) out += kDigits[bits << (6 - held) & 63];
  return out;
}

}  // namespace

std::string parse_push_url(std::string_view text) {
  const auto invalid = [&](std::string_view problem) {
    return std::invalid_argument(fmt::format(
        "'{}' {}; a Pushgateway's URL looks like http://127.0.0.1:9091", text, problem));
  };
  const bool plain = text.starts_with("http://");
  if (!plain && !text.starts_with("https://")) throw invalid("doesn't begin with http://");
  std::string_view rest = text.substr(plain ? 7 : 8);
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f ||
        std::string_view("\"<>\\^`{|}").find(c) != std::string_view::npos)
      throw invalid("has a character that is not allowed in a URL");
  if (rest.find_first_of("?#") != std::string_view::npos)
    throw invalid("has a query or a fragment, which isn't allowed");
  const auto authority = rest.substr(0, rest.find('/'));
  if (authority.find('@') != std::string_view::npos)
    throw invalid("has a user or a password, which isn't allowed");
  auto host = authority;
  std::string_view port;
  if (const auto bracket = authority.find(']');
      authority.starts_with('[') && bracket != std::string_view::npos) {
    host = authority.substr(0, bracket + 1);
    port = authority.substr(bracket + 1);
  } else if (const auto colon = authority.find(':'); colon != std::string_view::npos) {
    host = authority.substr(0, colon);
    port = authority.substr(colon);
  }
  if (host.empty() || host == "[]") throw invalid("names no host");
  if (!port.empty()) {
    unsigned number = 0;
    const auto* const end = port.data() + port.size();
    const auto [last, error] = std::from_chars(port.data() + 1, end, number);
    if (port.front() != ':' || error != std::errc{} || last != end || number < 1 || number > 65535)
      throw invalid("has no port from 1 to 65535");
  }
  while (text.ends_with('/')) text.remove_suffix(1);
  return std::string(text);
}

std::string push_group_url(const std::string& base, std::string_view instance) {
  std::string url = base + "/metrics/job/posse";
  if (instance.empty()) return url;
  if (instance.find('/') != std::string_view::npos)
    return url + "/instance@base64/" + base64url(instance);
  url += "/instance/";
  for (const char c : instance) {
    if (is_plain(c))
      url += c;
    else
      url += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return url;
}

std::string push_metrics(const std::string& base,
                         std::string_view instance,
                         const prometheus::Collectable& metrics,
                         std::chrono::milliseconds patience) {
  try {
    auto problem = send(push_group_url(base, instance), metrics_text(metrics), patience);
    if (problem.empty()) return problem;
    return fmt::format("the metrics can't be pushed to {}: {}", base, problem);
  } catch (const std::exception& problem) {
    return fmt::format("the metrics can't be pushed to {}: {}", base, problem.what());
  }
}

}  // namespace posse
