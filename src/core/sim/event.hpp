// SPDX-License-Identifier: Apache-2.0
// One thing that happens at one node at one instant of virtual time.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"
#include "core/sim/ack_forecast.hpp"

namespace posse {

/// The node begins.
struct StartEvent {};
/// A message copy, of either transport, reaches the node's end of the link. The sender of a message
/// that is acknowledged has queued its next check itself.
struct ArrivalEvent {
  Time departed;
};
/// A message copy reaches a receiver that plans the sender's next check, if one is needed. Only of
/// the reliable transport, and only of a message's first two copies (Event::tries: 0 or 1).
struct WatchedArrival {
  std::uint32_t travelled_ns = 0;    // since the copy departed
  std::uint32_t check_sequence = 0;  // Event::sequence of the check
};
/// A message copy arrives whose sender gets an acknowledgement of an earlier copy before its next
/// check. Nothing depends on the acknowledgement of this copy, which is not an event.
struct RedundantArrival {
  Time departed;
};
/// A message copy has passed the node's own incoming line.
struct DeliveryEvent {
  Time departed;
};
/// A timer of the role expires, unless it has been cancelled or set again.
struct TimerEvent {
  TimerId timer;
};
/// A message leaves after the node's work is done, for `count` consecutive nodes from `first`. To 0
/// nodes: the node finishes.
struct DepartureEvent {
  NodeId first;
  std::uint32_t count = 0;
};
/// The reliable transport checks whether a message to `to` was acknowledged after `tries`
/// transmissions, up to kMostTries.
struct RetransmitEvent {
  static constexpr std::uint32_t kMostTries = 0x3fffffff;
  RetransmitEvent() = default;
  RetransmitEvent(NodeId node, std::uint32_t transmissions, AckForecast known)
      : to(node), tries(transmissions & kMostTries), forecast(known) {}

  NodeId to;
  std::uint32_t tries : 30 = 0;
  AckForecast forecast : 2 = AckForecast::unknown;
};

/// A fault of the node begins or ends. At the node and instant these come first, beginnings before
/// ends, so that faults of a scenario and faults from outside at the same time have the same
/// effect.
struct FaultEvent {
  std::uint16_t fault = 0;  // its number in NetworkConfig::node_faults, or after them
  bool begins = true;
  std::uint32_t occurrence = 0;
};

inline constexpr std::uint32_t kMostNodeFaults = 1 << 16;

/// Of two copies of one datagram that are both on their way: which of them it is. Their sequence
/// numbers follow one another.
enum class Pair : std::uint8_t { none, first, second };

/// Of the reliable transport: how many transmissions of its message were before a copy, or before
/// the copy that an acknowledgement is for. From this number on they are not told apart.
inline constexpr std::uint8_t kManyTries = 255;

/// Ordered by (time, node, source, sequence), a total order that depends on the scenario only.
/// Faults come first at their node and instant. Where order matters, what is due at one instant
/// takes effect in another order (tie_order.hpp).
///
/// Kernels move events a lot and queue millions of them. All kinds are therefore trivial and of one
/// word; what the kinds with a message have in common stands beside them, in the variant's padding.
struct Event {
  using Kind = std::variant<StartEvent,
                            ArrivalEvent,
                            WatchedArrival,
                            RedundantArrival,
                            DeliveryEvent,
                            TimerEvent,
                            DepartureEvent,
                            RetransmitEvent,
                            FaultEvent>;

  Time time;
  NodeId node;    // where it happens
  NodeId source;  // the node that caused it: a message's sender, else the node itself
  [[no_unique_address]] Kind kind;

  std::uint8_t tries = 0;  // of the reliable transport; of datagrams: Pair
  // The message, except in starts and timers.
  std::uint16_t type = 0;      // its number in MessageTypes
  std::uint32_t sequence = 0;  // copies: transmission number on the link; else the node's counter
  Round round;
  std::uint32_t number = 0;  // of the reliable transport; of a departure: NodeStops::epoch
  Payload payload;           // empty for acknowledgements

  Pair pair() const { return static_cast<Pair>(tries); }
};
static_assert(std::is_trivially_copyable_v<Event::Kind> && sizeof(Event) <= 48);

/// The longest way of a watched copy.
inline constexpr Duration kLongestWatched{0xffffffff};

/// When a message copy left its sender; nothing of other events.
[[gnu::always_inline]] inline std::optional<Time> departure_of(const Event& event) {
  if (const auto* arrival = std::get_if<ArrivalEvent>(&event.kind)) return arrival->departed;
  if (const auto* watched = std::get_if<WatchedArrival>(&event.kind))
    return event.time - Duration{watched->travelled_ns};
  if (const auto* copy = std::get_if<RedundantArrival>(&event.kind)) return copy->departed;
  if (const auto* delivery = std::get_if<DeliveryEvent>(&event.kind)) return delivery->departed;
  return std::nullopt;
}

/// Among the events at one node and instant: faults first, then by source.
[[gnu::always_inline]] inline std::uint64_t rank_at_instant(const Event& event) {
  const bool fault = std::holds_alternative<FaultEvent>(event.kind);
  return fault ? 0 : std::uint64_t{1} + event.source.value;
}

inline bool before(const Event& a, const Event& b) {
  return std::tuple(a.time, a.node, rank_at_instant(a), a.sequence) <
         std::tuple(b.time, b.node, rank_at_instant(b), b.sequence);
}

/// Node by node: the order within a window, in which nodes do not depend on each other.
inline bool before_at_nodes(const Event& a, const Event& b) {
  if (a.node != b.node) return a.node < b.node;
  if (a.time != b.time) return a.time < b.time;
  const std::uint64_t rank_a = rank_at_instant(a), rank_b = rank_at_instant(b);
  if (rank_a != rank_b) return rank_a < rank_b;
  return a.sequence < b.sequence;
}

/// Receives the events that the handling of an event creates.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void emit(Event&& event) = 0;
  /// A message copy that arrives; `propagation`: the link's latency, which is part of its way.
  virtual void emit_copy(Event&& copy, Duration propagation) = 0;
};

}  // namespace posse
