// SPDX-License-Identifier: Apache-2.0
// A run's whole outcome as text: two outcomes are equal if and only if their texts are.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/role/outcome.hpp"
#include "core/sim/intervention.hpp"

namespace posse::test {

inline std::string describe(const DurationHistogram& histogram) {
  std::string text = fmt::format("{} ns:", histogram.sum_ns());
  for (std::size_t i = histogram.first(); i < histogram.end(); ++i)
    if (histogram.count(i) > 0) text += fmt::format(" {} in {}", histogram.count(i), i);
  return text + "\n";
}

inline std::string describe(std::uint64_t count) { return fmt::to_string(count); }
inline std::string describe(Duration duration) { return fmt::format("{} ns", duration.ns); }

inline std::string describe(const RoundRecord& row) {
  std::string text = fmt::format("round {} {} {}", row.round.value, row.began.ns, row.ended.ns);
  if (row.best) text += fmt::format(" best {} {}", row.best->depth, row.best->index);
  text += fmt::format(" cells {} {} {} steps {} answers {} {} late",
                      row.active_cells,
                      row.pulls_per_cell,
                      row.kept_cells,
                      row.steps,
                      row.arrived,
                      row.expected);
  for (const auto node : row.late) text += fmt::format(" {}", node.value);
  for (const auto number : {row.bytes_so_far, row.values_so_far, row.stale})
    text += fmt::format(" {}", number);
  RoundCount::each([&](auto count) { text += " " + describe(row.*count); });
  text += " " + describe(row.waiting);
  return text + "\n";
}

inline std::string describe(const RegretSummary& regret) {
  std::string text = fmt::format("regret {} {} {} {} evaluations {} {} {}\nby client",
                                 regret.cumulative,
                                 regret.local_cumulative,
                                 regret.simple.value_or(-1),
                                 regret.local_simple.value_or(-1),
                                 regret.evaluations,
                                 regret.min_evaluations,
                                 regret.max_evaluations);
  for (const double x : regret.by_client) text += fmt::format(" {}", x);
  text += "\nrecommended";
  for (const double x : regret.recommendation) text += fmt::format(" {}", x);
  for (const auto& point : regret.local_recommendations) {
    text += " /";
    for (const double x : point) text += fmt::format(" {}", x);
  }
  return text + "\n";
}

inline std::string describe(const TypeAccount& a) {
  auto text = fmt::format("{} {}", a.type, to_string(a.direction));
  CopyCounts::each([&](auto count) { text += fmt::format(" {}", a.*count); });
  return text + fmt::format(" {}\n", a.needless_trip.ns);
}

inline std::string describe(const RunOutcome& out) {
  std::string text = fmt::format("{} {} {:x}\nfinished {} last event {} events {} deliveries {}\n",
                                 to_string(out.status),
                                 out.report,
                                 out.fingerprint,
                                 out.finished_at.ns,
                                 out.last_event.ns,
                                 out.events,
                                 out.deliveries);
  text += fmt::format("busiest {} ties {} complete {} stale {} lossless {}\n",
                      out.busiest_evaluations,
                      out.ties,
                      out.complete_rounds,
                      out.stale,
                      out.lossless);
  for (const auto& account : out.accounts) text += describe(account);
  for (const auto& row : out.rounds) text += describe(row);
  text += describe(out.regret);
  for (const auto& [name, count] : out.counts) text += fmt::format("{} {}\n", name, count);
  for (const auto& [name, value] : out.estimates) text += fmt::format("{} {}\n", name, value);
  for (const auto& own : out.own_searches) {
    text += fmt::format("own search {} {}:", own.depth, own.certified_regret);
    for (const auto& cell : own.kept) text += fmt::format(" {} {}", cell.depth, cell.index);
    text += "\n";
  }
  for (const auto& arm : out.arms.arms)
    text += fmt::format("arm {} {} {} {} {} {} {} {}\n",
                        arm.name,
                        arm.optimum.value_or(-1),
                        arm.pulls,
                        arm.last,
                        arm.best,
                        arm.bound,
                        arm.last_pull,
                        arm.last_pulled.ns);
  text += fmt::format("arms {} {} {} {} {}\n",
                      out.arms.pulls,
                      out.arms.answer ? static_cast<int>(*out.arms.answer) : -1,
                      out.arms.bounds_at_selection,
                      out.arms.last_regret_at_selection,
                      out.arms.best_regret_at_selection);
  for (const auto& latency : out.latency) text += describe(latency);
  text += describe(out.round_durations);
  for (const auto& [kind, count] : kFaultCountsKinds)
    text += fmt::format("{} {} {}\n", kind, (out.faults.*count).begun, (out.faults.*count).ended);
  const auto& phases = out.phases;
  for (const auto phase :
       {phases.compute, phases.queueing, phases.transfer, phases.propagation, phases.waiting})
    text += fmt::format("{} ns ", phase.ns);
  text += "\n";
  for (const auto& link : out.links)
    text += fmt::format("link {}>{} {} {} {}\n",
                        link.from.value,
                        link.to.value,
                        link.departed,
                        link.arrived,
                        link.dropped);
  for (const auto& cell : out.cells)
    text += fmt::format("cell {} {} {} {} {}\n",
                        cell.cell.depth,
                        cell.cell.index,
                        cell.round.value,
                        cell.mean,
                        cell.kept);
  return text +
         fmt::format("children {} eliminated {}\n", out.children_per_cell, out.optimum_eliminated);
}

/// The lines that only one of two texts has; empty if they are the same.
inline std::string differences(const std::string& a, const std::string& b) {
  std::string text;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto line_of = [](const std::string& all, std::size_t& at) {
      const auto end = std::min(all.find('\n', at), all.size());
      auto line = all.substr(std::min(at, all.size()), end - std::min(at, all.size()));
      at = end + 1;
      return line;
    };
    const auto left = line_of(a, i), right = line_of(b, j);
    if (left != right) text += "  " + left + "\nis not\n  " + right + "\n";
    if (text.size() > 4000) break;
  }
  return text;
}

}  // namespace posse::test
