#include "rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace message_log {
namespace {

using LinkName = std::pair<std::string, std::string>;

/// [from, to] with slack on both sides.
struct Span {
  Nanoseconds from = 0, to = 0, slack = 0;

  Nanoseconds least() const { return from - slack; }
  Nanoseconds most() const { return to > kNever - slack ? kNever : to + slack; }
};

Nanoseconds plus(Nanoseconds a, Nanoseconds b) { return a > kNever - b ? kNever : a + b; }

Nanoseconds scaled(Nanoseconds a, double factor) {
  const double x = static_cast<double>(a) * factor;
  return a == kNever || x > 9e18 ? kNever : static_cast<Nanoseconds>(x);
}

/// A line before which messages wait: at the earliest and at the latest.
class Queue {
 public:
  explicit Queue(const Line& line) : line_(line) {}

  bool takes_time() const { return line_.bits_per_second.has_value(); }
  bool is_finite() const { return takes_time() && line_.queue_bytes.has_value(); }
  /// `others`: bytes that may have come at the same instant, before.
  bool may_overflow(const Span& entry, std::uint64_t others = 0) const {
    std::uint64_t waiting = others;
    for (const auto& item : items_)
      if (item.end_most > entry.least()) waiting += item.bytes;
    return is_finite() && waiting > *line_.queue_bytes;
  }
  bool must_overflow(const Span& entry) const {
    std::uint64_t waiting = 0;
    for (const auto& item : items_)
      if (item.start_least > entry.most()) waiting += item.bytes;
    return is_finite() && waiting > *line_.queue_bytes;
  }

  /// When a message has left the line that is the last of so many bytes, at least and at most, and
  /// of at most so many messages.
  Span left_after(const Span& entry,
                  std::uint64_t least_bytes,
                  std::uint64_t most_bytes,
                  Nanoseconds messages) const {
    if (!takes_time()) return entry;
    const Nanoseconds slack =
        (free_.to + free_.slack >= entry.from ? free_.slack : 0) + entry.slack + messages;
    return {line_.end_of(std::max(entry.from, free_.from), least_bytes),
            line_.end_of(std::max(entry.to, free_.to), most_bytes),
            slack};
  }

  /// The line is not free before these bytes have left it, at least and at most.
  void occupy(const Span& entry,
              std::uint64_t least_bytes,
              std::uint64_t most_bytes,
              Nanoseconds messages) {
    if (!takes_time() || most_bytes == 0) return;
    const Span left = left_after(entry, least_bytes, most_bytes, messages);
    while (!items_.empty() && items_.front().end_most < entry.least()) items_.pop_front();
    if (is_finite())
      items_.push_back(
          {least_bytes == most_bytes ? std::max(entry.from, free_.from) - left.slack : 0,
           left.most(),
           most_bytes});
    free_ = {least_bytes > 0 ? left.from : free_.from, left.to, left.slack};
  }

 private:
  struct Item {
    Nanoseconds start_least, end_most;
    std::uint64_t bytes;
  };

  Line line_;
  Span free_;
  std::deque<Item> items_;
};

/// A time during which a fault holds; `end` is kNever for one that outlasts the run.
struct Interval {
  Nanoseconds begin = 0, end = kNever;
  std::size_t fault = 0;

  bool surely_holds(Nanoseconds t) const { return begin < t && t < end; }
  bool may_hold(const Span& span) const { return begin <= span.most() && span.least() <= end; }
};

struct Stop : Interval {
  bool is_crash = false;
  bool loses_state = false;
};

/// How a copy came to be.
enum class Origin { sent, retransmitted, duplicated };

class RunCheck {
 public:
  RunCheck(const Network& network, const Run& run, Report& report)
      : network_(network), run_(run), report_(report) {}

  void all() {
    ++report_.runs;
    report_.rows += run_.copies.size();
    if (run_.results.value("status", "") == "not_started") return;
    const bool finished = run_.results.value("status", "") == "finished";
    end_ = seconds_of(run_.results, finished ? "virtual_time_s" : "last_event_virtual_s");
    number_nodes();
    collect_faults();
    check_schedule_of_faults();
    if (!collect_links()) return;
    check_rows();
    classify();
    follow_copies();
    check_order_on_links();
    check_order_at_nodes();
    check_lines_of_receivers();
    check_acknowledgements();
    check_retransmissions();
    check_hand_over();
    check_ledger();
    check_links_table();
    check_after_finish();
    check_fingerprint();
  }

 private:
  // --- reporting -------------------------------------------------------------------------------

  /// Counts a check of a rule; `what()` says what is wrong if it fails.
  template <class What>
  bool require(bool holds, const std::string& rule, std::size_t row, const What& what) {
    ++report_.checked[rule];
    if (!holds) report_.violations.push_back({run_.name, row, rule, what()});
    return holds;
  }
  void skip(const std::string& rule, const std::string& why, std::uint64_t times = 1) {
    if (times > 0) report_.skipped[{rule, why}] += times;
  }

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

  bool is_of_this_run(const Fault& fault) const {
    return (!fault.algorithm || *fault.algorithm == run_.algorithm) &&
           (!fault.repetition || *fault.repetition == run_.repetition);
  }

