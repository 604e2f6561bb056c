// The page that shows runs: live, from the shelf of finished ones, or as report.html. One document
// with its style, its script and Chart.js inside; nothing is ever fetched from elsewhere.
//
// What it shows comes as JSON: from the document itself in a report, over HTTP else. Strings from
// there become text, never markup. Cost: a copy of some 300 kB.
#pragma once

#include <string>
#include <string_view>

namespace posse {

/// The whole document. `boot_json` is {"mode": "live" | "shelf" | "report", "documents": […]}, the
/// documents in a report only. `nonce`, of letters, digits, '+', '/', '=', '-' and '_', is what its
/// script and style carry; whoever serves it takes a new one for every answer.
std::string page_html(std::string_view boot_json, std::string_view nonce);

/// The value of the answer's Content-Security-Policy header: script and style with the nonce only,
/// requests to the own origin only. The document itself holds the same, for one opened from disk,
/// but for what only a header can say.
std::string content_security_policy(std::string_view nonce);

}  // namespace posse
