// SPDX-License-Identifier: Apache-2.0
#include "program/replay/loss_sweep.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>

#include "core/network/nodes.hpp"
#include "core/sim/message_types.hpp"
#include "core/sim/simulation.hpp"
#include "program/base/threads.hpp"

namespace posse {
namespace {

RunEnd end_of(const RunOutcome& outcome) {
  if (outcome.status == RunStatus::failed) throw std::runtime_error(outcome.report);
  RunEnd end;
  end.status = outcome.status;
  const bool finished = outcome.status == RunStatus::finished;
  end.virtual_s = (finished ? outcome.finished_at : outcome.last_event).to_seconds();
  if (outcome.regret.evaluations > 0) {
    end.simple_regret = outcome.regret.simple;
    end.cumulative_regret = outcome.regret.cumulative;
  }
  end.optimum_lost = outcome.optimum_eliminated > 0;
  return end;
}

/// First transmissions, as sent.
std::vector<const MessageRecord*> messages_of(const SimulationResult& run, bool reliable) {
  std::vector<const MessageRecord*> messages;
  std::set<std::tuple<NodeId, NodeId, std::uint32_t>> sent;
  for (const MessageRecord& message : run.messages) {
    if (message.type == kAcknowledgement) continue;
    if (reliable && !sent.emplace(message.from, message.to, message.number).second) continue;
    messages.push_back(&message);
  }
  return messages;
}

/// `most` of them, evenly.
void thin(std::vector<const MessageRecord*>& messages, std::size_t most) {
  if (messages.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) messages[i] = messages[i * messages.size() / most];
  messages.resize(most);
}

/// Larger is worse.
auto harm(const RunEnd& end) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  return std::tuple(end.status != RunStatus::finished,
                    end.optimum_lost,
                    end.simple_regret.value_or(kNone),
                    end.cumulative_regret.value_or(kNone),
                    end.virtual_s);
}

}  // namespace

LossSweep sweep_losses(const Scenario& scenario,
                       const AlgorithmEntry& entry,
                       const LossSweepOptions& options,
                       LossSweepProgress& progress) {
  const Workload workload = make_workload(scenario, entry, options.repetition);
  const auto protocol = make_protocol(scenario, entry, workload, options.repetition);
  const NodeNames names(protocol->groups());
  auto spec = make_simulation(scenario, entry, workload, *protocol, options.repetition);
  spec.trace_messages = true;
  const SimulationResult whole = run_serial(spec);
  spec.trace_messages = false;
  LossSweep sweep;
  sweep.without_losses = end_of(whole.outcome);
  auto messages = messages_of(whole, scenario.network.transport == Transport::reliable);
  sweep.messages = messages.size();
  thin(messages, options.most);
  progress.runs += messages.size();

  std::vector<std::optional<MessageLoss>> losses(messages.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t) {
    try {
      SimulationSpec one = spec;
      one.network.drops.emplace_back();
      for (std::size_t i = next++; i < messages.size() && !progress.stop; i = next++) {
        const MessageRecord& m = *messages[i];
        ListedLoss& drop = one.network.drops.back();
        drop.from = names.name(m.from);
        drop.to = names.name(m.to);
        drop.transmission = m.transmission;
        losses[i] = MessageLoss{std::string(m.type),
                                *drop.from,
                                *drop.to,
                                m.round.value,
                                m.transmission,
                                m.sent.to_seconds(),
                                end_of(run_serial(one).outcome)};
        ++progress.done;
      }
    } catch (...) {
      progress.stop = true;
      throw;
    }
  };
  work_together(std::min(options.jobs, messages.size()), work);
  for (auto& loss : losses)
    if (loss) sweep.losses.push_back(std::move(*loss));
  std::stable_sort(sweep.losses.begin(), sweep.losses.end(), [](const auto& a, const auto& b) {
    return harm(a.end) > harm(b.end);
  });
  return sweep;
}

}  // namespace posse