  /// faults.csv numbers the faults of links first, then those of nodes, then those of values.
  void collect_faults() {
    for (const auto& fault : network_.faults)
      if (fault.is_of_links() && is_of_this_run(fault)) faults_.push_back(&fault);
    for (const auto& fault : network_.faults)
      if (fault.is_of_nodes() && is_of_this_run(fault)) faults_.push_back(&fault);
    for (const auto& fault : network_.faults)
      if (fault.kind == "corrupt" && is_of_this_run(fault)) faults_.push_back(&fault);
    std::map<std::pair<std::size_t, std::string>, std::size_t> open;
    std::map<std::size_t, std::size_t> times;
    for (const auto& event : run_.faults) {
      if (!require(event.fault < faults_.size(), "faults", 0, [&] {
            return fmt::format("faults.csv has fault {} of {}", event.fault, faults_.size());
          }))
        continue;
      const auto& fault = *faults_[event.fault];
      require(event.kind == fault.kind || (event.kind == "crash" && fault.kind == "availability"),
              "faults",
              0,
              [&] { return fmt::format("fault {} is a {}", event.fault, fault.kind); });
      const auto key = std::pair(event.fault, fault.is_of_nodes() ? event.nodes : "");
      auto& intervals = intervals_[key];
      if (event.begins) {
        require(open.count(key) == 0, "faults", 0, [&] {
          return fmt::format("fault {} begins twice", event.fault);
        });
        open[key] = intervals.size();
        intervals.push_back({event.at, kNever, event.fault});
        truncated_ |= fault.is_of_links() && ++times[event.fault] >= 10'000;
      } else if (require(open.count(key) == 1, "faults", 0, [&] {
                   return fmt::format("fault {} ends before it begins", event.fault);
                 })) {
        intervals[open[key]].end = event.at;
        open.erase(key);
      }
    }
    for (const auto& [key, intervals] : intervals_) {
      const auto& fault = *faults_[key.first];
      if (!fault.is_of_nodes()) continue;
      bool loses = false;
      for (const auto& event : run_.faults)
        if (event.fault == key.first && event.state == "lost") loses = true;
      for (const auto& interval : intervals)
        stops_[key.second].push_back({interval, fault.kind != "pause", loses});
    }
  }

  /// Scheduled faults begin and end when the scenario says; random ones within their limits.
  void check_schedule_of_faults() {
    for (std::size_t number = 0; number < faults_.size(); ++number) {
      const auto& fault = *faults_[number];
      std::set<std::string> nodes;
      for (const auto& [key, intervals] : intervals_)
        if (key.first == number) nodes.insert(key.second);
      if (!fault.is_of_nodes()) nodes.insert("");
      for (const auto& node : nodes) {
        const auto& intervals = intervals_[{number, node}];
        for (std::size_t i = 0; i < intervals.size(); ++i) {
          const auto& [begin, end, unused] = intervals[i];
          const auto say = [&, begin = begin, end = end] {
            return fmt::format(
                "fault {} ({}) {} from {} to {}", number, fault.kind, node, text(begin), text(end));
          };
          require(begin <= end && (i == 0 || intervals[i - 1].end <= begin),
                  "schedule of faults",
                  0,
                  [&] { return say() + " overlaps another time"; });
          require(!fault.until || begin < *fault.until, "schedule of faults", 0, [&] {
            return say() + " begins after its last time";
          });
          require(!fault.at || begin >= *fault.at, "schedule of faults", 0, [&] {
            return say() + " begins before its first time";
          });
        }
        if (fault.mean_between) continue;
        auto expected = scheduled(fault, node);
        // What happens at the very end may or may not be in the table.
        bool equal = intervals.size() <= expected.size();
        for (std::size_t i = 0; equal && i < expected.size(); ++i) {
          const auto& [begin, end] = expected[i];
          if (i >= intervals.size())
            equal = begin >= end_ || truncated_;
          else
            equal = intervals[i].begin == begin &&
                    (intervals[i].end == end || (intervals[i].end == kNever && end >= end_));
        }
        require(equal, "schedule of faults", 0, [&] {
          return fmt::format(
              "fault {} ({}) {} does not keep to its times", number, fault.kind, node);
        });
      }
    }
  }

  std::vector<std::pair<Nanoseconds, Nanoseconds>> scheduled(const Fault& fault,
                                                             const std::string& node) const {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> times;
    if (fault.kind == "availability") {
      const auto at = fault.recorded.find(node);
      return at == fault.recorded.end() ? times : at->second;
    }
    for (Nanoseconds begin = fault.at.value_or(0);
         begin <= end_ && (!fault.until || begin < *fault.until);
         begin = plus(begin, *fault.every)) {
      times.emplace_back(begin, fault.lasting ? plus(begin, *fault.lasting) : kNever);
      if (!fault.every) break;
    }
    return times;
  }

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

  const std::vector<Stop>& stops_of(const std::string& node) const {
    static const std::vector<Stop> kNoStops;
    const auto at = stops_.find(node);
    return at == stops_.end() ? kNoStops : at->second;
  }

  /// The first time from `t` on at which the node does not stand still.
  Nanoseconds goes_on(const std::string& node, Nanoseconds t) const {
    for (bool moved = true; moved && t != kNever;) {
      moved = false;
      for (const auto& stop : stops_of(node))
        if (stop.begin <= t && t < stop.end) {
          t = stop.end;
          moved = true;
        }
    }
    return t;
  }
  bool is_end_of_stop(const std::string& node, Nanoseconds t) const {
    const auto& stops = stops_of(node);
    return std::any_of(stops.begin(), stops.end(), [&](const Stop& s) { return s.end == t; });
  }

  // --- nodes -----------------------------------------------------------------------------------

  /// A hub has number 0; then come edges; then the others, by the numbers in their names.
  void number_nodes() {
    std::map<std::pair<int, std::string>, std::pair<std::uint64_t, std::uint64_t>>
        groups;  // [a, b)
    const auto add = [&](const std::string& node) {
      const auto number = number_of(node).value_or(0);
      auto& [first, end] =
          groups.try_emplace({distance_from_hub(node), group_of(node)}, number, number)
              .first->second;
      first = std::min(first, number);
      end = std::max(end, number + 1);
    };
    for (const auto& copy : run_.copies) {
      add(copy.from);
      add(copy.to);
    }
    // Nodes to which nobody sends anything have numbers, too.
    for (const auto& link : run_.links) {
      add(link.from);
      add(link.to);
    }
    const auto clients = run_.results.value("clients", std::uint64_t{0});
    if (groups.empty()) groups[{2, "client"}] = {0, clients};
    for (auto& [key, range] : groups) {
      static const std::set<std::string> kOnePerClient{"client", "player", "environment"};
      if (kOnePerClient.count(key.second) > 0) range = {0, clients};
      if (key.second == "arm") range = {1, 1 + run_.results.at("arms").at("arms").size()};
    }
    for (const auto& [key, range] : groups)
      for (auto number = range.first; number < range.second; ++number) {
        names_.push_back(key.first == 0 ? key.second : fmt::format("{}-{}", key.second, number));
        numbers_[names_.back()] = names_.size() - 1;
      }
  }

