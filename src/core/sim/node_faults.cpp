// SPDX-License-Identifier: Apache-2.0
#include "core/sim/node_faults.hpp"

#include <algorithm>

#include "core/base/check.hpp"

namespace posse {

bool may_last_for_good(const NodeFault& fault) {
  if (!fault.trace) return !fault.when.lasting;
  return std::any_of(fault.trace->begin(), fault.trace->end(), [](const auto& node) {
    return node.second.back().end == Time::max();
  });
}

NodeFaults::NodeFaults(const SimulationSpec& spec, const Nodes& nodes)
    : nodes_(nodes),
      seed_(spec.seed),
      scheduled_(spec.network.node_faults.size()),
      faults_(spec.network.node_faults) {
  POSSE_CHECK(size() <= kMostNodeFaults, "more than {} faults", kMostNodeFaults);
}

std::set<std::uint32_t> NodeFaults::members(std::size_t fault) const {
  std::set<std::uint32_t> members;  // a node may be selected more than once
  for (const auto& selector : faults_[fault].nodes)
    for (const auto range : nodes_.members(selector, stream_key(seed_, "node-share", fault)))
      for (auto i = range.first; i < range.last; ++i) members.insert(members.end(), i);
  return members;
}

std::optional<Event> NodeFaults::beginning(std::size_t fault,
                                           NodeId node,
                                           std::uint32_t i,
                                           Time free) const {
  std::optional<Time> begin;
  if (const auto& trace = faults_[fault].trace) {
    const auto& intervals = trace->find(nodes_.name(node))->second;
    if (i < intervals.size()) begin = intervals[i].begin;
  } else {
    begin = occurrence_begin(faults_[fault].when, stream(fault, node), i, free);
  }
  if (!begin) return std::nullopt;
  return event_at(node, *begin, {static_cast<std::uint16_t>(fault), true, i});
}

std::optional<Event> NodeFaults::end(const Event& event) const {
  auto [fault, begins, i] = std::get<FaultEvent>(event.kind);
  if (is_from_outside(fault)) return std::nullopt;
  const auto& trace = faults_[fault].trace;
  const Time end =
      trace ? trace->find(nodes_.name(event.node))->second[i].end
            : occurrence_end(faults_[fault].when, stream(fault, event.node), i, event.time);
  if (end == Time::max()) return std::nullopt;
  return event_at(event.node, end, {fault, false, i});
}

std::size_t NodeFaults::add(const Intervention& stop) {
  POSSE_CHECK(size() < kMostNodeFaults, "more than {} faults", kMostNodeFaults);
  faults_.push_back(node_fault_of(stop));
  return size() - 1;
}

std::vector<Event> NodeFaults::end_all(const Intervention& restart) {
  std::vector<Event> ends;
  for (std::size_t f = scheduled_; f < size(); ++f) {
    NodeFault& fault = faults_[f];
    if (fault.when.lasting || fault.nodes != restart.groups.front()) continue;
    fault.when.lasting = restart.at - fault.when.at;
    for (const std::uint32_t i : members(f))
      ends.push_back(event_at(NodeId{i}, restart.at, {static_cast<std::uint16_t>(f), false, 0}));
  }
  return ends;
}

Event NodeFaults::event_at(NodeId node, Time time, FaultEvent fault) {
  Event event;
  event.time = time;
  event.node = event.source = node;
  event.kind = fault;
  event.sequence = (fault.begins ? 0 : kMostNodeFaults) + fault.fault;
  return event;
}

StreamKey NodeFaults::stream(std::size_t fault, NodeId node) const {
  return stream_key(seed_, "node-fault", hash_combine(fault, nodes_.name_hash(node)));
}

}  // namespace posse
