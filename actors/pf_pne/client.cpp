// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne/client.hpp"

#include <algorithm>
#include <utility>

#include "actors/fed_pne/bounds.hpp"

namespace posse {

PfPneClient::PfPneClient(const PfPneSetup& setup, std::uint32_t client)
    : FirstStageClient(setup, client), setup_(&setup) {
  progress_.kept = {Cell{0, 1}};
}

void PfPneClient::on_restart(Reaction& reaction) {
  if (!setup_->shared_depth && rewards().left() > 0) search_alone(reaction);
}

double PfPneClient::sample(Cell cell, std::uint64_t count, Reaction& reaction) {
  const double sum = rewards().pull(cell, count, reaction);
  pulled_.push_back({cell.index, sum, count});
  return sum;
}

void PfPneClient::store(const Survivors& survivors, Reaction& reaction) {
  levels_.resize(survivors.depth + std::size_t{1});
  Level& level = levels_[survivors.depth];
  level.radius = survivors.radius;
  level.survivors = survivors.cells;
  progress_.depth = survivors.depth;
  progress_.kept.clear();
  for (const auto& cell : survivors.cells) progress_.kept.push_back({survivors.depth, cell.index});
  // The pulled cells are of this depth, or of an earlier one whose Survivors never arrived.
  levels_[depth()].sampled = std::move(pulled_);
  if (survivors.depth == depth())
    std::erase_if(level.sampled, [&](const Known& cell) {
      return std::binary_search(
          progress_.kept.begin(), progress_.kept.end(), Cell{survivors.depth, cell.index});
    });
  pulled_.clear();
  report(reaction);
}

void PfPneClient::search_alone(Reaction& reaction) {
  std::vector<std::uint64_t> indices{1};
  std::vector<bool> protected_parents{false};
  for (std::uint32_t depth = 0; rewards().left() > 0; ++depth) {
    auto cells = look_up(depth, indices);
    if (!pull_alone(depth, cells, protected_parents, reaction)) break;
    const auto best = static_cast<std::size_t>(
        std::max_element(cells.begin(),
                         cells.end(),
                         [](const Known& a, const Known& b) { return a.mean < b.mean; }) -
        cells.begin());
    const auto kept = keep(depth, cells, best);
    recommend({depth, cells[best].index}, reaction);
    progress_.depth = depth;
    progress_.kept.clear();
    indices.clear();
    for (const auto i : kept) {
      indices.push_back(cells[i].index);
      progress_.kept.push_back({depth, cells[i].index});
    }
    report(reaction);

    if (depth == setup_->partition.max_depth()) {
      const auto left = rewards().left();
      if (left > 0) {
        rewards().pull({depth, cells[best].index}, left, reaction);
        progress_.certified_regret += static_cast<double>(left);
      }
      break;
    }
    const std::uint32_t k = setup_->partition.children_per_cell();
    const std::uint64_t free = depth + 1 < levels_.size() ? levels_[depth + 1].survivors.size() +
                                                                levels_[depth + 1].sampled.size()
                                                          : 0;
    indices = setup_->children(depth, indices, rewards().left(), free);
    protected_parents.resize(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i)
      protected_parents[i] = cells[kept[i / k]].is_protected;
  }
  report(reaction);
  reaction.finish();
}

std::vector<PfPneClient::Known> PfPneClient::look_up(
    std::uint32_t depth, const std::vector<std::uint64_t>& indices) const {
  std::vector<Known> cells(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) cells[i].index = indices[i];
  if (depth >= levels_.size()) return cells;
  const Level& level = levels_[depth];
  auto survivor = level.survivors.begin();  // all three lists ascend
  auto sampled = level.sampled.begin();
  for (auto& cell : cells) {
    while (survivor != level.survivors.end() && survivor->index < cell.index) ++survivor;
    while (sampled != level.sampled.end() && sampled->index < cell.index) ++sampled;
    if (survivor != level.survivors.end() && survivor->index == cell.index) {
      cell.mean = survivor->mean;
      cell.is_protected = true;
    } else if (sampled != level.sampled.end() && sampled->index == cell.index) {
      cell = *sampled;
    }
  }
  return cells;
}

bool PfPneClient::pull_alone(std::uint32_t depth,
                             std::vector<Known>& cells,
                             const std::vector<bool>& protected_parents,
                             Reaction& reaction) {
  const std::uint64_t tau = theory::fed_pne_tau(setup_->theory.federation, depth);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Known& cell = cells[i];
    if (cell.is_protected) continue;
    const std::uint64_t missing = tau - cell.count;
    const std::uint64_t count = std::min(missing, rewards().left());
    if (count > 0) {
      cell.sum += rewards().pull({depth, cell.index}, count, reaction);
      cell.count += count;
      progress_.certified_regret +=
          static_cast<double>(count) *
          theory::pf_pne_own_regret(setup_->theory, depth, protected_parents[i]);
    }
    if (count < missing) return false;
    cell.mean = cell.sum / static_cast<double>(cell.count);
  }
  return true;
}

std::vector<std::size_t> PfPneClient::keep(std::uint32_t depth,
                                           const std::vector<Known>& cells,
                                           std::size_t best) const {
  const auto& p = setup_->theory;
  // Every cell that is not protected now has tau_h samples.
  const double own =
      theory::fed_pne_radius(p.federation, theory::fed_pne_tau(p.federation, depth), 1);
  const double best_radius = cells[best].is_protected ? levels_[depth].radius : own;
  const double allowance = p.safe && cells[best].is_protected ? p.max_difference : 0;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].is_protected || !(cells[i].mean + own + setup_->smoothness(depth) + allowance <
                                   cells[best].mean - best_radius))
      kept.push_back(i);
  return kept;
}

void PfPneClient::report(Reaction& reaction) const {
  reaction.observe(OwnSearchObserved{rewards().client(), progress_});
}

}  // namespace posse
