// SPDX-License-Identifier: Apache-2.0
// Duplicates, and the reliable transport: acknowledgements, retransmissions, hand-over.
#include <algorithm>
#include <cmath>

#include "run_check.hpp"

namespace message_log {

// --- sent, retransmitted or duplicated ---------------------------------------------------------

bool RunCheck::same_message(const Copy& a, const Copy& b) {
  return a.type == b.type && a.round == b.round && a.number == b.number && a.bytes == b.bytes &&
         a.content == b.content;
}

void RunCheck::classify() {
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

// --- the reliable transport --------------------------------------------------------------------

void RunCheck::check_acknowledgements() {
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

void RunCheck::check_retransmissions() {
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
      check_tries(name.first, name.second, copies, heard);
    }
  }
}

void RunCheck::check_tries(const std::string& sender,
                           const std::string& receiver,
                           const std::vector<const Copy*>& copies,
                           Nanoseconds heard) {
  const std::string rule = "retransmissions";
  require(copies.size() <= network_.max_tries, rule, copies.back()->row, [&] {
    return fmt::format("{} tries, at most {}", copies.size(), network_.max_tries);
  });
  const auto waits = network_.waits(sender, receiver);
  if (!waits) skip(rule, "time-outs that follow from lines or round trips");
  for (std::size_t i = 1; i < copies.size(); ++i)
    require(copies[i]->sent <= heard, rule, copies[i]->row, [&] {
      return fmt::format(
          "sent again at {}, acknowledged at {}", text(copies[i]->sent), text(heard));
    });
  if (!waits) return;
  double wait = static_cast<double>(waits->first);
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
    }
    const auto capped = std::min(wait, static_cast<double>(waits->second));
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

void RunCheck::check_hand_over() {
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

}  // namespace message_log
