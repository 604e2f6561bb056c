// SPDX-License-Identifier: Apache-2.0
// The failure of a role.
#pragma once

#include <string>
#include <tuple>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

/// Of several failures the first counts: the earliest, then that of the smallest node. Of one node
/// at one instant it is that which came first.
struct RoleFailure {
  Time time;
  NodeId node;
  std::string what;
  bool outside = false;  // not Posse's fault (core/base/outside_failure.hpp)
};

inline bool before(const RoleFailure& a, const RoleFailure& b) {
  return std::tie(a.time, a.node) < std::tie(b.time, b.node);
}

}  // namespace posse
