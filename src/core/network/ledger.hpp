// SPDX-License-Identifier: Apache-2.0
// Exact accounts of every message copy.
//
// There are two independent accounts: totals by type and direction, counted per worker and added at
// the end; and, per link and type, the copies that departed and the copies that arrived, were
// dropped or were still in flight at the end. The first is written by the node that acts, the
// second by sender (departed) and receiver (arrived or dropped). A copy that is forgotten, counted
// twice or counted on the wrong link breaks the balance.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/check.hpp"
#include "core/base/duration_histogram.hpp"
#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/network/link_ends.hpp"
#include "core/network/link_map.hpp"
#include "core/network/round_counts.hpp"
#include "core/role/outcome.hpp"

namespace posse {

/// The counts of one worker; `add` merges two. Not thread-safe: one per worker.
class Ledger {
 public:
  explicit Ledger(std::size_t types = 0) : counts_(types * 3) {}

  CopyCounts& of(std::uint16_t type, Direction direction) {
    return counts_[type * 3u + static_cast<unsigned>(direction)];
  }
  const std::vector<CopyCounts>& counts() const { return counts_; }
  /// The largest number of a round.
  static constexpr std::uint32_t kMaxRound = 1'000'000'000;
  /// Valid until the next call.
  RoundCount& round(Round round) { return rounds_.of(round); }
  RoundCounts& rounds() { return rounds_; }
  const RoundCounts& rounds() const { return rounds_; }
  /// Adds what was counted elsewhere.
  void add(Round in, const RoundCount& count) {
    round(in).add(count);
    spent_.add(count);
  }
  /// Adds virtual time to a round and to the run's total.
  void add_time(Round in, Duration RoundCount::*phase, Duration time) {
    if (time.ns != 0) add_time(round(in), phase, time);
  }
  /// Adds virtual time to a round's counts and to the run's total.
  void add_time(RoundCount& in, Duration RoundCount::*phase, Duration time) {
    in.*phase += time;
    spent_.*phase += time;
  }
  /// Over all rounds and outside rounds. Only its durations are complete.
  const RoundCount& spent() const { return spent_; }
  /// Latencies of the copies that arrived, from departure to arrival.
  DurationHistogram& latency(Direction direction) {
    return latency_[static_cast<unsigned>(direction)];
  }
  const std::array<DurationHistogram, 3>& latencies() const { return latency_; }
  void add(const Ledger& other);
  /// As `add`, but without the rounds.
  void add_totals(const Ledger& other);

 private:
  std::vector<CopyCounts> counts_;  // type-major
  RoundCounts rounds_;
  RoundCount spent_;
  std::array<DurationHistogram, 3> latency_;
};

/// Copies per link and type: departed (written by senders) and ended (written by receivers, or by
/// the sender if the network drops the copy).
class LinkLedger {
 public:
  /// Counts in `ends`. `counts_bytes`: of each link.
  LinkLedger(const LinkMap& map, LinkEnds& ends, bool counts_bytes = false)
      : map_(map), ends_(ends), wire_bytes_(counts_bytes ? ends.links() : 0) {}

  void departed(LinkId link, std::uint16_t type, std::uint64_t wire_bytes) {
    ++ends_.departed(link, type);
    if (!wire_bytes_.empty()) wire_bytes_[link.value] += wire_bytes;
  }
  void dropped(LinkId link, std::uint16_t type) { ++ends_.dropped(link, type); }
  /// `back`: the link from the copy's receiver to its sender.
  void arrived(LinkId back, std::uint16_t type) { ++ends_.arrived(back, type); }
  /// An acknowledgement, the last type, whose arrival is no event: its sender counts it.
  void foreseen(LinkId link) { ends_.change_foreseen(link, 1); }
  // Not thread-safe: at the end of the run.
  /// Of an acknowledgement that was foreseen.
  void foreseen_in_flight(LinkId link) {
    ends_.change_foreseen(link, -1);
    in_flight(link, acknowledgement());
  }
  void in_flight(LinkId link, std::uint16_t type) {
    if (in_flight_.empty()) in_flight_.resize(ends_.links() * ends_.types());
    ++in_flight_[index(link, type)];
  }

  /// Of one type on one link.
  struct Copies {
    std::uint32_t departed = 0, dropped = 0, arrived = 0, in_flight = 0;
    bool operator==(const Copies&) const = default;
    /// Neither dropped nor arrived, and not known to be in flight: modulo 2^32.
    std::uint32_t missing() const { return departed - dropped - arrived - in_flight; }
  };
  Copies copies(LinkId link, std::uint16_t type) const;
  /// Whether copies are on their way, without those of acknowledgements, for which nobody waits.
  bool carries(LinkId link) const;
  std::uint64_t wire_bytes(LinkId link) const {
    return wire_bytes_.empty() ? 0 : wire_bytes_[link.value];
  }
  /// What was counted elsewhere. Not thread-safe.
  void add(LinkId link, std::uint16_t type, const Copies& copies, std::uint64_t wire_bytes);

  struct Imbalance {
    LinkId link;
    std::uint16_t type = 0;
    std::uint64_t departed = 0, ended = 0;
  };
  /// Of all links, in one pass.
  struct Sums {
    std::vector<std::uint64_t> departed;  // by type; each link counts modulo 2^32
    std::optional<Imbalance> first_imbalance;
  };
  Sums sums() const;
  /// Totals over all types.
  struct Totals {
    std::uint64_t departed = 0, dropped = 0, arrived = 0;
    std::uint64_t wire_bytes = 0;  // that departed; 0 if they are not counted
  };
  Totals of(LinkId link) const;

 private:
  std::uint16_t acknowledgement() const { return static_cast<std::uint16_t>(ends_.types() - 1); }
  std::optional<Imbalance> first_imbalance() const;
  std::size_t index(LinkId link, std::size_t type) const {
    return link.value * ends_.types() + type;
  }
  std::uint32_t in_flight_of(LinkId link, std::size_t type) const {
    return in_flight_.empty() ? 0 : in_flight_[index(link, type)];
  }
  const LinkMap& map_;
  LinkEnds& ends_;
  std::vector<std::uint64_t> wire_bytes_;  // by link
  std::vector<std::uint32_t> in_flight_;   // by link and type; empty if none
};

/// Checks both accounts and their agreement. Returns a description of the first violation, or
/// nothing.
std::optional<std::string> check_balance(const Ledger& ledger,
                                         const LinkLedger& links,
                                         const std::vector<std::string_view>& types);

}  // namespace posse
