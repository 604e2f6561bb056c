// SPDX-License-Identifier: Apache-2.0
// Admission of requests: they must be well formed, meant for this server, and come from its own
// pages or from no page at all.
//
// A page of another site can make a browser send requests here. It can't read the answers, unless
// its host's name is made to resolve to our address afterwards (DNS rebinding): then Host and
// Origin carry that name. So Host must be an IP address (or localhost) with our port, Origin must
// be what Host says, and requests that the browser marks as cross-site (Sec-Fetch-Site) are
// admitted only for a followed link.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "program/http/server.hpp"

namespace posse {

/// A request's first line and header fields, as received.
struct HttpHead {
  std::string method, target;
  bool http_1_0 = false;
  std::vector<std::pair<std::string, std::string>> fields;

  /// All values of a field, whatever the case of its name.
  std::vector<std::string_view> values(std::string_view name) const;
};

/// The request (without a body yet) or the answer that refuses it. `self` is where the server
/// listens, with its actual port.
std::variant<HttpRequest, HttpResponse> admit(const HttpHead& head, const HttpAddress& self);

/// Equal but for the case of ASCII letters.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace posse
