// SPDX-License-Identifier: Apache-2.0
// What results.json and links.csv say, counted again: ledger, links, fingerprint.
#include <algorithm>
#include <set>

#include "run_check.hpp"

namespace message_log {

// --- accounts ----------------------------------------------------------------------------------

std::string RunCheck::direction(const Copy& copy) {
  const auto from = distance_from_hub(copy.from), to = distance_from_hub(copy.to);
  return from == to ? "peer" : from < to ? "down" : "up";
}

std::optional<std::uint64_t> RunCheck::headers_of(const Copy& copy) const {
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

std::uint64_t RunCheck::handshake(const std::string& from, const std::string& to) const {
  if (!network_.wire) return 0;
  return number_in_run(from) > number_in_run(to) ? network_.wire->connects : network_.wire->accepts;
}

void RunCheck::check_ledger() {
  std::map<std::pair<std::string, std::string>, Account> accounts;
  std::optional<std::uint64_t> ack_bytes;
  for (std::size_t i = 0; i < run_.copies.size(); ++i) {
    const auto& copy = run_.copies[i];
    auto& account = accounts[{copy.type, direction(copy)}];
    const auto headers = headers_of(copy);
    require(headers.has_value(), "size", copy.row, [&] {
      return fmt::format("no payload gives {} bytes with headers", copy.bytes);
    });
    if (copy.is_ack()) {
      ack_bytes = ack_bytes.value_or(copy.bytes);
      require(copy.bytes == ack_bytes, "size", copy.row, [&] {
        return fmt::format(
            "an acknowledgement of {} bytes, others have {}", copy.bytes, *ack_bytes);
      });
    }
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

void RunCheck::check_links_table() {
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

void RunCheck::check_after_finish() {
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

std::uint64_t RunCheck::mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

std::uint64_t RunCheck::combined(std::uint64_t h, std::uint64_t x) {
  return mix((h ^ x) * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL);
}

std::uint64_t RunCheck::hash_of(const std::string& name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h);
}

void RunCheck::check_fingerprint() {
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

}  // namespace message_log
