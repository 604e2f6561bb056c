// SPDX-License-Identifier: Apache-2.0
// The faulty network: determines the fate of each transmission on each link.
//
// All state of a link belongs to its sender, so senders may transmit concurrently. Random streams
// are named after the link and indexed by the number of the transmission on it: `latency/a>b`,
// `loss/a>b`, `duplication/a>b`, each with one draw per transmission (two for Gilbert–Elliott: step
// and loss). `latency-moment`: one draw for transmission n of all links. `loss-state`: see
// burst_chain.hpp.
//
// Most links lose transmissions independently and draw their latencies. What becomes of eight
// transmissions in a row is then drawn at once, which takes fewer instructions (philox_row.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/fetch.hpp"
#include "core/base/huge_pages.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/burst_chain.hpp"
#include "core/network/config.hpp"
#include "core/network/fault_record.hpp"
#include "core/network/interval_index.hpp"
#include "core/network/link_map.hpp"
#include "core/network/nodes.hpp"
#include "core/random/stream.hpp"

namespace posse {

enum class DropCause : std::uint8_t { none, loss, queue, partition, crash };

constexpr std::string_view to_string(DropCause cause) {
  switch (cause) {
    case DropCause::none:
      return "";
    case DropCause::loss:
      return "loss";
    case DropCause::queue:
      return "queue";
    case DropCause::partition:
      return "partition";
    case DropCause::crash:
      return "crash";
  }
  return "?";
}

/// The fate of one transmission.
struct Fate {
  DropCause cause = DropCause::none;
  Time arrival;            // at the receiver's end of the link; undefined if dropped
  Time cleared;            // when it left the sender's lines; undefined if a queue was full
  Duration queueing{};     // behind other messages of the node or the link
  Duration transfer{};     // size / rate
  Duration propagation{};  // latency
};

class Network {
 public:
  /// Selectors that match no node have no effect.
  Network(const NetworkConfig& config,
          const ComputeConfig& compute,
          const Nodes& nodes,
          LinkMap links,
          const std::vector<std::string_view>& type_names,
          Seed seed);

  struct Attempt {
    NodeId from, to;
    LinkId link;
    std::uint16_t type = 0;
    Round round;
    std::uint64_t bytes = 0;  // header included
    Time sent;                // when its sender sent it; a partition at this time drops it
    Time leaves;              // later for a duplicate
    bool first = true;        // not a repetition: listed losses apply
    bool copy = false;        // a duplicate: does not pass the sender's queues
  };
  /// `number`: of the transmission on its link; every attempt has one of its own.
  Fate transmit(const Attempt& attempt, std::uint32_t number);
  /// True if a transmission on the link is lost at random or arrives after its latency, and nothing
  /// else can happen to it.
  bool only_draws(LinkId link) const { return profile(link).only_draws && faults_.empty(); }
  /// The latency of a transmission on such a link; nothing if it is lost. `transmit` decides this,
  /// too.
  std::optional<Duration> draw(NodeId from, NodeId to, LinkId id, std::uint32_t number) {
    const Profile& link = profile(id);
    return link.constant ? link.constant : drawn(from, to, id, number, link);
  }
  /// Fetches what a transmission needs.
  [[gnu::always_inline]] void fetch_for(NodeId from, NodeId to, LinkId link) const {
    nodes_.fetch_name_hash(from);
    nodes_.fetch_name_hash(to);
    if (!drawn_.empty()) fetch(&drawn_[link.value]);
  }
  /// Whether the network makes a duplicate of this transmission.
  bool duplicates(const Attempt& attempt, std::uint32_t number) const;

  /// Cuts the links between the groups from `at` on. Must not run concurrently with transmit.
  void cut(const std::vector<std::vector<FaultyNodes>>& groups, Time at);
  /// Ends, at `at`, what `cut` has cut between the same groups.
  void restore(const std::vector<std::vector<FaultyNodes>>& groups, Time at);

  /// Adds what the scenario's faults of links did up to `end`, and the first kMostBursts bursts in
  /// which something was lost.
  void record_faults(Time end, std::vector<FaultRecord>& records) const;
  /// Adds the faults of links that have begun and ended at `now`, those of observers included.
  void count_faults(Time now, FaultCounts& counts) const;

  /// True if nothing that leaves `from` at `at` or later reaches `to`, unless somebody intervenes.
  bool cut_for_good(NodeId from, NodeId to, Time at) const {
    const auto until =
        faults_.empty() ? std::nullopt : fault(LinkFaultKind::partition, from, to, at);
    return until == Time::max();
  }

