// SPDX-License-Identifier: Apache-2.0
#include "core/network/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/hash.hpp"

namespace posse {

void Ledger::add_totals(const Ledger& other) {
  POSSE_CHECK(counts_.size() == other.counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i].add(other.counts_[i]);
  spent_.add(other.spent_);
  for (std::size_t d = 0; d < latency_.size(); ++d) latency_[d].add(other.latency_[d]);
}

void Ledger::add(const Ledger& other) {
  add_totals(other);
  other.rounds_.visit(
      [this](Round round, const RoundCount& count) { rounds_.of(round).add(count); });
}

LinkLedger::Sums LinkLedger::sums() const {
  Sums sums{std::vector<std::uint64_t>(ends_.types()), std::nullopt};
  // The two ends of a link are far apart in memory. Instead of comparing them link by link, what
  // departed and what ended is added up with a random factor for each link; two sums, each modulo
  // 2^32 as the counts are.
  std::uint32_t low = 0, high = 0;
  for (std::uint32_t i = 0; i < ends_.links(); ++i) {
    const LinkId end{i};
    const std::uint64_t to_factor = mix64(1 + std::uint64_t{i});
    const std::uint64_t from_factor = mix64(1 + std::uint64_t{map_.back(end).value});
    std::uint32_t to = 0, from = 0;
    for (std::size_t type = 0; type < ends_.types(); ++type) {
      const std::uint32_t departed = ends_.departed(end, type);
      sums.departed[type] += departed;
      const auto factor = static_cast<std::uint32_t>(2 * type + 1);
      to += factor * (departed - ends_.dropped(end, type) - in_flight_of(end, type));
      from += factor * ends_.arrived(end, type);
      if (type == acknowledgement()) to -= factor * ends_.foreseen(end);
    }
    low +=
        to * static_cast<std::uint32_t>(to_factor) - from * static_cast<std::uint32_t>(from_factor);
    high += to * static_cast<std::uint32_t>(to_factor >> 32) -
            from * static_cast<std::uint32_t>(from_factor >> 32);
  }
  if (low != 0 || high != 0) sums.first_imbalance = first_imbalance();
  return sums;
}

std::optional<LinkLedger::Imbalance> LinkLedger::first_imbalance() const {
  for (std::uint32_t link = 0; link < ends_.links(); ++link)
    for (std::size_t i = 0; i < ends_.types(); ++i) {
      const auto type = static_cast<std::uint16_t>(i);
      const Copies c = copies({link}, type);
      if (c.missing() != 0)
        return Imbalance{{link}, type, c.departed, c.dropped + c.arrived + c.in_flight};
    }
  return std::nullopt;
}

LinkLedger::Copies LinkLedger::copies(LinkId link, std::uint16_t type) const {
  return {
      ends_.departed(link, type),
      ends_.dropped(link, type),
      ends_.arrived(map_.back(link), type) + (type == acknowledgement() ? ends_.foreseen(link) : 0),
      in_flight_of(link, type)};
}

void LinkLedger::add(LinkId link,
                     std::uint16_t type,
                     const Copies& copies,
                     std::uint64_t wire_bytes) {
  ends_.departed(link, type) += copies.departed;
  ends_.dropped(link, type) += copies.dropped;
  ends_.arrived(map_.back(link), type) += copies.arrived;
  if (copies.in_flight > 0 && in_flight_.empty()) in_flight_.resize(ends_.links() * ends_.types());
  if (copies.in_flight > 0) in_flight_[index(link, type)] += copies.in_flight;
  if (!wire_bytes_.empty()) wire_bytes_[link.value] += wire_bytes;
}

bool LinkLedger::carries(LinkId link) const {
  const LinkId back = map_.back(link);
  for (std::uint16_t type = 0; type < acknowledgement(); ++type)
    if (ends_.departed(link, type) != ends_.dropped(link, type) + ends_.arrived(back, type))
      return true;
  return false;
}

LinkLedger::Totals LinkLedger::of(LinkId link) const {
  Totals totals;
  const LinkId back = map_.back(link);
  for (std::size_t type = 0; type < ends_.types(); ++type) {
    totals.departed += ends_.departed(link, type);
    totals.dropped += ends_.dropped(link, type);
    totals.arrived += ends_.arrived(back, type);
  }
  totals.arrived += ends_.foreseen(link);
  if (!wire_bytes_.empty()) totals.wire_bytes = wire_bytes_[link.value];
  return totals;
}

std::optional<std::string> check_balance(const Ledger& ledger,
                                         const LinkLedger& links,
                                         const std::vector<std::string_view>& types) {
  const auto [on_links, imbalance] = links.sums();
  for (std::size_t type = 0; type < types.size(); ++type) {
    std::uint64_t departed = 0;
    for (const auto direction : {Direction::up, Direction::down, Direction::peer}) {
      const auto& c = ledger.counts()[type * 3 + static_cast<unsigned>(direction)];
      if (c.copies() != c.ended() + c.in_flight)
        return fmt::format(
            "the ledger of {} ({}) does not balance: sent {} + repeated {} + duplicated {} != "
            "delivered {} + discarded {} + dropped {} + in flight {}",
            types[type],
            to_string(direction),
            c.sent,
            c.repeated,
            c.duplicated,
            c.delivered,
            c.discarded,
            c.dropped(),
            c.in_flight);
      departed += c.copies();
    }
    // Links count modulo 2^32.
    if (static_cast<std::uint32_t>(on_links[type]) != static_cast<std::uint32_t>(departed))
      return fmt::format("the ledger of {} counts {} copies, but the links count {}",
                         types[type],
                         departed,
                         on_links[type]);
  }
  if (imbalance)
    return fmt::format("link {0}: {2} copies of {1} departed, but {3} ended",
                       imbalance->link.value,
                       types[imbalance->type],
                       imbalance->departed,
                       imbalance->ended);
  return std::nullopt;
}

}  // namespace posse
