// SPDX-License-Identifier: Apache-2.0
// The page as an HTTP answer, with a fresh nonce and a policy that allows only its own scripts.
#pragma once

#include <string>
#include <string_view>

#include "program/http/server.hpp"

namespace posse {

/// 128 unpredictable bits in hexadecimal.
std::string random_token();

/// The page with `boot_json`. Its policy allows only its own script and style, requests to its own
/// server, and no framing.
HttpResponse page_answer(std::string_view boot_json);

/// An answer of type application/json.
HttpResponse json_answer(std::string json, unsigned status = 200);
/// {"error": "…"}
HttpResponse error_answer(unsigned status, std::string_view problem);

}  // namespace posse
