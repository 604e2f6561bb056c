// SPDX-License-Identifier: Apache-2.0
#include "core/sim/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/overload.hpp"
#include "core/exchange/gather.hpp"
#include "core/sim/simulation.hpp"

namespace posse {
namespace {

std::uint16_t type_of(const Payload& payload, const AlgorithmSpec& algorithm) {
  const auto it = std::find(algorithm.messages.begin(), algorithm.messages.end(), &payload.type());
  return static_cast<std::uint16_t>(it - algorithm.messages.begin());
}

/// Does what a node did, each action as soon as the messages before it are there.
class RecordedRole final : public Role {
 public:
  RecordedRole(const RecordedNode& node, const AlgorithmSpec& algorithm)
      : node_(&node), algorithm_(&algorithm) {}

  void on_start(Reaction& reaction) override { go_on(reaction); }
  void on_message(const Message& message, Reaction& reaction) override {
    arrived_.try_emplace(key(message.from, message.payload.number()), reaction.now());
    go_on(reaction);
  }
  std::optional<Waiting> waiting() const override {
    Waiting waiting{"a message", "message", {}, {}};
    if (next_ == node_->actions.size()) return node_->waits ? std::optional(waiting) : std::nullopt;
    if (const auto* await = std::get_if<RecordedAwait>(&node_->actions[next_])) {
      if (!await->needed) return std::nullopt;
      waiting.from.push_back(await->from);
    }
    return waiting;
  }

 private:
  static std::uint64_t key(NodeId from, std::uint32_t number) {
    return std::uint64_t{from.value} << 32 | number;
  }

  void go_on(Reaction& reaction) {
    for (; next_ < node_->actions.size(); ++next_)
      if (!act(node_->actions[next_], reaction)) return;
  }

  /// False if the node has to wait.
  bool act(const RecordedAction& action, Reaction& reaction) {
    return std::visit(Overload{[&](const RecordedAwait& await) {
                                 const auto it = arrived_.find(key(await.from, await.number));
                                 if (it == arrived_.end()) return false;
                                 answers_.push_back(it->second);
                                 return true;
                               },
                               [&](const RecordedSend& send) {
                                 reaction.send_payload(
                                     send.first,
                                     send.count,
                                     send.round,
                                     Payload::recorded(*algorithm_->messages[send.type],
                                                       send.bytes,
                                                       send.values,
                                                       send.hash,
                                                       ++sent_));
                                 return true;
                               },
                               [&](const EvaluateEffect& evaluate) {
                                 reaction.evaluate(evaluate.count);
                                 return true;
                               },
                               [&](const WorkEffect& work) {
                                 reaction.work(work.duration);
                                 return true;
                               },
                               [&](const RoundBegan& began) {
                                 reaction.observe(began);
                                 return true;
                               },
                               [&](const RecordedRoundEnd& ended) {
                                 RoundEnded now{ended.round};
                                 now.steps = ended.steps;
                                 now.arrived = now.expected = ended.answers;
                                 now.first_asked = ended.first_asked;
                                 for (const Time answer : answers_)
                                   now.waited += reaction.now() - answer;
                                 answers_.clear();
                                 reaction.observe(std::move(now));
                                 return true;
                               },
                               [&](const FinishEffect&) {
                                 reaction.finish();
                                 return true;
                               }},
                      action);
  }

  const RecordedNode* node_;
  const AlgorithmSpec* algorithm_;
  std::size_t next_ = 0;
  std::uint32_t sent_ = 0;
  std::unordered_map<std::uint64_t, Time> arrived_;  // never iterated
  std::vector<Time> answers_;                        // of the round so far
};

class RecordedProtocol final : public Protocol {
 public:
  RecordedProtocol(const AlgorithmSpec& algorithm, const RecordedRun& recorded)
      : algorithm_(&algorithm), recorded_(&recorded) {}

