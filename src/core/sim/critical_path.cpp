// SPDX-License-Identifier: Apache-2.0
#include "core/sim/critical_path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace posse {
namespace {

/// By PathPart.
constexpr std::array kFields{&CriticalPath::compute,
                             &CriticalPath::queueing,
                             &CriticalPath::transfer,
                             &CriticalPath::propagation,
                             &CriticalPath::retransmission,
                             &CriticalPath::timer,
                             &CriticalPath::stopped};

}  // namespace

void follow(const Path& path, Time began, Time ended, CriticalPath& times) {
  std::map<NodeId, Duration> busy;  // computing or standing still
  std::optional<NodeId> last;       // of the last other segment that took time
  bool last_is_timer = false;
  Time known = ended;  // from here on
  path.visit_backwards([&](PathSegment segment) {
    const Time from = segment.from < began ? began : segment.from;
    if (segment.until <= from) return false;  // before the round
    known = from;
    times.*kFields[static_cast<std::size_t>(segment.part)] += segment.until - from;
    if (segment.part == PathPart::compute || segment.part == PathPart::stopped) {
      busy[segment.node] += segment.until - from;
    } else if (!last) {
      last = segment.node;
      last_is_timer = segment.part == PathPart::timer;
    }
    return true;
  });
  times.unknown = known - began;
  if (last_is_timer) return;
  const auto longest = std::max_element(
      busy.begin(), busy.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  times.waited_for = longest != busy.end() ? longest->first : last;
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
