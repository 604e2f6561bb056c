// SPDX-License-Identifier: Apache-2.0
// When a node worked, for traces.
#pragma once

#include "core/base/ids.hpp"
#include "core/base/time.hpp"

namespace posse {

/// Work from `from` to `until`. If the node stood still in the meantime, the rest of its work is a
/// record of its own.
struct WorkRecord {
  NodeId node;
  Time from, until;
};

}  // namespace posse
