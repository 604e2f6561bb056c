// SPDX-License-Identifier: Apache-2.0
// An answer's first line and header fields, as sent.
#pragma once

#include <string>

#include "program/http/server.hpp"

namespace posse {

/// Up to and with the empty line. `last`: the connection ends with this answer; an event stream
/// always does. Throws std::invalid_argument if a status or header can't be sent: one with a line
/// break in it, or one that is not the handler's to set.
std::string answer_head(const HttpResponse& response, bool last);

/// A plain-text answer for a refusal or failure.
HttpResponse plain_answer(unsigned status, std::string text);

/// 204, 304: they never have a body.
bool has_body(unsigned status);

}  // namespace posse