  std::uint64_t number_in_run(const std::string& node) const {
    const auto at = numbers_.find(node);
    return at == numbers_.end() ? numbers_.size() : at->second;
  }

  // --- rows ------------------------------------------------------------------------------------

  struct LinkCopies {
    Link link;
    std::vector<std::size_t> copies;  // in the order of their numbers on the link
  };

  /// Whether the numbers of the transmissions can be trusted.
  bool collect_links() {
    for (std::size_t i = 0; i < run_.copies.size(); ++i) {
      const auto& copy = run_.copies[i];
      auto [at, is_new] = links_.try_emplace({copy.from, copy.to});
      if (is_new) at->second.link = network_.link(copy.from, copy.to);
      at->second.copies.push_back(i);
    }
    bool trusted = true;
    for (auto& [name, link] : links_)
      for (std::size_t i = 0; i < link.copies.size(); ++i) {
        const auto& copy = run_.copies[link.copies[i]];
        trusted &= require(copy.transmission == i, "number on the link", copy.row, [&] {
          return fmt::format("transmission {} where {} follows", copy.transmission, i);
        });
      }
    return trusted;
  }

  void check_rows() {
    const auto place = [&](const Copy& copy) {
      return std::tuple(
          copy.sent, number_in_run(copy.from), number_in_run(copy.to), copy.transmission);
    };
    for (const auto& copy : run_.copies) {
      if (&copy != run_.copies.data())
        require(place(*(&copy - 1)) < place(copy), "order of rows", copy.row, [&] {
          return "sent before the row above";
        });
      require(copy.sent <= end_, "nothing after the end", copy.row, [&] {
        return fmt::format("sent at {}, after the end at {}", text(copy.sent), text(end_));
      });
      const bool arrived = copy.arrived();
      if (arrived) {
        require(copy.delivered >= copy.sent, "virtual time", copy.row, [&] {
          return "delivered before it was sent";
        });
        require(copy.delivered <= end_, "nothing after the end", copy.row, [&] {
          return fmt::format(
              "delivered at {}, after the end at {}", text(copy.delivered), text(end_));
        });
      }
      require(arrived == (copy.delivered != kNone) &&
                  (arrived || copy.outcome == "dropped" || copy.outcome == "in_flight") &&
                  (copy.outcome == "dropped") == !copy.cause.empty(),
              "outcome",
              copy.row,
              [&] { return fmt::format("'{}', '{}'", copy.outcome, copy.cause); });
      require((copy.order > 0) == (copy.outcome == "delivered" && !copy.is_ack()),
              "outcome",
              copy.row,
              [&] { return fmt::format("{} in place {}", copy.outcome, copy.order); });
      require(copy.outcome != "discarded" || network_.reliable, "outcome", copy.row, [&] {
        return "a datagram is discarded";
      });
      for (const auto& stop : stops_of(copy.from))
        if (stop.begin <= copy.sent)
          require(!stop.surely_holds(copy.sent), "nodes that stand still", copy.row, [&] {
            return fmt::format("{} sends while it stands still", copy.from);
          });
      for (const auto& stop : stops_of(copy.to))
        if (arrived && stop.begin <= copy.delivered)
          require(!stop.surely_holds(copy.delivered), "nodes that stand still", copy.row, [&] {
            return fmt::format("{} receives while it stands still", copy.to);
          });
    }
  }

  // --- sent, retransmitted or duplicated ---------------------------------------------------------

  static bool same_message(const Copy& a, const Copy& b) {
    return a.type == b.type && a.round == b.round && a.number == b.number && a.bytes == b.bytes &&
           a.content == b.content;
  }

  /// An acknowledgement belongs to a copy that arrives when it is sent.
  using Arrival = std::tuple<std::string, std::string, std::uint64_t, Nanoseconds>;

  void classify() {
    origins_.assign(run_.copies.size(), Origin::sent);
    firsts_.assign(run_.copies.size(), 0);
    for (const auto& copy : run_.copies)
      if (!copy.is_ack() && copy.arrived())
        ++arrivals_[{copy.from, copy.to, copy.number, copy.delivered}];
    for (auto& [name, link] : links_) {
      std::map<std::uint64_t, std::size_t> first, last;  // by the message's number
      std::map<Arrival, std::vector<std::size_t>> acks;
      for (std::size_t i = 0; i < link.copies.size(); ++i) {
        const auto index = link.copies[i];
        const auto& copy = run_.copies[index];
        firsts_[index] = index;
        if (copy.is_ack()) {
          acks[{copy.to, copy.from, copy.number, copy.sent}].push_back(index);
        } else if (!network_.reliable) {
          if (i == 0) continue;
          const auto before = link.copies[i - 1];
          if (run_.copies[before].sent == copy.sent && origins_[before] == Origin::sent &&
              link.link.duplication > 0 && same_message(run_.copies[before], copy)) {
            origins_[index] = Origin::duplicated;
            firsts_[index] = before;
          }
        } else if (first.count(copy.number) == 0) {
          first[copy.number] = last[copy.number] = index;
        } else {
          const auto& original = run_.copies[first[copy.number]];
          require(same_message(original, copy), "copies are equal", copy.row, [&] {
            return fmt::format("not a copy of row {}", original.row);
          });
          const bool duplicate = run_.copies[last[copy.number]].sent == copy.sent;
          origins_[index] = duplicate ? Origin::duplicated : Origin::retransmitted;
          firsts_[index] = duplicate ? last[copy.number] : index;
          if (!duplicate) last[copy.number] = index;
        }
      }
      // A duplicate has the number after its original's. Of three acknowledgements for two copies
      // the log doesn't say which is the duplicate.
      for (const auto& [arrival, copies] : acks) {
        const auto at = arrivals_.find(arrival);
        const auto due = std::min(copies.size(), at == arrivals_.end() ? 0 : at->second);
        auto extra = link.link.duplication > 0 ? copies.size() - due : 0;
        const bool ambiguous = due > 1 && extra > 0 && extra < due;
        if (ambiguous) ambiguous_.insert(copies.begin() + 1, copies.end());
        for (std::size_t i = 1; i < copies.size() && extra > 0; ++i)
          if (origins_[copies[i - 1]] == Origin::sent &&
              run_.copies[copies[i]].transmission == run_.copies[copies[i - 1]].transmission + 1) {
            origins_[copies[i]] = Origin::duplicated;
            firsts_[copies[i]] = copies[i - 1];
            --extra;
          }
      }
      for (const auto index : link.copies) {
        const auto& copy = run_.copies[index];
        if (origins_[index] == Origin::duplicated)
          require(link.link.duplication > 0, "duplicates", copy.row, [&] {
            return fmt::format("a duplicate from {} to {}", copy.from, copy.to);
          });
      }
    }
  }

