// SPDX-License-Identifier: Apache-2.0
#include "core/network/ledger.hpp"

#include <fmt/format.h>

namespace posse {

void Ledger::add_totals(const Ledger& other) {
  POSSE_CHECK(counts_.size() == other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    Count& a = counts_[i];
    const Count& b = other.counts_[i];
    for (const auto field : {&Count::sent,
                             &Count::repeated,
                             &Count::duplicated,
                             &Count::delivered,
                             &Count::discarded,
                             &Count::lost,
                             &Count::queue,
                             &Count::partition,
                             &Count::crash,
                             &Count::in_flight,
                             &Count::values,
                             &Count::bytes,
                             &Count::header_bytes,
                             &Count::wire_bytes,
                             &Count::after_finish,
                             &Count::after_finish_bytes})
      a.*field += b.*field;
  }
  spent_.add(other.spent_);
  for (std::size_t d = 0; d < latency_.size(); ++d) latency_[d].add(other.latency_[d]);
}

void Ledger::add(const Ledger& other) {
  add_totals(other);
  for (const auto& [round, count] : other.rounds_.sorted()) rounds_.of(round).add(count);
}

std::optional<LinkLedger::Imbalance> LinkLedger::first_imbalance() const {
  for (std::size_t i = 0; i < departed_.size(); ++i) {
    const std::uint32_t in_flight = in_flight_.empty() ? 0 : in_flight_[i];
    const std::uint32_t ended = dropped_[i] + arrived_[i] + in_flight;  // modulo 2^32
    if (departed_[i] != ended)
      return Imbalance{{static_cast<std::uint32_t>(i / types_)},
                       static_cast<std::uint16_t>(i % types_),
                       departed_[i],
                       ended};
  }
  return std::nullopt;
}

LinkLedger::Copies LinkLedger::copies(LinkId link, std::uint16_t type) const {
  const auto i = index(link, type);
  return {departed_[i], dropped_[i], arrived_[i], in_flight_.empty() ? 0 : in_flight_[i]};
}

void LinkLedger::add(LinkId link,
                     std::uint16_t type,
                     const Copies& copies,
                     std::uint64_t wire_bytes) {
  const auto i = index(link, type);
  departed_[i] += copies.departed;
  dropped_[i] += copies.dropped;
  arrived_[i] += copies.arrived;
  if (copies.in_flight > 0 && in_flight_.empty()) in_flight_.resize(departed_.size());
  if (copies.in_flight > 0) in_flight_[i] += copies.in_flight;
  if (!wire_bytes_.empty()) wire_bytes_[link.value] += wire_bytes;
}

LinkLedger::Totals LinkLedger::of(LinkId link) const {
  Totals totals;
  for (std::size_t type = 0; type < types_; ++type) {
    const auto i = index(link, static_cast<std::uint16_t>(type));
    totals.departed += departed_[i];
    totals.dropped += dropped_[i];
    totals.arrived += arrived_[i];
  }
  if (!wire_bytes_.empty()) totals.wire_bytes = wire_bytes_[link.value];
  return totals;
}

std::uint64_t LinkLedger::total_departed(std::uint16_t type) const {
  std::uint64_t total = 0;
  for (std::size_t i = type; i < departed_.size(); i += types_) total += departed_[i];
  return total;
}

std::optional<std::string> check_balance(const Ledger& ledger,
                                         const LinkLedger& links,
                                         const std::vector<std::string_view>& types) {
  for (std::size_t type = 0; type < types.size(); ++type) {
    std::uint64_t departed = 0;
    for (const auto direction : {Direction::up, Direction::down, Direction::peer}) {
      const auto& c = ledger.counts()[type * 3 + static_cast<unsigned>(direction)];
      const std::uint64_t started = c.sent + c.repeated + c.duplicated;
      const std::uint64_t ended =
          c.delivered + c.discarded + c.lost + c.queue + c.partition + c.crash + c.in_flight;
      if (started != ended)
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
            c.lost + c.queue + c.partition + c.crash,
            c.in_flight);
      departed += started;
    }
    const auto on_links = links.total_departed(static_cast<std::uint16_t>(type));
    // Links count modulo 2^32.
    if (static_cast<std::uint32_t>(on_links) != static_cast<std::uint32_t>(departed))
      return fmt::format("the ledger of {} counts {} copies, but the links count {}",
                         types[type],
                         departed,
                         on_links);
  }
  if (const auto imbalance = links.first_imbalance())
    return fmt::format("link {0}: {2} copies of {1} departed, but {3} ended",
                       imbalance->link.value,
                       types[imbalance->type],
                       imbalance->departed,
                       imbalance->ended);
  return std::nullopt;
}

}  // namespace posse
