// SPDX-License-Identifier: Apache-2.0
#include "program/plot/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/role/outcome.hpp"
#include "program/base/csv.hpp"

namespace posse {
namespace {

/// When the run's last event was, or its last message left.
Time end_of(const SimulationResult& result) {
  Time end = std::max(result.outcome.last_event, result.outcome.finished_at);
  for (const MessageRecord& m : result.messages)
    end = std::max({end, m.sent, m.arrived() ? m.delivered : m.sent});
  return end;
}

const RoundRecord& round_of(const RunOutcome& outcome, std::uint32_t number) {
  const auto& rounds = outcome.rounds;
  if (rounds.empty()) throw std::invalid_argument("the run has no complete round");
  const auto it = std::find_if(
      rounds.begin(), rounds.end(), [&](const auto& row) { return row.round.value == number; });
  if (it == rounds.end())
    throw std::invalid_argument(
        fmt::format("there is no record of round {}; the rounds are {} to {}",
                    number,
                    rounds.front().round.value,
                    rounds.back().round.value));
  return *it;
}

struct Span {
  Time from, until;
  bool to_end = false;  // of the run
  bool meets(Time begin, Time end) const {
    return (begin < until || (to_end && begin == until)) && (end > from || begin == from);
  }
};

Span selected_span(const SimulationResult& result, const SequenceSelection& selection) {
  const Time end = end_of(result);
  Span span{Time{}, end};
  if (selection.rounds) {
    const auto& [first, last] = *selection.rounds;
    span = {round_of(result.outcome, first).began, round_of(result.outcome, last).ended};
  }
  if (selection.from) span.from = *selection.from;
  if (selection.until) span.until = *selection.until;
  if (span.from > end)
    throw std::invalid_argument(fmt::format("the run ends at {} s", end.to_seconds()));
  span.until = std::min(span.until, end);
  span.to_end = span.until == end;
  const bool chosen = selection.rounds || selection.from || selection.until;
  if (chosen && span.until <= span.from)
    throw std::invalid_argument(fmt::format("from {} s until {} s: there is nothing in between",
                                            span.from.to_seconds(),
                                            span.until.to_seconds()));
  return span;
}

/// Tells the first copy of a message from later ones.
class FirstCopies {
 public:
  explicit FirstCopies(Transport transport) : transport_(transport) {}

  bool repeated(const MessageRecord& m) {
    if (m.type == kAcknowledgement) return false;
    // Datagrams have no numbers; the network's duplicate leaves with its original.
    const bool numbered = transport_ == Transport::reliable;
    const Key key{m.from.value,
                  m.to.value,
                  m.type,
                  numbered ? m.number : m.round.value,
                  numbered ? 0 : m.content,
                  numbered ? 0 : m.sent.ns};
    return !seen_.insert(key).second;
  }

