// SPDX-License-Identifier: Apache-2.0
#include "program/page/page_answer.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "program/base/json.hpp"
#include "program/page/page.hpp"

namespace posse {

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "no randomness");
  std::string text;
  for (const auto byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

HttpResponse page_answer(std::string_view boot_json) {
  const auto nonce = random_token();
  HttpResponse response;
  response.content_type = "text/html; charset=utf-8";
  response.body = page_html(boot_json, nonce);
  response.headers = {{"Content-Security-Policy", content_security_policy(nonce)}};
  return response;
}

HttpResponse json_answer(std::string json, unsigned status) {
  HttpResponse response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(json);
  return response;
}

HttpResponse error_answer(unsigned status, std::string_view problem) {
  return json_answer(compact_json({{"error", problem}}), status);
}

}  // namespace posse
