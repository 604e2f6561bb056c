// SPDX-License-Identifier: Apache-2.0
// What the network of a scenario does, read from the keys of a resolved scenario.toml as
// docs/scenario.md describes them. Nothing here is shared with the simulator: an error that all of
// its kernels make is not made again here.
#pragma once

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "units.hpp"

namespace message_log {

constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();

/// Values that hold from their time until the next one. With a period they repeat.
template <class Value>
struct Trace {
  std::vector<std::pair<Nanoseconds, Value>> steps;
  std::optional<Nanoseconds> period;

  Value at(Nanoseconds time) const { return find(time).first; }
  /// The value at a time, and when it ends.
  std::pair<Value, Nanoseconds> find(Nanoseconds time) const {
    const Nanoseconds start = period ? time / *period * *period : 0;
    auto next = std::upper_bound(
        steps.begin(), steps.end(), time - start, [](Nanoseconds t, const auto& step) {
          return t < step.first;
        });
    const Nanoseconds end = next != steps.end() ? start + next->first
                            : period            ? start + *period
                                                : kNever;
    return {std::prev(next)->second, end};
  }
  /// The least and the largest value in [from, to].
  std::pair<Value, Value> range(Nanoseconds from, Nanoseconds to) const {
    auto [value, end] = find(from);
    auto least = value, most = value;
    for (std::size_t i = 0; end <= to && i <= steps.size(); ++i) {
      std::tie(value, end) = find(end);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    return {least, most};
  }
};

/// The values that a latency can have.
struct Latency {
  Nanoseconds least = 0;
  Nanoseconds most = 0;                // kNever: unbounded
  std::vector<Nanoseconds> samples{};  // empirical: these and no others, in order
  std::optional<Trace<Nanoseconds>> trace{};
  // Its mean; without a mean four times the median, of a trace the largest value.
  std::optional<Nanoseconds> typical{};

  bool is_one_value() const { return !trace && least == most; }
};

/// Whether a transmission may be lost, and whether it is lost for certain.
struct Loss {
  double p = 0;  // of types that are not named; of bursts: any number between 0 and 1
  std::map<std::string, double> by_type{};

  bool may_lose(const std::string& type) const { return probability(type) > 0; }
  bool must_lose(const std::string& type) const { return probability(type) >= 1; }

 private:
  double probability(const std::string& type) const {
    const auto named = by_type.find(type);
    return named == by_type.end() ? p : named->second;
  }
};

/// A line that transmits one message after the other.
struct Line {
  std::optional<Trace<double>> bits_per_second{};  // none: takes no time
  std::optional<std::uint64_t> queue_bytes{};

  /// When a transmission that begins at `start` ends, in nanoseconds; within one of the exact time.
  Nanoseconds end_of(Nanoseconds start, std::uint64_t bytes) const;
};

struct Link {
  Latency latency{};
  std::optional<Trace<double>> factor{};
  Loss loss{};
  double duplication = 0;
  bool fifo = false;
  Line line{};
  std::string timeout{};  // a duration, "derived" or "measured"
};

/// A selector with an optional share; a share may be any part of the selected nodes.
struct Selector {
  std::string pattern;
  bool is_share = false;

  bool matches(const std::string& node) const;
};

/// Labels of the algorithms that a rule is for; none: all.
using Labels = std::vector<std::string>;

struct Drop {
  Labels algorithms;
  std::optional<std::string> type;
  std::optional<std::uint64_t> round, transmission;
  std::optional<Selector> from, to;
};

struct Fault {
  std::string kind;
  std::vector<std::vector<Selector>> groups;  // of nodes: one group
  bool one_way = false;
  std::optional<Nanoseconds> at, lasting, every, mean_between, mean_for, until;
  Labels algorithms;
  std::optional<std::uint64_t> repetition;
  std::map<std::string, std::vector<std::pair<Nanoseconds, Nanoseconds>>> recorded;  // availability

  bool is_of_links() const { return kind == "partition" || kind == "clog"; }
  bool is_of_nodes() const { return kind == "pause" || kind == "crash" || kind == "availability"; }
  /// Whether it separates two nodes: for certain, perhaps (shares, nodes in several groups).
  enum class Separates { no, perhaps, yes };
  Separates separates(const std::string& from, const std::string& to) const;
};

/// Headers and handshakes of a protocol stack.
struct Wire {
  std::uint64_t message = 0, segment = 0, largest_segment = 0;
  std::uint64_t acknowledgement = 0, connects = 0, accepts = 0;
  bool frames = false;  // gRPC: another DATA frame header for every 16384 bytes
};

struct Algorithm {
  std::string kind, label;
  std::optional<std::uint64_t> clients, edges;
};

struct Network {
  bool reliable = false;
  bool waits_for_all = true;        // the server
  std::string timeout = "derived";  // of links that have none of their own
  Nanoseconds max_timeout = 0;
  std::optional<Nanoseconds> min_timeout;
  double backoff = 2;
  std::uint64_t max_tries = 0;
  std::uint64_t header_bytes = 0;
  std::optional<Wire> wire;
  std::vector<Algorithm> algorithms;
  std::vector<Drop> drops;
  std::vector<Fault> faults;

  /// With the rules alone that are for this algorithm.
  Network of(const std::string& algorithm) const;
  Link link(const std::string& from, const std::string& to) const;
  /// The wait after the first copy, and the longest one. Nothing if it depends on more than the
  /// latencies of the link and the one back.
  std::optional<std::pair<Nanoseconds, Nanoseconds>> waits(const std::string& from,
                                                           const std::string& to) const;
  Line line_up(const std::string& node) const;
  Line line_down(const std::string& node) const;
  /// Whether chance may order what comes to the node at one instant.
  bool may_draw_order(const std::string& node) const;
  /// Bytes of headers of a message with this payload.
  std::uint64_t headers(const std::string& type, std::uint64_t payload) const;

  struct LinkRule {
    Labels algorithms;
    Selector from, to;
    std::optional<Latency> latency;
    std::optional<Trace<double>> factor, rate;
    std::optional<Loss> loss;
    std::optional<double> duplication;
    std::optional<bool> fifo;
    std::optional<std::uint64_t> queue_bytes;
    std::optional<std::string> timeout;
  };
  struct NodeRule {
    Labels algorithms;
    Selector nodes;
    std::optional<Trace<double>> up, down;
    std::optional<std::uint64_t> queue_bytes;
  };
  std::vector<LinkRule> links;  // the first: of all links
  std::vector<NodeRule> nodes;
  std::map<std::pair<std::string, std::string>, Nanoseconds> matrix;
};

/// Throws Unreadable.
Network read_network(const std::filesystem::path& run_folder);

/// The group of `client-3` is `client`.
std::string group_of(const std::string& node);
/// 0 of a hub, 1 of an edge, 2 of the others.
int distance_from_hub(const std::string& node);
/// The number in `client-3`.
std::optional<std::uint64_t> number_of(const std::string& node);

/// The rows of a small CSV file without quotes; the first has the names of the columns.
std::vector<std::vector<std::string>> read_csv(const std::filesystem::path& path);

}  // namespace message_log
