// SPDX-License-Identifier: Apache-2.0
// What a client would accept: the fields Accept and Accept-Encoding (RFC 9110, section 12.5).
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posse {

/// An element of such a field.
struct Preference {
  std::string name;                                             // in lower case
  std::vector<std::pair<std::string, std::string>> parameters;  // names in lower case; without q
  double quality = 1;                                           // 0: not acceptable
};

/// The elements of a field in their order. Those that are not well formed are left out.
std::vector<Preference> preferences(std::string_view field);

/// The quality of the first of these names that the field has. "*" is a name like others.
std::optional<double> quality_of(const std::vector<Preference>& preferences,
                                 std::initializer_list<std::string_view> names);

/// Whether an answer may be compressed: gzip is named, or stands for "*" where `identity` is
/// excluded, and an uncompressed answer isn't preferred.
bool prefers_gzip(std::string_view accept_encoding);

}  // namespace posse
