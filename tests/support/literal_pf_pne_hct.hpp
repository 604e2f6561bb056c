// SPDX-License-Identifier: Apache-2.0
// A client of PF-PNE with HCT from the description of its algorithm: stage 1 of LiteralPfPne once
// more, reward by reward, then LiteralHct. For comparison with the role, pull by pull.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/domain/partition.hpp"
#include "core/objective/problem.hpp"
#include "tests/support/literal_learners.hpp"
#include "tests/support/literal_pf_pne.hpp"

namespace posse::test {

class LiteralPfPneHct {
 public:
  /// `range`: VHCT. `before_step(literal)` is called before every step of stage 2.
  template <class BeforeStep>
  LiteralPfPneHct(const Problem& problem,
                  const Partition& partition,
                  const LiteralPfPne& first,
                  const LiteralPfPne::Constants& p,
                  std::optional<double> range,
                  const LearnerChoices& choices,
                  std::size_t client,
                  BeforeStep before_step) {
    RewardSource source(problem, client);
    std::map<Cell, std::vector<double>> rewards;
    std::map<Cell, bool> kept;
    const auto pull = [&](Cell cell, std::uint64_t count) {
      source.pull_each(partition.point(cell), count, [&](double reward) {
        rewards[cell].push_back(reward);
        points.push_back(partition.point(cell));
      });
    };
    std::vector<Cell> level{{0, 1}};
    for (std::uint32_t h = 0; h < first.stage1.size(); ++h) {
      for (const Cell cell : level) pull(cell, first.t(h));
      level.clear();
      for (const auto index : first.shared[h]) {
        kept[{h, index}] = true;
        if (h == partition.max_depth()) continue;
        for (const Cell child : children_of_cell(partition, {h, index})) level.push_back(child);
      }
    }
    // Before H0 only the end of the budget ends stage 1: its last level is cut.
    if (static_cast<int>(first.stage1.size()) <= first.H0())
      for (const Cell cell : level)
        pull(cell,
             std::min(first.t(static_cast<std::uint32_t>(first.stage1.size())),
                      problem.budget() - source.pulls()));
    stage1_pulls = source.pulls();
    if (stage1_pulls == problem.budget()) return;

    LiteralHct hct(partition, p.nu1, p.rho, p.c, p.delta, range, choices);
    for (const auto& [cell, all] : rewards)
      hct.know(cell, all, kept.contains(cell) && cell.depth < partition.max_depth());
    hct.begin();
    for (const auto& [cell, all] : rewards)
      if (!kept.contains(cell)) ++eliminated;
    while (source.pulls() < problem.budget()) {
      before_step(hct);
      const Cell cell = hct.next();
      if (rewards.contains(cell)) ++pulled_again;
      const double reward = source.pull(partition.point(cell), 1);
      points.push_back(partition.point(cell));
      hct.tell(reward);
    }
    for (const auto& [cell, node] : hct.tree()) {
      depth = std::max(depth, cell.depth);
      if (rewards.contains(cell) && !kept.contains(cell) && cell.depth < partition.max_depth() &&
          hct.tree().contains(partition.child(cell, 0)))
        ++expanded_again;
    }
    cells = hct.tree().size();
  }

  std::vector<std::vector<double>> points;  // of every evaluation
  std::uint64_t stage1_pulls = 0;
  std::size_t eliminated = 0;      // cells
  std::size_t pulled_again = 0;    // steps in cells of stage 1
  std::size_t expanded_again = 0;  // cells that the server had eliminated
  std::uint32_t depth = 0;         // of the tree
  std::size_t cells = 0;
};

}  // namespace posse::test
