// SPDX-License-Identifier: Apache-2.0
// What all nodes of an echo run share.
#pragma once

#include <cstdint>

#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/role/policy.hpp"

namespace posse {

struct EchoSetup {
  std::uint32_t clients = 1;
  std::uint32_t rounds = 1;
  Duration work{};
  Policy policy;
  Payload request;
  Payload reply;
};

}  // namespace posse
