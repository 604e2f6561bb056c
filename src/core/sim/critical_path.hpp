// SPDX-License-Identifier: Apache-2.0
// The path to the end of a round, as times.
#pragma once

#include <vector>

#include "core/base/time.hpp"
#include "core/role/outcome.hpp"
#include "core/role/path.hpp"

namespace posse {

/// Fills `times`, all zero before, with the part of `path` from `began` on; it ends at `ended`.
/// O(segments of the round).
void follow(const Path& path, Time began, Time ended, CriticalPath& times);

/// Notes that what these nodes sent came at the same instant, if one of them was waited for.
void share(const std::vector<NodeId>& came_last, CriticalPath& path);

void add(const CriticalPath& path, CriticalPaths& paths);
/// Takes back what was added.
void remove(const CriticalPath& path, CriticalPaths& paths);

}  // namespace posse
