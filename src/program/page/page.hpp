// SPDX-License-Identifier: Apache-2.0
// The page that shows runs: as live page, as index of finished runs, or as report.html. One HTML
// document that contains its style, its script and Chart.js; it loads nothing from elsewhere.
//
// Its data is JSON: embedded in a report, else loaded over HTTP. Strings in the data become text,
// never markup. Cost: a copy of some 300 kB.
#pragma once

#include <string>
#include <string_view>

namespace posse {

/// The whole document. `boot_json` is {"mode": "live" | "run_index" | "report", "documents": […],
/// "study": {…}}, the last two in a report only. `nonce` (letters, digits, '+', '/', '=', '-' and
/// '_') marks its script and style; a server must use a new one for every answer.
std::string page_html(std::string_view boot_json, std::string_view nonce);

/// The value of the answer's Content-Security-Policy header: script and style with the nonce only,
/// requests to its own origin only. The document contains the same policy for use from disk,
/// without the directives that only a header can have.
std::string content_security_policy(std::string_view nonce);

}  // namespace posse
