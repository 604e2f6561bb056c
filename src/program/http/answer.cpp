// SPDX-License-Identifier: Apache-2.0
#include "program/http/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <stdexcept>
#include <string_view>

#include "program/http/admission.hpp"

namespace posse {
namespace {

bool is_token(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
           c == '_';
  });
}

bool on_one_line(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f;
  });
}

bool is_ours(std::string_view name) {
  for (const auto* ours : {"Content-Length", "Transfer-Encoding", "Connection", "Content-Type"})
    if (equal_ignoring_case(name, ours)) return true;
  return false;
}

}  // namespace

bool has_body(unsigned status) { return status != 204 && status != 304; }

HttpResponse plain_answer(unsigned status, std::string text) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(text);
  return response;
}

std::string answer_head(const HttpResponse& response, bool last) {
  if (response.status < 200 || response.status > 599 || !on_one_line(response.content_type))
    throw std::invalid_argument("a status or a content type that can't be sent");
  const auto reason =
      boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(response.status));
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\n", response.status, std::string_view(reason.data(), reason.size()));
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value).append("\r\n");
  };
  for (const auto& [name, value] : response.headers) {
    if (!is_token(name) || is_ours(name) || !on_one_line(value))
      throw std::invalid_argument("a header that can't be sent: " + name);
    add(name, value);
  }
  const auto add_default = [&](std::string_view name, std::string_view value) {
    for (const auto& header : response.headers)
      if (equal_ignoring_case(header.first, name)) return;
    add(name, value);
  };
  add_default("X-Content-Type-Options", "nosniff");
  add_default("Referrer-Policy", "no-referrer");
  add_default("Cache-Control", "no-store");
  if (response.feed) {
    add("Content-Type", "text/event-stream");
  } else if (has_body(response.status)) {
    add("Content-Type", response.content_type);
    add("Content-Length", std::to_string(response.body.size()));
  }
  add("Connection", last || response.feed ? "close" : "keep-alive");
  return head + "\r\n";
}

}  // namespace posse
