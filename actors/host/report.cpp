// SPDX-License-Identifier: Apache-2.0
#include "actors/host/report.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "actors/host/archive.hpp"
#include "actors/host/envelope.hpp"
#include "core/arm/arm.hpp"

namespace posse {
namespace {

/// The names of counts, estimates and message types are of static storage where they are made. A
/// program knows few of them.
std::string_view known_name(std::string_view name) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;
  constexpr std::size_t kMost = 1000, kLongest = 200;
  const std::lock_guard lock(mutex);
  const auto it = names.find(name);
  if (it != names.end()) return *it;
  if (names.size() >= kMost || name.size() > kLongest) return {};
  return *names.emplace(name).first;
}

}  // namespace

// Found by the types' namespace.

template <class A>
void exchange(A& archive, NodeId& x) {
  archive(x.value);
}
template <class A>
void exchange(A& archive, Round& x) {
  archive(x.value);
}
template <class A>
void exchange(A& archive, Time& x) {
  archive(x.ns);
}
template <class A>
void exchange(A& archive, Duration& x) {
  archive(x.ns);
}
template <class A>
void exchange(A& archive, Cell& x) {
  archive(x.depth, x.index);
}
void exchange(ArchiveWriter& archive, Path& path) {
  auto bytes = encode_path(path);
  archive(bytes);
}
void exchange(ArchiveReader& archive, Path& path) {
  std::vector<char> bytes;
  archive(bytes);
  if (auto read = decode_path(bytes))
    path = std::move(*read);
  else
    archive.refuse();
}

template <class A>
void exchange(A& archive, PullsObserved& x) {
  archive(x.client, x.point, x.count);
}
template <class A>
void exchange(A& archive, RecommendationObserved& x) {
  archive(x.point, x.client);
}
template <class A>
void exchange(A& archive, RoundBegan& x) {
  archive(x.round);
}
template <class A>
void exchange(A& archive, JudgedCell& x) {
  archive(x.cell, x.mean, x.kept);
}
template <class A>
void exchange(A& archive, RoundEnded& x) {
  archive(x.round, x.best, x.active_cells, x.pulls_per_cell, x.kept_cells, x.steps);
  archive(
      x.arrived, x.expected, x.first_asked, x.late, x.came_last, x.waited, x.cells, x.threshold);
}
template <class A>
void exchange(A& archive, StaleObserved& x) {
  archive(x.round, x.from, x.tied);
}
template <class A>
void exchange(A& archive, CountObserved& x) {
  archive(x.name, x.value);
}
template <class A>
void exchange(A& archive, EstimateObserved& x) {
  archive(x.name, x.value);
}
template <class A>
void exchange(A& archive, OwnSearch& x) {
  archive(x.depth, x.kept, x.certified_regret);
}
template <class A>
void exchange(A& archive, OwnSearchObserved& x) {
  archive(x.client, x.search);
}
template <class A>
void exchange(A& archive, ArmPulled& x) {
  archive(x.arm, x.instance, x.pulls, x.value, x.bound);
}
template <class A>
void exchange(A& archive, ArmAnswered& x) {
  archive(x.arm);
}
template <class A>
void exchange(A& archive, ObservationRecord& x) {
  archive(x.time, x.began, x.node, x.observation, x.path);
}

template <class A>
void exchange(A& archive, MessageRecord& x) {
  archive(x.id, x.type, x.round, x.from, x.to, x.bytes, x.sent, x.delivered, x.outcome, x.cause);
  archive(x.transmission, x.number, x.tries, x.needless, x.order, x.content);
}
template <class A>
void exchange(A& archive, WorkRecord& x) {
  archive(x.node, x.from, x.until);
}
template <class A>
void exchange(A& archive, FaultRecord& x) {
  archive(x.at, x.of, x.fault, x.begins, x.node);
}
template <class A>
void exchange(A& archive, LostMessage& x) {
  archive(x.left, x.from, x.to, x.type, x.round, x.cause, x.tries);
}