  // --- the way of a copy -------------------------------------------------------------------------

  /// The earlier copies of a link: when they arrive at the latest; when the last has arrived.
  struct Before {
    Nanoseconds latest = 0, delivered = kNone;
  };

  /// Follows the copies in the order of sending through the lines and the link, and compares the
  /// times at which they could arrive with what happened.
  void follow_copies() {
    std::map<std::string, Queue> up;
    std::map<LinkName, Queue> lines;
    std::map<LinkName, Before> before;
    std::vector<Span> left(run_.copies.size());
    for (std::size_t begin = 0, end = 0; begin < run_.copies.size(); begin = end) {
      // In which order a node's copies of one instant to several nodes left is not in the log.
      const auto& first = run_.copies[begin];
      while (end < run_.copies.size() && run_.copies[end].from == first.from &&
             run_.copies[end].sent == first.sent)
        ++end;
      auto& up_line = up.try_emplace(first.from, network_.line_up(first.from)).first->second;
      pass_line_up(up_line, begin, end, left);
      for (std::size_t i = begin; i < end; ++i) {
        const auto& copy = run_.copies[i];
        const LinkName name{copy.from, copy.to};
        const auto& link = links_.at(name).link;
        if (is_duplicate(i)) {
          left[i] = left[firsts_[i]];  // made by the network, after the sender's lines
        } else {
          auto& line = lines.try_emplace(name, link.line).first->second;
          left[i] = pass_line(line, copy, left[i]);
          if (ambiguous_.count(i) > 0) left[i].from = copy.sent;
        }
        check_cause(copy, link, i);
        if (copy.cause == "queue" || copy.cause == "partition" || copy.cause == "loss") continue;
        check_arrival(copy, link, left[i], before[name]);
      }
    }
  }

  bool is_duplicate(std::size_t index) const {
    return origins_[index] == Origin::duplicated && ambiguous_.count(index) == 0;
  }

  /// Fills in when the copies [begin, end) of one node and one instant have left the node's line.
  void pass_line_up(Queue& up_line, std::size_t begin, std::size_t end, std::vector<Span>& left) {
    const Span entry{run_.copies[begin].sent, run_.copies[begin].sent, 0};
    std::fill(left.begin() + static_cast<std::ptrdiff_t>(begin),
              left.begin() + static_cast<std::ptrdiff_t>(end),
              entry);
    if (!up_line.takes_time()) return;
    const auto messages = static_cast<Nanoseconds>(end - begin);
    std::uint64_t surely = 0, perhaps = 0;
    std::map<std::string, std::uint64_t> after;  // bytes to one node that follow
    const auto may_pass = [&](const Copy& copy) {
      return copy.cause != "queue" || network_.link(copy.from, copy.to).line.queue_bytes ||
             network_.line_down(copy.to).queue_bytes;
    };
    for (auto i = begin; i < end; ++i) {
      const auto& copy = run_.copies[i];
      if (is_duplicate(i)) continue;
      if (copy.cause != "queue" && ambiguous_.count(i) == 0) surely += copy.bytes;
      if (may_pass(copy)) {
        perhaps += copy.bytes;
        after[copy.to] += copy.bytes;
      }
    }
    std::map<std::string, std::uint64_t> ahead;
    for (auto i = begin; i < end; ++i) {
      const auto& copy = run_.copies[i];
      if (is_duplicate(i)) continue;
      if (may_pass(copy)) after[copy.to] -= copy.bytes;
      if (copy.cause != "queue") {
        check_no_overflow(up_line, entry, copy);
        left[i] = up_line.left_after(
            entry, ahead[copy.to] + copy.bytes, perhaps - after[copy.to], messages);
        if (ambiguous_.count(i) == 0) ahead[copy.to] += copy.bytes;
      } else {
        // The way of a copy that a queue has dropped matters only for the queues behind it.
        left[i] = up_line.left_after(entry, 0, perhaps, messages);
        full_up_[i] = up_line.may_overflow(entry, perhaps - (may_pass(copy) ? copy.bytes : 0));
      }
    }
    up_line.occupy(entry, surely, perhaps, messages);
  }

  /// When the copy has left the link's line. Which of three lines has dropped a copy is not in the
  /// log.
  Span pass_line(Queue& line, const Copy& copy, const Span& entry) {
    const bool dropped = copy.cause == "queue";
    const auto index = static_cast<std::size_t>(&copy - run_.copies.data());
    const auto down = network_.line_down(copy.to);
    const bool down_may_drop = down.bits_per_second && down.queue_bytes;
    if (!dropped) {
      check_no_overflow(line, entry, copy);
    } else if (down_may_drop) {
      skip("overflow", "the receiver's line may have dropped it");
    } else {
      require(full_up_[index] || line.may_overflow(entry), "overflow", copy.row, [&] {
        return "dropped by a queue that isn't full";
      });
    }
    const Span left = line.left_after(entry, copy.bytes, copy.bytes, 1);
    line.occupy(entry,
                dropped || ambiguous_.count(index) > 0 ? 0 : copy.bytes,
                dropped && !down_may_drop ? 0 : copy.bytes,
                1);
    return left;
  }

  void check_no_overflow(const Queue& queue, const Span& entry, const Copy& copy) {
    if (!queue.is_finite()) return;
    require(!queue.must_overflow(entry), "overflow", copy.row, [&] {
      return "accepted by a full queue";
    });
  }

