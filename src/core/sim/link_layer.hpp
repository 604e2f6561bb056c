// SPDX-License-Identifier: Apache-2.0
// The link layer: puts message copies on the links and accounts for the fate of each.
//
// A link's sending side belongs to its sender, its receiving side and a node's incoming line to the
// receiver.
#pragma once

#include <cstdint>
#include <optional>

#include "core/network/ledger.hpp"
#include "core/network/link_ends.hpp"
#include "core/network/network.hpp"
#include "core/network/nodes.hpp"
#include "core/network/wire.hpp"
#include "core/sim/event.hpp"
#include "core/sim/message_types.hpp"
#include "core/sim/node_state.hpp"
#include "core/sim/simulation.hpp"
#include "core/sim/worker.hpp"

namespace posse {

/// One transmission of a message.
struct Transmission {
  NodeId from, to;
  std::uint16_t type = 0;
  Round round;
  std::uint32_t number = 0;  // of the reliable transport
  std::uint32_t tries = 0;   // transmissions before this one
  Payload payload{};         // empty for acknowledgements
  // Of the reliable transport:
  /// What is known of the message's acknowledgement, this copy apart.
  AckForecast forecast = AckForecast::nothing_in_flight;
  /// Of a message: the latest arrival at which its receiver may plan the sender's next check. Of an
  /// acknowledgement: the latest arrival that is not an event.
  ForeseenUntil foreseen_until{};
  bool foreseen_unqueued = false;    // only if the message does not wait for its sender's lines
  std::uint32_t check_sequence = 0;  // Event::sequence of the next check
  std::uint8_t acknowledged = 0;     // of an acknowledgement: Event::tries of the copy
  Time cleared{};                    // when it left its sender's lines: `transmit` says so
};

/// What becomes of a transmission.
class Passage {
 public:
  static Passage lost() { return {Kind::lost, {}}; }
  /// The arrival is an event, of a message that is not watched or of an acknowledgement.
  static Passage on_its_way(Time arrival) { return {Kind::on_its_way, arrival}; }
  /// Transmission::foreseen_until covers the arrival, and nothing held the copy up before.
  static Passage foreseen(Time arrival) { return {Kind::foreseen, arrival}; }

  bool is_lost() const { return kind_ == Kind::lost; }
  bool is_foreseen() const { return kind_ == Kind::foreseen; }
  /// Of the first copy that arrives; nothing if none does.
  std::optional<Time> arrival() const {
    return is_lost() ? std::nullopt : std::optional<Time>(arrival_);
  }

 private:
  enum class Kind : std::uint8_t { lost, on_its_way, foreseen };
  Passage(Kind kind, Time arrival) : arrival_(arrival), kind_(kind) {}
  Time arrival_;
  Kind kind_;
};

/// The network of a run, as `config` has it.
Network make_network(const NetworkConfig& config,
                     const SimulationSpec& spec,
                     const Nodes& nodes,
                     const MessageTypes& types);

class LinkLayer {
 public:
  LinkLayer(const SimulationSpec& spec, const Nodes& nodes, const MessageTypes& types);

  Network& network() { return network_; }
  const Network& network() const { return network_; }
  const LinkMap& map() const { return network_.links(); }
  const LinkEnds& ends() const { return ends_; }
  LinkEnds& ends() { return ends_; }
  const LinkLedger& ledger() const { return ledger_; }
  LinkLedger& ledger() { return ledger_; }

  /// Copies that leave after `time` are counted apart.
  void answered_at(Time time) { answered_at_ = time; }
  /// True if a copy from `from` to `to` is on its way, other than of an acknowledgement.
  bool carries(NodeId from, NodeId to) const { return ledger_.carries(map().link(from, to)); }

