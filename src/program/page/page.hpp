// The page that shows runs: HTML, style, scripts and charts in one text, nothing fetched.
#pragma once

#include <string>
#include <string_view>

namespace posse {

/// `boot_json` is what the page finds in itself; `nonce` is its scripts' and styles'.
std::string page_html(std::string_view boot_json, std::string_view nonce);

}  // namespace posse
