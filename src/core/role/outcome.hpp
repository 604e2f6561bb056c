// SPDX-License-Identifier: Apache-2.0
// The outcome of a run, as measurements, results and tests use it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration_histogram.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/domain/cell.hpp"
#include "core/role/checkpoints.hpp"
#include "core/role/counts.hpp"
#include "core/role/observation.hpp"

namespace posse {

enum class Direction { up, down, peer };  // leaf to hub, hub to leaf, neither

constexpr std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::up:
      return "up";
    case Direction::down:
      return "down";
    case Direction::peer:
      return "peer";
  }
  return "?";
}

/// The name under which acknowledgements of the reliable transport are counted.
inline constexpr std::string_view kAcknowledgement = "Ack";

struct TypeAccount : CopyCounts {
  std::string type;
  Direction direction = Direction::peer;
};

/// How the virtual time of a round passed on the path to its end: of the message that came last,
/// what led to it, and so on. The parts add up to the round's duration.
struct CriticalPath {
  Duration compute{}, queueing{}, transfer{}, propagation{}, retransmission{}, timer{}, stopped{};
  Duration unknown{};  // before a node lost track, in a crash, of what had led to its work
  /// The node that computed or stood still for the longest time on it; if none did, the sender of
  /// its last message; none if a timer ended the round.
  std::optional<NodeId> waited_for;
  std::vector<NodeId> tied{};  // `waited_for` and others whose messages came at the same instant
  bool operator==(const CriticalPath&) const = default;
};

/// A part of a critical path, with its name in results.
struct CriticalPathPart {
  std::string_view name;
  Duration CriticalPath::*time;
};
inline constexpr std::array kCriticalPathParts{
    CriticalPathPart{"compute", &CriticalPath::compute},
    CriticalPathPart{"queueing", &CriticalPath::queueing},
    CriticalPathPart{"transfer", &CriticalPath::transfer},
    CriticalPathPart{"propagation", &CriticalPath::propagation},
    CriticalPathPart{"retransmission", &CriticalPath::retransmission},
    CriticalPathPart{"timer", &CriticalPath::timer},
    CriticalPathPart{"stopped", &CriticalPath::stopped},
    CriticalPathPart{"unknown", &CriticalPath::unknown}};

/// The critical paths of a run's complete rounds, added up.
struct CriticalPaths {
  std::uint64_t rounds = 0;
  CriticalPath sum;                            // without `waited_for`
  std::map<NodeId, std::uint64_t> waited_for;  // in how many rounds, times kWholeRound

  /// Nodes that tie for last share the round. Integers, so that the order of adding does not
  /// matter.
  static constexpr std::uint64_t kWholeRound = std::uint64_t{1} << 40;
};

/// Faults that have begun and ended, the scenario's and those of observers. Faults of links and
/// wrong numbers count once each time, faults of nodes once for each node.
struct FaultCounts {
  struct Count {
    std::uint64_t begun = 0, ended = 0;
    std::uint64_t active() const { return begun - ended; }
    bool operator==(const Count&) const = default;
  };
  Count partition, clog, pause, crash, corrupt;
  void add(const FaultCounts& other);
  bool operator==(const FaultCounts&) const = default;
};

/// The kinds of faults, with their names in results.
struct FaultCountsKind {
  std::string_view name;
  FaultCounts::Count FaultCounts::*count;
};
inline constexpr std::array kFaultCountsKinds{FaultCountsKind{"partition", &FaultCounts::partition},
                                              FaultCountsKind{"clog", &FaultCounts::clog},
                                              FaultCountsKind{"pause", &FaultCounts::pause},
                                              FaultCountsKind{"crash", &FaultCounts::crash},
                                              FaultCountsKind{"corrupt", &FaultCounts::corrupt}};

inline void FaultCounts::add(const FaultCounts& other) {
  for (const auto& [name, count] : kFaultCountsKinds) {
    (this->*count).begun += (other.*count).begun;
    (this->*count).ended += (other.*count).ended;
  }
}

/// A row of the rounds table.
struct RoundRecord : RoundCount {
  Round round;
  Time began;
  Time ended;
  std::optional<Cell> best;
  std::uint64_t active_cells = 0;
  std::uint64_t pulls_per_cell = 0;
  std::uint64_t kept_cells = 0;
  std::uint64_t steps = 0;
  std::uint32_t arrived = 0;
  std::uint32_t expected = 0;
  std::vector<NodeId> late;
  bool tied = false;  // an answer came too late, at the instant at which the last used one did
  std::uint64_t bytes_so_far = 0;  // of all rounds up to this one, including those without a row
  std::uint64_t values_so_far = 0;
  std::uint64_t stale = 0;
  Duration waiting{};                // from each used answer's arrival to the end of its round
  std::optional<CriticalPath> path;  // none above kMostNodesWithPaths nodes
};

