// SPDX-License-Identifier: Apache-2.0
// A random protocol for testing kernels: every node sends messages to random peers, sets, moves and
// cancels timers, works, evaluates and finishes, all from its own random stream. Some nodes never
// finish, and finished ones go on talking, except for the hub of a star. It closes rounds with
// random members. The order in which a kernel handles events determines the messages.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/random/stream.hpp"
#include "core/role/protocol.hpp"

namespace posse::test {

struct Chat {
  static constexpr std::string_view kName = "Chat";
  std::uint32_t hops = 0;
  std::vector<double> numbers;
  std::uint64_t values() const { return numbers.size(); }
  POSSE_FIELDS(hops, numbers)
};

struct Gossip {
  static constexpr std::string_view kName = "Gossip";
  std::uint64_t rumour = 0;
  std::uint64_t values() const { return 1; }
  POSSE_FIELDS(rumour)
};

class ChatterRole final : public Role {
 public:
  ChatterRole(NodeId self, std::uint32_t nodes, Topology topology, Seed seed)
      : self_(self),
        nodes_(nodes),
        topology_(topology),
        draws_(stream_key(seed, "chatter", std::uint64_t{self.value}), 0) {}

  void on_start(Reaction& reaction) override {
    if (draws_() % 2) talk(3, reaction);
    reaction.set_timer_from_now(TimerId{1},
                                Duration{static_cast<std::int64_t>(draws_() % 40'000'000)});
    if (self_.value % 3 == 1) finish(reaction);
  }
  void on_message(const Message& message, Reaction& reaction) override {
    maybe_end(reaction);
    if (const auto* chat = message.get<Chat>()) {
      sum_ += static_cast<double>(chat->numbers.size());
      if (chat->hops > 0) talk(chat->hops - 1, reaction);
    } else if (const auto* gossip = message.get<Gossip>()) {
      sum_ += static_cast<double>(gossip->rumour % 7);
      if (draws_() % 4 == 0) reaction.cancel_timer(TimerId{1});
    }
  }
  void on_timer(TimerId timer, Reaction& reaction) override {
    talk(2, reaction);
    maybe_end(reaction);
    if (timer.value < 4)
      reaction.set_timer_from_now(TimerId{timer.value + 1},
                                  Duration{static_cast<std::int64_t>(draws_() % 3'000'000)});
  }

 private:
  bool is_hub() const { return self_.value == 0 && topology_ == Topology::star; }
  NodeId peer() {
    if (topology_ == Topology::star)
      return self_.value == 0 ? NodeId{1 + static_cast<std::uint32_t>(draws_() % (nodes_ - 1))}
                              : NodeId{0};
    return NodeId{(self_.value + 1 + static_cast<std::uint32_t>(draws_() % (nodes_ - 1))) % nodes_};
  }
  void finish(Reaction& reaction) {
    finished_ = true;
    reaction.finish();
  }
  void maybe_end(Reaction& reaction) {
    const bool hub = is_hub();
    if (hub && !finished_ && draws_() % 4 == 0) close_round(reaction);
    if (!finished_ && draws_() % (hub ? 16 : 8) == 0) finish(reaction);
  }
  void close_round(Reaction& reaction) {
    RoundEnded ended;
    ended.round = Round{++rounds_};
    const auto leaves = nodes_ - 1;
    const auto first = static_cast<std::uint32_t>(draws_() % leaves);
    ended.expected = 1 + static_cast<std::uint32_t>(draws_() % (leaves - first));
    if (draws_() % 4 != 0) ended.first_asked = NodeId{1 + first};
    for (std::uint32_t i = 0; i < ended.expected; i += 3)
      ended.late.push_back(NodeId{1 + first + i});
    ended.arrived = ended.expected - static_cast<std::uint32_t>(ended.late.size());
    reaction.observe(std::move(ended));
  }
  void talk(std::uint32_t hops, Reaction& reaction) {
    const Round round{static_cast<std::uint32_t>(draws_() % 4)};
    switch (finished_ ? 4 : draws_() % 5) {
      case 0:
        reaction.evaluate(1 + draws_() % 5);
        break;
      case 1:
        reaction.work(Duration{static_cast<std::int64_t>(draws_() % 2'000'000)});
        break;
      default:
        break;
    }
    if (nodes_ < 2 || (finished_ && is_hub())) return;
    const auto messages = 1 + draws_() % 2;
    for (std::uint64_t i = 0; i < messages; ++i)
      reaction.send(peer(), round, Chat{hops, std::vector<double>(draws_() % 20, sum_)});
    if (draws_() % 3 == 0) reaction.send(peer(), round, Gossip{draws_()});
    if (draws_() % 8 == 0 && self_.value == 0)
      reaction.broadcast(NodeId{1}, nodes_ - 1, round, Gossip{draws_()});
  }

  NodeId self_;
  std::uint32_t nodes_;
  Topology topology_;
  DrawEngine draws_;
  double sum_ = 0;
  std::uint32_t rounds_ = 0;
  bool finished_ = false;
};

class Chatter final : public Protocol {
 public:
  Chatter(std::uint32_t nodes, Topology topology, Seed seed)
      : nodes_(nodes), topology_(topology), seed_(seed) {}
  std::vector<NodeGroup> groups() const override {
    if (topology_ == Topology::full_mesh) return {{"player", nodes_, true}};
    return {{"server", 1, false}, {"client", nodes_ - 1, true}};
  }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<ChatterRole>(node, nodes_, topology_, seed_);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }

 private:
  std::uint32_t nodes_;
  Topology topology_;
  Seed seed_;
};

inline AlgorithmSpec chatter_spec(Topology topology) {
  AlgorithmSpec spec;
  spec.kind = "chatter";
  spec.topology = topology;
  spec.needs_problem = false;
  spec.messages = {&kMessageType<Chat>, &kMessageType<Gossip>};
  return spec;
}

}  // namespace posse::test