  bool matches(const Drop& drop, const Copy& copy) const {
    return (!drop.type || *drop.type == copy.type) && (!drop.round || *drop.round == copy.round) &&
           (!drop.transmission || *drop.transmission == copy.transmission) &&
           (!drop.from || drop.from->matches(copy.from)) && (!drop.to || drop.to->matches(copy.to));
  }

  void check_cause(const Copy& copy, const Link& link, std::size_t index) {
    bool listed = false;
    if (origins_[firsts_[index]] != Origin::retransmitted)
      for (const auto& drop : network_.drops) listed |= matches(drop, copy);
    if (copy.cause == "loss")
      require(listed || link.loss.may_lose(copy.type), "cause of a drop", copy.row, [&] {
        return fmt::format("lost on a link without loss of {}", copy.type);
      });
    else if (listed || link.loss.must_lose(copy.type))
      require(copy.outcome == "dropped" || copy.outcome == "in_flight",
              "what must be lost",
              copy.row,
              [&] { return "arrives although the scenario drops it"; });
    if (copy.cause == "queue") {
      const auto down = network_.line_down(copy.to), up = network_.line_up(copy.from);
      require(Queue(link.line).is_finite() || Queue(up).is_finite() || Queue(down).is_finite(),
              "cause of a drop",
              copy.row,
              [&] { return "dropped by a queue where no queue is finite"; });
    }
    const Span sent{copy.sent, copy.sent, 0};
    if (copy.cause == "partition") {
      bool possible = truncated_;
      for_each_separation("partition", copy.from, copy.to, [&](bool, const Interval& interval) {
        possible |= interval.may_hold(sent);
      });
      if (truncated_)
        skip("cause of a drop", "faults.csv is cut off");
      else
        require(possible, "cause of a drop", copy.row, [&] {
          return fmt::format("no partition separates {} from {}", copy.from, copy.to);
        });
    } else if (copy.cause != "queue") {
      for_each_separation(
          "partition", copy.from, copy.to, [&](bool sure, const Interval& interval) {
            if (!interval.surely_holds(copy.sent)) return;
            if (!sure)
              skip("cut links", "a share, or a node in several groups");
            else if (copy.cause != "loss")
              require(false, "cut links", copy.row, [&] {
                return fmt::format("a partition separates {} from {}", copy.from, copy.to);
              });
          });
      ++report_.checked["cut links"];
    }
  }

  /// The times at which the copy may have set out, after a clog that holds it.
  Span set_out(const Copy& copy, const Span& left) {
    Span out = left;
    for (bool moved = true; moved;) {
      moved = false;
      for_each_separation("clog", copy.from, copy.to, [&](bool sure, const Interval& interval) {
        if (!interval.may_hold(out)) return;
        if (out.to < interval.end) {
          out.to = interval.end;
          moved = true;
        }
        if (sure && interval.begin < out.from - out.slack && out.from < interval.end) {
          out.from = interval.end;
          moved = true;
        }
      });
    }
    return out;
  }

  void check_arrival(const Copy& copy, const Link& link, const Span& left, Before& before) {
    const auto down = network_.line_down(copy.to);
    if (truncated_) {
      skip("latency", "faults.csv is cut off");
      return;
    }
    const Span out = set_out(copy, left);
    auto [least, most] = std::pair(link.latency.least, link.latency.most);
    if (link.latency.trace)
      std::tie(least, most) = link.latency.trace->range(out.least(), out.most());
    if (link.factor) {
      const auto [low, high] = link.factor->range(out.least(), out.most());
      least = std::max<Nanoseconds>(0, scaled(least, low) - 1);
      most = plus(scaled(most, high), 2);
    }
    const bool exact = out.from == out.to;
    const bool lined = down.bits_per_second.has_value();
    const auto at_line = Span{plus(out.least(), least), plus(out.most(), most), 0};
    const auto earliest = lined ? down.end_of(at_line.from, copy.bytes) - 1 : at_line.from;
    auto latest = lined ? kNever : at_line.to;
    if (link.fifo) latest = before.latest = std::max(latest, before.latest);
    // At a node that stands still it waits, or is dropped.
    for (bool moved = true; moved && latest != kNever;) {
      moved = false;
      for (const auto& stop : stops_of(copy.to))
        if (stop.end > latest && stop.may_hold({earliest, latest, 0})) {
          latest = stop.end;
          moved = true;
        }
    }
    if (copy.cause == "crash") {
      const auto& stops = stops_of(copy.to);
      require(std::any_of(stops.begin(),
                          stops.end(),
                          [&](const Stop& s) {
                            return s.is_crash && s.may_hold({earliest, latest, 0});
                          }),
              "cause of a drop",
              copy.row,
              [&] { return fmt::format("{} is not down when it arrives", copy.to); });
      return;
    }
    if (copy.outcome == "in_flight") {
      if (latest == kNever)
        skip("in flight", "no latest time of arrival");
      else
        require(latest >= end_, "in flight", copy.row, [&] {
          return fmt::format(
              "should have arrived by {}, the end is at {}", text(latest), text(end_));
        });
      return;
    }
    require(copy.delivered >= earliest, "latency", copy.row, [&] {
      return fmt::format("sent at {}, arrives at {}: not before {}",
                         text(copy.sent),
                         text(copy.delivered),
                         text(earliest));
    });
    if (latest == kNever)
      skip("latest arrival",
           lined ? "the receiver's line" : "unbounded latency, or a node that stands still");
    else
      require(copy.delivered <= latest, "latest arrival", copy.row, [&] {
        return fmt::format("sent at {}, arrives at {}: not after {}",
                           text(copy.sent),
                           text(copy.delivered),
                           text(latest));
      });
    const bool waited = lined || (link.fifo && copy.delivered == before.delivered) ||
                        is_end_of_stop(copy.to, copy.delivered);
    if (!link.latency.samples.empty()) {
      if (!exact || waited || link.factor) {
        skip("samples", "the latency alone is not known");
      } else {
        const auto latency = copy.delivered - out.from;
        const auto near = std::lower_bound(
            link.latency.samples.begin(), link.latency.samples.end(), latency - out.slack);
        require(
            near != link.latency.samples.end() && *near <= latency + out.slack,
            "samples",
            copy.row,
            [&] { return fmt::format("a latency of {} is none of the samples", text(latency)); });
      }
    }
    before.delivered = copy.delivered;
  }

