// One thing that happens at one node at one instant of virtual time.
#pragma once

#include <cstdint>
#include <tuple>

#include "core/base/ids.hpp"
#include "core/base/time.hpp"
#include "core/role/message.hpp"

namespace posse {

enum class EventKind : std::uint8_t {
  start,       // the node begins
  arrival,     // a message copy reaches the node's end of the link
  delivery,    // the copy has passed the node's own incoming line
  timer,       // a timer of the role
  departure,   // a message leaves after the node's work is done
  retransmit,  // the reliable transport checks whether a message was acknowledged
};

/// Ordered by (time, node, source, sequence), a total order that depends on the scenario only.
struct Event {
  Time time;
  NodeId node;                 // where it happens
  NodeId source;               // the node that caused it: a message's sender, else the node itself
  std::uint32_t sequence = 0;  // messages: transmission number on the link; else the node's counter
  EventKind kind = EventKind::start;
  bool repeated = false;   // a repetition by the reliable transport
  std::uint16_t type = 0;  // message type number
  Round round;
  std::uint32_t detail = 0;  // messages: the transport's number; timer: its id; departure: first
                             // receiver
  // Messages: time of departure (ns); timer: generation; departure: number of receivers;
  // retransmit: number of tries.
  std::uint64_t extra = 0;
  Payload payload;  // empty for acknowledgements, timers and starts
};

inline bool before(const Event& a, const Event& b) {
  return std::tie(a.time, a.node, a.source, a.sequence) <
         std::tie(b.time, b.node, b.source, b.sequence);
}

/// Receives the events that the handling of an event creates.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void emit(Event&& event) = 0;
};

}  // namespace posse