/// Virtual seconds of a whole run, summed over nodes and messages.
struct PhaseTotals {
  Duration compute{};
  Duration queueing{};
  Duration transfer{};
  Duration propagation{};
  Duration waiting{};
};

/// Copies on one directed link, all types together. Those that neither arrived nor were dropped
/// were still on the way at the end.
struct LinkRecord {
  NodeId from, to;
  std::uint64_t departed = 0;
  std::uint64_t arrived = 0;     // at the receiver, which may have dropped them (queue, crash)
  std::uint64_t dropped = 0;     // on the way
  std::uint64_t wire_bytes = 0;  // of the copies that departed, with headers and handshakes
};

/// Largest number of nodes for which paths are followed, since each message carries its own.
inline constexpr std::uint32_t kMostNodesWithPaths = 100'000;

/// Largest number of nodes for which links are listed one by one.
inline constexpr std::uint32_t kMostNodesWithLinks = 65;

/// A cell that was compared with others, as of the last round in which it was.
struct CellRecord {
  Cell cell;
  Round round;
  double mean = 0;
  bool kept = true;
};

/// The number of cells that are recorded, the first ones of a run.
inline constexpr std::size_t kCellsRecorded = 4096;

/// Regret of the whole run; absent if the protocol evaluates nothing.
struct RegretSummary {
  double cumulative = 0;               // sum over clients / number of clients
  double local_cumulative = 0;         // cumulative against each client's own maximum
  std::optional<double> simple;        // f* - f(recommendation)
  std::optional<double> local_simple;  // mean over clients of f_m* - f_m(recommendation)
  std::vector<double> recommendation;  // of the run's one decider, or empty
  std::vector<std::vector<double>> local_recommendations;  // or every client's own
  std::uint32_t clients = 1;                               // over which the sums are means
  std::uint64_t evaluations = 0;                           // over all clients
  std::uint64_t min_evaluations = 0;                       // of any client
  std::uint64_t max_evaluations = 0;
  /// Of the values at evaluated and recommended points, that which is furthest above the upper
  /// bound on the maximum that its regret refers to, and by how much: 0 if none is.
  double largest_value = 0, above_maximum = 0;
  double largest = 0;  // regret of one evaluation, global or local
  /// Local cumulative regret by client; above kMostClientsListed clients: min, median, max.
  std::vector<double> by_client;
};

/// Up to this number, every client has measurements of its own; for more clients there are the
/// minimum, the median and the maximum.
inline constexpr std::size_t kMostClientsListed = 64;

/// The results for one arm of a functional bandit. Values are the user's: -f where the arms are
/// maximized.
struct ArmRecord {
  std::string name;
  std::optional<double> optimum;  // f_i*, if known
  std::uint64_t pulls = 0;        // of all its instances
  double last = 0;                // value of the last pull
  double best = 0;                // the best value
  double bound = 0;               // g after the last pull
  std::uint64_t last_pull = 0;    // its number among all pulls of the run, from 1; 0: none
  Time last_pulled;
};

/// The whole run of a functional bandit (Dorn et al. 2025); empty for other protocols.
struct ArmsSummary {
  std::vector<ArmRecord> arms;
  bool maximized = false;
  std::uint64_t pulls = 0;              // by all arms
  std::optional<std::uint32_t> answer;  // from 0
  // Sums over all pulls except the first of each arm, of quantities at the selection of the arm:
  double bounds_at_selection = 0;       // g
  double last_regret_at_selection = 0;  // last value - f*
  double best_regret_at_selection = 0;  // smallest value - f*

  /// As good as an arm with this value can be, by its bound g.
  double confidence_bound(double value, double bound) const {
    return maximized ? value + bound : value - bound;
  }
};

/// A number of nodes, and the first of them by id.
struct SomeNodes {
  static constexpr std::size_t kNamed = 3;
  std::uint64_t count = 0;
  std::vector<NodeId> first;  // at most kNamed

  void add(NodeId node) {
    if (count++ < kNamed) first.push_back(node);
  }
};

/// Evaluations that nodes had begun when the run ended. They count in full.
struct WorkAfterEnd {
  SomeNodes nodes;
  Duration sum{};  // over the nodes
  Time until;      // the latest
};

/// stopped: by the user, e.g. with a signal.
enum class RunStatus { finished, stalled, limit_reached, failed, ledger_violated, stopped };

constexpr std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::finished:
      return "finished";
    case RunStatus::stalled:
      return "stalled";
    case RunStatus::limit_reached:
      return "limit_reached";
    case RunStatus::failed:
      return "failed";
    case RunStatus::ledger_violated:
      return "ledger_violated";
    case RunStatus::stopped:
      return "stopped";
  }
  return "?";
}

