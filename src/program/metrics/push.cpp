// SPDX-License-Identifier: Apache-2.0
#include "program/metrics/push.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "program/base/signals.hpp"
#include "program/base/text.hpp"
#include "program/metrics/collector.hpp"
#include "program/metrics/text_format.hpp"

namespace posse {
namespace {

constexpr std::size_t kMostOfAnAnswer = 300;  // bytes of the answer that are shown

struct CurlDeleter {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct Upload {
  std::string_view rest;
};

std::size_t give(char* buffer, std::size_t size, std::size_t count, void* data) {
  auto& rest = static_cast<Upload*>(data)->rest;
  const std::size_t n = std::min(size * count, rest.size());
  std::copy_n(rest.data(), n, buffer);
  rest.remove_prefix(n);
  return n;
}

std::size_t take(char* buffer, std::size_t size, std::size_t count, void* data) {
  auto& answer = *static_cast<std::string*>(data);
  const std::size_t bytes = size * count;
  answer.append(buffer,
                std::min(bytes, kMostOfAnAnswer - std::min(kMostOfAnAnswer, answer.size())));
  return bytes;
}

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

/// libcurl calls it about once a second, and on each transfer.
int stop_on_signal(void* before, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return pending_signal() != *static_cast<int*>(before);
}

std::string send(const std::string& url,
                 const std::string& text,
                 std::chrono::milliseconds patience) {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, CurlDeleter> handle(curl_easy_init());
  if (!handle) return "libcurl can't be used";
  CURL* const curl = handle.get();
  const auto type = fmt::format("Content-Type: {}", kTextFormatContentType);
  std::unique_ptr<curl_slist, CurlDeleter> headers(curl_slist_append(nullptr, type.c_str()));
  headers.reset(curl_slist_append(headers.release(), "Expect:"));  // no waiting for 100 Continue
  Upload upload{text};
  std::string answer;
  char problem[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  if (is_loopback(url)) curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);  // PUT
  curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(text.size()));
  curl_easy_setopt(curl, CURLOPT_READFUNCTION, give);
  curl_easy_setopt(curl, CURLOPT_READDATA, &upload);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(patience.count()));
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, stop_on_signal);
  int signal_before = pending_signal();  // a run that was stopped is pushed as well
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &signal_before);
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_ABORTED_BY_CALLBACK) return "stopped by a signal";
  if (code == CURLE_OPERATION_TIMEDOUT)
    return fmt::format("no answer within {} s", static_cast<double>(patience.count()) / 1000);
  long reason = 0;
  if (code == CURLE_COULDNT_CONNECT &&
      curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &reason) == CURLE_OK && reason != 0)
    return std::generic_category().message(static_cast<int>(reason));
  if (code != CURLE_OK)
    return problem[0] != '\0' ? std::string(problem) : std::string(curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  if (status >= 200 && status < 300) return "";
  return fmt::format("HTTP status {}{}", status, shown(answer));
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