  /// The time at which a message that arrives at `arrival` has passed the receiver's own line.
  Fate receive(NodeId node, Time arrival, std::uint64_t bytes);
  /// True if the network makes no duplicates and no receiver has a rate: what is not dropped
  /// arrives once, and when its fate says so.
  bool fates_are_final() const {
    const auto duplicates = [](const Profile& profile) { return profile.duplication > 0; };
    return receive_lines_.empty() && std::none_of(profiles_.begin(), profiles_.end(), duplicates);
  }
  bool has_receive_rate(NodeId node) const {
    return !receive_lines_.empty() && receive_lines_[node.value].rate != nullptr;
  }

  /// Whether the node's own incoming line drops what finds too long a queue.
  bool receive_line_drops(NodeId node) const {
    return has_receive_rate(node) &&
           receive_lines_[node.value].rate->queue_bytes != ~std::uint64_t{0};
  }

  Duration evaluation_time(NodeId node, std::uint64_t first, std::uint64_t count) const;
  double straggler_factor(NodeId node) const {
    return stragglers_.empty() ? 1.0 : stragglers_[node.value];
  }

  // What a time-out rests on (time_outs.hpp).
  /// Whether all links have the same latencies and stated time-outs.
  bool timeouts_are_alike() const { return profiles_.size() == 1 && matrix_latency_.empty(); }
  const std::optional<TimeOut>& stated_timeout(LinkId link) const { return profile(link).timeout; }
  /// The mean latency of a link (of a trace and of several moments: the largest one), times the
  /// largest factor. In seconds.
  double typical_latency_s(LinkId link) const;
  bool any_rate() const {
    return !(send_lines_.empty() && receive_lines_.empty() && link_lines_.empty());
  }
  /// Null: unlimited.
  const Rate* send_rate(NodeId node) const { return rate_of(send_lines_, node.value); }
  const Rate* receive_rate(NodeId node) const { return rate_of(receive_lines_, node.value); }
  const Rate* link_rate(LinkId link) const { return rate_of(link_lines_, link.value); }

  /// The smallest latency that any link can draw; nothing if there are no links.
  std::optional<Duration> lookahead() const { return lookahead_; }
  const LinkMap& links() const { return links_; }

 private:
  struct Profile {
    DurationDistribution latency = ConstantDuration{};
    std::shared_ptr<const LatencyFactor> latency_factor;  // null: none
    LossModel loss = NoLoss{};
    double duplication = 0;
    bool fifo = false;
    std::optional<Rate> rate;
    std::optional<TimeOut> timeout;
    std::vector<double> loss_by_type;  // resolved from LossByType
    std::optional<BurstChain> bursts;  // of a BurstLoss
    double loses = 0;                  // with this probability, if losses are independent
    IsBelow is_lost{0};                // of a draw, if losses are independent
    bool draws_ahead = false;          // its latencies, and its losses if they are independent
    bool only_draws = false;           // only_draws(), if there are no faults of links
    std::optional<Duration> constant;  // the latency, if nothing is drawn ahead
  };
  static constexpr std::uint32_t kDrawnAtOnce = 8;
  /// The draws of a link that draws ahead, for the transmissions of one block: kDrawnAtOnce numbers
  /// in a row. Each draw takes 32 bits, of which two values stand for a loss and for a latency that
  /// does not fit; no other class sees them.
  class Drawn {
   public:
    /// Whether the draw of a transmission is kept. The first one of a block is used at once and not
    /// kept, nor are latencies above kLongest.
    bool keeps(std::uint32_t number) const {
      return number % kDrawnAtOnce > 0 && block_ == number / kDrawnAtOnce + 1 &&
             kept(number) != kLonger;
    }
    /// The latency of a transmission whose draw is kept; nothing if it is lost.
    std::optional<Duration> operator[](std::uint32_t number) const {
      if (kept(number) == kLost) return std::nullopt;
      return Duration{kept(number)};
    }
    /// Begins the block of this number. `keep` follows for all numbers of the block but the first.
    void begin_block(std::uint32_t number) { block_ = number / kDrawnAtOnce + 1; }
    void keep(std::uint32_t number, Duration latency) {
      later_[number % kDrawnAtOnce - 1] =
          static_cast<std::uint32_t>(std::min<std::int64_t>(latency.ns, kLonger));
    }
    void keep_lost(std::uint32_t number) { later_[number % kDrawnAtOnce - 1] = kLost; }

