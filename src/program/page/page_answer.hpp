// The page as an HTTP answer: with a nonce of its own and a policy that lets nothing else run.
#pragma once

#include <string>
#include <string_view>

#include "program/http/server.hpp"

namespace posse {

/// 128 bits that nobody can guess, in hexadecimal.
std::string random_token();

/// The page with `boot_json` in it. Only its own script and style run, it talks to its own server
/// only, and no other page may frame it.
HttpResponse page_answer(std::string_view boot_json);

/// A JSON text.
HttpResponse json_answer(std::string json, unsigned status = 200);
/// {"error": "…"}
HttpResponse error_answer(unsigned status, std::string_view problem);

}  // namespace posse