  // --- order -----------------------------------------------------------------------------------

  void check_order_on_links() {
    for (const auto& [name, link] : links_) {
      if (!link.link.fifo) continue;
      Nanoseconds last = 0;
      for (const auto index : link.copies) {
        const auto& copy = run_.copies[index];
        if (!copy.arrived()) continue;
        require(copy.delivered >= last, "fifo", copy.row, [&] {
          return fmt::format(
              "arrives at {}, an earlier copy at {}", text(copy.delivered), text(last));
        });
        last = copy.delivered;
      }
    }
  }

  void check_order_at_nodes() {
    std::map<std::string, std::vector<const Copy*>> handed;
    for (const auto& copy : run_.copies)
      if (copy.order > 0) handed[copy.to].push_back(&copy);
    for (auto& [node, copies] : handed) {
      std::stable_sort(copies.begin(), copies.end(), [](const Copy* a, const Copy* b) {
        return a->order < b->order;
      });
      for (std::size_t i = 0; i < copies.size(); ++i) {
        const auto& copy = *copies[i];
        require(copy.order == i + 1, "order at the node", copy.row, [&] {
          return fmt::format("place {} where {} follows", copy.order, i + 1);
        });
        if (i == 0) continue;
        const auto& earlier = *copies[i - 1];
        if (copy.delivered == earlier.delivered && is_end_of_stop(node, copy.delivered)) {
          skip("order at the node", "they waited for the node");
          continue;
        }
        // Then the order is that of cause and effect within the instant.
        if (copy.delivered == earlier.delivered &&
            (copy.sent == copy.delivered || earlier.sent == earlier.delivered)) {
          skip("order at the node", "sent at the instant of arrival");
          continue;
        }
        require(
            std::tuple(copy.delivered, number_in_run(copy.from), copy.transmission) >
                std::tuple(earlier.delivered, number_in_run(earlier.from), earlier.transmission),
            "order at the node",
            copy.row,
            [&] { return fmt::format("handed over after row {}", earlier.row); });
      }
    }
  }

  /// A node's line receives one copy after the other.
  void check_lines_of_receivers() {
    std::map<std::string, std::vector<const Copy*>> received;
    for (const auto& copy : run_.copies)
      if (copy.arrived()) received[copy.to].push_back(&copy);
    for (auto& [node, copies] : received) {
      const auto line = network_.line_down(node);
      if (!line.bits_per_second) continue;
      std::stable_sort(copies.begin(), copies.end(), [](const Copy* a, const Copy* b) {
        return a->delivered < b->delivered;
      });
      for (std::size_t i = 1; i < copies.size(); ++i) {
        const auto& copy = *copies[i];
        if (is_end_of_stop(node, copy.delivered) ||
            is_end_of_stop(node, copies[i - 1]->delivered)) {
          skip("receiver's line", "the node stood still");
          continue;
        }
        require(copy.delivered >= line.end_of(copies[i - 1]->delivered, copy.bytes) - 2,
                "receiver's line",
                copy.row,
                [&] { return fmt::format("overlaps with row {}", copies[i - 1]->row); });
      }
    }
  }

  // --- the reliable transport --------------------------------------------------------------------

  void check_acknowledgements() {
    std::map<Arrival, std::size_t> acks;
    for (std::size_t i = 0; i < run_.copies.size(); ++i) {
      const auto& copy = run_.copies[i];
      if (!copy.is_ack()) continue;
      require(network_.reliable, "acknowledgements", copy.row, [&] {
        return "an acknowledgement of a datagram";
      });
      if (origins_[i] == Origin::duplicated) continue;
      const Arrival arrival{copy.to, copy.from, copy.number, copy.sent};
      const auto at = arrivals_.find(arrival);
      const auto n = ++acks[arrival];
      require(at != arrivals_.end() && n <= at->second, "acknowledgements", copy.row, [&] {
        return fmt::format("{} for message {} from {}, of which {} copies arrive at {}",
                           n,
                           copy.number,
                           copy.to,
                           at == arrivals_.end() ? 0 : at->second,
                           text(copy.sent));
      });
    }
    if (!network_.reliable) return;
    for (const auto& [arrival, n] : arrivals_) {
      const auto& [from, to, number, time] = arrival;
      if (time >= end_) {
        skip("acknowledgements", "arrives at the end");
        continue;
      }
      const auto at = acks.find(arrival);
      const auto sent = at == acks.end() ? 0 : at->second;
      require(sent == n,
              "acknowledgements",
              0,
              [&, n = n, &from = from, &to = to, number = number, time = time] {
                return fmt::format("{} of {} for message {} from {} to {}, which arrives at {}",
                                   sent,
                                   n,
                                   number,
                                   from,
                                   to,
                                   text(time));
              });
    }
  }

  void check_retransmissions() {
    if (!network_.reliable) return;
    std::map<std::tuple<std::string, std::string, std::uint64_t>, Nanoseconds> acknowledged;
    for (const auto& copy : run_.copies)
      if (copy.is_ack() && copy.arrived()) {
        auto [at, is_new] =
            acknowledged.try_emplace({copy.to, copy.from, copy.number}, copy.delivered);
        at->second = std::min(at->second, copy.delivered);
      }
    for (const auto& [name, link] : links_) {
      std::map<std::uint64_t, std::vector<const Copy*>> tries;
      for (const auto index : link.copies)
        if (!run_.copies[index].is_ack() && origins_[index] != Origin::duplicated)
          tries[run_.copies[index].number].push_back(&run_.copies[index]);
      for (const auto& [number, copies] : tries) {
        const auto ack = acknowledged.find({name.first, name.second, number});
        const auto heard = ack == acknowledged.end() ? kNever : ack->second;
        check_tries(name.first, copies, heard);
      }
    }
  }

