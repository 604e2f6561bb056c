// SPDX-License-Identifier: Apache-2.0
// Messages of echo.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/role/message.hpp"

namespace posse {

struct EchoRequest {
  static constexpr std::string_view kName = "EchoRequest";
  Filler filler;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(filler)
};

struct EchoReply {
  static constexpr std::string_view kName = "EchoReply";
  Filler filler;
  std::uint64_t values() const { return 0; }
  POSSE_FIELDS(filler)
};

}  // namespace posse
