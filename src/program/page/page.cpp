// SPDX-License-Identifier: Apache-2.0
#include "program/page/page.hpp"

#include <fmt/format.h>

#include "core/base/check.hpp"
#include "program/page/page_files.hpp"

namespace posse {
namespace {

bool is_nonce(std::string_view text) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_";
  return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

/// The directives that the document and the header share.
std::string policy_of_document(std::string_view nonce) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; img-src data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'",
      nonce);
}

void append_file(std::string& out, std::string_view name) {
  for (const auto piece : page_file(name)) out += piece;
}

/// In JSON '<' stands in strings only, where it may be escaped: so nothing ends the element that
/// the data stands in.
void append_data(std::string& out, std::string_view json) {
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
}

void append_part(std::string& out,
                 std::string_view name,
                 std::string_view boot_json,
                 std::string_view nonce) {
  if (name == "NONCE")
    out += nonce;
  else if (name == "POLICY")
    out += policy_of_document(nonce);
  else if (name == "STYLE")
    append_file(out, "style");
  else if (name == "CHART")
    append_file(out, "chart");
  else if (name == "SCRIPT")
    append_file(out, "script");
  else if (name == "BOOT")
    append_data(out, boot_json);
  else
    POSSE_CHECK(false, "the page has no part {}", name);
}

}  // namespace

std::string content_security_policy(std::string_view nonce) {
  POSSE_CHECK(is_nonce(nonce), "no nonce: '{}'", nonce);
  return policy_of_document(nonce) + "; frame-ancestors 'none'";
}

std::string page_html(std::string_view boot_json, std::string_view nonce) {
  POSSE_CHECK(is_nonce(nonce), "no nonce: '{}'", nonce);
  std::string html, out;
  append_file(html, "html");
  out.reserve(boot_json.size() + (std::size_t{512} << 10));
  // Placeholders are @NAME@; inserted text is not searched again.
  std::size_t at = 0;
  while (at < html.size()) {
    const auto begin = html.find('@', at);
    const auto end = begin == std::string::npos ? begin : html.find('@', begin + 1);
    if (end == std::string::npos) break;
    out.append(html, at, begin - at);
    append_part(out, std::string_view(html).substr(begin + 1, end - begin - 1), boot_json, nonce);
    at = end + 1;
  }
  return out.append(html, at);
}

}  // namespace posse
