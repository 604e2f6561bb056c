// SPDX-License-Identifier: Apache-2.0
// A run, or a part of it, as a sequence diagram: a lane per node, an arrow per message copy, a bar
// where a node works or stands still, and the regret below on the same axis of virtual time.
//
// A diagram has all nodes, or the kMostLanes with the most copies, and the first kMostArrows copies
// between them that the selection contains; the subtitle says so where that is not all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/network/config.hpp"
#include "core/sim/simulation.hpp"
#include "program/base/json.hpp"

namespace posse {

inline constexpr std::size_t kMostLanes = 40, kMostArrows = 400;

/// What a diagram is made from: a run that has ended, or as far as it has come.
struct SequenceParts {
  std::uint32_t nodes = 0;
  std::function<std::string(NodeId)> name_of;
  Transport transport = Transport::datagram;
  Time end;                                 // of the run, or so far
  std::span<const MessageRecord> messages;  // in the order in which they were sent
  std::span<const RoundRecord> rounds;
  std::span<const RegretPoint> regret;
  std::span<const WorkRecord> work;
  std::span<const FaultRecord> faults;
};
/// Refers to the result, a run with traced messages.
SequenceParts sequence_parts(const SimulationResult& result, Transport transport);

/// The part of a run; by default all of it.
struct SequenceSelection {
  std::optional<Time> from, until;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> rounds;  // the first and the last
};

/// A message copy. Times in the diagram are virtual seconds.
struct SequenceArrow {
  std::string type;
  std::uint32_t round = 0;
  std::size_t from = 0, to = 0;  // lanes
  std::uint64_t bytes = 0;
  double sent = 0;
  std::optional<double> arrived;
  MessageOutcome outcome = MessageOutcome::delivered;
  DropCause cause = DropCause::none;
  bool repeated = false;  // the message left before: a retransmission, or the network's duplicate
};
struct SequenceBar {
  std::size_t lane = 0;
  double from = 0, until = 0;
  bool stopped = false;  // stands still instead of working
};
struct SequenceRound {
  std::uint32_t round = 0;
  double began = 0, ended = 0;
};
/// A regret as it is known at a time, which holds until the next point.
struct SequenceCurve {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Sequence {
  std::string title, subtitle;
  double from = 0, until = 0;
  std::uint32_t nodes = 0;         // of the run
  std::size_t copies = 0;          // of messages, between all nodes
  std::vector<std::string> lanes;  // names of nodes, in their order
  std::vector<std::string> types;  // of messages, in the order of their colours; others follow
  std::vector<SequenceArrow> arrows;
  std::vector<SequenceBar> bars;
  std::vector<SequenceRound> rounds;
  std::vector<SequenceCurve> curves;
};

/// `subtitle` is completed by what the diagram shows of the run. Throws std::invalid_argument if
/// nothing of the run is selected.
Sequence sequence_of(const SequenceParts& run,
                     const SequenceSelection& selection,
                     std::string title,
                     std::string subtitle);

std::string to_svg(const Sequence& sequence);
/// For pages, without bars: from_virtual_s, until_virtual_s, nodes, copies, lanes; arrows, rounds:
/// tables in columns (table_json.hpp), where from and to are positions in `lanes`; curves: [{name,
/// x, y}], x in virtual seconds.
Json sequence_json(const Sequence& sequence);
/// part (message, work, stop, round, or a regret's name), type, round, from, to, bytes, begin and
/// end in virtual seconds (of a message: sent, arrived), fate, value.
std::string to_csv(const Sequence& sequence);

}  // namespace posse