   private:
    static constexpr std::uint32_t kLongest = 0xfffffffd, kLonger = 0xfffffffe, kLost = 0xffffffff;
    std::uint32_t kept(std::uint32_t number) const { return later_[number % kDrawnAtOnce - 1]; }
    std::uint32_t block_ = 0;  // one more than an eighth of the first number; 0: nothing is drawn
    std::array<std::uint32_t, kDrawnAtOnce - 1> later_{};
  };
  static constexpr std::size_t kMostLost = 1000, kMostBursts = 200;
  static constexpr std::uint64_t kMostBurstSteps = 1'000'000;
  /// Of a link whose losses come in bursts: what a look-up starts from.
  struct BurstMemory {
    BurstChain::Path path;
    std::optional<StreamKey> stream;  // nothing before the first one
    std::vector<Time> lost;  // when something was lost in bursts, the first kMostLost times
  };
  struct Line {
    const Rate* rate = nullptr;
    Time free_at{};
    // By how much the last transfer ends later than at `free_at`, rounded; the next one begins
    // there.
    double later_ns = 0;              // of a rate that does not change, from -0.5 to 0.5
    RateTrace::Rest passed_more = 0;  // of one that changes
  };
  struct Drop {
    std::optional<std::uint16_t> type;
    std::optional<Round> round;
    Nodes::Range from, to;
    std::optional<std::uint32_t> transmission;
  };

  struct FaultyLinks {
    LinkFault fault;
    std::vector<std::vector<Nodes::Range>> groups;
    Occurrences when;
    bool affects(NodeId from, NodeId to) const;
  };
  void add(const LinkFault& fault, StreamKey share, StreamKey times);
  /// When the faults of this kind that cover the link at `at` are over, if there are any.
  std::optional<Time> fault(LinkFaultKind kind, NodeId from, NodeId to, Time at) const;

  /// The latency of a transmission on a link that draws ahead; nothing if it is lost.
  std::optional<Duration> drawn(
      NodeId from, NodeId to, LinkId id, std::uint32_t number, const Profile& link) {
    const Drawn& kept = drawn_[id.value];
    return kept.keeps(number) ? kept[number] : draw_ahead(from, to, id, number, link);
  }
  std::optional<Duration> draw_ahead(
      NodeId from, NodeId to, LinkId id, std::uint32_t number, const Profile& link);
  void resolve_links(const NetworkConfig& config, const std::vector<std::string_view>& type_names);
  void resolve_nodes(const NetworkConfig& config, Seed seed);
  const Profile& profile(LinkId link) const {
    return profiles_[profile_of_.empty() ? 0 : profile_of_[link.value]];
  }
  /// Whether a link that does not draw ahead, or a listed drop, loses the transmission.
  bool lost(const Attempt& attempt, std::uint32_t number, Time cleared, const Profile& profile);
  bool lost_in_burst(const Attempt& attempt, Time at, const Profile& profile, std::uint64_t draw);
  void record_bursts(Time end, std::vector<FaultRecord>& records) const;
  bool listed(const Attempt& attempt, std::uint32_t number) const;
  StreamKey key(std::uint64_t purpose, NodeId from, NodeId to) const {
    return link_stream_key(purpose, nodes_.name_hash(from), nodes_.name_hash(to));
  }
  static const Rate* rate_of(const std::vector<Line>& lines, std::uint32_t number) {
    return lines.empty() ? nullptr : lines[number].rate;
  }
  /// Passes a message through a line; false if its queue is full.
  static bool pass(Line& line, Time& at, std::uint64_t bytes, Fate& fate);
  /// Passes a message through a line whose rate changes; false if its queue is full.
  static bool pass_changing(Line& line, Time& at, std::uint64_t bytes, Fate& fate);

  const Nodes& nodes_;
  LinkMap links_;
  DurationDistribution evaluation_;
  std::uint64_t latency_purpose_, loss_purpose_, loss_state_purpose_, duplication_purpose_,
      compute_purpose_;
  StreamKey moment_stream_;
  std::vector<Profile> profiles_;
  std::vector<std::uint16_t> profile_of_;       // by link; empty when all links are alike
  std::vector<std::uint8_t> bad_state_;         // Gilbert–Elliott; empty when unused
  std::vector<BurstMemory> bursts_;             // by link; empty when unused
  std::vector<Drawn, HugePages<Drawn>> drawn_;  // by link; empty if none draws ahead
  std::vector<Time> last_arrival_;              // FIFO; empty when unused
  std::vector<Line> link_lines_;                // empty when no link has a rate
  std::vector<Line> send_lines_;                // by node; empty when unused
  std::vector<Line> receive_lines_;             // by node; empty when unused
  std::vector<std::unique_ptr<Rate>> rates_;
  std::vector<double> stragglers_;  // by node; empty when none
  std::vector<Drop> drops_;
  std::vector<FaultyLinks> faults_;       // the scenario's, then those of observers
  std::size_t scheduled_ = 0;             // the scenario's
  IntervalIndex once_;                    // of these, those that take place once
  std::vector<std::uint32_t> recurring_;  // and the others
  std::shared_ptr<const LatencyMatrix> matrix_;
  /// By link, in the matrix; null where the profile's latency applies; empty if unused.
  std::vector<const std::vector<Duration>*> matrix_latency_;
  std::optional<Duration> lookahead_;
};

}  // namespace posse
