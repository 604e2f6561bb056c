// SPDX-License-Identifier: Apache-2.0
// The way of a copy: lines and their queues, what holds or drops it, its latency.
#include <algorithm>

#include "run_check.hpp"

namespace message_log {

void RunCheck::follow_copies() {
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

bool RunCheck::is_duplicate(std::size_t index) const {
  return origins_[index] == Origin::duplicated && ambiguous_.count(index) == 0;
}

void RunCheck::pass_line_up(Queue& up_line,
                            std::size_t begin,
                            std::size_t end,
                            std::vector<Span>& left) {
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

Span RunCheck::pass_line(Queue& line, const Copy& copy, const Span& entry) {
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

void RunCheck::check_no_overflow(const Queue& queue, const Span& entry, const Copy& copy) {
  if (!queue.is_finite()) return;
  require(!queue.must_overflow(entry), "overflow", copy.row, [&] {
    return "accepted by a full queue";
  });
}

bool RunCheck::matches(const Drop& drop, const Copy& copy) const {
  return (!drop.type || *drop.type == copy.type) && (!drop.round || *drop.round == copy.round) &&
         (!drop.transmission || *drop.transmission == copy.transmission) &&
         (!drop.from || drop.from->matches(copy.from)) && (!drop.to || drop.to->matches(copy.to));
}

void RunCheck::check_cause(const Copy& copy, const Link& link, std::size_t index) {
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
    bool sure = false, perhaps = truncated_;
    for_each_separation(
        "partition", copy.from, copy.to, [&](bool separates, const Interval& interval) {
          if (interval.may_hold(sent)) (separates ? sure : perhaps) = true;
        });
    if (perhaps && !sure)
      skip("cause of a drop",
           truncated_ ? "faults.csv is cut off" : "a share, or a node in several groups");
    else
      require(sure, "cause of a drop", copy.row, [&] {
        return fmt::format("no partition separates {} from {}", copy.from, copy.to);
      });
  } else if (copy.cause != "queue") {
    for_each_separation("partition", copy.from, copy.to, [&](bool sure, const Interval& interval) {
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

Span RunCheck::set_out(const Copy& copy, const Span& left) {
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

void RunCheck::check_arrival(const Copy& copy, const Link& link, const Span& left, Before& before) {
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
                          return s.is_crash && s.may_hold({at_line.from, latest, 0});
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
        return fmt::format("should have arrived by {}, the end is at {}", text(latest), text(end_));
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
      require(near != link.latency.samples.end() && *near <= latency + out.slack,
              "samples",
              copy.row,
              [&] { return fmt::format("a latency of {} is none of the samples", text(latency)); });
    }
  }
  before.delivered = copy.delivered;
}

}  // namespace message_log