template <class A>
void exchange(A& archive, CopyCounts& x) {
  CopyCounts::each([&](auto count) { archive(x.*count); });
  archive(x.needless_trip);
}
struct RoundReport {
  std::uint32_t round = 0;
  RoundCount count;
};
template <class A>
void exchange(A& archive, RoundReport& x) {
  archive(x.round);
  RoundCount::each([&](auto count) { archive(x.count.*count); });
}
void exchange(ArchiveWriter& archive, Ledger& ledger) {
  auto counts = ledger.counts();
  std::vector<RoundReport> rounds;
  for (const auto& [count, round] : ledger.rounds().sorted())
    rounds.push_back({round.value, count});
  archive(counts, rounds);
  for (const auto& latencies : ledger.latencies()) {
    std::uint64_t first = latencies.first(), sum_ns = latencies.sum_ns();
    auto counts_of_buckets = latencies.counts();
    archive(first, counts_of_buckets, sum_ns);
  }
}
void exchange(ArchiveReader& archive, Ledger& ledger) {
  std::vector<CopyCounts> counts;
  std::vector<RoundReport> rounds;
  archive(counts, rounds);
  Ledger read(counts.size() / 3);
  constexpr Direction kDirections[] = {Direction::up, Direction::down, Direction::peer};
  for (std::size_t i = 0; i < read.counts().size(); ++i)
    read.of(static_cast<std::uint16_t>(i / 3), kDirections[i % 3]) = counts[i];
  for (const RoundReport& row : rounds) {
    if (row.round > Ledger::kMaxRound) return archive.refuse();
    read.add(Round{row.round}, row.count);
  }
  for (const auto direction : kDirections) {
    std::uint64_t first = 0, sum_ns = 0;
    std::vector<std::uint64_t> counts_of_buckets;
    archive(first, counts_of_buckets, sum_ns);
    const bool fit = first <= duration_buckets::kBuckets &&
                     counts_of_buckets.size() <= duration_buckets::kBuckets - first;
    if (!fit) return archive.refuse();
    read.latency(direction) =
        DurationHistogram(static_cast<std::size_t>(first), std::move(counts_of_buckets), sum_ns);
  }
  ledger = std::move(read);
}

template <class A>
void exchange(A& archive, Waiting& x) {
  archive(x.for_what, x.message_type, x.round, x.from);
}
template <class A>
void exchange(A& archive, NodeReport& x) {
  NodeProgress& p = x.progress;
  archive(x.node, p.busy_until, p.last_event, p.last_reaction, p.hash, p.evaluations);
  archive(p.started, p.finished, x.busy, x.waiting);
}
template <class A>
void exchange(A& archive, LinkReport& x) {
  archive(x.link, x.type, x.copies.departed, x.copies.dropped, x.copies.arrived);
  archive(x.copies.in_flight, x.wire_bytes);
}
template <class A>
void exchange(A& archive, Crossing& x) {
  archive(x.from, x.to, x.type, x.sequence, x.round, x.bytes, x.header_bytes, x.values);
}
template <class A>
void exchange(A& archive, ServiceSample& x) {
  archive(x.of, x.cause, x.sends, x.group, x.to, x.evaluations, x.time);
}
template <class A>
void exchange(A& archive, FaultCounts& x) {
  for (const auto& kind : kFaultCountsKinds) archive((x.*kind.count).begun, (x.*kind.count).ended);
}
template <class A>
void exchange(A& archive, ProcessReport& x) {
  archive(x.number, x.ledger, x.events, x.deliveries, x.ties, x.evaluations, x.finished);
  archive(x.early_decisions);
  archive(x.finished_at, x.last_event, x.observations, x.messages, x.work, x.faults, x.lost);
  archive(x.fault_counts);
  archive(x.failure, x.failed_outside, x.nodes, x.links, x.came, x.service, x.idle, x.last);
}

template <class A>
void exchange(A& archive, World::LinkStart& x) {
  archive(x.other, x.transmissions, x.received);
}
template <class A>
void exchange(A& archive, Resumption& x) {
  NodeProgress& p = x.progress;
  archive(x.node, p.busy_until, p.last_event, p.last_reaction, p.hash, p.evaluations);
  archive(p.started, p.finished, x.links);
}

std::vector<char> encode_resumptions(std::vector<Resumption>& nodes) {
  ArchiveWriter archive;
  archive(nodes);
  return archive.take();
}