  void check_tries(const std::string& sender,
                   const std::vector<const Copy*>& copies,
                   Nanoseconds heard) {
    const std::string rule = "retransmissions";
    require(copies.size() <= network_.max_tries, rule, copies.back()->row, [&] {
      return fmt::format("{} tries, at most {}", copies.size(), network_.max_tries);
    });
    double wait = static_cast<double>(network_.timeout);
    Nanoseconds due = kNever;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const auto& copy = *copies[i];
      if (i > 0) {
        require(copy.sent >= due - 1, rule, copy.row, [&] {
          return fmt::format("sent again at {}, due at {}", text(copy.sent), text(due));
        });
        require(copy.sent <= plus(goes_on(sender, due), 1), rule, copy.row, [&] {
          return fmt::format("sent again at {}, was due at {}", text(copy.sent), text(due));
        });
        require(copy.sent <= heard, rule, copy.row, [&] {
          return fmt::format("sent again at {}, acknowledged at {}", text(copy.sent), text(heard));
        });
      }
      const auto capped = std::min(wait, static_cast<double>(network_.max_timeout));
      due = plus(copy.sent, static_cast<Nanoseconds>(std::llround(capped)));
      wait = capped * network_.backoff;
    }
    if (copies.size() >= network_.max_tries) return;
    const auto& stops = stops_of(sender);
    if (std::any_of(stops.begin(), stops.end(), [&](const Stop& s) {
          return s.loses_state && s.begin >= copies.front()->sent;
        })) {
      skip(rule, "the sender lost its state");
      return;
    }
    const auto next = goes_on(sender, due);
    require(next >= end_ || heard <= plus(next, 1), rule, copies.back()->row, [&] {
      return fmt::format("not sent again at {}, though not acknowledged", text(next));
    });
  }

  /// Under the reliable transport each message is handed over once: the first copy that arrives.
  void check_hand_over() {
    if (!network_.reliable) {
      skip("hand-over", "datagrams");
      return;
    }
    for (const auto& [name, link] : links_) {
      std::map<std::uint64_t, std::pair<const Copy*, Nanoseconds>> handed;  // and first arrival
      for (const auto index : link.copies) {
        const auto& copy = run_.copies[index];
        if (copy.is_ack() || !copy.arrived()) continue;
        auto& [row, first] = handed.try_emplace(copy.number, nullptr, kNever).first->second;
        first = std::min(first, copy.delivered);
        if (copy.outcome != "delivered") continue;
        require(row == nullptr, "hand-over", copy.row, [&, row = row] {
          return fmt::format("a duplicate of row {} is handed over", row->row);
        });
        row = &copy;
      }
      for (const auto& [number, copies] : handed) {
        const auto& [row, first] = copies;
        require(row != nullptr && row->delivered == first,
                "hand-over",
                row == nullptr ? 0 : row->row,
                [&, number = number, first = first] {
                  return fmt::format("message {} from {} to {} is not handed over at {}",
                                     number,
                                     name.first,
                                     name.second,
                                     text(first));
                });
      }
    }
  }

  // --- accounts --------------------------------------------------------------------------------

  static int distance_from_hub(const std::string& node) {
    static const std::set<std::string> kHubs{"server", "agent", "learner", "poo", "gpo"};
    const auto group = group_of(node);
    return kHubs.count(group) > 0 ? 0 : group == "edge" ? 1 : 2;
  }
  static std::string direction(const Copy& copy) {
    const auto from = distance_from_hub(copy.from), to = distance_from_hub(copy.to);
    return from == to ? "peer" : from < to ? "down" : "up";
  }