  /// Fetches what the arrival of a copy and an answer to it will need.
  [[gnu::always_inline]] void fetch_for(const Event& copy) const {
    const LinkId answer = map().link(copy.node, copy.source);
    ends_.fetch_end(answer);
    network_.fetch_for(copy.node, copy.source, answer);
  }
  /// The path to the arrival of a copy of a message that was sent on `path`.
  static Path path_of(const Event& copy, Time departed, Path path) {
    path.extend(PathPart::retransmission, copy.source, departed);
    path.extend(PathPart::propagation, copy.source, copy.time);
    return path;
  }
  /// Sends the message, and the copy that the network may make. Emits their arrivals. The reliable
  /// transport may need the payload again, which stays in `message`, unless the arrival is foreseen
  /// or redundant.
  Passage transmit(Transmission& message, Time now, Worker& worker);
  /// Acknowledges a copy that arrives now. Returns when the acknowledgement arrives; nothing if it
  /// is lost. The arrival is an event unless `foreseen_until` covers it.
  std::optional<Time> acknowledge(const Event& copy, ForeseenUntil foreseen_until, Worker& worker);
  /// A repetition turned out to be needless when this acknowledgement came.
  void book_needless(const Event& acknowledgement,
                     const RepeatedMessages::Needless& which,
                     Worker& worker) const;
  /// The repetition of a message will turn out so, when an acknowledgement of `copy` comes at
  /// `arrival`, which is no event.
  void foresee_needless(const Event& copy, Time departed, Time arrival, Worker& worker) const;
  /// Takes back what was counted in `ledger`, the worker's or a copy, of acknowledgements that
  /// arrive without an event after `until`, and of needless repetitions.
  void take_back_foreseen(const Worker& worker, Time until, Ledger& ledger) const;
  /// At the end of the run, when events have been handled until then.
  void conclude_foreseen(Time until, Worker& worker);
  /// Whether the transport repeats lost messages; else they are datagrams.
  bool repeats_lost() const { return repeats_lost_; }
  /// Whether records of messages are kept.
  bool traces() const { return traces_; }
  /// Passes an arrived copy through the node's incoming line, which has a rate: emits its delivery
  /// or drops it.
  void receive(Event&& copy, Time departed, NodeState& receiver, Worker& worker);
  /// Counts a delivered or discarded copy, which is then traced.
  void book_delivery(const Event& copy,
                     Time departed,
                     MessageOutcome outcome,
                     NodeState& receiver,
                     Worker& worker) {
    if (!repeats_lost_ && copy.pair() != Pair::none) both_are_dropped(copy, false, receiver);
    const auto direction = map().direction(copy.source, copy.node);
    auto& count = worker.ledger.of(copy.type, direction);
    ++(outcome == MessageOutcome::delivered ? count.delivered : count.discarded);
    worker.ledger.latency(direction).add(copy.time - departed);
    ledger_.arrived(map().link(copy.node, copy.source), copy.type);
    ++worker.deliveries;
  }
  /// Keeps a record of the copy, if records are kept. `order`: as in MessageRecord.
  void trace(const Event& copy,
             Time departed,
             MessageOutcome outcome,
             DropCause cause,
             Worker& worker,
             std::uint32_t order = 0) {
    if (traces_) keep_record(copy, departed, outcome, cause, order, worker);
  }
  /// Drops a copy at a node that has crashed.
  void drop_at_receiver(
      const Event& copy, Time departed, DropCause cause, NodeState& receiver, Worker& worker);
  /// With its header; of an acknowledgement if `payload` is empty.
  std::uint64_t size_bytes(const Payload& payload) const {
    if (wire_ != nullptr)
      return payload ? wire_->size_bytes(payload.size_bytes()) : wire_->acknowledgement;
    return spec_.network.header_bytes + (payload ? payload.size_bytes() : kAcknowledgementBytes);
  }
  /// Counts a copy that is still on the way when the run ends.
  void book_in_flight(const Event& copy, Time departed, Worker& worker);

 private:
  /// Puts a copy on its link and counts it there. Returns its number on the link.
  [[gnu::always_inline]] inline std::uint32_t depart(
      LinkId link, std::uint16_t type, std::uint64_t bytes, Time now, CopyCounts& count);
  /// Emits the arrival of a message.
  Passage emit(Transmission& message,
               std::uint32_t number,
               Time now,
               Time arrival,
               Duration propagation,
               Worker& worker);
  /// The arrival of a copy, with the payload of the message. `keeps`: the message keeps it, too.
  Event copy_of(
      Transmission& message, std::uint32_t number, Time now, Time arrival, bool keeps) const;
  /// The message that departed `now` does not arrive.
  void drop(Transmission& message,
            LinkId link,
            std::uint32_t number,
            Time now,
            DropCause cause,
            Worker& worker);

  // Where more than chance decides on a transmission:
  /// What `transmit` does with a message that has departed.
  Passage pass_lines(
      Transmission& message, LinkId link, std::uint32_t number, Time now, Worker& worker);
  Passage transmit_twice(Transmission& message,
                         const Network::Attempt& attempt,
                         std::uint32_t number,
                         const Fate& fate,
                         Worker& worker);
  /// Counts the time that the copy takes, too.
  Fate fate_of(const Network::Attempt& attempt, std::uint32_t number, Worker& worker);
  Event copy_of(
      Transmission& message, std::uint32_t number, Time now, const Fate& fate, bool keeps) const;
  /// Whether a copy that is not dropped was on the way for longer than the latency of its link.
  static bool waited(const Fate& fate, Time departed) {
    return fate.arrival - fate.propagation > departed;
  }
  void drop_on_link(LinkId link, const Event& copy, Time departed, DropCause cause, Worker& worker);
  /// Notes that nobody gets the message.
  static void lose(const Transmission& message, Time sent, DropCause cause, Worker& worker);
  /// Notes on the copy how it passes the lines of its sender and its link.
  static void follow_lines(Event& copy, Time departed, const Fate& fate);

  /// Notes what becomes of a copy of a pair. True if it and the other one, which came before, were
  /// dropped.
  static bool both_are_dropped(const Event& copy, bool dropped, NodeState& receiver);

  static constexpr std::uint64_t kAcknowledgementBytes = 8;  // the acknowledged number, as an index

  /// Notes an acknowledgement whose arrival is no event.
  void foresee(LinkId link, Direction direction, Time now, Time arrival, Worker& worker);
  /// Leaves out foreseen acknowledgements that have arrived.
  [[gnu::noinline]] void forget_arrived(Time now, Worker& worker) const;
  void book_drop(const Event& copy, Time departed, DropCause cause, Worker& worker);
  void keep_record(const Event& copy,
                   Time departed,
                   MessageOutcome outcome,
                   DropCause cause,
                   std::uint32_t order,
                   Worker& worker);

  const SimulationSpec& spec_;
  const MessageTypes& types_;
  const WireFormat* wire_;  // null: header_bytes
  bool repeats_lost_;       // by the reliable transport
  bool traces_;
  std::optional<Time> answered_at_;  // nothing: not yet, or nobody asks
  Network network_;
  LinkEnds ends_;
  LinkLedger ledger_;
};

}  // namespace posse