std::optional<std::vector<Resumption>> decode_resumptions(std::span<const char> bytes) {
  ArchiveReader archive(bytes, known_name);
  std::vector<Resumption> nodes;
  archive(nodes);
  if (!archive.finished()) return std::nullopt;
  return nodes;
}

std::vector<char> encode_report(ProcessReport& report) {
  ArchiveWriter archive;
  exchange(archive, report);
  return archive.take();
}

namespace {

/// Whether an observation names what there is.
class Fitting {
 public:
  explicit Fitting(const SimulationSpec& spec) : spec_(spec) {}
  bool operator()(const PullsObserved& x) const { return client(x.client) && point(x.point); }
  bool operator()(const RecommendationObserved& x) const {
    return client(x.client.value_or(0)) && point(x.point);
  }
  bool operator()(const RoundBegan& x) const { return round(x.round); }
  bool operator()(const RoundEnded& x) const { return round(x.round); }
  bool operator()(const StaleObserved& x) const { return round(x.round); }
  bool operator()(const CountObserved&) const { return true; }
  bool operator()(const EstimateObserved&) const { return true; }
  bool operator()(const OwnSearchObserved& x) const { return client(x.client); }
  bool operator()(const ArmPulled& x) const { return arm(x.arm); }
  bool operator()(const ArmAnswered& x) const { return arm(x.arm); }

 private:
  bool client(std::uint32_t x) const { return x < std::max(1u, spec_.clients); }
  bool point(const std::vector<double>& x) const {
    return spec_.problem == nullptr || x.size() == spec_.problem->domain().dimension();
  }
  static bool round(Round x) { return x.value <= Ledger::kMaxRound; }
  bool arm(std::uint32_t x) const { return spec_.arms != nullptr && x < spec_.arms->arms.size(); }
  const SimulationSpec& spec_;
};

}  // namespace

bool fits(const ProcessReport& report, const World& world) {
  const SimulationSpec& spec = world.spec();
  const auto links = world.links().map().links();
  const std::size_t types = world.types().size();
  const auto is_node = [&](NodeId node) { return node.value < world.nodes(); };
  const auto all = [](const auto& list, auto&& fit) {
    return std::all_of(list.begin(), list.end(), fit);
  };
  const auto fault_exists = [&](const FaultRecord& x) {
    const NetworkConfig& network = spec.network;
    return x.fault < (x.of == FaultOf::nodes   ? network.node_faults.size()
                      : x.of == FaultOf::links ? network.link_faults.size()
                                               : network.corrupt_faults.size());
  };
  return all(report.nodes, [&](const NodeReport& x) { return is_node(x.node); }) &&
         all(report.links, [&](const LinkReport& x) { return x.link < links && x.type < types; }) &&
         all(report.observations,
             [&](const ObservationRecord& x) {
               return is_node(x.node) && std::visit(Fitting(spec), x.observation);
             }) &&
         all(report.messages,
             [&](const MessageRecord& x) { return is_node(x.from) && is_node(x.to); }) &&
         all(report.work, [&](const WorkRecord& x) { return is_node(x.node); }) &&
         all(report.faults, fault_exists) &&
         all(report.lost,
             [&](const LostMessage& x) {
               return is_node(x.from) && is_node(x.to) && x.type < types;
             }) &&
         all(report.service,
             [&](const ServiceSample& x) {
               if (x.time.ns < 0 || x.of > ServiceSample::Of::latency) return false;
               if (x.of == ServiceSample::Of::latency)
                 return is_node(NodeId{x.group}) && is_node(NodeId{x.to}) &&
                        world.links().map().connected(NodeId{x.group}, NodeId{x.to});
               return x.cause < types + 2 && x.group < world.names().groups().size();
             }) &&
         all(report.came, [&](const Crossing& x) {
           return is_node(x.from) && is_node(x.to) && x.type < types &&
                  x.round.value <= Ledger::kMaxRound && world.links().map().connected(x.from, x.to);
         });
}

std::optional<ProcessReport> decode_report(std::span<const char> bytes, std::size_t types) {
  ArchiveReader archive(bytes, known_name);
  ProcessReport report;
  exchange(archive, report);
  if (!archive.finished() || report.ledger.counts().size() != 3 * types) return std::nullopt;
  return report;
}

}  // namespace posse