/// The parts of a fingerprint (core/sim/fingerprint.hpp). They show in which respect two runs
/// differ.
struct Fingerprint {
  /// Every message handed to a role, in each node's order: type name, time, sender, round, content.
  /// Acknowledgements and discarded copies are part of the accounts.
  std::uint64_t deliveries = 0;
  std::uint64_t accounts = 0;  // copies sent, delivered and dropped, by type and direction
  std::uint64_t numbers = 0;   // status, evaluations, regrets, recommendations
  std::uint64_t combined() const;
};

struct RunOutcome {
  RunStatus status = RunStatus::finished;
  std::string report;             // explains why the run did not finish; else empty
  bool outside = false;           // failed, but not by Posse's fault
  bool in_wall_time = false;      // by real actors: no other run is alike
  std::uint64_t fingerprint = 0;  // of `ingredients`, combined; 0 in wall time
  Fingerprint ingredients;
  Time finished_at;  // the end of the run (core/sim/ending.hpp), if it finished
  Time last_event;   // when the last event was handled
  std::uint64_t events = 0;
  std::uint64_t deliveries =
      0;  // message copies that reached their node, acknowledgements included
  std::uint64_t busiest_evaluations = 0;  // of any one node
  std::uint64_t ties = 0;                 // events at the same node and instant, ordered by source
  /// In which the order of equal times decided which answers counted.
  std::uint64_t tied_rounds = 0;
  /// Made before the evaluations that they rest on were done (core/sim/early_decisions.hpp).
  std::uint64_t early_decisions = 0;
  std::vector<TypeAccount> accounts;
  std::uint64_t complete_rounds = 0;
  std::uint64_t active_cells = 0;  // summed over the complete rounds
  bool rounds_overlap = false;     // some complete round began before the one before it had ended
  /// Complete rounds, in order. All of them, unless one node decides and there are more than
  /// kRoundsInFull: then at least those that thin_rounds leaves, and the last one before the best
  /// cell is deeper than ever before.
  std::vector<RoundRecord> rounds;
  RegretSummary regret;
  std::map<std::string, std::uint64_t, std::less<>> counts;  // CountObserved: the largest by name
  std::map<std::string, double, std::less<>> estimates;      // EstimateObserved: the latest by name
  std::vector<OwnSearch> own_searches;  // by client; empty unless clients search by themselves
  ArmsSummary arms;
  std::array<DurationHistogram, 3>
      latency;                        // copies that arrived, leaving to arrival, by Direction
  DurationHistogram round_durations;  // of complete rounds
  PhaseTotals phases;
  FaultCounts faults;
  CriticalPaths paths;
  std::vector<LinkRecord> links;  // by sender, receiver; empty above kMostNodesWithLinks nodes
  std::vector<CellRecord> cells;  // first compared first; the first kCellsRecorded
  std::uint32_t children_per_cell = 0;   // of `cells`; 0 without
  std::uint64_t optimum_eliminated = 0;  // rounds that eliminated the cell of the mean's maximiser
  std::uint64_t stale = 0;               // messages that arrived too late to be used
  bool lossless = true;     // nothing was dropped and every answer arrived, as theory assumes
  bool state_lost = false;  // by some node, in a crash
  WorkAfterEnd work_after_end;
  std::uint64_t stragglers = 0;
  SomeNodes idle_stragglers;  // that never worked
  /// When a crash or pause first dropped or delayed anything.
  Time stops_matter_from = Time::max();

  /// Sum of `field` over the accounts of one type (all types when empty), every direction.
  std::uint64_t total(std::uint64_t TypeAccount::*field, std::string_view type = {}) const {
    std::uint64_t sum = 0;
    for (const auto& account : accounts)
      if (type.empty() || account.type == type) sum += account.*field;
    return sum;
  }
};

/// Number of rounds of a run that are kept in full.
inline constexpr std::uint32_t kRoundsInFull = 1000;

/// Shortens the rounds of a long run to the first 1000, those at the checkpoints of regret curves
/// and the last one. Must be called after the measurements, which may need all rounds.
inline void thin_rounds(std::vector<RoundRecord>& rounds) {
  if (rounds.size() <= kRoundsInFull) return;
  Checkpoints checkpoints;
  const Round last = rounds.back().round;
  std::erase_if(rounds, [&](const RoundRecord& row) {
    const bool at_checkpoint = checkpoints.reached(row.round.value);
    return row.round.value > kRoundsInFull && !at_checkpoint && row.round != last;
  });
  rounds.shrink_to_fit();
}

}  // namespace posse