  std::vector<NodeGroup> groups() const override { return recorded_->groups; }
  std::unique_ptr<Role> make_role(NodeId node) const override {
    return std::make_unique<RecordedRole>(recorded_->nodes.at(node.value), *algorithm_);
  }
  std::vector<Measurement> measurements(const RunOutcome&) const override { return {}; }
  Forecast forecast() const override { return {}; }
  bool waits_for_all() const override { return true; }
  std::optional<Topology> topology() const override { return recorded_->topology; }

 private:
  const AlgorithmSpec* algorithm_;
  const RecordedRun* recorded_;
};

}  // namespace

void record(const Stimulus& stimulus,
            const Reaction& reaction,
            const AlgorithmSpec& algorithm,
            RecordedNode& node) {
  const auto add = [&](const RecordedAction& action) { node.actions.push_back(action); };
  const auto await = [&](const Message& message) {
    add(RecordedAwait{message.from, message.payload.number(), node.waits});
  };
  const auto observations = reaction.observations();
  std::size_t observed = 0;
  const auto observe = [&](std::size_t effects_done) {
    for (; observed < observations.size() && observations[observed].after <= effects_done;
         ++observed) {
      const Observation& observation = observations[observed].observation;
      if (const auto* began = std::get_if<RoundBegan>(&observation)) add(*began);
      if (const auto* ended = std::get_if<RoundEnded>(&observation)) {
        if (ended->arrived != ended->expected) node.obstacle = "a node did not wait for all";
        add(RecordedRoundEnd{ended->round, ended->steps, ended->arrived, ended->first_asked});
      }
    }
  };
  if (stimulus.kind == Stimulus::Kind::message && !reaction.keeps_message())
    await(stimulus.message);
  const bool has_cause =
      stimulus.kind == Stimulus::Kind::start || stimulus.kind == Stimulus::Kind::message;
  const auto& effects = reaction.effects();
  if (!has_cause && !effects.empty()) node.obstacle = "a node reacted to a timer or a restart";
  for (std::size_t i = 0; i < effects.size(); ++i) {
    observe(i);
    std::visit(Overload{[&](const SendEffect& send) {
                          add(RecordedSend{send.first,
                                           send.count,
                                           send.round,
                                           type_of(send.payload, algorithm),
                                           send.payload.size_bytes(),
                                           send.payload.values(),
                                           send.payload.hash()});
                        },
                        [&](const SetTimerEffect&) { node.obstacle = "a node set a timer"; },
                        [&](const CancelTimerEffect&) {},
                        [&](const UseEffect& use) { await(use.message); },
                        [&](const auto& other) { add(other); }},
               effects[i]);
  }
  observe(effects.size());
}

std::string obstacle_to_retiming(const SimulationSpec& spec) {
  if (!spec.protocol->waits_for_all())
    return fmt::format("in {} the order in which messages arrive decides", spec.algorithm->kind);
  const NetworkConfig& network = spec.network;
  if (!network.corrupt_faults.empty()) return "nodes lie";
  if (!spec.compute.service.empty()) return "handling messages takes time ([[compute.service]])";
  const auto loses = [](const NodeFault& fault) { return fault.loses_state; };
  if (std::any_of(network.node_faults.begin(), network.node_faults.end(), loses))
    return "nodes may lose their state";
  return "";
}

std::string obstacle_to_retiming(const SimulationSpec& spec, const RunOutcome& outcome) {
  if (auto obstacle = obstacle_to_retiming(spec); !obstacle.empty()) return obstacle;
  if (spec.network.transport == Transport::datagram) {
    if (outcome.total(&TypeAccount::duplicated) > 0) return "messages were duplicated";
    const auto loses = [](const TypeAccount& account) { return account.dropped() > 0; };
    if (std::ranges::any_of(outcome.accounts, loses)) return "messages were lost";
  }
  return outcome.status == RunStatus::finished ? "" : "the run did not finish";
}

std::unique_ptr<Protocol> make_recorded_protocol(const AlgorithmSpec& algorithm,
                                                 const RecordedRun& recorded) {
  return std::make_unique<RecordedProtocol>(algorithm, recorded);
}

}  // namespace posse
