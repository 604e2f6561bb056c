// SPDX-License-Identifier: Apache-2.0
// Which nodes there are, what a row may say, and the orders on links and at nodes.
#include <algorithm>
#include <set>

#include "run_check.hpp"

namespace message_log {

// --- nodes -------------------------------------------------------------------------------------

void RunCheck::number_nodes() {
  std::map<std::pair<int, std::string>, std::pair<std::uint64_t, std::uint64_t>> groups;  // [a, b)
  const auto add = [&](const std::string& node) {
    const auto number = number_of(node).value_or(0);
    auto& [first, end] =
        groups.try_emplace({distance_from_hub(node), group_of(node)}, number, number).first->second;
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

std::uint64_t RunCheck::number_in_run(const std::string& node) const {
  const auto at = numbers_.find(node);
  return at == numbers_.end() ? numbers_.size() : at->second;
}

// --- rows --------------------------------------------------------------------------------------

bool RunCheck::collect_links() {
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

void RunCheck::check_rows() {
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

// --- order -------------------------------------------------------------------------------------

void RunCheck::check_order_on_links() {
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

void RunCheck::check_order_at_nodes() {
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
      if (copy.delivered == earlier.delivered && copy.from != earlier.from &&
          network_.may_draw_order(node)) {
        skip("order at the node", "equal times whose order chance draws");
        continue;
      }
      require(std::tuple(copy.delivered, number_in_run(copy.from), copy.transmission) >
                  std::tuple(earlier.delivered, number_in_run(earlier.from), earlier.transmission),
              "order at the node",
              copy.row,
              [&] { return fmt::format("handed over after row {}", earlier.row); });
    }
  }
}

void RunCheck::check_lines_of_receivers() {
  std::map<std::string, std::vector<const Copy*>> received;
  for (const auto& copy : run_.copies)
    if (copy.arrived()) received[copy.to].push_back(&copy);
  for (auto& [node, copies] : received) {
    const auto line = network_.line_down(node);
    if (!line.bits_per_second) continue;
    // Of those of one instant, only the first can have taken time: the others have no bytes.
    std::sort(copies.begin(), copies.end(), [](const Copy* x, const Copy* y) {
      return std::tuple(x->delivered, y->bytes, x->row) <
             std::tuple(y->delivered, x->bytes, y->row);
    });
    for (std::size_t i = 1; i < copies.size(); ++i) {
      const auto& copy = *copies[i];
      if (is_end_of_stop(node, copy.delivered) || is_end_of_stop(node, copies[i - 1]->delivered)) {
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

}  // namespace message_log
