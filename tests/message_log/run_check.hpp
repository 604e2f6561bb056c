// SPDX-License-Identifier: Apache-2.0
// The rules for one run. Its parts: fault_times.cpp (when faults held), order.cpp (rows, links,
// nodes), transport.cpp (duplicates, acknowledgements, retransmissions), way.cpp (lines, latencies,
// drops) and accounts.cpp (ledger, links.csv, fingerprint).
#pragma once

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lines.hpp"
#include "report.hpp"
#include "run_folder.hpp"

namespace message_log {

using LinkName = std::pair<std::string, std::string>;

/// A time during which a fault holds; `end` is kNever for one that outlasts the run.
struct Interval {
  Nanoseconds begin = 0, end = kNever;
  std::size_t fault = 0;

  bool surely_holds(Nanoseconds t) const { return begin < t && t < end; }
  bool may_hold(const Span& span) const { return begin <= span.most() && span.least() <= end; }
};

/// A pause or a crash of a node.
struct Stop : Interval {
  bool is_crash = false;
  bool loses_state = false;
};

/// How a copy came to be.
enum class Origin { sent, retransmitted, duplicated };

class RunCheck {
 public:
  RunCheck(const Network& network, const Run& run, Report& report)
      : network_(network.of(run.algorithm)), run_(run), report_(report) {}

  void all();

 private:
  // --- reporting -------------------------------------------------------------------------------

  /// Counts a check of a rule; `what()` says what is wrong if it fails.
  template <class What>
  bool require(bool holds, const std::string& rule, std::size_t row, const What& what) {
    ++report_.checked[rule];
    if (!holds) report_.violations.push_back({run_.name, row, rule, what()});
    return holds;
  }

  void skip(const std::string& rule, const std::string& why) { ++report_.skipped[{rule, why}]; }

  static Nanoseconds seconds_of(const nlohmann::json& object, const char* key) {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_number())
      throw Unreadable(fmt::format("results.json: no number {}", key));
    return seconds(fmt::format("{}", it->get<double>()));
  }

  static std::string text(Nanoseconds t) {
    return t == kNever ? "never" : fmt::format("{} s", static_cast<double>(t) / 1e9);
  }

  // --- faults ----------------------------------------------------------------------------------

  /// In this repetition, and with enough nodes of this run.
  bool is_of_this_run(const Fault& fault) const;

  /// faults.csv numbers the faults of links first, then those of nodes, then those of values.
  void collect_faults();

  /// Scheduled faults begin and end when the scenario says; random ones within their limits.
  void check_schedule_of_faults();

  std::vector<std::pair<Nanoseconds, Nanoseconds>> scheduled(const Fault& fault,
                                                             const std::string& node) const;

  /// Calls `found(fault, interval)` for the times of faults of this kind between two nodes.
  template <class Found>
  void for_each_separation(const std::string& kind,
                           const std::string& from,
                           const std::string& to,
                           const Found& found) const {
    for (std::size_t number = 0; number < faults_.size(); ++number) {
      const auto& fault = *faults_[number];
      if (fault.kind != kind) continue;
      const auto separates = fault.separates(from, to);
      if (separates == Fault::Separates::no) continue;
      const auto times = intervals_.find({number, ""});
      if (times == intervals_.end()) continue;
      for (const auto& interval : times->second)
        found(separates == Fault::Separates::yes, interval);
    }
  }

  const std::vector<Stop>& stops_of(const std::string& node) const;

  /// The first time from `t` on at which the node does not stand still.
  Nanoseconds goes_on(const std::string& node, Nanoseconds t) const;

  bool is_end_of_stop(const std::string& node, Nanoseconds t) const;

  // --- nodes -----------------------------------------------------------------------------------

  /// A hub has number 0; then come edges; then the others, by the numbers in their names.
  void number_nodes();

  std::uint64_t number_in_run(const std::string& node) const;

  // --- rows ------------------------------------------------------------------------------------

  struct LinkCopies {
    Link link;
    std::vector<std::size_t> copies;  // in the order of their numbers on the link
  };

  /// Whether the numbers of the transmissions can be trusted.
  bool collect_links();

  void check_rows();

