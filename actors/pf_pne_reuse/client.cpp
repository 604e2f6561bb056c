// SPDX-License-Identifier: Apache-2.0
#include "actors/pf_pne_reuse/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "actors/common/star.hpp"
#include "actors/pf_pne_reuse/messages.hpp"
#include "core/role/checkpoints.hpp"

namespace posse {
namespace {

/// An unbiased estimate of the variance of a reward, if a and b are means of `count_a` and
/// `count_b` independent rewards with the same expectation.
double squared_difference(double a, std::uint64_t count_a, double b, std::uint64_t count_b) {
  return (a - b) * (a - b) / (1 / static_cast<double>(count_a) + 1 / static_cast<double>(count_b));
}

}  // namespace

PfPneReuseClient::PfPneReuseClient(const PfPneReuseSetup& setup, std::uint32_t client)
    : setup_(&setup),
      rewards_(*setup.problem, setup.partition, client),
      search_(setup.partition, setup.theory) {}

void PfPneReuseClient::on_start(Reaction& reaction) { recommend({0, 1}, reaction); }

void PfPneReuseClient::on_message(const Message& message, Reaction& reaction) {
  const auto* plan = message.get<PhasePlan>();
  if (plan == nullptr) return;
  const Sight sight = plans_.see(message.round);
  if (sight == Sight::overtaken) reaction.observe(StaleObserved{message.round, message.from});
  if (sight != Sight::newest || rewards_.left() == 0) return;
  if (plan->pulls == 0)
    search_alone(*plan, reaction);
  else if (plan->pulls > rewards_.left() / plan->index.size())
    pull_until_end({plan->depth, plan->index.front()}, reaction);
  else
    pull_together(*plan, message.round, reaction);
}

void PfPneReuseClient::add_level_to_tree(std::uint32_t depth,
                                         const std::vector<std::uint64_t>& left) {
  std::uint64_t descendants = 1;  // of a cell of the level
  for (std::uint32_t h = depth_; h < depth; ++h)
    descendants *= setup_->partition.children_per_cell();
  auto kept = left.begin();
  for (const auto& [index, own] : level_) {
    while (kept != left.end() && (*kept - 1) / descendants + 1 < index) ++kept;
    if (kept != left.end() && (*kept - 1) / descendants + 1 == index)
      search_.add_inner({depth_, index}, own.sum, own.count);
    else
      search_.add_leaf({depth_, index}, own.sum, own.count);
  }
  level_.clear();
}

void PfPneReuseClient::pull_together(const PhasePlan& plan, Round round, Reaction& reaction) {
  if (plan.depth != depth_) {
    add_level_to_tree(plan.depth, plan.index);
    depth_ = plan.depth;
    recommend(search_.best(), reaction);
  }
  rewards_.prepare_level(depth_, plan.index);
  SpreadMeans local{plan.phase, 0, {}};
  local.means.reserve(plan.index.size());
  for (const auto index : plan.index) {
    Samples& own = level_[index];
    const std::uint64_t half = plan.pulls / 2;
    const std::uint64_t rest = plan.pulls - half;
    const Cell cell{depth_, index};
    const double first = half > 0 ? rewards_.pull(cell, half, reaction) : 0;
    const double second = rewards_.pull(cell, rest, reaction);
    const double mean = second / static_cast<double>(rest);
    if (half > 0)
      local.spread += squared_difference(first / static_cast<double>(half), half, mean, rest);
    else if (own.count > 0)
      local.spread +=
          squared_difference(own.sum / static_cast<double>(own.count), own.count, mean, rest);
    own.sum += first + second;
    own.count += plan.pulls;
    local.means.push_back((first + second) / plan.pulls);
  }
  reaction.send(kServer, round, std::move(local));
  if (rewards_.left() == 0) reaction.finish();
}

void PfPneReuseClient::pull_until_end(Cell cell, Reaction& reaction) {
  recommend(cell, reaction);
  rewards_.pull(cell, rewards_.left(), reaction);
  reaction.finish();
}

void PfPneReuseClient::search_alone(const PhasePlan& plan, Reaction& reaction) {
  std::uint64_t room = rewards_.left();
  for (const auto index : plan.index) {
    const auto own = level_.extract(index);
    const Samples samples = own ? own.mapped() : Samples{};
    search_.add_parent({plan.depth, index}, samples.sum, samples.count, room);
  }
  add_level_to_tree(plan.depth, {});  // the other cells of the level were eliminated
  recommend(search_.best(), reaction);

  Checkpoints checkpoints;
  checkpoints.reached(rewards_.pulls());
  while (rewards_.left() > 0) {
    const auto pulls = search_.next(rewards_.left());
    search_.tell(rewards_.pull(pulls.cell, pulls.count, reaction));
    if (checkpoints.reached(rewards_.pulls())) recommend(search_.best(), reaction);
  }
  recommend(search_.best(), reaction);
  reaction.observe(OwnSearchObserved{rewards_.client(), {search_.depth(), search_.leaves(), 0}});
  reaction.finish();
}

void PfPneReuseClient::recommend(Cell cell, Reaction& reaction) {
  if (recommended_ == cell) return;
  recommended_ = cell;
  reaction.observe(RecommendationObserved{setup_->partition.point(cell), rewards_.client()});
}

std::optional<Waiting> PfPneReuseClient::waiting() const {
  if (rewards_.left() == 0) return std::nullopt;
  const Round next{plans_.newest().value + 1};
  return Waiting{
      fmt::format("PhasePlan of round {}", next.value), PhasePlan::kName, next, {kServer}};
}

}  // namespace posse
