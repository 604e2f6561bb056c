// SPDX-License-Identifier: Apache-2.0
#include "program/plot/sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/role/outcome.hpp"
#include "program/base/csv.hpp"
#include "program/base/data_table.hpp"
#include "program/base/table_json.hpp"

namespace posse {
namespace {

/// When the run's last event was, or its last message left.
Time end_of(const SimulationResult& result) {
  Time end = std::max(result.outcome.last_event, result.outcome.finished_at);
  for (const MessageRecord& m : result.messages)
    end = std::max({end, m.sent, m.arrived() ? m.delivered : m.sent});
  return end;
}

const RoundRecord& round_of(std::span<const RoundRecord> rounds, std::uint32_t number) {
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

Span selected_span(const SequenceParts& run, const SequenceSelection& selection) {
  const Time end = run.end;
  Span span{Time{}, end};
  if (selection.rounds) {
    const auto& [first, last] = *selection.rounds;
    span = {round_of(run.rounds, first).began, round_of(run.rounds, last).ended};
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

Time end_of(const MessageRecord& m) { return m.arrived() ? m.delivered : m.sent; }

/// All nodes, or the kMostLanes with the most copies in the span, of equals the first; in their
/// order.
std::vector<NodeId> lanes_of(const SequenceParts& run, const Span& span) {
  std::vector<NodeId> nodes;
  if (run.nodes <= kMostLanes) {
    for (std::uint32_t node = 0; node < run.nodes; ++node) nodes.push_back({node});
    return nodes;
  }
  std::map<std::uint32_t, std::size_t> copies;
  for (const MessageRecord& m : run.messages)
    if (span.meets(m.sent, end_of(m)))
      for (const NodeId node : {m.from, m.to}) ++copies[node.value];
  std::vector<std::pair<std::uint32_t, std::size_t>> busy(copies.begin(), copies.end());
  std::ranges::stable_sort(busy, std::greater<>(), &decltype(busy)::value_type::second);
  busy.resize(std::min(busy.size(), kMostLanes));
  for (const auto& [node, count] : busy) nodes.push_back({node});
  std::ranges::sort(nodes, {}, &NodeId::value);
  return nodes;
}

class SequenceMaker {
 public:
  SequenceMaker(const SequenceParts& run, const SequenceSelection& selection)
      : run_(run), span_(selected_span(run, selection)), lanes_(lanes_of(run, span_)) {}

  Sequence make(std::string title, const std::string& subtitle) && {
    sequence_.title = std::move(title);
    sequence_.nodes = run_.nodes;
    sequence_.copies = run_.messages.size();
    for (const NodeId node : lanes_) sequence_.lanes.push_back(run_.name_of(node));
    const auto selected = add_arrows();
    if (span_.until <= span_.from) span_.until = span_.from + Duration::nanoseconds(1);
    add_bars();
    for (const RoundRecord& round : run_.rounds)
      if (span_.meets(round.began, round.ended))
        sequence_.rounds.push_back(
            {round.round.value, round.began.to_seconds(), round.ended.to_seconds()});
    add_curve("simple_regret", "simple regret");
    add_curve("cumulative_regret", "cumulative regret");
    sequence_.from = span_.from.to_seconds();
    sequence_.until = span_.until.to_seconds();
    complete(subtitle, selected);
    return std::move(sequence_);
  }

 private:
  std::optional<std::size_t> lane_of(NodeId node) const {
    const auto at = std::ranges::lower_bound(lanes_, node.value, {}, &NodeId::value);
    if (at == lanes_.end() || at->value != node.value) return std::nullopt;
    return static_cast<std::size_t>(at - lanes_.begin());
  }

  /// Returns how many copies were selected, also between nodes without lanes.
  std::size_t add_arrows() {
    FirstCopies copies(run_.transport);
    auto& arrows = sequence_.arrows;
    std::size_t selected = 0;
    std::optional<Time> next;  // when the first of those that are left out was sent
    Time last = span_.from;    // of those that are drawn
    for (const MessageRecord& m : run_.messages) {
      const bool repeated = copies.repeated(m);
      if (!span_.meets(m.sent, end_of(m))) continue;
      ++selected;
      const auto from = lane_of(m.from), to = lane_of(m.to);
      if (!from || !to) continue;
      if (arrows.size() == kMostArrows) {
        next = next.value_or(m.sent);
        continue;
      }
      last = std::max({last, m.sent, end_of(m)});
      arrows.push_back({std::string(m.type),
                        m.round.value,
                        *from,
                        *to,
                        m.bytes,
                        m.sent.to_seconds(),
                        m.arrived() ? std::optional(m.delivered.to_seconds()) : std::nullopt,
                        m.outcome,
                        m.cause,
                        repeated});
    }
    if (next) span_.until = std::min(span_.until, std::max(last, *next));
    return selected;
  }

  void add_bars() {
    const auto add = [&](std::size_t lane, Time from, Time until, bool stopped) {
      if (span_.meets(from, until))
        sequence_.bars.push_back({lane, from.to_seconds(), until.to_seconds(), stopped});
    };
    for (const WorkRecord& work : run_.work)
      if (const auto lane = lane_of(work.node)) add(*lane, work.from, work.until, false);
    std::vector<std::optional<Time>> since(lanes_.size());
    std::vector<std::uint32_t> faults(lanes_.size());  // that stop the node now
    for (const FaultRecord& fault : run_.faults) {
      const auto lane = fault.of == FaultOf::nodes ? lane_of(fault.node) : std::nullopt;
      if (!lane) continue;
      auto& active = faults[*lane];
      if (fault.begins) {
        if (active++ == 0) since[*lane] = fault.at;
      } else if (active > 0 && --active == 0) {
        add(*lane, *since[*lane], fault.at, true);
        since[*lane].reset();
      }
    }
    for (std::size_t lane = 0; lane < since.size(); ++lane)
      if (since[lane]) add(lane, *since[lane], span_.until, true);
  }

  /// The value at the beginning, and the points until the end.
  void add_curve(std::string_view metric, std::string name) {
    SequenceCurve curve;
    curve.name = std::move(name);
    for (const RegretPoint& point : run_.regret) {
      if (point.metric != metric || !std::isfinite(point.value)) continue;
      if (point.virtual_s > span_.until.to_seconds()) break;
      const double at = std::max(point.virtual_s, span_.from.to_seconds());
      if (!curve.points.empty() && curve.points.back().first == at) curve.points.pop_back();
      curve.points.emplace_back(at, point.value);
    }
    if (!curve.points.empty()) sequence_.curves.push_back(std::move(curve));
  }

  void complete(const std::string& subtitle, std::size_t selected) {
    const auto drawn = sequence_.arrows.size();
    sequence_.subtitle = fmt::format(
        "{}; {} of {} message copies of the run", subtitle, drawn, run_.messages.size());
    if (run_.nodes > kMostLanes)
      sequence_.subtitle += fmt::format(
          ", those between the {} of {} nodes with the most copies", lanes_.size(), run_.nodes);
    if (drawn == kMostArrows && selected > drawn)
      sequence_.subtitle +=
          fmt::format(", the first {}: --from or --rounds show what comes later", kMostArrows);
  }

  const SequenceParts& run_;
  Span span_;
  std::vector<NodeId> lanes_;
  Sequence sequence_;
};

}  // namespace

SequenceParts sequence_parts(const SimulationResult& result, Transport transport) {
  return {static_cast<std::uint32_t>(result.node_names.size()),
          [&result](NodeId node) { return result.name_of(node); },
          transport,
          end_of(result),
          result.messages,
          result.outcome.rounds,
          result.regret_curve,
          result.work,
          result.faults};
}

Sequence sequence_of(const SequenceParts& run,
                     const SequenceSelection& selection,
                     std::string title,
                     std::string subtitle) {
  return SequenceMaker(run, selection).make(std::move(title), subtitle);
}

Json sequence_json(const Sequence& sequence) {
  const auto columns = [](const auto& columns_of, const auto& rows) {
    return columns_json(columns_of.table([&](const auto& use) {
      for (const auto& row : rows) use(row);
    }));
  };
  Json json{{"from_virtual_s", sequence.from},
            {"until_virtual_s", sequence.until},
            {"nodes", sequence.nodes},
            {"copies", sequence.copies},
            {"lanes", sequence.lanes}};
  json["arrows"] =
      columns(ColumnsOf<SequenceArrow>()
                  .add("type", &SequenceArrow::type)
                  .add("round", &SequenceArrow::round)
                  .add("from", &SequenceArrow::from)
                  .add("to", &SequenceArrow::to)
                  .add("bytes", &SequenceArrow::bytes)
                  .add("sent_virtual_s", &SequenceArrow::sent)
                  .add("arrived_virtual_s", &SequenceArrow::arrived)
                  .add("outcome", [](const auto& arrow) { return to_string(arrow.outcome); })
                  .add("cause", [](const auto& arrow) { return to_string(arrow.cause); })
                  .add("repeated", &SequenceArrow::repeated),
              sequence.arrows);
  json["rounds"] = columns(ColumnsOf<SequenceRound>()
                               .add("round", &SequenceRound::round)
                               .add("began_virtual_s", &SequenceRound::began)
                               .add("ended_virtual_s", &SequenceRound::ended),
                           sequence.rounds);
  json["curves"] = Json::array();
  for (const auto& curve : sequence.curves) {
    Json xy{{"name", curve.name}, {"x", Json::array()}, {"y", Json::array()}};
    for (const auto& [x, y] : curve.points) {
      xy["x"].push_back(x);
      xy["y"].push_back(y);
    }
    json["curves"].push_back(std::move(xy));
  }
  return json;
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

}  // namespace posse
