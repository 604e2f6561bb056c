// SPDX-License-Identifier: Apache-2.0
// JSON: its type, which keeps the order of keys, and its texts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace posse {

using Json = nlohmann::ordered_json;

/// Indented, as in files and on terminals; bytes that are not UTF-8 become U+FFFD.
std::string pretty_json(const Json& json);
/// In one line, as on pages and in cells of tables; bytes that are not UTF-8 become U+FFFD.
std::string compact_json(const Json& json);

}  // namespace posse
