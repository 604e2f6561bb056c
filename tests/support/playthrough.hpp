// SPDX-License-Identifier: Apache-2.0
// A run as a readable record, a line an event: what roles were handed, evaluated, decided and
// answered, in the order of the serial kernel.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/overload.hpp"
#include "core/sim/run_control.hpp"

namespace posse::test {

class RecordingHost final : public RoleHost {
 public:
  RecordingHost(const Protocol& protocol, const Nodes& nodes)
      : roles_(protocol, nodes.size()), nodes_(nodes) {}

  Duration react(NodeId node, const Stimulus& stimulus, Reaction& reaction) override {
    const auto& message = stimulus.message;
    const Time now = reaction.now();
    if (stimulus.kind == Stimulus::Kind::message)
      line(now,
           fmt::format("{} → {}  {} {}",
                       nodes_.name(message.from),
                       nodes_.name(node),
                       message.payload.type().name,
                       message.payload.type().print(message.payload)));
    roles_.react(node, stimulus, reaction);
    std::uint64_t evaluations = 0;
    bool finished = false;
    for (const auto& effect : reaction.effects()) {
      if (const auto* evaluate = std::get_if<EvaluateEffect>(&effect))
        evaluations += evaluate->count;
      finished = finished || std::holds_alternative<FinishEffect>(effect);
    }
    if (evaluations > 0)
      line(now, fmt::format("  {} evaluates {}", nodes_.name(node), evaluations));
    for (const auto& record : reaction.observations()) observed(now, node, record.observation);
    if (finished) line(now, fmt::format("  {} has finished", nodes_.name(node)));
    return {};
  }
  std::uint32_t messages_before_finish(NodeId node) const override {
    return roles_.messages_before_finish(node);
  }
  void replace(NodeId node, std::unique_ptr<Role> role) override {
    roles_.replace(node, std::move(role));
  }
  std::optional<Waiting> waiting(NodeId node) const override { return roles_.waiting(node); }

  std::vector<std::string> take_lines() { return std::move(lines_); }

 private:
  void line(Time now, const std::string& text) {
    lines_.push_back(fmt::format("{:>10.6f} s  {}", now.to_seconds(), text));
  }

  void observed(Time now, NodeId node, const Observation& observation) {
    const auto who = nodes_.name(node);
    std::visit(
        Overload{[&](const RecommendationObserved& o) {
                   line(now, fmt::format("  {} recommends {}", who, fmt::join(o.point, " ")));
                 },
                 [&](const RoundEnded& o) { round_ended(now, who, o); },
                 [&](const StaleObserved& o) {
                   line(now,
                        fmt::format("  {} gets a late answer of {}", who, nodes_.name(o.from)));
                 },
                 [&](const OwnSearchObserved& o) {
                   line(now,
                        fmt::format("  {} has completed depth {}, keeps {} cells",
                                    who,
                                    o.search.depth,
                                    o.search.kept.size()));
                 },
                 [&](const ArmPulled& o) {
                   line(now,
                        fmt::format("  {}: pull {} of arm {} has value {}, bound {}",
                                    who,
                                    o.pulls,
                                    o.arm,
                                    o.value,
                                    o.bound));
                 },
                 [&](const ArmAnswered& o) {
                   line(now, fmt::format("  {} answers arm {}", who, o.arm));
                 },
                 [](const auto&) {}},
        observation);
  }

  void round_ended(Time now, const std::string& who, const RoundEnded& o) {
    std::string text = fmt::format("  {} ends round {}", who, o.round.value);
    if (o.active_cells > 0 && o.pulls_per_cell > 0)
      text += fmt::format(
          ": {} cells × {} pulls, {} kept", o.active_cells, o.pulls_per_cell, o.kept_cells);
    if (o.best && o.pulls_per_cell > 0)
      text += fmt::format(", best ({}, {})", o.best->depth, o.best->index);
    line(now, text);
    double best = -1e300;
    for (const auto& judged : o.cells) best = std::max(best, judged.mean);
    for (const auto& judged : o.cells)
      if (!judged.kept)
        line(now,
             fmt::format("    eliminated ({}, {}): mean {}, {} below the best",
                         judged.cell.depth,
                         judged.cell.index,
                         judged.mean,
                         best - judged.mean));
  }

  DirectHost roles_;
  const Nodes& nodes_;
  std::vector<std::string> lines_;
};

/// The lines of one run, and its result.
inline std::pair<std::vector<std::string>, SimulationResult> playthrough(
    const SimulationSpec& spec) {
  const Nodes nodes(spec.protocol->groups());
  World world(spec, nodes);
  RecordingHost host(*spec.protocol, nodes);
  auto result = run_in_serial_order(spec, world, host, nullptr, nullptr);
  return {host.take_lines(), std::move(result)};
}

}  // namespace posse::test