  /// Bytes of headers in a copy of this size; nothing if no payload has this size.
  std::optional<std::uint64_t> headers_of(const Copy& copy) const {
    std::uint64_t low = 0, high = copy.bytes;  // payload
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      if (middle + network_.headers(copy.type, middle) < copy.bytes)
        low = middle + 1;
      else
        high = middle;
    }
    if (low + network_.headers(copy.type, low) != copy.bytes) return std::nullopt;
    return network_.headers(copy.type, low);
  }

  /// Bytes of the handshake that the first transmission to a node carries.
  std::uint64_t handshake(const std::string& from, const std::string& to) const {
    if (!network_.wire) return 0;
    return number_in_run(from) > number_in_run(to) ? network_.wire->connects
                                                   : network_.wire->accepts;
  }

  struct Account {
    std::uint64_t sent = 0, retransmitted = 0, duplicated = 0, delivered = 0, discarded = 0;
    std::map<std::string, std::uint64_t> dropped;
    std::uint64_t in_flight = 0, bytes = 0, header_bytes = 0, wire_bytes = 0;
    std::uint64_t after_finish = 0;
  };

  void check_ledger() {
    std::map<std::pair<std::string, std::string>, Account> accounts;
    for (std::size_t i = 0; i < run_.copies.size(); ++i) {
      const auto& copy = run_.copies[i];
      auto& account = accounts[{copy.type, direction(copy)}];
      const auto headers = headers_of(copy);
      require(headers.has_value(), "size", copy.row, [&] {
        return fmt::format("no payload gives {} bytes with headers", copy.bytes);
      });
      switch (origins_[i]) {
        case Origin::sent:
          ++account.sent;
          account.bytes += copy.bytes;
          if (!copy.is_ack())
            account.header_bytes += headers.value_or(0);  // their own headers are all they are
          break;
        case Origin::retransmitted:
          ++account.retransmitted;
          break;
        case Origin::duplicated:
          ++account.duplicated;
          break;
      }
      account.wire_bytes += copy.bytes;
      if (copy.transmission == 0) account.wire_bytes += handshake(copy.from, copy.to);
      if (copy.outcome == "delivered") ++account.delivered;
      if (copy.outcome == "discarded") ++account.discarded;
      if (copy.outcome == "in_flight") ++account.in_flight;
      if (copy.outcome == "dropped") ++account.dropped[copy.cause];
    }
    for (const auto& entry : run_.results.at("ledger")) {
      const auto type = entry.at("type").get<std::string>();
      const auto way = entry.at("direction").get<std::string>();
      const auto mine = accounts[{type, way}];
      accounts.erase({type, way});
      std::uint64_t balance = 0;
      const auto compare = [&](const std::string& name, std::uint64_t counted, const auto& stated) {
        const auto value = stated.template get<std::uint64_t>();
        require(counted == value, "ledger", 0, [&] {
          return fmt::format("{} {}: {} is {}, the log has {}", type, way, name, value, counted);
        });
        return value;
      };
      const auto sent = compare("sent", mine.sent, entry.at("sent"));
      const auto again = compare("retransmitted", mine.retransmitted, entry.at("retransmitted"));
      const auto twice = compare("duplicated", mine.duplicated, entry.at("duplicated"));
      balance += compare("delivered", mine.delivered, entry.at("delivered"));
      balance += compare("discarded", mine.discarded, entry.at("discarded"));
      balance += compare("in_flight", mine.in_flight, entry.at("in_flight"));
      for (const auto& [cause, n] : entry.at("dropped").items()) {
        const auto at = mine.dropped.find(cause);
        balance += compare("dropped by " + cause, at == mine.dropped.end() ? 0 : at->second, n);
      }
      compare("bytes", mine.bytes, entry.at("bytes"));
      compare("header_bytes", mine.header_bytes, entry.at("header_bytes"));
      compare("wire_bytes", mine.wire_bytes, entry.at("wire_bytes"));
      require(sent + again + twice == balance, "ledger", 0, [&] {
        return fmt::format("{} {}: {} copies, {} ends", type, way, sent + again + twice, balance);
      });
    }
    for (const auto& [key, account] : accounts)
      require(false, "ledger", 0, [&, &key = key] {
        return fmt::format("{} {} is not in the ledger", key.first, key.second);
      });
  }

  void check_links_table() {
    if (run_.links.empty()) {
      skip("links.csv", run_.copies.empty() ? "no message" : "more nodes than it lists");
      return;
    }
    struct Counts : LinkTotals {
      std::uint64_t perhaps = 0;  // that the receiver's line may have dropped: these have arrived
    };
    std::map<LinkName, Counts> mine;
    for (const auto& copy : run_.copies) {
      auto& link = mine[{copy.from, copy.to}];
      ++link.departed;
      link.wire_bytes += copy.bytes;
      if (copy.transmission == 0) link.wire_bytes += handshake(copy.from, copy.to);
      link.arrived += copy.arrived() || copy.cause == "crash";
      link.dropped += copy.outcome == "dropped" && copy.cause != "crash";
      link.perhaps += copy.cause == "queue" && network_.line_down(copy.to).queue_bytes;
    }
    for (const auto& link : run_.links) {
      const auto& counted = mine[{link.from, link.to}];
      require(link.departed == counted.departed && link.wire_bytes == counted.wire_bytes &&
                  link.arrived >= counted.arrived &&
                  link.arrived <= counted.arrived + counted.perhaps &&
                  link.arrived + link.dropped == counted.arrived + counted.dropped,
              "links.csv",
              0,
              [&] {
                return fmt::format(
                    "{} to {}: {} departed, {} arrived, {} dropped, {} bytes; the log "
                    "has {}, {}, {}, {}",
                    link.from,
                    link.to,
                    link.departed,
                    link.arrived,
                    link.dropped,
                    link.wire_bytes,
                    counted.departed,
                    counted.arrived,
                    counted.dropped,
                    counted.wire_bytes);
              });
      mine.erase({link.from, link.to});
    }
    for (const auto& [name, counted] : mine)
      require(false, "links.csv", 0, [&, &name = name] {
        return fmt::format("{} to {} is missing", name.first, name.second);
      });
  }

  /// There is a moment after which as many copies of each type left as the ledger says.
  void check_after_finish() {
    std::map<std::pair<std::string, std::string>, std::uint64_t> left;
    std::uint64_t rest = 0;
    for (const auto& entry : run_.results.at("ledger")) {
      const auto n = entry.at("after_finish").at("copies").get<std::uint64_t>();
      left[{entry.at("type").get<std::string>(), entry.at("direction").get<std::string>()}] = n;
      rest += n;
    }
    for (auto copy = run_.copies.rbegin(); copy != run_.copies.rend() && rest > 0; ++copy, --rest) {
      auto& n = left[{copy->type, direction(*copy)}];
      if (!require(n > 0, "after the finish", copy->row, [&] {
            return fmt::format("more {} among the last copies than the ledger has", copy->type);
          }))
        return;
      --n;
    }
    require(rest == 0, "after the finish", 0, [&] { return "more copies than the log has"; });
  }

  // --- the fingerprint ---------------------------------------------------------------------------

  static std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ x >> 31;
  }
  static std::uint64_t combined(std::uint64_t h, std::uint64_t x) {
    return mix((h ^ x) * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL);
  }
  /// FNV-1a, finalised.
  static std::uint64_t hash_of(const std::string& name) {
    std::uint64_t h = 0xcbf29ce484222325ULL;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return mix(h);
  }

  void check_fingerprint() {
    std::map<std::string, std::vector<const Copy*>> handed;
    for (const auto& copy : run_.copies)
      if (copy.order > 0) handed[copy.to].push_back(&copy);
    std::uint64_t part = 0;
    for (const auto& node : names_) {
      auto& copies = handed[node];
      std::sort(copies.begin(), copies.end(), [](const Copy* a, const Copy* b) {
        return a->order < b->order;
      });
      std::uint64_t h = 0;
      for (const auto* copy : copies)
        for (const auto x : {static_cast<std::uint64_t>(copy->delivered),
                             number_in_run(copy->from) << 32 | copy->round,
                             hash_of(copy->type),
                             copy->content})
          h = combined(h, x);
      part = combined(part, h);
    }
    const auto stated = run_.results.at("ingredients").at("deliveries").get<std::string>();
    require(fmt::format("{:016x}", part) == stated, "fingerprint", 0, [&] {
      return fmt::format("deliveries are {:016x}, results.json has {}", part, stated);
    });
  }

  const Network& network_;
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

}  // namespace

void check(const RunFolder& folder, Report& report) {
  ++report.logs;
  for (const auto& run : folder.runs) RunCheck(folder.network, run, report).all();
}

}  // namespace message_log