  // --- sent, retransmitted or duplicated -------------------------------------------------------

  static bool same_message(const Copy& a, const Copy& b);

  /// An acknowledgement belongs to a copy that arrives when it is sent.
  using Arrival = std::tuple<std::string, std::string, std::uint64_t, Nanoseconds>;

  void classify();

  // --- the way of a copy -----------------------------------------------------------------------

  /// The earlier copies of a link: when they arrive at the latest; when the last has arrived.
  struct Before {
    Nanoseconds latest = 0, delivered = kNone;
  };

  /// Follows the copies in the order of sending through the lines and the link, and compares the
  /// times at which they could arrive with what happened.
  void follow_copies();

  bool is_duplicate(std::size_t index) const;

  /// Fills in when the copies [begin, end) of one node and one instant have left the node's line.
  void pass_line_up(Queue& up_line, std::size_t begin, std::size_t end, std::vector<Span>& left);

  /// When the copy has left the link's line. Which of three lines has dropped a copy is not in the
  /// log.
  Span pass_line(Queue& line, const Copy& copy, const Span& entry);

  void check_no_overflow(const Queue& queue, const Span& entry, const Copy& copy);

  bool matches(const Drop& drop, const Copy& copy) const;

  void check_cause(const Copy& copy, const Link& link, std::size_t index);

  /// The times at which the copy may have set out, after a clog that holds it.
  Span set_out(const Copy& copy, const Span& left);

  void check_arrival(const Copy& copy, const Link& link, const Span& left, Before& before);

  // --- order -----------------------------------------------------------------------------------

  void check_order_on_links();

  void check_order_at_nodes();

  /// A node's line receives one copy after the other.
  void check_lines_of_receivers();

  // --- the reliable transport ------------------------------------------------------------------

  void check_acknowledgements();

  void check_retransmissions();

  void check_tries(const std::string& sender,
                   const std::string& receiver,
                   const std::vector<const Copy*>& copies,
                   Nanoseconds heard);

  /// Under the reliable transport each message is handed over once: the first copy that arrives.
  void check_hand_over();

  // --- accounts --------------------------------------------------------------------------------

  static std::string direction(const Copy& copy);

  /// Bytes of headers in a copy of this size; nothing if no payload has this size.
  std::optional<std::uint64_t> headers_of(const Copy& copy) const;

  /// Bytes of the handshake that the first transmission to a node carries.
  std::uint64_t handshake(const std::string& from, const std::string& to) const;

  struct Account {
    std::uint64_t sent = 0, retransmitted = 0, duplicated = 0, delivered = 0, discarded = 0;
    std::map<std::string, std::uint64_t> dropped;
    std::uint64_t in_flight = 0, bytes = 0, header_bytes = 0, wire_bytes = 0;
  };

  void check_ledger();

  void check_links_table();

  /// There is a moment after which as many copies of each type left as the ledger says.
  void check_after_finish();

  // --- the fingerprint -------------------------------------------------------------------------

  static std::uint64_t mix(std::uint64_t x);

  static std::uint64_t combined(std::uint64_t h, std::uint64_t x);

  /// FNV-1a, finalised.
  static std::uint64_t hash_of(const std::string& name);

  void check_fingerprint();

  const Network network_;
  const Run& run_;
  Report& report_;
  Nanoseconds end_ = 0;
  bool truncated_ = false;  // faults.csv has the first 10 000 times of faults of links
  std::vector<const Fault*> faults_;
  std::map<std::pair<std::size_t, std::string>, std::vector<Interval>> intervals_;
  std::map<std::string, std::vector<Stop>> stops_;
  std::map<LinkName, LinkCopies> links_;
  std::vector<std::string> names_;  // of the nodes, by number
  std::map<std::string, std::uint64_t> numbers_;
  std::vector<Origin> origins_;
  std::vector<std::size_t> firsts_;  // of a duplicate its original, else itself
  std::set<std::size_t> ambiguous_;  // each an original or a duplicate
  std::map<Arrival, std::size_t> arrivals_;
  std::map<std::size_t, bool> full_up_;  // of dropped copies: the sender's line may have been full
};

}  // namespace message_log
