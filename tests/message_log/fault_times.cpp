// SPDX-License-Identifier: Apache-2.0
// When the faults of a run held, and whether that is what the scenario asks for.
#include "run_check.hpp"

namespace message_log {

bool RunCheck::is_of_this_run(const Fault& fault) const {
  if (fault.repetition && *fault.repetition != run_.repetition) return false;
  const auto any_node = [&](const auto& is_it) {
    return std::any_of(names_.begin(), names_.end(), is_it);
  };
  if (fault.kind == "availability")
    return any_node([&](const auto& name) { return fault.recorded.count(name) > 0; });
  const auto exists = [&](const std::vector<Selector>& group) {
    return any_node([&](const auto& name) {
      return std::any_of(
          group.begin(), group.end(), [&](const auto& s) { return s.matches(name); });
    });
  };
  const auto groups = std::count_if(fault.groups.begin(), fault.groups.end(), exists);
  return groups >= (fault.is_of_links() ? 2 : 1) &&
         (!fault.one_way || exists(fault.groups.front()));
}

void RunCheck::collect_faults() {
  for (const auto& fault : network_.faults)
    if (fault.is_of_links() && is_of_this_run(fault)) faults_.push_back(&fault);
  for (const auto& fault : network_.faults)
    if (fault.is_of_nodes() && is_of_this_run(fault)) faults_.push_back(&fault);
  for (const auto& fault : network_.faults)
    if (fault.kind == "corrupt" && is_of_this_run(fault)) faults_.push_back(&fault);
  std::map<std::pair<std::size_t, std::string>, std::size_t> open;
  std::map<std::size_t, std::size_t> times;
  for (const auto& event : run_.faults) {
    if (!require(event.fault < faults_.size(), "faults", 0, [&] {
          return fmt::format("faults.csv has fault {} of {}", event.fault, faults_.size());
        }))
      continue;
    const auto& fault = *faults_[event.fault];
    require(event.kind == fault.kind || (event.kind == "crash" && fault.kind == "availability"),
            "faults",
            0,
            [&] { return fmt::format("fault {} is a {}", event.fault, fault.kind); });
    const auto key = std::pair(event.fault, fault.is_of_nodes() ? event.nodes : "");
    auto& intervals = intervals_[key];
    if (event.begins) {
      require(open.count(key) == 0, "faults", 0, [&] {
        return fmt::format("fault {} begins twice", event.fault);
      });
      open[key] = intervals.size();
      intervals.push_back({event.at, kNever, event.fault});
      truncated_ |= fault.is_of_links() && ++times[event.fault] >= 10'000;
    } else if (require(open.count(key) == 1, "faults", 0, [&] {
                 return fmt::format("fault {} ends before it begins", event.fault);
               })) {
      intervals[open[key]].end = event.at;
      open.erase(key);
    }
  }
  for (const auto& [key, intervals] : intervals_) {
    const auto& fault = *faults_[key.first];
    if (!fault.is_of_nodes()) continue;
    bool loses = false;
    for (const auto& event : run_.faults)
      if (event.fault == key.first && event.state == "lost") loses = true;
    for (const auto& interval : intervals)
      stops_[key.second].push_back({interval, fault.kind != "pause", loses});
  }
}

void RunCheck::check_schedule_of_faults() {
  for (std::size_t number = 0; number < faults_.size(); ++number) {
    const auto& fault = *faults_[number];
    std::set<std::string> nodes;
    for (const auto& [key, intervals] : intervals_)
      if (key.first == number) nodes.insert(key.second);
    if (!fault.is_of_nodes()) nodes.insert("");
    for (const auto& node : nodes) {
      const auto& intervals = intervals_[{number, node}];
      for (std::size_t i = 0; i < intervals.size(); ++i) {
        const auto& [begin, end, unused] = intervals[i];
        const auto say = [&, begin = begin, end = end] {
          return fmt::format(
              "fault {} ({}) {} from {} to {}", number, fault.kind, node, text(begin), text(end));
        };
        require(begin <= end && (i == 0 || intervals[i - 1].end <= begin),
                "schedule of faults",
                0,
                [&] { return say() + " overlaps another time"; });
        require(!fault.until || begin < *fault.until, "schedule of faults", 0, [&] {
          return say() + " begins after its last time";
        });
        require(!fault.at || begin >= *fault.at, "schedule of faults", 0, [&] {
          return say() + " begins before its first time";
        });
      }
      if (fault.mean_between) continue;
      auto expected = scheduled(fault, node);
      // What happens at the very end may or may not be in the table.
      bool equal = intervals.size() <= expected.size();
      for (std::size_t i = 0; equal && i < expected.size(); ++i) {
        const auto& [begin, end] = expected[i];
        if (i >= intervals.size())
          equal = begin >= end_ || truncated_;
        else
          equal = intervals[i].begin == begin &&
                  (intervals[i].end == end || (intervals[i].end == kNever && end >= end_));
      }
      require(equal, "schedule of faults", 0, [&] {
        return fmt::format("fault {} ({}) {} does not keep to its times", number, fault.kind, node);
      });
    }
  }
}

std::vector<std::pair<Nanoseconds, Nanoseconds>> RunCheck::scheduled(
    const Fault& fault, const std::string& node) const {
  std::vector<std::pair<Nanoseconds, Nanoseconds>> times;
  if (fault.kind == "availability") {
    const auto at = fault.recorded.find(node);
    return at == fault.recorded.end() ? times : at->second;
  }
  for (Nanoseconds begin = fault.at.value_or(0);
       begin <= end_ && (!fault.until || begin < *fault.until);
       begin = plus(begin, *fault.every)) {
    times.emplace_back(begin, fault.lasting ? plus(begin, *fault.lasting) : kNever);
    if (!fault.every) break;
  }
  return times;
}

const std::vector<Stop>& RunCheck::stops_of(const std::string& node) const {
  static const std::vector<Stop> kNoStops;
  const auto at = stops_.find(node);
  return at == stops_.end() ? kNoStops : at->second;
}

Nanoseconds RunCheck::goes_on(const std::string& node, Nanoseconds t) const {
  for (bool moved = true; moved && t != kNever;) {
    moved = false;
    for (const auto& stop : stops_of(node))
      if (stop.begin <= t && t < stop.end) {
        t = stop.end;
        moved = true;
      }
  }
  return t;
}

bool RunCheck::is_end_of_stop(const std::string& node, Nanoseconds t) const {
  const auto& stops = stops_of(node);
  return std::any_of(stops.begin(), stops.end(), [&](const Stop& s) { return s.end == t; });
}

}  // namespace message_log
