// SPDX-License-Identifier: Apache-2.0
#include "core/sim/stall_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace posse {
namespace {

constexpr std::size_t kNamesShown = 5;

template <class Items, class Print>
std::string shown(const Items& items, Print&& print) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kNamesShown; ++i)
    text += (i ? ", " : "") + print(items[i]);
  if (items.size() > kNamesShown) text += fmt::format(" and {} more", items.size() - kNamesShown);
  return text;
}

std::string seconds(Time time) { return fmt::format("{} s", time.to_seconds()); }

std::vector<LostMessage> lost_by(const std::vector<Worker*>& workers) {
  LostMessages all;
  for (const auto* worker : workers)
    for (const auto& message : worker->lost.sorted()) all.add(message);
  return all.sorted();
}

std::string how_lost(const LostMessage& message) {
  if (message.tries > 0) return fmt::format("never acknowledged, {} tries", message.tries);
  return std::string(to_string(message.cause));
}

}  // namespace

std::string stall_report(const World& world,
                         const std::vector<Worker*>& workers,
                         const RoleHost& host) {
  const auto lost = lost_by(workers);
  std::map<NodeId, std::vector<const LostMessage*>> lost_at;  // by either end
  for (const auto& message : lost) {
    lost_at[message.from].push_back(&message);
    lost_at[message.to].push_back(&message);
  }
  // Nodes whose waiting is explained by a known loss come first: the others mostly wait for them.
  std::vector<std::string> explained, unexplained;
  for (std::uint32_t i = 0; i < world.nodes(); ++i) {
    auto waiting = host.waiting(NodeId{i});
    if (!waiting) continue;
    std::sort(waiting->from.begin(), waiting->from.end());
    const auto name = [&](NodeId node) { return world.names().name(node); };
    const auto involved = [&](NodeId node) {
      return std::binary_search(waiting->from.begin(), waiting->from.end(), node);
    };
    std::vector<LostMessage> culprits;
    if (const auto it = lost_at.find(NodeId{i}); it != lost_at.end())
      for (const auto* m : it->second)
        if (m->round == waiting->round && involved(m->to == NodeId{i} ? m->from : m->to))
          culprits.push_back(*m);
    auto& list = culprits.empty() ? unexplained : explained;
    if (list.size() >= kNamesShown) {
      list.emplace_back();  // counted, not printed
      continue;
    }
    std::string text = fmt::format("  {} has waited for {} from {} since {}\n",
                                   name({i}),
                                   waiting->for_what,
                                   shown(waiting->from, name),
                                   seconds(world.state({i}).last_reaction));
    std::size_t shown_faults = 0;
    for (const NodeId node : waiting->from) {
      const NodeStops* stops = world.state(node).stops();
      if (stops == nullptr || shown_faults == kNamesShown) continue;
      if (stops->stopped())
        text += fmt::format("    {} has been {} since {}\n",
                            name(node),
                            stops->crashes > 0 ? "down" : "paused",
                            seconds(stops->since));
      if (stops->last_state_lost)
        text += fmt::format(
            "    {} lost its state at {}\n", name(node), seconds(*stops->last_state_lost));
      shown_faults += stops->stopped() || stops->last_state_lost;
    }
    if (!culprits.empty()) {
      text += "    lost: ";
      for (std::size_t c = 0; c < culprits.size() && c < kNamesShown; ++c) {
        const LostMessage& m = culprits[c];
        text += fmt::format("{}{} of round {} from {} to {}, sent at {} ({})",
                            c ? ", " : "",
                            world.types().name(m.type),
                            m.round.value,
                            name(m.from),
                            name(m.to),
                            seconds(m.left),
                            how_lost(m));
      }
      text += culprits.size() > kNamesShown ? " and others\n" : "\n";
    }
    list.push_back(std::move(text));
  }
  const std::size_t waiting_nodes = explained.size() + unexplained.size();
  std::string text;
  std::size_t shown_nodes = 0;
  for (const auto* list : {&explained, &unexplained})
    for (const auto& entry : *list)
      if (!entry.empty() && shown_nodes < kNamesShown) {
        text += entry;
        ++shown_nodes;
      }
  const auto stopped = world.stopped_deciders();
  for (std::size_t i = 0; i < stopped.size() && i < kNamesShown; ++i) {
    const NodeStops& stops = *world.state(stopped[i]).stops();
    text += fmt::format("  {} has not finished, and has been {} since {}\n",
                        world.names().name(stopped[i]),
                        stops.crashes > 0 ? "down" : "paused",
                        seconds(stops.since));
  }
  if (stopped.size() > kNamesShown)
    text += fmt::format("  … and so have {} more nodes\n", stopped.size() - kNamesShown);
  if (waiting_nodes > shown_nodes)
    text += fmt::format("  … and {} more nodes are waiting\n", waiting_nodes - shown_nodes);
  if (!explained.empty() && world.spec().network.transport == Transport::datagram)
    text +=
        "  lost datagrams are not sent again: transport = \"reliable\" does that, a server policy "
        "of "
        "quorum or deadline goes on without them\n";
  return text;
}

}  // namespace posse
