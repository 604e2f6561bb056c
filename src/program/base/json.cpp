// SPDX-License-Identifier: Apache-2.0
#include "program/base/json.hpp"

#include <nlohmann/json.hpp>

namespace posse {

std::string pretty_json(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string compact_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace posse
