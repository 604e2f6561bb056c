// SPDX-License-Identifier: Apache-2.0
#include "core/sim/critical_path.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/role/observation.hpp"

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

void share(const std::vector<NodeId>& came_last, CriticalPath& path) {
  if (path.waited_for &&
      std::find(came_last.begin(), came_last.end(), *path.waited_for) != came_last.end())
    path.tied = came_last;
}

namespace {

/// Calls use(node, share of the round) for those that were waited for. None stands out of many.
template <class Use>
void visit_waited_for(const CriticalPath& path, Use use) {
  if (!path.waited_for || path.tied.size() > kMostCameLast) return;
  if (path.tied.empty()) return use(*path.waited_for, CriticalPaths::kWholeRound);
  for (const NodeId node : path.tied) use(node, CriticalPaths::kWholeRound / path.tied.size());
}

}  // namespace

void add(const CriticalPath& path, CriticalPaths& paths) {
  ++paths.rounds;
#pragma GCC unroll 8
  for (const auto& part : kCriticalPathParts) paths.sum.*part.time += path.*part.time;
  visit_waited_for(path,
                   [&](NodeId node, std::uint64_t share) { paths.waited_for[node] += share; });
}

void remove(const CriticalPath& path, CriticalPaths& paths) {
  --paths.rounds;
  for (const auto& part : kCriticalPathParts)
    paths.sum.*part.time = paths.sum.*part.time - path.*part.time;
  visit_waited_for(path, [&](NodeId node, std::uint64_t share) {
    const auto waited = paths.waited_for.find(node);
    if ((waited->second -= share) == 0) paths.waited_for.erase(waited);
  });
}

}  // namespace posse