 private:
  using Key = std::tuple<std::uint32_t,
                         std::uint32_t,
                         std::string_view,
                         std::uint32_t,
                         std::uint64_t,
                         std::int64_t>;
  Transport transport_;
  std::set<Key> seen_;
};

/// Adds the arrows; returns how many copies were selected, also between nodes without lanes.
std::size_t add_arrows(const SimulationResult& result,
                       Transport transport,
                       Span& span,
                       Sequence& sequence) {
  const auto lanes = static_cast<std::uint32_t>(sequence.lanes.size());
  FirstCopies copies(transport);
  std::size_t selected = 0;
  for (const MessageRecord& m : result.messages) {
    const bool repeated = copies.repeated(m);
    if (!span.meets(m.sent, m.arrived() ? m.delivered : m.sent)) continue;
    ++selected;
    if (m.from.value >= lanes || m.to.value >= lanes || sequence.arrows.size() == kMostArrows)
      continue;
    sequence.arrows.push_back({std::string(m.type),
                               m.round.value,
                               m.from.value,
                               m.to.value,
                               m.bytes,
                               m.sent.to_seconds(),
                               m.arrived() ? std::optional(m.delivered.to_seconds()) : std::nullopt,
                               m.outcome,
                               m.cause,
                               repeated});
    if (sequence.arrows.size() == kMostArrows)
      span.until = std::min(span.until, m.arrived() ? m.delivered : m.sent);
  }
  return selected;
}

void add_bars(const SimulationResult& result, const Span& span, Sequence& sequence) {
  const auto add = [&](NodeId node, Time from, Time until, bool stopped) {
    if (node.value < sequence.lanes.size() && span.meets(from, until))
      sequence.bars.push_back({node.value, from.to_seconds(), until.to_seconds(), stopped});
  };
  for (const WorkRecord& work : result.work) add(work.node, work.from, work.until, false);
  std::vector<std::optional<Time>> since(sequence.lanes.size());
  std::vector<std::uint32_t> faults(sequence.lanes.size());  // that stop the node now
  for (const FaultRecord& fault : result.faults) {
    if (fault.of != FaultOf::nodes || fault.node.value >= since.size()) continue;
    auto& active = faults[fault.node.value];
    if (fault.begins) {
      if (active++ == 0) since[fault.node.value] = fault.at;
    } else if (active > 0 && --active == 0) {
      add(fault.node, *since[fault.node.value], fault.at, true);
      since[fault.node.value].reset();
    }
  }
  for (std::uint32_t node = 0; node < since.size(); ++node)
    if (since[node]) add({node}, *since[node], span.until, true);
}

/// The value at the beginning, and the points until the end.
void add_curve(const SimulationResult& result,
               const Span& span,
               std::string_view metric,
               std::string name,
               Sequence& sequence) {
  SequenceCurve curve;
  curve.name = std::move(name);
  for (const RegretPoint& point : result.regret_curve) {
    if (point.metric != metric || !std::isfinite(point.value)) continue;
    if (point.virtual_s > span.until.to_seconds()) break;
    const double at = std::max(point.virtual_s, span.from.to_seconds());
    if (!curve.points.empty() && curve.points.back().first == at) curve.points.pop_back();
    curve.points.emplace_back(at, point.value);
  }
  if (!curve.points.empty()) sequence.curves.push_back(std::move(curve));
}

}  // namespace

Sequence sequence_of(const SimulationResult& result,
                     Transport transport,
                     const SequenceSelection& selection,
                     std::string title,
                     std::string subtitle) {
  Span span = selected_span(result, selection);
  Sequence sequence;
  sequence.title = std::move(title);
  const auto nodes = result.node_names.size();
  sequence.lanes.assign(
      result.node_names.begin(),
      result.node_names.begin() + static_cast<std::ptrdiff_t>(std::min(nodes, kMostLanes)));
  const auto selected = add_arrows(result, transport, span, sequence);
  if (span.until <= span.from) span.until = span.from + Duration::nanoseconds(1);
  add_bars(result, span, sequence);
  for (const RoundRecord& round : result.outcome.rounds)
    if (span.meets(round.began, round.ended))
      sequence.rounds.push_back(
          {round.round.value, round.began.to_seconds(), round.ended.to_seconds()});
  add_curve(result, span, "simple_regret", "simple regret", sequence);
  add_curve(result, span, "cumulative_regret", "cumulative regret", sequence);
  sequence.from = span.from.to_seconds();
  sequence.until = span.until.to_seconds();
  const auto drawn = sequence.arrows.size();
  sequence.subtitle = fmt::format(
      "{}; {} of {} message copies of the run", subtitle, drawn, result.messages.size());
  if (nodes > kMostLanes)
    sequence.subtitle += fmt::format(", those between the first {} of {} nodes", kMostLanes, nodes);
  if (drawn == kMostArrows && selected > drawn)
    sequence.subtitle +=
        fmt::format(", the first {}: --from or --rounds show what comes later", kMostArrows);
  return sequence;
}

std::string to_csv(const Sequence& sequence) {
  std::string csv =
      "part,type,round,from,to,bytes,begin_virtual_s,end_virtual_s,repeated,fate,cause,value\n";
  const auto out = std::back_inserter(csv);
  for (const SequenceArrow& arrow : sequence.arrows)
    fmt::format_to(out,
                   "message,{},{},{},{},{},{},{},{},{},{},\n",
                   csv_cell(arrow.type),
                   arrow.round,
                   csv_cell(sequence.lanes[arrow.from]),
                   csv_cell(sequence.lanes[arrow.to]),
                   arrow.bytes,
                   arrow.sent,
                   arrow.arrived ? fmt::format("{}", *arrow.arrived) : "",
                   arrow.repeated ? 1 : 0,
                   to_string(arrow.outcome),
                   to_string(arrow.cause));
  for (const SequenceBar& bar : sequence.bars)
    fmt::format_to(out,
                   "{},,,{},,,{},{},,,,\n",
                   bar.stopped ? "stop" : "work",
                   csv_cell(sequence.lanes[bar.lane]),
                   bar.from,
                   bar.until);
  for (const SequenceRound& round : sequence.rounds)
    fmt::format_to(out, "round,,{},,,,{},{},,,,\n", round.round, round.began, round.ended);
  for (const SequenceCurve& curve : sequence.curves)
    for (const auto& [at, value] : curve.points)
      fmt::format_to(out, "{},,,,,,{},,,,,{}\n", curve.name, at, value);
  return csv;
}

Picture picture_of(const Sequence& sequence) {
  return {"sequence", to_svg(sequence), to_csv(sequence)};
}

}  // namespace posse
