// SPDX-License-Identifier: Apache-2.0
#include "core/sim/critical_path.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace posse {
namespace {

Duration CriticalPath::*field_of(PathPart part) {
  switch (part) {
    case PathPart::compute:
      return &CriticalPath::compute;
    case PathPart::queueing:
      return &CriticalPath::queueing;
    case PathPart::transfer:
      return &CriticalPath::transfer;
    case PathPart::propagation:
      return &CriticalPath::propagation;
    case PathPart::retransmission:
      return &CriticalPath::retransmission;
    case PathPart::timer:
      return &CriticalPath::timer;
    case PathPart::stopped:
      return &CriticalPath::stopped;
  }
  return &CriticalPath::unknown;
}

}  // namespace

CriticalPath critical_path(const Path& path, Time began, Time ended) {
  CriticalPath times;
  std::map<NodeId, Duration> busy;  // computing or standing still
  std::optional<PathSegment> last;  // that took time and was not at the node that ended the round
  Time known = ended;               // from here on
  path.visit_backwards([&](const PathSegment& segment) {
    const Time from = std::max(segment.from, began);
    if (segment.until <= from) return false;  // before the round
    known = from;
    times.*field_of(segment.part) += segment.until - from;
    if (segment.part == PathPart::compute || segment.part == PathPart::stopped)
      busy[segment.node] += segment.until - from;
    else if (!last)
      last = segment;
    return true;
  });
  times.unknown = known - began;
  const auto longest = std::max_element(
      busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (last && last->part == PathPart::timer) return times;
  if (longest != busy.end())
    times.waited_for = longest->first;
  else if (last)
    times.waited_for = last->node;
  return times;
}

void add(const CriticalPath& path, CriticalPaths& paths) {
  ++paths.rounds;
#pragma GCC unroll 8
  for (const auto& part : kCriticalPathParts) paths.sum.*part.time += path.*part.time;
  if (path.waited_for) ++paths.waited_for[*path.waited_for];
}

void remove(const CriticalPath& path, CriticalPaths& paths) {
  --paths.rounds;
  for (const auto& part : kCriticalPathParts)
    paths.sum.*part.time = paths.sum.*part.time - path.*part.time;
  if (!path.waited_for) return;
  const auto waited = paths.waited_for.find(*path.waited_for);
  if (--waited->second == 0) paths.waited_for.erase(waited);
}

}  // namespace posse
