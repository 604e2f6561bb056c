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

/// "    lost: …\n"; empty if nothing was.
std::string losses_text(const World& world, const std::vector<LostMessage>& losses) {
  if (losses.empty()) return "";
  std::string text = "    lost: ";
  for (std::size_t i = 0; i < losses.size() && i < kNamesShown; ++i) {
    const LostMessage& m = losses[i];
    text += fmt::format("{}{} of round {} from {} to {}, sent at {} ({})",
                        i ? ", " : "",
                        world.types().name(m.type),
                        m.round.value,
                        world.names().name(m.from),
                        world.names().name(m.to),
                        seconds(m.left),
                        how_lost(m));
  }
  return text + (losses.size() > kNamesShown ? " and others\n" : "\n");
}

/// "last received Answer of round 3 from client-2 at 0.5 s"
std::string last_text(const World& world,
                      std::string_view received,
                      std::string_view from,
                      const LastMessages::Last& last) {
  if (!last.any()) return fmt::format("{} nothing", received);
  return fmt::format("last {} {} of round {} {} {}{} at {}",
                     received,
                     world.types().name(last.type),
                     last.round.value,
                     from,
                     world.names().name(last.other),
                     last.receivers > 1 ? fmt::format(" and {} more", last.receivers - 1) : "",
                     seconds(last.time));
}

/// A deciding node that has not finished and does not say what it waits for.
std::string unfinished_text(const World& world,
                            NodeId node,
                            const std::vector<const LostMessage*>& losses) {
  std::string text = fmt::format("  {} has not finished, and does not say what it waits for",
                                 world.names().name(node));
  if (const auto* last = world.last_messages().of(node))
    text += fmt::format("; it {}, and {}",
                        last_text(world, "received", "from", last->received),
                        last_text(world, "sent", "to", last->sent));
  std::vector<LostMessage> to_it;
  for (const LostMessage* message : losses)
    if (message->to == node) to_it.push_back(*message);
  return text + "\n" + losses_text(world, to_it);
}

}  // namespace

std::string stall_report(const World& world,
                         const std::vector<Worker*>& workers,
                         const RoleHost& host,
                         bool no_event_is_left) {
  const auto lost = lost_by(workers);
  std::map<NodeId, std::vector<const LostMessage*>> lost_at;  // by either end
  for (const auto& message : lost) {
    lost_at[message.from].push_back(&message);
    lost_at[message.to].push_back(&message);
  }
  // Nodes whose waiting is explained by a known loss come first: the others mostly wait for them.
  std::vector<std::string> explained, unexplained;
  std::vector<NodeId> silent, stopped;  // of those that decide and have not finished
  for (const NodeId node : world.undecided()) {
    const NodeStops* stops = world.state(node).stops();
    if (stops != nullptr && stops->stopped())
      stopped.push_back(node);
    else if (no_event_is_left && !host.waiting(node))
      silent.push_back(node);
  }
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
        if ((waiting->round == Round{} || m->round == waiting->round) &&
            involved(m->to == NodeId{i} ? m->from : m->to))
          culprits.push_back(*m);
    auto& list = culprits.empty() ? unexplained : explained;
    if (list.size() >= kNamesShown) {
      list.emplace_back();  // counted, not printed
      continue;
    }
    std::string text =
        fmt::format("  {} has waited for {}{} since {}\n",
                    name({i}),
                    waiting->for_what,
                    waiting->from.empty() ? "" : " from " + shown(waiting->from, name),
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
    text += losses_text(world, culprits);
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
  for (std::size_t i = 0; i < silent.size() && i < kNamesShown; ++i)
    text += unfinished_text(world, silent[i], lost_at[silent[i]]);
  if (silent.size() > kNamesShown)
    text += fmt::format("  … and so have {} more nodes\n", silent.size() - kNamesShown);
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
  const bool lost_to_silent = std::any_of(lost.begin(), lost.end(), [&](const LostMessage& m) {
    return std::find(silent.begin(), silent.end(), m.to) != silent.end();
  });
  if ((!explained.empty() || lost_to_silent) &&
      world.spec().network.transport == Transport::datagram)
    text +=
        "  lost datagrams are not sent again: transport = \"reliable\" does that, a server policy "
        "of "
        "quorum or deadline goes on without them\n";
  return text;
}

}  // namespace posse
