// SPDX-License-Identifier: Apache-2.0
// The failure of a role.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

/// Of several failures the first in the total order of events counts.
struct RoleFailure {
  Time time;
  NodeId node, source;
  std::uint32_t sequence = 0;
  std::string what;
  bool outside = false;  // not Posse's fault (core/base/outside_failure.hpp)
};

inline bool before(const RoleFailure& a, const RoleFailure& b) {
  return std::tie(a.time, a.node, a.source, a.sequence) <
         std::tie(b.time, b.node, b.source, b.sequence);
}

}  // namespace posse
