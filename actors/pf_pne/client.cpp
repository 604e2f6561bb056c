#include "actors/pf_pne/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/star.hpp"
#include "actors/fed_pne/bounds.hpp"
#include "actors/pf_pne/messages.hpp"

namespace posse {

PfPneClient::PfPneClient(const PfPneSetup& setup, std::uint32_t client)
    : setup_(&setup), rewards_(*setup.problem, setup.partition, client) {}

void PfPneClient::on_start(Reaction& reaction) {
  progress_.kept = {Cell{0, 1}};
  recommend({0, 1}, reaction);
  if (setup_->shared_depth)
    pull_level(reaction);
  else
    search_alone(reaction);
}

void PfPneClient::on_restart(Reaction& reaction) {
  if (!setup_->shared_depth && rewards_.left() > 0) search_alone(reaction);
}

void PfPneClient::on_message(const Message& message, Reaction& reaction) {
  const auto* survivors = message.get<Survivors>();
  if (survivors == nullptr) return;
  const Sight sight = survivors_seen_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest) return;

  const auto kept = store_survivors(*survivors, reaction);
  if (rewards_.left() == 0) return;
  if (survivors->depth == *setup_->shared_depth) {
    search_alone(reaction);
  } else {
    active_ = setup_->children(survivors->depth, kept, rewards_.left(), 0);
    depth_ = survivors->depth + 1;
    pull_level(reaction);
  }
}

std::vector<std::uint64_t> PfPneClient::store_survivors(const Survivors& survivors,
                                                        Reaction& reaction) {
  levels_.resize(survivors.depth + std::size_t{1});
  Level& level = levels_[survivors.depth];
  level.radius = survivors.radius;
  level.survivors = survivors.cells;
  progress_.depth = survivors.depth;
  progress_.kept.clear();
  std::vector<std::uint64_t> kept;
  std::size_t best = 0;
  for (std::size_t i = 0; i < survivors.cells.size(); ++i) {
    kept.push_back(survivors.cells[i].index);
    progress_.kept.push_back({survivors.depth, kept.back()});
    if (survivors.cells[i].mean > survivors.cells[best].mean) best = i;
  }
  // The pulled cells are of this depth, or of an earlier one whose Survivors never arrived.
  levels_[depth_].sampled = std::move(pulled_);
  if (survivors.depth == depth_)
    std::erase_if(level.sampled, [&](const Known& cell) {
      return std::binary_search(kept.begin(), kept.end(), cell.index);
    });
  pulled_.clear();
  recommend({survivors.depth, kept[best]}, reaction);
  report(reaction);
  return kept;
}

void PfPneClient::pull_level(Reaction& reaction) {
  const std::uint64_t pulls = theory::fed_pne_pulls(setup_->theory.federation, depth_);
  const std::uint64_t left = rewards_.left();
  const bool cut = pulls > left / active_.size();
  reaction.evaluate(cut ? left : pulls * active_.size());
  LocalMeans local{depth_, {}};
  pulled_.clear();
  for (const auto index : active_) {
    const auto count = std::min(pulls, rewards_.left());
    if (count == 0) break;
    const double sum = rewards_.pull({depth_, index}, count, reaction);
    pulled_.push_back({index, sum, count});
    local.means.push_back(sum / static_cast<double>(count));
  }
  if (!cut) reaction.send(kServer, Round{depth_ + 1}, std::move(local));
  if (rewards_.left() == 0) reaction.finish();
}

void PfPneClient::search_alone(Reaction& reaction) {
  std::vector<std::uint64_t> indices{1};
  std::vector<bool> protected_parents{false};
  for (std::uint32_t depth = 0; rewards_.left() > 0; ++depth) {
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
      const auto left = rewards_.left();
      if (left > 0) {
        reaction.evaluate(left);
        rewards_.pull({depth, cells[best].index}, left, reaction);
        progress_.certified_regret += static_cast<double>(left);
      }
      break;
    }
    const std::uint32_t k = setup_->partition.children_per_cell();
    const std::uint64_t free = depth + 1 < levels_.size() ? levels_[depth + 1].survivors.size() +
                                                                levels_[depth + 1].sampled.size()
                                                          : 0;
    indices = setup_->children(depth, indices, rewards_.left(), free);
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
  const std::uint64_t left = rewards_.left();
  std::uint64_t needed = 0;  // at most `left`; if more is needed, the level is cut
  for (const auto& cell : cells)
    if (!cell.is_protected && needed < left) needed += std::min(left - needed, tau - cell.count);
  reaction.evaluate(needed);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Known& cell = cells[i];
    if (cell.is_protected) continue;
    const std::uint64_t missing = tau - cell.count;
    const std::uint64_t count = std::min(missing, rewards_.left());
    if (count > 0) {
      cell.sum += rewards_.pull({depth, cell.index}, count, reaction);
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

void PfPneClient::recommend(Cell cell, Reaction& reaction) const {
  reaction.observe(RecommendationObserved{setup_->partition.point(cell), rewards_.client()});
}

void PfPneClient::report(Reaction& reaction) const {
  reaction.observe(OwnSearchObserved{rewards_.client(), progress_});
}

std::optional<Waiting> PfPneClient::waiting() const {
  if (rewards_.left() == 0 || setup_->policy.kind != PolicyKind::all) return std::nullopt;
  return Waiting{
      fmt::format("Survivors of depth {}", depth_), Survivors::kName, Round{depth_ + 1}, {kServer}};
}

}  // namespace posse
