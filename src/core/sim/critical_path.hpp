// SPDX-License-Identifier: Apache-2.0
// The path to the end of a round, as times.
#pragma once

#include "core/base/time.hpp"
#include "core/role/outcome.hpp"
#include "core/role/path.hpp"

namespace posse {

/// Fills `times`, all zero before, with the part of `path` from `began` on; it ends at `ended`.
/// O(segments of the round).
void follow(const Path& path, Time began, Time ended, CriticalPath& times);

void add(const CriticalPath& path, CriticalPaths& paths);
/// Takes back what was added.
void remove(const CriticalPath& path, CriticalPaths& paths);

}  // namespace posse
